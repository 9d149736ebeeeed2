package render

import (
	"math"
	"reflect"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/picking"
)

func TestMaterialHoldsNoPointer(t *testing.T) {
	var check func(reflect.Type)
	check = func(typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Struct:
			for i := range typ.NumField() {
				check(typ.Field(i).Type)
			}
		case reflect.Array:
			check(typ.Elem())
		case reflect.Pointer, reflect.Slice, reflect.String, reflect.Map, reflect.Func, reflect.Interface, reflect.Chan:
			t.Errorf("%v is a pointer, and Arche copies components as bytes", typ)
		}
	}
	check(reflect.TypeFor[Material]())
	check(reflect.TypeFor[Visual]())
}

// A Visual is drawn in place of the collider, or without one, and only the collider is picked.
func TestVisuals(t *testing.T) {
	r := newTestRenderer(t)
	r.Style = darkness()
	r.Style.AmbientLight = 1
	w := newWorld()
	visuals := ecs.ComponentID[Visual](&w.World)
	both := w.put(geom.At(-2, 0, 0), physecs.Sphere(0.1), Paint(0xff0000))
	effect := w.put(geom.Transform{Position: geom.V(2, 0, 0), Scale: geom.V(2, 2, 2)}, physecs.Collider{}, Paint(0x00ff00))
	w.Remove(effect, ecs.ComponentID[physecs.Collider](&w.World))
	for e, v := range map[ecs.Entity]Visual{
		both:   {Shape: physecs.Box(geom.V(0.7, 0.7, 0.7)), Place: geom.At(0, 1, 0)},
		effect: {Shape: physecs.Sphere(0.4)},
	} {
		w.Add(e, visuals)
		*(*Visual)(w.Get(e, visuals)) = v
	}
	physecs.Sync(&w.World)
	assert.Empty(t, physecs.Check(&w.World))
	flat := picking.Orthographic(8, 1, 20)
	view := viewFrom(geom.V(0, 0, 10), geom.Vec3{}, flat, wide(80, 80)) // ten pixels a metre
	seen := func(x, y float64) string {
		c := r.Image().NRGBAAt(40+int(10*x), 40-int(10*y))
		switch {
		case c.R > c.G+50:
			return "red"
		case c.G > c.R+50:
			return "green"
		}
		return "none"
	}
	r.mustDraw(t, w, view)
	assert.Equal(t, []string{"red", "red", "none", "green", "green", "none"},
		[]string{seen(-2, 1), seen(-2.6, 1.6), seen(-2, 0), seen(2, 0), seen(2.7, 0), seen(2.9, 0)})
	ids, err := NewIDBuffer()
	require.NoError(t, err)
	t.Cleanup(ids.Close)
	require.NoError(t, ids.Draw(&w.World, view))
	for py := range 80 {
		for px := range 80 {
			if e, ok := ids.Entity(px, py); ok {
				assert.Equal(t, both, e)
				assert.InDelta(t, 0, math.Hypot(float64(px)-19.5, float64(py)-39.5), 2, "of its collider")
			}
		}
	}

	r.Style.Colliders = true
	r.mustDraw(t, w, view)
	assert.Equal(t, []string{"none", "red", "none"}, []string{seen(-2, 1), seen(-2, 0), seen(2, 0)})
}

func collectOne(t *testing.T, tr geom.Transform, c physecs.Collider) []item {
	t.Helper()
	w := newWorld()
	e := w.put(tr, c, Paint(0x123456))
	var s scene
	s.collect(&w.World, true)
	for _, it := range s.items {
		require.Equal(t, e, it.entity)
		require.Equal(t, Paint(0x123456), it.material)
	}
	return s.items
}

// at returns the place in the world of a point in an item's local space.
func (it *item) at(x, y, z float64) geom.Vec3 {
	p, _ := it.model.Apply(geom.DVec3{X: x, Y: y, Z: z}, 1)
	return p.Narrow()
}

func near(t *testing.T, want, got geom.Vec3) {
	t.Helper()
	assert.InDelta(t, 0, float64(got.Distance(want)), 1e-5, "%v, not %v", got, want)
}

