package physecs

import (
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// placeable draws Transforms of parents and children: mirrored, with non-uniform scale, with
// quaternions of any length.
func placeable() *rapid.Generator[Transform] {
	return rapid.Custom(func(t *rapid.T) Transform {
		far := rapid.SampledFrom([]float32{1, 1, 1000, 1e5}).Draw(t, "far")
		number := rapid.Float32Range(-1, 1)
		tr := geom.At(far*number.Draw(t, "x"), far*number.Draw(t, "y"), far*number.Draw(t, "z"))
		if rapid.Bool().Draw(t, "turned") {
			tr.Rotation = geom.Quat{X: number.Draw(t, "qx"), Y: number.Draw(t, "qy"), Z: number.Draw(t, "qz"), W: number.Draw(t, "qw")}
		}
		if rapid.Bool().Draw(t, "scaled") {
			scale := rapid.SampledFrom([]float32{1, -1, 2, -0.3, 0.01, 40})
			tr.Scale = geom.V(scale.Draw(t, "sx"), scale.Draw(t, "sy"), scale.Draw(t, "sz"))
		}
		return tr
	})
}

// near requires two Transforms to be equal up to rounding. length is the sum of the distances from
// the origin that the positions were computed from.
//
// Two products of quaternions, into the parent's space and back, round 8 times each in norm, which
// turns by 32 roundings, and the two matrices round by less than 16 each. A position is rotated by
// two such matrices and rounded a few times, by less than 16 roundings of length, and once in
// double precision, 1,000 km from the fixed zero.
func near(t require.TestingT, want, got Transform, length float64) {
	m, n := want.Affine(), got.Affine()
	for _, d := range []geom.Vec3{m.X.Sub(n.X), m.Y.Sub(n.Y), m.Z.Sub(n.Z)} {
		require.LessOrEqual(t, float64(d.Len()), 64*rounding*float64(want.Factors().Len()), "%v is not %v", got, want)
	}
	require.LessOrEqual(t, float64(m.Origin.Distance(n.Origin)), 16*rounding*length+1e6/(1<<52), "%v is not %v", got, want)
}

// A child, at any depth, goes where it is placed, and its descendants follow; the Sync after it
// does not move it.
func TestSetTransform(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGame()
		var all []ecs.Entity
		for i := range rapid.IntRange(1, 5).Draw(t, "things") {
			e := g.add(placeable().Draw(t, "transform"), Sphere(1))
			if i > 0 && rapid.IntRange(0, 3).Draw(t, "follows") > 0 {
				g.adopt(e, rapid.SampledFrom(all).Draw(t, "parent"), LocalTransform(placeable().Draw(t, "local")))
			} else if rapid.Bool().Draw(t, "large world") {
				g.at(e, WorldPosition{X: 1e6, Y: 2, Z: 3})
			}
			all = append(all, e)
		}
		g.sync()
		if rapid.Bool().Draw(t, "rebased") {
			Rebase(g.World, geom.DVec3{X: 1e6, Y: 1, Z: -7})
			g.sync()
		}
		for range 3 {
			e, want := rapid.SampledFrom(all).Draw(t, "entity"), placeable().Draw(t, "to")
			length := float64(want.Position.Len())
			if p, _ := g.parentOf(e); !p.IsZero() {
				length += float64(g.transforms.Get(p).Position.Len())
			}
			local := LocalTransform{}
			if g.Has(e, g.local) {
				local = *g.locals.Get(e)
			}
			if !SetTransform(g.World, e, want) {
				p, _ := g.parentOf(e) // a long chain may have scales too small to be inverted
				_, ok := LocalOf(*g.transforms.Get(p), want)
				require.False(t, ok)
				require.Equal(t, local, *g.locals.Get(e))
				continue
			}
			put := *g.transforms.Get(e)
			near(t, want, put, length)
			g.sync()
			require.True(t, sameTransform(&put, g.transforms.Get(e)), "Sync moved it from %v to %v", put, *g.transforms.Get(e))
			g.checkPlaces(t)

			// Placed again at the same place, nothing changes.
			if g.Has(e, g.local) {
				local = *g.locals.Get(e)
				require.True(t, SetTransform(g.World, e, put))
				require.True(t, sameTransform((*Transform)(&local), (*Transform)(g.locals.Get(e))))
			}
		}
	})
}

