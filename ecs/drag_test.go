package physecs

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A chair with a cushion on it and a cat on the cushion, on a floor, seen from above.
func TestSurfaceDrag(t *testing.T) {
	down := func(x float32) geom.Ray { return geom.NewRay(geom.V(x, 100, 0), geom.V(0, -1, 0)) }
	for _, tt := range []struct {
		name  string
		more  func(g *game, d *SurfaceDrag) // what else there is, 10 metres to the right
		begin bool
		ok    bool
		move  geom.Vec3
	}{
		{"the floor", func(*game, *SurfaceDrag) {}, true, true, geom.V(10, 0, 0)},
		{"a table", func(g *game, _ *SurfaceDrag) { g.add(geom.At(10, 1, 0), Box(geom.V(1, 1, 1))) }, true, true, geom.V(10, 2, 0)},
		{"a table out of layer", func(g *game, d *SurfaceDrag) {
			c := Box(geom.V(1, 1, 1))
			c.Layer = 8
			g.add(geom.At(10, 1, 0), c)
			d.Filter.Mask = physics.AllLayers &^ 8
		}, true, true, geom.V(10, 0, 0)},
		{"a table of another kind", func(g *game, d *SurfaceDrag) {
			g.Add(g.add(geom.At(10, 1, 0), Box(geom.V(1, 1, 1))), g.ghost)
			d.Filter.Without = ecs.All(g.ghost)
		}, true, true, geom.V(10, 0, 0)},
		{"what the pointer ignores", func(g *game, _ *SurfaceDrag) {
			g.Add(g.add(geom.At(10, 1, 0), Box(geom.V(1, 1, 1))), g.unpickable)
		}, true, true, geom.V(10, 0, 0)},
		{"a sensor", func(g *game, _ *SurfaceDrag) {
			c := Box(geom.V(1, 1, 1))
			c.Sensor = true
			g.add(geom.At(10, 1, 0), c)
		}, true, true, geom.V(10, 0, 0)},
		{"another cat of the same chair", func(g *game, d *SurfaceDrag) {
			cat := g.add(Transform{}, Box(geom.V(1, 1, 1)))
			g.adopt(cat, d.entity, LocalTransform(geom.At(10, 0, 0)))
		}, true, true, geom.V(10, 0, 0)},
		{"an end of the floor", func(g *game, d *SurfaceDrag) {
			d.Filter.Predicate = func(e ecs.Entity) bool { return g.colliders.Get(e).Kind != KindPlane }
			g.add(geom.At(0, -1, 0), Box(geom.V(4, 1, 4)))
		}, true, false, geom.Vec3{}},
		{"no floor at all", func(_ *game, d *SurfaceDrag) { d.Filter.Predicate = func(ecs.Entity) bool { return false } }, false, false, geom.Vec3{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newGame()
			g.add(Transform{}, Plane(geom.V(0, 1, 0), 0))
			chair := g.add(geom.At(0, 1, 0), Box(geom.V(1, 1, 1)))
			cushion := g.adopt(g.add(Transform{}, Box(geom.V(1, 0.1, 1))), chair, LocalTransform(geom.At(0, 1, 0)))
			g.adopt(g.add(Transform{}, Sphere(0.5)), cushion, LocalTransform(geom.At(0, 0.6, 0)))
			d := SurfaceDrag{entity: chair}
			tt.more(g, &d)
			g.sync()
			d.entity = ecs.Entity{}
			require.Equal(t, tt.begin, d.Begin(g.World, chair, down(0.2)))
			move, normal, ok := d.Drag(g.World, down(10.2))
			assert.Equal(t, tt.ok, ok)
			assert.InDelta(t, 0, move.Distance(tt.move), 1e-5, "%v", move)
			if ok {
				assert.Equal(t, geom.V(0, 1, 0), normal)
			}
			testenv.AllocatesNothing(t, 10, func() { d.Drag(g.World, down(10.2)) })
		})
	}
}

// isWithin agrees with a search through the parents, with and without cycles.
func TestIsWithin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGame()
		var all []ecs.Entity
		for range rapid.IntRange(1, 8).Draw(t, "things") {
			all = append(all, g.add(Transform{}, Sphere(1)))
		}
		for _, e := range all {
			if rapid.IntRange(0, 3).Draw(t, "follows") > 0 {
				g.adopt(e, rapid.SampledFrom(all).Draw(t, "parent"), LocalTransform{})
			}
		}
		g.sync()
		if dead := rapid.SampledFrom(all).Draw(t, "dead"); rapid.Bool().Draw(t, "one dies") && len(all) > 1 {
			g.RemoveEntity(dead)
		}
		space := ecs.GetResource[Space](g.World)
		for _, e := range all {
			for _, other := range all {
				if !g.Alive(e) || !g.Alive(other) {
					continue
				}
				want := e == other
				up := e
				for range all {
					p, ok := space.parent(up)
					if !ok || !g.Alive(p) {
						break
					}
					up = p
					want = want || up == other
				}
				require.Equal(t, want, space.isWithin(e, other))
			}
		}
	})
}
