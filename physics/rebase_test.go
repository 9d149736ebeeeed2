package physics

import (
	"maps"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

func TestRebasePanics(t *testing.T) {
	s := spaceOf(unitBox)
	for name, origin := range map[string]geom.DVec3{
		"NaN": {Y: math.NaN()}, "infinite": {Z: math.Inf(1)}, "infinities that cancel out": {X: math.Inf(1), Y: math.Inf(-1)},
	} {
		assert.PanicsWithValue(t, "physics: Space.Rebase: the origin is NaN or infinite", func() { s.Rebase(origin) }, name)
	}
	assert.Equal(t, geom.DVec3{}, s.Origin())
	assert.True(t, s.CastRayAny(down(0, 0), Filter{}), "and nothing has changed")
	require.NoError(t, s.Validate())
}

// TestRebaseThereAndBack rebases far away and back, in steps that single precision cannot
// represent.
func TestRebaseThereAndBack(t *testing.T) {
	s := newScene(200, geom.Vec3{}, 1)
	lost := s.space.Add(Collider{Shape: unitBox, Transform: geom.At(nan, 0, 0)})
	colliders, bounds := map[ColliderID]Collider{}, map[ColliderID]geom.AABB{}
	remember := func() {
		for id, c := range s.space.All() {
			if id != lost { // NaN is unequal to itself
				colliders[id] = c
				bounds[id], _ = s.space.Bounds(id)
			}
		}
	}
	remember()
	answers, pairs := everyQuery(s.space, nil, nil, Filter{}), s.space.Pairs(nil)
	for i := range 50 {
		s.space.Rebase(geom.DVec3{X: math.Pow(1.7, float64(i)), Y: -float64(i) / 3, Z: math.Pi * float64(i*i)})
		require.True(t, s.space.IsNowhere(lost))
	}
	require.NotEqual(t, answers, everyQuery(s.space, nil, nil, Filter{}))
	s.space.Rebase(geom.DVec3{})
	require.NoError(t, s.space.Validate())
	for id, c := range colliders {
		got, _ := s.space.Collider(id)
		require.Equal(t, c, got)
		b, _ := s.space.Bounds(id)
		require.Equal(t, bounds[id], b)
	}
	assert.Equal(t, answers, everyQuery(s.space, nil, nil, Filter{}))
	assert.Equal(t, pairs, s.space.Pairs(nil))

	// A collider that is moved there is as exact there.
	there := geom.DVec3{X: 123456.789, Z: -98765.4321}
	s.space.Rebase(there)
	for id := range colliders {
		require.True(t, s.space.SetTransform(id, colliders[id].Transform))
	}
	clear(bounds)
	remember()
	at := maps.Clone(colliders)
	s.space.Rebase(geom.DVec3{Y: 1e6})
	s.space.Rebase(there)
	for id, c := range at {
		got, _ := s.space.Collider(id)
		require.Equal(t, c, got)
		b, _ := s.space.Bounds(id)
		require.Equal(t, bounds[id], b)
	}
}

// TestRebaseMovesNothing runs the same queries in the world at large from several origins.
func TestRebaseMovesNothing(t *testing.T) {
	s := NewSpace()
	box := s.Add(Collider{Shape: unitBox, Transform: geom.At(10, 20, 30)})
	plane := s.Add(Collider{Shape: geom.Plane{Normal: geom.V(0, 1, 0), D: 5}})
	shell := s.Add(Collider{Shape: boxMesh, Transform: geom.Transform{Position: geom.V(-4, 8, 2), Rotation: geom.QuatEuler(1, 2, 3), Scale: geom.V(1, 2, -1)}})
	// All in single precision.
	for _, o := range []geom.Vec3{{}, {X: 8, Y: -16, Z: 4}, {X: 64, Y: 32}, {Y: 0.5}} {
		s.Rebase(o.Wide())
		assert.Equal(t, o.Wide(), s.Origin())
		hit, ok := s.CastRay(geom.NewRay(geom.V(10, 100, 30).Sub(o), geom.V(0, -1, 0)), Filter{})
		require.True(t, ok)
		assert.Equal(t, box, hit.Collider)
		assert.Equal(t, geom.V(10, 21, 30), hit.Point.Add(o))
		hit, ok = s.CastRay(geom.NewRay(geom.V(50, 100, 30).Sub(o), geom.V(0, -1, 0)), Filter{})
		require.True(t, ok)
		assert.Equal(t, plane, hit.Collider)
		assert.Equal(t, float32(95), hit.T)
		assert.Equal(t, []ColliderID{shell}, s.OverlapSphere(nil, geom.Sphere{Center: geom.V(-4, 8, 2).Sub(o), Radius: 2.2}, Filter{}))
	}
}

// TestMillimetresAt100Kilometres puts two balls a millimetre apart, 100 km from the first origin.
func TestMillimetresAt100Kilometres(t *testing.T) {
	s := NewSpace()
	home := s.Add(Collider{Shape: unitBox, Transform: geom.At(0.001, 0, 0)})
	there := geom.DVec3{X: 100_000, Y: 1234.5678, Z: -100_000}
	s.Rebase(there)
	const radius, gap = 0.5, 0.001
	left := s.Add(Collider{Shape: geom.Sphere{Radius: radius}, Transform: geom.At(-radius-gap/2, 0, 0)})
	right := s.Add(Collider{Shape: geom.Sphere{Radius: radius}, Transform: geom.At(radius+gap/2, 0, 0)})
	check := func() {
		assert.Empty(t, s.Pairs(nil))
		near := s.NearestK(nil, geom.Vec3{}, 2, 1, Filter{})
		require.Len(t, near, 2)
		assert.Equal(t, left, near[0].Collider, "as near as the other, and added before it")
		assert.Equal(t, right, near[1].Collider)
		for _, n := range near {
			assert.InDelta(t, gap/2, n.Distance, 1e-7)
		}
		assert.False(t, s.CastRayAny(geom.NewRay(geom.V(0, 9, 0), geom.V(0, -1, 0)), Filter{}), "through the gap")
		for _, x := range []float32{-0.001, 0.001} {
			hit, ok := s.CastRay(geom.NewRay(geom.V(x, 9, 0), geom.V(0, -1, 0)), Filter{})
			require.True(t, ok)
			assert.InDelta(t, 9-math.Sqrt(radius*radius-0.4995*0.4995), hit.T, 1e-5)
		}
	}
	check()
	s.Rebase(geom.DVec3{}) // from the first origin single precision cannot separate them
	c, _ := s.Collider(left)
	assert.Equal(t, float32(100_000-0.5), c.Transform.Position.X, "rounded to eight millimetres")
	hit, ok := s.CastRay(down(0, 0), Filter{})
	require.True(t, ok)
	assert.Equal(t, home, hit.Collider)
	b, _ := s.Bounds(home)
	assert.Equal(t, geom.V(1.001, 1, 1), b.Max)
	s.Rebase(there)
	check()
	require.True(t, s.SetTransform(left, geom.At(-radius+0.6*gap, 0, 0)))
	assert.Equal(t, []Pair{{left, right}}, s.Pairs(nil), "a millimetre on they touch")
}
