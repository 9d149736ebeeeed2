package geom

import (
	"fmt"
	"math"
)

// Ray is a half-line, or a part of one: the points Origin + T·Dir for MinT ≤ T ≤ MaxT.
//
// Dir need not be a unit vector; T counts multiples of it. With a unit Dir, T is a distance in
// world units. MaxT = 0 means no limit, so that Ray{Origin: o, Dir: d} is a whole half-line. A
// negative MinT counts as 0: nothing behind the origin is hit.
//
// A ray hits nothing if its Dir is zero, if any number is NaN, or if any number except MaxT is
// infinite.
type Ray struct {
	Origin Vec3    // the start, in metres; world space unless a function documents another
	Dir    Vec3    // the direction, of any length except 0
	MinT   float32 // hits at a smaller T are left out
	MaxT   float32 // hits at a larger T, as it is returned, are left out; 0 and +Inf: no limit
}

// NewRay returns the ray from origin along dir, without a limit.
func NewRay(origin, dir Vec3) Ray { return Ray{Origin: origin, Dir: dir} }

// Segment returns the ray from a to b: T is 0 at a and 1 at b. If a and b are the same point, the
// ray hits nothing.
func Segment(a, b Vec3) Ray { return Ray{Origin: a, Dir: b.Sub(a), MaxT: 1} }

// RayAtAngle returns the ray from origin at an angle in the XY plane, in radians, counter-clockwise
// from the X axis. Its Dir is a unit vector, so T is a distance. It is the ray of 2D games, in
// which a rectangle is an [AABB] that contains the plane of the ray. See [Rect] and [At2D].
func RayAtAngle(origin Vec3, radians float64) Ray {
	sin, cos := math.Sincos(radians)
	return Ray{Origin: origin, Dir: Vec3{X: float32(cos), Y: float32(sin)}}
}

// At returns the point Origin + t·Dir, computed in double precision.
func (r Ray) At(t float32) Vec3 { return r.at(float64(t)).Narrow() }

func (r Ray) at(t float64) DVec3 { return r.Origin.wide().AddMul(t, r.Dir.wide()) }

// Reflect returns the rest of the ray after a mirror at a hit: Dir is reflected and keeps its
// length, and MaxT, if there is one, is less by the hit's T. A ray that starts on a surface hits it
// at once, so Origin is moved off the mirror to the side from which the ray comes: by 0.12 mm, or
// at more than 512 m from the origin by about 2⁻²² of that distance. A ray that is reflected at a
// hit with Inside set goes back.
func (r Ray) Reflect(h Hit) Ray {
	p, n, d := h.Point.wide(), h.Normal.wide(), r.Dir.wide()
	_, e := math.Frexp(float64(max(abs(h.Point.X), abs(h.Point.Y), abs(h.Point.Z))))
	left := Ray{Origin: p.AddMul(max(0x1p-13, math.Ldexp(1, e-22)), n).Narrow(), Dir: d.AddMul(-2*d.Dot(n), n).Narrow()}
	if r.MaxT != 0 {
		left.MaxT = max(r.MaxT-h.T, math.SmallestNonzeroFloat32) // 0 is no limit
	}
	return left
}

// Range returns the limits of T without special values: tMin is never negative, and tMax is +Inf if
// the ray has no limit. If tMin > tMax the range is empty and every cast misses.
func (r Ray) Range() (tMin, tMax float32) {
	tMin, tMax = r.MinT, r.MaxT
	if tMin <= 0 {
		tMin = 0 // also turns −0 into 0
	}
	if tMax == 0 {
		tMax = float32(math.Inf(1))
	}
	return tMin, tMax
}

// IsValid reports whether the ray can hit anything: its numbers are finite (MaxT may be +Inf), Dir
// is not zero and the range of T is not empty. Every cast of a ray that is not valid misses.
func (r Ray) IsValid() bool {
	tMin, tMax := r.Range()
	return r.Origin.IsFinite() && r.Dir.IsFinite() && r.Dir != Vec3{} &&
		tMin <= tMax && tMin <= math.MaxFloat32
}

// String returns the ray as "origin → dir [min, max]".
func (r Ray) String() string {
	tMin, tMax := r.Range()
	return fmt.Sprintf("%v → %v [%g, %g]", r.Origin, r.Dir, tMin, tMax)
}
