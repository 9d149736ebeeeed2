package wide

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// All generators have these offsets as constants.
func TestLayoutIsTheGenerators(t *testing.T) {
	var (
		n node
		p packed
		l loose

		ray geom.Ray
		hit geom.Hit
	)
	for _, c := range []struct {
		name      string
		want, got uintptr
	}{
		{"node", nodeUnits * 64, unsafe.Sizeof(n)},
		{"packed", packedUnits * 64, unsafe.Sizeof(p)},
		{"row", 32, unsafe.Sizeof(l.corner[0][0])},
		{"looseCorner", 96, unsafe.Sizeof(l.corner[0])},
		{"rayOrigin", 0, unsafe.Offsetof(ray.Origin)},
		{"rayDir", 12, unsafe.Offsetof(ray.Dir)},
		{"rayMinT", 24, unsafe.Offsetof(ray.MinT)},
		{"rayMaxT", 28, unsafe.Offsetof(ray.MaxT)},
		{"rayBytes", 32, unsafe.Sizeof(ray)},
		{"hitBytes", 44, unsafe.Sizeof(hit)},
		{"child", 192, unsafe.Offsetof(n.child)},
		{"packedCorner", 96, unsafe.Offsetof(p.corner)},
		{"packedFirst", 120, unsafe.Offsetof(p.first)},
		{"packedLanes", 124, unsafe.Offsetof(p.lanes)},
		{"looseFirst", 288, unsafe.Offsetof(l.first)},
		{"looseLanes", 292, unsafe.Offsetof(l.lanes)},
		{"hitT", 0, unsafe.Offsetof(hit.T)},
		{"hitPoint", 4, unsafe.Offsetof(hit.Point)},
		{"hitNormal", 16, unsafe.Offsetof(hit.Normal)},
		{"hitU", 28, unsafe.Offsetof(hit.U)},
		{"hitV", 32, unsafe.Offsetof(hit.V)},
		{"hitTriangle", 36, unsafe.Offsetof(hit.Triangle)},
		{"hitBack", 40, unsafe.Offsetof(hit.BackFace)},
		{"hitBack + 1", 41, unsafe.Offsetof(hit.Inside)},
	} {
		assert.Equal(t, c.want, c.got, c.name)
	}
}