func TestCollectShapes(t *testing.T) {
	turn := geom.QuatAxisAngle(geom.V(0, 0, 1), math.Pi/2) // X to Y, Y to −X
	tr := geom.Transform{Position: geom.V(10, 0, 0), Rotation: turn, Scale: geom.V(2, 3, -1)}
	t.Run("box", func(t *testing.T) {
		c := physecs.Box(geom.V(1, 2, 3))
		c.Center = geom.V(1, 0, 0)
		it := collectOne(t, tr, c)[0]
		assert.Equal(t, itemRounded, it.kind)
		assert.Equal(t, geom.V(1, 2, 3), it.half)
		assert.True(t, it.mirrored)
		near(t, geom.V(10, 2, 0), it.at(0, 0, 0))
		near(t, geom.V(10, 4, 0), it.at(1, 0, 0))
		near(t, geom.V(10, 2, -1), it.at(0, 0, 1))
	})
	t.Run("an AABB never turns", func(t *testing.T) {
		c := physecs.AABB(geom.V(1, 2, 3))
		c.Center = geom.V(1, 0, 0)
		it := collectOne(t, tr, c)[0]
		assert.Equal(t, geom.V(2, 6, 3), it.half)
		assert.False(t, it.mirrored)
		near(t, geom.V(12, 0, 0), it.at(0, 0, 0))
		near(t, geom.V(13, 0, 0), it.at(1, 0, 0))
	})
	t.Run("capsule", func(t *testing.T) {
		c := physecs.Capsule(2, 0.5)
		c.Rotation = turn
		it := collectOne(t, geom.At(0, 1, 0), c)[0]
		assert.Equal(t, float32(0.5), it.radius)
		assert.InDelta(t, 2, float64(it.half.Y), 1e-6)
		assert.Zero(t, it.half.X+it.half.Z)
		near(t, geom.V(-2, 1, 0), it.at(0, 2, 0))
	})
	t.Run("mesh", func(t *testing.T) {
		w := newWorld()
		c := w.mesh(t, first(mesh.Icosphere(1, 1)), second(mesh.Icosphere(1, 1)))
		w.put(geom.Transform{Scale: geom.V(-1, 1, 1)}, c, Paint(0))
		w.put(geom.Transform{}, physecs.Mesh(99), Paint(0)) // unknown: nowhere
		var s scene
		s.collect(&w.World, true)
		require.Len(t, s.items, 1)
		assert.True(t, s.items[0].mirrored)
		center, radius := s.items[0].bounds()
		assert.InDelta(t, 0, center.Len(), 1e-6)
		assert.GreaterOrEqual(t, radius, 1.0)
	})
	t.Run("hull", func(t *testing.T) {
		w := newWorld()
		c := w.hull(t, first(mesh.Box(geom.V(1, 2, 3))))
		w.put(tr, c, Paint(0))
		id := resource[physecs.Meshes](&w.World).AddCompound(physics.NewCompound(
			physics.Child{Shape: first(resource[physecs.Meshes](&w.World).Hull(c.Hull)), Transform: geom.At(0, 1, 0)}))
		w.put(tr, physecs.Compound(id), Paint(0))
		var s scene
		s.collect(&w.World, true)
		require.Len(t, s.items, 2)
		assert.Equal(t, c.Hull, s.items[0].hullID)
		assert.Zero(t, s.items[1].hullID)
		assert.Equal(t, s.items[0].source, s.items[1].source, "sent to the graphics card once")
		assert.True(t, s.items[0].mirrored)
		center, radius := s.items[0].bounds()
		assert.InDelta(t, 10, center.X, 1e-6)
		assert.InDelta(t, geom.V(2, 6, 3).Len(), radius, 1e-5)
	})
	t.Run("compound", func(t *testing.T) {
		w := newWorld()
		id := resource[physecs.Meshes](&w.World).AddCompound(physics.NewCompound(
			physics.Child{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(1, 0, 0)},
			physics.Child{Shape: geom.AABBAround(geom.Vec3{}, geom.V(1, 2, 3)),
				Transform: geom.Transform{Position: geom.V(0, 1, 0), Rotation: turn, Scale: geom.V(1, 1, 2)}},
			physics.Child{Shape: geom.Plane{Normal: geom.V(0, 1, 0)}},
		))
		w.put(tr, physecs.Compound(id), Paint(0))
		var s scene
		s.collect(&w.World, true)
		require.Len(t, s.items, 3)
		near(t, geom.V(10, 2, 0), s.items[0].at(0, 0, 0))
		near(t, geom.V(7, 0, 0), s.items[1].at(0, 0, 0))
		assert.Equal(t, geom.V(2, 6, 6), s.items[1].half, "all scales, and no turn")
		_, radius := s.items[2].bounds()
		assert.True(t, math.IsInf(radius, 1))
	})
}

