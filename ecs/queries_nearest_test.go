package physecs

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// rod is a shape along the row of the tests, half a metre deep in the side of each sphere.
var rod = physics.Placed{Shape: geom.Box{HalfExtents: geom.V(0.5, 0.5, 25)}, Transform: geom.At(1, 0, -25)}

func TestShapeQueriesOfEntities(t *testing.T) {
	g := newGame()
	e, filters := g.filteredRow()
	snapshot := Sync(g.World).Snapshot()
	defer snapshot.Release()
	away := rod
	away.Transform.Position.X = 5.5
	for _, tt := range filters {
		t.Run(tt.name, func(t *testing.T) {
			var want []ecs.Entity
			for _, i := range tt.want {
				want = append(want, e[i])
			}
			assert.Equal(t, want, g.space().OverlapShape(nil, rod, tt.f))
			assert.Empty(t, g.space().OverlapShape(nil, away, tt.f))
			manifolds := g.space().CollideShape(nil, rod, 0, tt.f)
			require.Len(t, manifolds, len(want))
			for i, m := range manifolds {
				assert.Equal(t, want[i], m.Entity)
				assert.Equal(t, g.colliders.Get(want[i]).User, m.User)
				assert.InDelta(t, 0.5, m.Depth(), 1e-6)
				assert.InDelta(t, 1, m.Normal.X, 1e-6, "from the entity to the shape")
			}
			n, ok := g.space().NearestToShape(away, 10, tt.f)
			require.Equal(t, len(want) > 0, ok)
			if ok {
				assert.Equal(t, want[0], n.Entity)
				assert.InDelta(t, 4, n.Distance, 1e-6)
				assert.Equal(t, geom.V(1, 0, 0), n.Normal)
			}
			_, ok = g.space().NearestToShape(away, 3.9, tt.f)
			assert.False(t, ok)
			if tt.f.With.IsZero() && tt.f.Without.IsZero() {
				assert.Equal(t, want, snapshot.OverlapShape(nil, rod, tt.f))
				assert.Equal(t, manifolds, snapshot.CollideShape(nil, rod, 0, tt.f))
				then, _ := snapshot.NearestToShape(away, 10, tt.f)
				assert.Equal(t, n, then)
			}
		})
	}

	// Entities that have gone since the last Sync are never reported.
	g.RemoveEntity(e[0])
	assert.Equal(t, e[1:3], g.space().OverlapShape(nil, rod, Filter{}))
	assert.Len(t, g.space().CollideShape(nil, rod, 0, Filter{}), 2)
	n, ok := g.space().NearestToShape(away, 10, Filter{})
	assert.True(t, ok && n.Entity == e[1])
}

// The nearest with a component are the same as those that a Predicate sees, whatever has become of
// the entities since the last Sync.
func TestNearestWithComponents(t *testing.T) {
	g, r := newGame(), testenv.Rand(28, 1)
	few := ecs.ComponentID[rare](g.World)
	var units []ecs.Entity
	for i := range 400 {
		e := g.add(geom.At(float32(i%20), 0, float32(i/20)), Sphere(0.3))
		if units = append(units, e); r.IntN(10) == 0 {
			g.Add(e, few)
		}
	}
	space := Sync(g.World)
	found := func(name string) (n int) {
		for range 50 {
			p, f := geom.V(20*r.Float32(), 0, 20*r.Float32()), Filter{With: ecs.All(few)}
			got := space.NearestK(nil, p, 3, 5, f)
			f.Predicate = func(ecs.Entity) bool { return true }
			assert.Equal(t, space.NearestK(nil, p, 3, 5, f), got, name)
			n += len(got)
		}
		return n
	}
	assert.Positive(t, found("as at the Sync"))
	for _, e := range units {
		if has := g.Has(e, few); has && r.IntN(2) == 0 {
			g.Remove(e, few)
		} else if !has && r.IntN(10) == 0 {
			g.Add(e, few)
		}
	}
	assert.Positive(t, found("with other components"))
	for _, e := range units {
		if r.IntN(3) == 0 {
			g.RemoveEntity(e)
		}
	}
	assert.Positive(t, found("with the dead"))
	for range 50 {
		g.NewEntity(few)
	}
	assert.Positive(t, found("with others of the IDs of the dead"))
	g.Reset()
	assert.Zero(t, found("after a reset"))
}

func TestFirstOf(t *testing.T) {
	w := ecs.NewWorld()
	a, b, c := ecs.ComponentID[Transform](&w), ecs.ComponentID[Collider](&w), ecs.ComponentID[rare](&w)
	for _, id := range []ecs.ID{a, b, c} {
		assert.Equal(t, id, firstOf(new(ecs.All(id))))
		assert.Equal(t, a, firstOf(new(ecs.All(id, a))))
	}
}
