package geom

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSphereCastRay(t *testing.T) {
	unit := Sphere{Radius: 1}
	big := Sphere{V(1, 2, 3), 5}
	runLines(t, []lineCase{
		{"through the centre along x", unit, V(-3, 0, 0), V(1, 0, 0), 2, 4, V(-1, 0, 0), V(1, 0, 0)},
		{"through the centre along y", unit, V(0, 4, 0), V(0, -1, 0), 3, 5, V(0, 1, 0), V(0, -1, 0)},
		{"through the centre along z", unit, V(0, 0, -2), V(0, 0, 1), 1, 3, V(0, 0, -1), V(0, 0, 1)},
		{"off the centre, 3-4-5", big, V(-9, 5, 3), V(1, 0, 0), 6, 14, V(-0.8, 0.6, 0), V(0.8, 0.6, 0)},
		{"off the centre, 5-12-13", Sphere{V(0, 0, 0), 13}, V(5, -20, 0), V(0, 1, 0), 8, 32, V(5./13, -12./13, 0), V(5./13, 12./13, 0)},
		{"tangent along x", unit, V(-4, 1, 0), V(1, 0, 0), 4, 4, V(0, 1, 0), V(0, 1, 0)},
		{"tangent along y", unit, V(0, -4, -1), V(0, 1, 0), 4, 4, V(0, 0, -1), V(0, 0, -1)},
		// The point (3, 4) of the circle, its tangent (4, −3).
		{"tangent, 3-4-5", Sphere{Vec3{}, 5}, V(3-8, 4+6, 0), V(4, -3, 0), 2, 2, V(0.6, 0.8, 0), V(0.6, 0.8, 0)},
		{"zero radius", Sphere{Center: V(1, 1, 1)}, V(-1, -1, -1), V(1, 1, 1), 2, 2, Vec3{}, Vec3{}},
		{"zero radius, along x", Sphere{Center: V(2, 0, 0)}, V(-2, 0, 0), V(1, 0, 0), 4, 4, V(-1, 0, 0), V(1, 0, 0)},
	})
}

func TestSphereMisses(t *testing.T) {
	runMisses(t, []missCase{
		{"beside", Sphere{Radius: 1}, V(-4, 1.25, 0), V(1, 0, 0)},
		{"beside, 3-4-5", Sphere{Radius: 4.875}, V(-5, 10, 0), V(4, -3, 0)},
		{"zero radius", Sphere{}, V(-1, 0.125, 0), V(1, 0, 0)},
		{"negative radius", Sphere{Radius: -1}, V(-4, 0, 0), V(1, 0, 0)},
		{"NaN radius", Sphere{Radius: nan}, V(-4, 0, 0), V(1, 0, 0)},
		{"infinite radius", Sphere{Radius: inf}, V(-4, 0, 0), V(1, 0, 0)},
		{"NaN centre", Sphere{V(0, nan, 0), 1}, V(-4, 0, 0), V(1, 0, 0)},
	})
}

// For a small sphere far away the usual formula loses all digits (Haines et al. 2019, figure 7-2).
func TestSphereFarAway(t *testing.T) {
	s := Sphere{V(1e6, 0, 0), 1e-3}
	h, ok := s.CastRay(NewRay(Vec3{}, V(1, 0, 0)), Solid)
	assert.True(t, ok)
	assert.Equal(t, float32(1e6-1e-3), h.T)
	assert.Equal(t, V(-1, 0, 0), h.Normal)
	_, ok = s.CastRay(NewRay(V(0, math.Nextafter32(1e-3, 1), 0), V(1, 0, 0)), Solid)
	assert.False(t, ok, "a tenth of a nanometre beside it")
	_, ok = s.CastRay(NewRay(V(0, 1e-3, 0), V(1, 0, 0)), Solid)
	assert.True(t, ok, "tangent")

	huge := Sphere{V(0, -6.4e6, 0), 6.4e6} // the ground of a planet, one metre below
	h, ok = huge.CastRay(NewRay(V(0, 1, 0), V(0, -1, 0)), Solid)
	assert.True(t, ok)
	assert.Equal(t, float32(1), h.T)
}

func TestSphereBounds(t *testing.T) {
	assert.Equal(t, AABB{V(-1, 0, 1), V(3, 4, 5)}, Sphere{V(1, 2, 3), 2}.Bounds())
	assert.Equal(t, AABB{V(1, 2, 3), V(1, 2, 3)}, Sphere{Center: V(1, 2, 3)}.Bounds())
	for _, s := range []Sphere{{Radius: -1}, {Radius: nan}, {Radius: inf}, {V(inf, 0, 0), 1}, {V(0, 0, nan), 1}} {
		assert.True(t, s.IsEmpty(), "%v", s)
		assert.True(t, s.Bounds().IsEmpty(), "%v", s)
	}
	b := Sphere{V(1e6, 0, 0), 1e-3}.Bounds()
	assert.Less(t, float64(b.Min.X), 1e6-1e-3, "rounded outward")
	assert.Greater(t, float64(b.Max.X), 1e6+1e-3, "rounded outward")
}