func TestCollectLeavesOutWhatIsNowhere(t *testing.T) {
	nan := float32(math.NaN())
	for name, c := range map[string]struct {
		t geom.Transform
		c physecs.Collider
	}{
		"no shape":         {geom.Transform{}, physecs.Collider{}},
		"negative radius":  {geom.Transform{}, physecs.Sphere(-1)},
		"NaN radius":       {geom.Transform{}, physecs.Sphere(nan)},
		"negative extent":  {geom.Transform{}, physecs.Box(geom.V(1, -1, 1))},
		"infinite extent":  {geom.Transform{}, physecs.Box(geom.V(1, float32(math.Inf(1)), 1))},
		"NaN place":        {geom.At(nan, 0, 0), physecs.Sphere(1)},
		"plane, no normal": {geom.Transform{}, physecs.Plane(geom.Vec3{}, 1)},
		"unknown compound": {geom.Transform{}, physecs.Compound(7)},
		"unknown hull":     {geom.Transform{}, physecs.Hull(7)},
	} {
		t.Run(name, func(t *testing.T) { assert.Empty(t, collectOne(t, c.t, c.c)) })
	}
}

// A child that a shear flattens too far is left out, whether it is a box or not; an AABB, which
// never turns, stays.
func TestCollectLeavesOutWhatAShearFlattens(t *testing.T) {
	turned := geom.Transform{Rotation: geom.QuatEuler(1, 2, 3)}
	for scale, want := range map[float32]int{0.1: 4, 1e-5: 1} {
		w := newWorld()
		c := physecs.Compound(resource[physecs.Meshes](&w.World).AddCompound(physics.NewCompound(
			physics.Child{Shape: geom.Box{HalfExtents: geom.V(1, 1, 1)}, Transform: turned},
			physics.Child{Shape: geom.AABBAround(geom.Vec3{}, geom.V(1, 1, 1)), Transform: turned},
			physics.Child{Shape: geom.Sphere{Radius: 1}, Transform: turned},
			physics.Child{Shape: geom.Capsule{A: geom.V(1, 0, 0), B: geom.V(0, 1, 0), Radius: 1}, Transform: turned},
		)))
		w.put(geom.Transform{Scale: geom.V(1, scale, 1)}, c, Paint(0))
		physecs.Sync(&w.World)
		var s scene
		s.collect(&w.World, true)
		assert.Len(t, s.items, want, "scaled by %g", scale)
	}
}

func TestCollectNeedsAMaterialToBeSeen(t *testing.T) {
	w := newWorld()
	w.put(geom.Transform{}, physecs.Sphere(1), Material{}) // transparent
	sensor := physecs.Sphere(1)
	sensor.Sensor = true
	w.put(geom.Transform{}, sensor, Paint(0))
	var s scene
	s.collect(&w.World, true)
	require.Len(t, s.items, 1)
	assert.False(t, s.items[0].pickable)
	s.collect(&w.World, false)
	assert.Len(t, s.items, 2)
}

func BenchmarkCollect(b *testing.B) {
	w := newWorld()
	for i := range 10000 {
		w.put(geom.At(float32(i), 0, 0), physecs.Box(geom.V(1, 1, 1)), Paint(0))
	}
	var s scene
	for b.Loop() {
		s.collect(&w.World, true)
		s.sort()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10000, "ns/entity")
}