func TestSetTransformRefuses(t *testing.T) {
	g := newGame()
	nan := float32(math.NaN())
	parent := g.add(geom.At(1, 0, 0), Sphere(1))
	child := g.adopt(g.add(Transform{}, Sphere(1)), parent, LocalTransform(geom.At(0, 2, 0)))
	bare := g.NewEntity()
	dead := g.NewEntity()
	g.RemoveEntity(dead)
	g.sync()
	assert.False(t, SetTransform(g.World, child, geom.At(nan, 0, 0)))
	assert.False(t, SetTransform(g.World, bare, geom.At(1, 0, 0)))
	assert.False(t, SetTransform(g.World, dead, geom.At(1, 0, 0)))
	assert.False(t, SetTransform(g.World, ecs.Entity{}, geom.At(1, 0, 0)))
	g.transforms.Get(parent).Scale = geom.V(1e-40, 1, 1)
	assert.False(t, SetTransform(g.World, child, geom.At(100, 0, 0)), "too small a parent")
	g.transforms.Get(parent).Rotation.X = nan
	assert.False(t, SetTransform(g.World, child, geom.At(5, 0, 0)))
	assert.Equal(t, LocalTransform(geom.At(0, 2, 0)), *g.locals.Get(child))

	*g.transforms.Get(parent) = geom.At(1, 0, 0)
	g.parents.Get(child).Entity = bare
	require.True(t, SetTransform(g.World, child, geom.At(5, 0, 0)), "an orphan stays where it is put")
	assert.Equal(t, LocalTransform(geom.At(0, 2, 0)), *g.locals.Get(child))
	g.sync()
	assert.Equal(t, geom.At(5, 0, 0), *g.transforms.Get(child))

	query := g.Query(ecs.All())
	assert.True(t, SetTransform(g.World, child, geom.At(6, 0, 0)), "in a locked world")
	query.Close()
	testenv.AllocatesNothing(t, 10, func() { SetTransform(g.World, child, geom.At(7, 0, 0)) })
}

func TestLocalOfTheLimits(t *testing.T) {
	_, ok := LocalOf(geom.At(0, 0, float32(math.Inf(1))), Transform{})
	assert.False(t, ok)
	_, ok = LocalOf(Transform{}, geom.At(0, 0, float32(math.NaN())))
	assert.False(t, ok)
	l, ok := LocalOf(Transform{Scale: geom.V(1e30, 1e30, 1e30)}, Transform{Scale: geom.V(1e-30, 1e-30, 1e-30)})
	assert.True(t, ok)
	assert.Equal(t, geom.V(1e-45, 1e-45, 1e-45), l.Scale, "0 would mean 1")
}

// An entity keeps its place when it gets a parent, and when it gets another one.
func TestLocalOfKeepsInPlace(t *testing.T) {
	parent := Transform{Position: geom.V(1, 2, 3), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), math.Pi/2), Scale: geom.V(2, 2, 2)}
	l, ok := LocalOf(parent, parent)
	require.True(t, ok)
	assert.Equal(t, LocalTransform{}, l, "at the place of the parent")
	for _, axis := range []geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
		q := geom.QuatAxisAngle(axis, 1)
		l, ok = LocalOf(Transform{}, Transform{Rotation: q})
		require.True(t, ok)
		assert.Equal(t, LocalTransform{Rotation: q}, l)
	}
}

// A gizmo drags a child, which stays there.
func TestGizmoOfAChild(t *testing.T) {
	g := newTable()
	cart := g.e[0]
	g.transforms.Get(cart).Rotation = geom.QuatAxisAngle(geom.V(0, 0, 1), 1)
	g.transforms.Get(cart).Scale = geom.V(1, -2, 1)
	lamp := g.adopt(g.e[1], cart, LocalTransform(geom.At(1, 1, 0)))
	g.Update(g.World)
	was := *g.transforms.Get(lamp)
	var gizmo picking.Gizmo
	x, y, _, ok := g.view.Project(was.Position)
	require.True(t, ok)
	ray, _ := g.view.RayBeyond(x, y)
	require.True(t, gizmo.Begin(*g.view, was, ray))
	for i := range 5 {
		ray, _ := g.view.RayBeyond(x+float64(2*i), y-float64(i))
		require.True(t, SetTransform(g.World, lamp, gizmo.Drag(ray)))
		g.Update(g.World)
		want := was
		want.Position = want.Position.Add(geom.V(0.2*float32(i), 0.1*float32(i), 0))
		near(t, want, *g.transforms.Get(lamp), 10)
	}
	back, ok := gizmo.Cancel()
	require.True(t, ok)
	require.True(t, SetTransform(g.World, lamp, back))
	g.Update(g.World)
	near(t, was, *g.transforms.Get(lamp), 10)
}
