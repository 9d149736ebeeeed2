package physecs

import (
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// movableGame is a game with movables.
type movableGame struct {
	*game
	SeparateSystem
	movables generic.Map1[Movable]
}

func newMovableGame() *movableGame {
	g := &movableGame{game: newGame()}
	g.movables = generic.NewMap1[Movable](g.World)
	g.Initialize(g.World)
	return g
}

func (g *movableGame) ball(x float32) ecs.Entity {
	e := g.add(geom.At(x, 0, 0), Sphere(1))
	g.movables.Assign(e, &Movable{})
	return e
}

func (g *movableGame) step() {
	Sync(g.World)
	g.Update(g.World)
}

func (g *movableGame) x(e ecs.Entity) float32 { return g.transforms.Get(e).Position.X }

func TestSeparateSystem(t *testing.T) {
	const slop = physics.DefaultSlop
	g := newMovableGame()
	a, b := g.ball(0), g.ball(1.5)
	wall := g.add(geom.At(-2, 0, 0), AABB(geom.V(1, 9, 9)))
	g.step()
	assert.InDelta(t, 0, g.x(a), 2*slop)
	assert.InDelta(t, 2, g.x(b), 2*slop)
	assert.Equal(t, geom.At(-2, 0, 0), *g.transforms.Get(wall))
	// Queries see the pushed collider without a Sync, and a Sync has nothing to do.
	h, ok := g.game.space().CastRay(geom.NewRay(geom.V(9, 0, 0), geom.V(-1, 0, 0)), Filter{})
	require.True(t, ok)
	assert.InDelta(t, g.x(b)+1, h.Point.X, 1e-5)
	assert.Zero(t, g.sync().Moved)
	g.check(t)
	was := *g.transforms.Get(b)
	for range 5 {
		g.step()
	}
	assert.Equal(t, was, *g.transforms.Get(b), "it rests")

	t.Run("weight", func(t *testing.T) {
		*g.movables.Get(b) = Movable{Weight: 1e6}
		*g.transforms.Get(a) = geom.At(20, 0, 0)
		*g.transforms.Get(b) = geom.At(19, 0, 0)
		g.step()
		assert.InDelta(t, 21, g.x(a), 2*slop)
		assert.InDelta(t, 19, g.x(b), 2*slop)
	})
	t.Run("flat", func(t *testing.T) {
		*g.movables.Get(b) = Movable{}
		g.Up = geom.V(0, 1, 0)
		*g.transforms.Get(a) = geom.At(20, 1, 0)
		*g.transforms.Get(b) = geom.At(20.5, 0, 0)
		for range 100 {
			g.step()
		}
		assert.Equal(t, float32(1), g.transforms.Get(a).Position.Y)
		assert.Zero(t, g.transforms.Get(b).Position.Y)
		assert.GreaterOrEqual(t, g.transforms.Get(a).Position.Distance(g.transforms.Get(b).Position), 2-float32(2*slop))
		g.Up = geom.Vec3{}
	})
	t.Run("a place in the world at large", func(t *testing.T) {
		Rebase(g.World, geom.DVec3{X: 1e6})
		*g.transforms.Get(a) = geom.At(0, 0, 0)
		g.at(b, WorldPosition{X: 1e6 + 1})
		g.step()
		assert.InDelta(t, -0.5, g.x(a), 2*slop)
		assert.InDelta(t, 1e6+1.5, g.positions.Get(b).X, 2*slop)
		assert.InDelta(t, 1.5, g.x(b), 2*slop)
		assert.Zero(t, g.sync().Moved)
		g.check(t)
	})
	t.Run("what it carries is not in its way", func(t *testing.T) {
		alone, porter := g.ball(200), g.ball(300)
		hat := g.adopt(g.add(Transform{}, Sphere(0.7)), porter, LocalTransform(geom.At(0.2, 1, 0)))
		g.adopt(g.add(Transform{}, Sphere(0.4)), hat, LocalTransform(geom.At(0.2, 0, 0)))
		for range 10 {
			g.step()
		}
		assert.Equal(t, float32(200), g.x(alone))
		assert.Equal(t, float32(300), g.x(porter))
		other := g.ball(301)
		g.transforms.Get(other).Position.Y = 1.5
		g.step()
		assert.NotEqual(t, geom.V(301, 1.5, 0), g.transforms.Get(other).Position, "but in another's")
	})
	t.Run("a child stands in the way", func(t *testing.T) {
		child := g.ball(0)
		g.adopt(child, wall, LocalTransform(geom.At(50, 0, 0)))
		Sync(g.World)
		at := g.x(child)
		*g.transforms.Get(a) = geom.At(at+1, 0, 0)
		g.step()
		assert.InDelta(t, at+2, g.x(a), 2*slop)
		assert.Equal(t, at, g.x(child))
		g.parents.Get(child).Entity = ecs.Entity{}
		*g.transforms.Get(a) = geom.At(at+1, 0, 0)
		g.step()
		assert.InDelta(t, at+1.5, g.x(a), 2*slop, "let go of")
		assert.InDelta(t, at-0.5, g.x(child), 2*slop)
	})
	t.Run("what is nowhere, unknown or gone", func(t *testing.T) {
		nan := float32(math.NaN())
		g.transforms.Get(a).Position.X = nan
		*g.colliders.Get(b) = Mesh(77)
		late := g.ball(0)
		g.Update(g.World) // late has not been synced
		assert.Zero(t, g.x(late))
		g.RemoveEntity(late)
		g.step()
		assert.True(t, math.IsNaN(float64(g.x(a))))
		g.check(t)
	})
	g.Finalize(g.World)
}
