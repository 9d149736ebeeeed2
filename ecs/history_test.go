package physecs

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Each tick answers as the space did then, whatever became of its entities.
func TestHistorySystem(t *testing.T) {
	g := newGame()
	system := HistorySystem{Capacity: 5, Tick: 100}
	system.Initialize(g.World)
	h := ecs.GetResource[History](g.World)
	e := g.row(8)
	kept := map[int64]map[string]any{}
	r := testenv.Rand(1, 9)
	for round := range 40 {
		switch i := r.IntN(len(e)); {
		case !g.Alive(e[i]):
			e[i] = g.add(geom.At(0, 0, -10*float32(i+1)), Sphere(1)) // a recycled ID
		case r.IntN(2) == 0:
			g.RemoveEntity(e[i])
		default:
			g.transforms.Get(e[i]).Position.X = r.Float32()
		}
		if round%9 == 8 {
			system.Tick -= 2 // as after a restore
		}
		tick := system.Tick
		system.Update(g.World)
		require.Equal(t, tick+1, system.Tick)
		kept[tick] = answers(g.space().Snapshot(), Filter{Sensors: true}, e)
		oldest, newest, ok := h.Ticks()
		require.True(t, ok)
		require.Equal(t, tick, newest)
		entities := append([]ecs.Entity{}, e...)
		for back := oldest; back <= newest; back++ {
			past, err := h.At(back)
			require.NoError(t, err)
			got := answers(past, Filter{Sensors: true}, entities)
			delete(got, "entities") // asked of those that live now
			for name := range got {
				require.Equal(t, kept[back][name], got[name], "%s at tick %d of %d", name, back, tick)
			}
			past.Release()
		}
	}
	_, err := h.At(1)
	assert.ErrorContains(t, err, "History.At: tick 1 is too old")
}

// An entity that has died since is hit, as the Entity that it was, also between two ticks, where
// the first tick says which entities there are.
func TestHistoryOfTheDead(t *testing.T) {
	g := newGame()
	system := HistorySystem{}
	target := g.add(geom.At(0, 0, -10), Sphere(1))
	system.Update(g.World)
	g.transforms.Get(target).Position.X = 4
	other := g.add(geom.At(0, 0, -20), Sphere(1))
	system.Update(g.World)
	g.RemoveEntity(target)
	system.Update(g.World)
	h := ecs.GetResource[History](g.World)
	ray := func(x float32) geom.Ray { return geom.NewRay(geom.V(x, 0, 0), geom.V(0, 0, -1)) }
	for _, c := range []struct {
		share, x float32
		want     ecs.Entity
	}{{0, 0, target}, {0.5, 2, target}, {0.5, 0, ecs.Entity{}}, {1, 4, target}, {1, 0, other}} {
		past, err := h.Between(0, 1, c.share)
		require.NoError(t, err)
		hit, _ := past.CastRay(ray(c.x), Filter{})
		assert.Equal(t, c.want, hit.Entity, "%v", c)
		past.Release()
	}
	assert.False(t, g.Alive(target))
	now, err := h.At(2)
	require.NoError(t, err)
	assert.False(t, now.CastRayAny(ray(4), Filter{}))

	// Another Space in the world has a history of its own.
	g.Reset()
	g.row(1)
	system.Tick = 50
	system.Update(g.World)
	h = ecs.GetResource[History](g.World)
	_, err = h.At(2)
	assert.Error(t, err)
	past, err := h.At(50)
	require.NoError(t, err)
	assert.True(t, past.CastRayAny(ray(0), Filter{}))
}
