package geom

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

func TestRayRange(t *testing.T) {
	for _, c := range []struct {
		name             string
		minT, maxT       float32
		wantMin, wantMax float32
		valid            bool
	}{
		{"zero", 0, 0, 0, inf, true},
		{"limits", 1, 2, 1, 2, true},
		{"one point", 2, 2, 2, 2, true},
		{"infinite MaxT", 1, inf, 1, inf, true},
		{"MinT alone", 5, 0, 5, inf, true},
		{"negative MinT", -3, 2, 0, 2, true},
		{"minus infinite MinT", -inf, 2, 0, 2, true},
		{"MinT over MaxT", 3, 2, 3, 2, false},
		{"negative MaxT", 0, -1, 0, -1, false},
		{"infinite MinT", inf, 0, inf, inf, false},
	} {
		r := Ray{Dir: V(1, 0, 0), MinT: c.minT, MaxT: c.maxT}
		lo, hi := r.Range()
		assert.Equal(t, c.wantMin, lo, c.name)
		assert.Equal(t, c.wantMax, hi, c.name)
		assert.Equal(t, c.valid, r.IsValid(), c.name)
	}
	lo, _ := Ray{MinT: float32(math.Copysign(0, -1))}.Range()
	assert.False(t, math.Signbit(float64(lo)), "−0 becomes 0")
}

func TestRayIsValid(t *testing.T) {
	good := NewRay(V(1, 2, 3), V(0, 0, -1))
	assert.True(t, good.IsValid())
	assert.True(t, NewRay(V(1, 2, 3), V(0, 1e-45, 0)).IsValid(), "any length but zero")
	for _, r := range spoiled(good) {
		if r.MinT == -inf {
			continue
		}
		assert.False(t, r.IsValid(), "%v", r)
	}
	assert.False(t, Ray{}.IsValid())
}

func TestRayMade(t *testing.T) {
	s := Segment(V(1, 2, 3), V(5, 2, 1))
	assert.Equal(t, V(1, 2, 3), s.At(0))
	assert.Equal(t, V(5, 2, 1), s.At(1))
	assert.Equal(t, float32(1), s.MaxT)
	assert.False(t, Segment(V(1, 2, 3), V(1, 2, 3)).IsValid(), "from a point to itself")
	assert.False(t, Segment(V(3e38, 0, 0), V(-3e38, 0, 0)).IsValid(), "too long for single precision")

	a := RayAtAngle(V(1, 7, 0), math.Pi/6)
	assert.InDelta(t, math.Sqrt(3)/2, a.Dir.X, 1e-7)
	assert.InDelta(t, 0.5, a.Dir.Y, 1e-7)
	assert.Zero(t, a.Dir.Z)
	assert.InDelta(t, 1, a.Dir.Len(), 1e-7)
	assert.False(t, RayAtAngle(Vec3{}, math.NaN()).IsValid())

	assert.Equal(t, "(1, 7, 0) → (1, 0, 0) [0, +Inf]", RayAtAngle(V(1, 7, 0), 0).String())
}

// A point far along a ray is computed in double precision.
func TestRayAt(t *testing.T) {
	r := NewRay(V(-1e6, 0.1, 0), V(1, 1e-7, 0))
	assert.Equal(t, float32(0), r.At(1e6).X)
	assert.Equal(t, float32(float64(float32(0.1))+1e6*float64(float32(1e-7))), r.At(1e6).Y)
}

// A reflected ray does not hit the solid that it leaves.
func TestRayReflect(t *testing.T) {
	r := testenv.Rand(17, 5)
	for i := range 2000 {
		far := float32(math.Pow(10, float64(i%5)))
		at := V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5).Mul(far)
		dir := V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5).Normalize().Mul(1 + r.Float32())
		ray := Ray{Origin: at.Sub(dir.Mul(20)), Dir: dir, MaxT: 30}
		box, ball := Box{Center: at, HalfExtents: V(1, 2, 3), Rotation: QuatEuler(float64(i), 1, 2)}, Sphere{Center: at, Radius: 2}
		hit, ok := box.CastRay(ray, Solid)
		back := func() bool { _, again := box.CastRay(ray.Reflect(hit), Solid); return again }
		if i%2 == 1 {
			hit, ok = ball.CastRay(ray, Solid)
			back = func() bool { _, again := ball.CastRay(ray.Reflect(hit), Solid); return again }
		}
		if !assert.True(t, ok) {
			return
		}
		left := ray.Reflect(hit)
		assert.False(t, back(), "%v %v", hit.Point, left)
		assert.InDelta(t, dir.Len(), left.Dir.Len(), 1e-6)
		assert.InDelta(t, -dir.Dot(hit.Normal), left.Dir.Dot(hit.Normal), 1e-6)
		assert.InDelta(t, 0, left.Dir.Sub(dir).Cross(hit.Normal).Len(), 1e-6, "the rest of Dir is as it was")
		assert.Less(t, left.Origin.Distance(hit.Point), max(0.0003, far*1e-6))
		assert.Equal(t, ray.MaxT-hit.T, left.MaxT)
	}
	end, _ := Sphere{Radius: 1}.CastRay(Ray{Origin: V(-3, 0, 0), Dir: V(1, 0, 0), MaxT: 2}, Solid)
	assert.Positive(t, Ray{Dir: V(1, 0, 0), MaxT: 2}.Reflect(end).MaxT, "0 would be no limit")
	assert.Zero(t, NewRay(V(-3, 0, 0), V(1, 0, 0)).Reflect(end).MaxT)
}

func TestHitNames(t *testing.T) {
	assert.Equal(t, "Solid Exit Ignore unknown", Solid.String()+" "+Exit.String()+" "+Ignore.String()+" "+StartMode(3).String())
	assert.Equal(t, "CullNone CullBack CullFront unknown", CullNone.String()+" "+CullBack.String()+" "+CullFront.String()+" "+Cull(3).String())
	for _, c := range []struct {
		cull        Cull
		front, back bool
	}{{CullNone, false, false}, {CullBack, false, true}, {CullFront, true, false}} {
		assert.Equal(t, c.front, c.cull.Culls(false))
		assert.Equal(t, c.back, c.cull.Culls(true))
	}
}
