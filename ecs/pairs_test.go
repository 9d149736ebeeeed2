package physecs

import (
	"slices"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

func pairOf(a, b ecs.Entity) Pair {
	if compareEntities(a, b) > 0 {
		a, b = b, a
	}
	return Pair{a, b}
}

func TestPairSystem(t *testing.T) {
	g := newGame()
	var s PairSystem
	s.Initialize(g.World)
	pairs := ecs.GetResource[Pairs](g.World)
	step := func(all, began, ended []Pair) {
		t.Helper()
		Sync(g.World)
		s.Update(g.World)
		assert.ElementsMatch(t, all, pairs.All)
		assert.ElementsMatch(t, began, pairs.Began)
		assert.ElementsMatch(t, ended, pairs.Ended)
	}
	step(nil, nil, nil)
	a, b, c := g.add(geom.At(0, 0, 0), Sphere(1)), g.add(geom.At(1.5, 0, 0), Sphere(1)), g.add(geom.At(9, 0, 0), Sphere(1))
	ab, bc := Pair{a, b}, Pair{b, c}
	step([]Pair{ab}, []Pair{ab}, nil)
	step([]Pair{ab}, nil, nil)
	g.transforms.Get(c).Position.X = 3
	step([]Pair{ab, bc}, []Pair{bc}, nil)
	g.transforms.Get(a).Position.X = -9
	step([]Pair{bc}, nil, []Pair{ab})
	g.Add(b, g.static)
	step([]Pair{bc}, nil, nil)
	g.Add(c, g.static)
	step(nil, nil, []Pair{bc})
	g.World.Remove(c, g.static)
	step([]Pair{bc}, []Pair{bc}, nil)
	g.RemoveEntity(b)
	again := g.add(geom.At(2.5, 0, 0), Sphere(1))
	require.Equal(t, b.ID(), again.ID())
	step([]Pair{{again, c}}, []Pair{{again, c}}, []Pair{bc}) // by the entity that it was
	g.colliders.Get(c).Layer, g.colliders.Get(again).Mask = 2, 4
	step(nil, nil, []Pair{{again, c}})
	g.colliders.Get(again).Mask = 0
	step([]Pair{{again, c}}, []Pair{{again, c}}, nil)
	t.Run("removed since the sync", func(t *testing.T) {
		g.World.Remove(c, g.collider)
		s.Update(g.World)
		assert.Empty(t, pairs.All)
		assert.Equal(t, []Pair{{again, c}}, pairs.Ended)
	})
	t.Run("reset", func(t *testing.T) {
		g.Reset()
		g.row(1)
		g.row(1)
		Sync(g.World)
		s.Update(g.World)
		pairs = ecs.GetResource[Pairs](g.World)
		assert.Len(t, pairs.All, 1)
		assert.Len(t, pairs.Began, 1)
		assert.Empty(t, pairs.Ended)
	})
	s.Finalize(g.World)
}

// The brute-force twin tests every two entities.
func TestPairSystemAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGame()
		var s PairSystem
		s.Initialize(g.World)
		var live []ecs.Entity
		before := []Pair{}
		for range rapid.IntRange(1, 5).Draw(t, "ticks") {
			for range rapid.IntRange(0, 6).Draw(t, "added") {
				live = append(live, g.add(drawTransform(t), drawCollider(t)))
			}
			for i := len(live) - 1; i >= 0; i-- {
				switch rapid.IntRange(0, 7).Draw(t, "fate") {
				case 0:
					g.RemoveEntity(live[i])
					live = slices.Delete(live, i, i+1)
				case 1:
					*g.transforms.Get(live[i]) = drawTransform(t)
				case 2:
					if !g.Has(live[i], g.static) {
						g.Add(live[i], g.static)
					}
				}
			}
			space := Sync(g.World)
			s.Update(g.World)
			pairs := ecs.GetResource[Pairs](g.World)

			all := []Pair{}
			for i, a := range live {
				for _, b := range live[:i] {
					if g.touch(space, a, b) {
						all = append(all, pairOf(a, b))
					}
				}
			}
			slices.SortFunc(all, Pair.Compare)
			began, ended := []Pair{}, []Pair{}
			for _, p := range all {
				if !slices.Contains(before, p) {
					began = append(began, p)
				}
			}
			for _, p := range before {
				if !slices.Contains(all, p) {
					ended = append(ended, p)
				}
			}
			require.Equal(t, all, append([]Pair{}, pairs.All...))
			require.Equal(t, began, append([]Pair{}, pairs.Began...))
			require.Equal(t, ended, append([]Pair{}, pairs.Ended...))
			before = all
		}
	})
}

// touch reports whether two entities alone in a space pair.
func (g *game) touch(space *Space, a, b ecs.Entity) bool {
	alone := physics.NewSpace()
	for _, e := range []ecs.Entity{a, b} {
		id, ok := space.Collider(e)
		if !ok {
			return false
		}
		c, _ := space.physics.Collider(id)
		alone.Add(c)
	}
	return len(alone.Pairs(nil)) == 1
}
