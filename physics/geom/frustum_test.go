package geom

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A cube of space: 0 to 10 on every axis.
var cubeFrustum = Frustum{
	{Normal: DVec3{X: 1}, D: 0}, {Normal: DVec3{X: -1}, D: -10},
	{Normal: DVec3{Y: 1}, D: 0}, {Normal: DVec3{Y: -1}, D: -10},
	{Normal: DVec3{Z: 1}, D: 0}, {Normal: DVec3{Z: -1}, D: -10},
}

func TestFrustumClassify(t *testing.T) {
	nan := float32(math.NaN())
	box := func(x0, y0, z0, x1, y1, z1 float32) AABB {
		return AABB{Min: V(x0, y0, z0), Max: V(x1, y1, z1)}
	}
	t.Run("sphere", func(t *testing.T) {
		tests := []struct {
			name string
			s    Sphere
			want Class
		}{
			{"within", Sphere{Center: V(5, 5, 5), Radius: 2}, Contained},
			{"touching from within", Sphere{Center: V(5, 5, 5), Radius: 5}, Contained},
			{"through a face", Sphere{Center: V(1, 5, 5), Radius: 2}, Intersecting},
			{"around it all", Sphere{Center: V(5, 5, 5), Radius: 100}, Intersecting},
			{"touching from outside", Sphere{Center: V(-2, 5, 5), Radius: 2}, Intersecting},
			{"beside", Sphere{Center: V(-2.001, 5, 5), Radius: 2}, Outside},
			{"beside a corner, where plane tests err", Sphere{Center: V(-1.9, -1.9, -1.9), Radius: 2}, Intersecting},
			{"a point within", Sphere{Center: V(5, 5, 5)}, Contained},
			{"a point in a corner", Sphere{}, Contained},
			{"empty", Sphere{Center: V(5, 5, 5), Radius: -1}, Outside},
			{"NaN radius", Sphere{Center: V(5, 5, 5), Radius: nan}, Outside},
			{"NaN centre", Sphere{Center: V(5, nan, 5), Radius: 1}, Outside},
		}
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				assert.Equal(t, tt.want, cubeFrustum.ClassifySphere(tt.s))
				assert.Equal(t, tt.want != Outside, cubeFrustum.OverlapsSphere(tt.s))
			})
		}
	})
	t.Run("point", func(t *testing.T) {
		for _, p := range []Vec3{V(5, 5, 5), V(0.1, 9.9, 5), {}, V(10, 10, 10)} {
			assert.True(t, cubeFrustum.ContainsPoint(p), "%v", p)
		}
		for _, p := range []Vec3{V(-0.1, 5, 5), V(5, 10.1, 5), V(5, 5, nan)} {
			assert.False(t, cubeFrustum.ContainsPoint(p), "%v", p)
		}
	})
	t.Run("box", func(t *testing.T) {
		tests := []struct {
			name  string
			b     AABB
			want  Class
			exact bool
		}{
			{"within", box(1, 1, 1, 2, 2, 2), Contained, true},
			{"the same", box(0, 0, 0, 10, 10, 10), Contained, true},
			{"through a face", box(-1, 1, 1, 2, 2, 2), Intersecting, true},
			{"through two faces", box(-1, 1, 1, 12, 2, 2), Intersecting, true},
			{"around it all", box(-1, -1, -1, 11, 11, 11), Intersecting, true},
			{"touching a face", box(-1, 1, 1, 0, 2, 2), Intersecting, true},
			{"touching an edge", box(-1, -1, 1, 0, 0, 2), Intersecting, true},
			{"touching a corner", box(-1, -1, -1, 0, 0, 0), Intersecting, true},
			{"beside", box(-2, 1, 1, -0.001, 2, 2), Outside, false},
			{"a point within", box(5, 5, 5, 5, 5, 5), Contained, true},
			{"empty", EmptyAABB(), Outside, false},
			{"NaN", box(nan, 0, 0, 1, 1, 1), Outside, false},
		}
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				assert.Equal(t, tt.want, cubeFrustum.ClassifyAABB(tt.b))
				assert.Equal(t, tt.want != Outside, cubeFrustum.OverlapsAABB(tt.b))
				assert.Equal(t, tt.exact, cubeFrustum.OverlapsAABBExact(tt.b))
			})
		}
	})
}

func TestFrustumBounds(t *testing.T) {
	eye := Frustum{ // at (1, 2, 3), looking along −Z, 90° wide and high, from 1 m to 10 m
		{Normal: DVec3{X: 1, Z: -1}.Normalize(), D: -2 / math.Sqrt2}, {Normal: DVec3{X: -1, Z: -1}.Normalize(), D: -4 / math.Sqrt2},
		{Normal: DVec3{Y: 1, Z: -1}.Normalize(), D: -1 / math.Sqrt2}, {Normal: DVec3{Y: -1, Z: -1}.Normalize(), D: -5 / math.Sqrt2},
		{Normal: DVec3{Z: -1}, D: -2}, {Normal: DVec3{Z: 1}, D: -7},
	}
	open, nothing, bevelled, crossed := eye, cubeFrustum, cubeFrustum, cubeFrustum
	open[5] = HalfSpace{D: math.Inf(-1)}
	nothing[2].D = math.Inf(1)
	// Meets the bottom beyond the right.
	bevelled[0] = HalfSpace{Normal: DVec3{X: 1, Y: 1}.Normalize(), D: 10}
	crossed[0].D = 11
	steep := cubeFrustum
	steep[0] = HalfSpace{Normal: DVec3{X: 1, Y: 3000}.Normalize()}
	for _, tt := range []struct {
		name string
		f    Frustum
		want AABB
	}{
		{"box", cubeFrustum, AABB{Max: V(10, 10, 10)}},
		{"view", eye, AABB{Min: V(-9, -8, -7), Max: V(11, 12, 2)}},
		{"without a far plane", open, everywhere()},
		{"three planes that meet outside", bevelled, everywhere()},
		{"planes the wrong way round", crossed, everywhere()},
		{"planes almost alike", steep, everywhere()},
		{"nothing", nothing, EmptyAABB()},
		{"NaN", Frustum{{D: math.NaN()}}, EmptyAABB()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := tt.f.Bounds()
			if !tt.want.Max.IsFinite() {
				assert.Equal(t, tt.want, b)
				return
			}
			assert.True(t, b.Union(tt.want) == b, "%v holds %v", b, tt.want)
			assert.True(t, tt.want.Grow(1e-4).Union(b) == tt.want.Grow(1e-4), "%v holds not much more than %v", b, tt.want)
		})
	}
}

// A frustum that reaches into a box through one face meets it. The corner that decides when no face
// does is outside of the box, of one of two frusta of the same space.
func TestFrustumPokesThroughOneFace(t *testing.T) {
	turned := Frustum{cubeFrustum[1], cubeFrustum[0], cubeFrustum[3], cubeFrustum[2], cubeFrustum[5], cubeFrustum[4]}
	around := AABB{Min: V(-5, -5, -5), Max: V(15, 15, 15)}
	for axis := range 3 {
		low, high := around, around
		for _, side := range []struct {
			at *Vec3
			to float32
		}{{&low.Min, 5}, {&high.Max, 5}} {
			*[3]*float32{&side.at.X, &side.at.Y, &side.at.Z}[axis] = side.to
		}
		for _, f := range []*Frustum{&cubeFrustum, &turned} {
			assert.True(t, f.OverlapsAABBExact(low), "%v", low)
			assert.True(t, f.OverlapsAABBExact(high), "%v", high)
		}
	}
}
