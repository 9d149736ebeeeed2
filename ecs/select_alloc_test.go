//go:build !race

package physecs

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/picking"
)

func TestSelectInAllocatesNothing(t *testing.T) {
	f := newField()
	var r picking.Region
	var list []ecs.Entity
	assert.Zero(t, testing.AllocsPerRun(20, func() {
		r.SetLasso(*f.view, []picking.Point{{X: 5, Y: 5}, {X: 90, Y: 10}, {X: 50, Y: 80}, {X: 10, Y: 70}})
		list = SelectIn(f.World, list[:0], &r, SelectOptions{Visible: true, Contained: true})
		list = SelectIn(f.World, list[:0], &r, SelectOptions{Visible: true})
	}))
	assert.NotEmpty(t, list)
}
