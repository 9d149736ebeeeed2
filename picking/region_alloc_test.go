package picking

import (
	"testing"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

func TestRegionAllocatesNothing(t *testing.T) {
	z := newShapesAround(5)
	z.fill(60, geom.V(0, 0, -7), 5, 0.5)
	view := regionViews()["perspective"]
	outline := []Point{{3, 5}, {60, 2}, {55, 33}, {30, 12}, {8, 30}, {50, 3}}
	var r Region
	var ids []physics.ColliderID
	testenv.AllocatesNothing(t, 10, func() {
		r.SetLasso(view, outline)
		ids = r.Contained(z.space, ids[:0], physics.Filter{})
		ids = r.Overlap(z.space, ids[:0], physics.Filter{})
		ids = r.Visible(z.space, ids, 3, PickFilter())
		r.SetRectangle(view, 3, 3, 50, 30)
		ids = r.Overlap(z.space, ids[:0], physics.Filter{})
	})
}
