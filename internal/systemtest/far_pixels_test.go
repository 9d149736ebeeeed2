//go:build cgo

package systemtest

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// entities draws an ID buffer and returns the entity of each pixel.
func entities(t *testing.T, ids *render.IDBuffer, w *ecs.World, v picking.View) (list []ecs.Entity) {
	require.NoError(t, ids.Draw(w, v))
	for py := range v.Framebuffer.Height {
		for px := range v.Framebuffer.Width {
			e, _ := ids.Entity(px, py)
			list = append(list, e)
		}
	}
	return list
}

// 100 km away, with the origin rebased there, each pixel shows the same entity as near the world's
// zero, and what is seen is what is picked.
func TestFarIsSeenAsNear(t *testing.T) {
	openWindow(t, render.Options{Hidden: true, Width: 64, Height: 64})
	ids, err := render.NewIDBuffer()
	require.NoError(t, err)
	defer ids.Close()
	near, far, look := nearAndFar(t)
	plain := newFarWorld(geom.DVec3{})
	farScene(t, plain, away)
	physecs.Sync(&plain.world)
	for name, v := range farViews() {
		look(v)
		here := entities(t, ids, &near.world, *near.view())
		there := entities(t, ids, &far.world, *far.view())
		require.Equal(t, here, there, name)
		c := compare(t, &far.world, *far.view(), ids, picker(&far.world, *far.view(), 0))
		assert.Zero(t, c.verdicts[outside], "%s: %s", name, c.first)
		assert.Greater(t, c.seen, 10_000, name)

		v.Position = v.Position.Wide().Add(away).Narrow()
		others := 0
		for i, e := range entities(t, ids, &plain.world, v) {
			if e != here[i] {
				others++
			}
		}
		t.Logf("%s: %v; without a rebase %d pixels show another entity", name, c, others)
		assert.Greater(t, others, 20, name)
	}
}
