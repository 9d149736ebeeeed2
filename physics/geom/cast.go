package geom

import "math"

// This file holds what the ray casts of all solids share. A solid computes where a line enters and
// leaves it and the outward normals there; this file selects the hit by the range of T and the
// StartMode.

// crossing is the part of a solid that a ray hits.
type crossing uint8

const (
	entering crossing = iota // the surface, from outside
	leaving                  // the surface, from inside
	starting                 // the interior, at the start of the range
)

// span is the interval of a line in a solid: enter ≤ T ≤ exit. It is in double precision, so that
// an origin on a surface is decided before anything is rounded. The upper limit applies to the T
// that is returned, so that a ray that ends at the T of its own hit still hits. It is empty if
// enter > exit or a number is NaN.
type span struct{ enter, exit float64 }

var nowhere = span{math.Inf(1), math.Inf(-1)}

// resolve selects which end of its line's span a ray hits.
//
//	   enter            exit
//	-----|---------------|-----
//	O->  enter
//	     O->  enter                             at the surface, going in
//	           O->  start, exit or nothing      by the mode
//	                     O->  the same          at the surface, going out: the last point of the
//	                     solid
//	                          O->  nothing
func (s span) resolve(r Ray, mode StartMode) (t float64, at crossing, ok bool) {
	if !(s.enter <= s.exit) {
		return 0, 0, false
	}
	lo, hi := r.Range()
	tMin := float64(lo)
	switch {
	case s.enter >= tMin:
		return s.enter, entering, float32(s.enter) <= hi
	case s.exit < tMin:
		return 0, 0, false
	case mode == Solid:
		return tMin, starting, true
	case mode == Exit:
		return s.exit, leaving, float32(s.exit) <= hi
	}
	return 0, 0, false
}

// hit returns the hit at t. The normal given points out of the solid and need not be unit; zero if
// there is none, as on a sphere of radius 0. It is no hit if single precision cannot represent T or
// Point.
func (r Ray) hit(t float64, at crossing, outward DVec3) (Hit, bool) {
	t += 0 // turns −0 into 0
	h := Hit{T: float32(t), Point: r.at(t).Narrow(), Triangle: -1}
	if math.IsInf(float64(h.T), 0) || !h.Point.IsFinite() {
		return Hit{}, false
	}
	if at == starting {
		h.Inside = true
		outward = DVec3{}
	}
	if at == leaving {
		h.BackFace = true
		outward = outward.Neg()
	}
	h.Normal = r.facing(outward.Normalize())
	return h, true
}

// facing rounds a unit normal that faces the ray. It returns −Dir made unit instead if the normal
// is zero, or faces away by more than rounding can turn the normal of a tangent: the point of a hit
// on a tiny, distant sphere may be indistinguishable from its centre.
func (r Ray) facing(n DVec3) Vec3 {
	d := r.Dir.wide()
	if x := n.Dot(d); n == (DVec3{}) || x > 0 && x > 1e-6*d.Len() {
		n = d.Normalize().Neg()
	}
	return n.positiveZero().Narrow()
}

// positiveZero turns every −0 into 0, so that equal normals have equal bits.
func (v DVec3) positiveZero() DVec3 { return DVec3{v.X + 0, v.Y + 0, v.Z + 0} }

// isLine reports whether the ray's line can hit anything: like IsValid, but ignores the range.
func (r Ray) isLine() bool { return r.Origin.IsFinite() && r.Dir.IsFinite() && r.Dir != Vec3{} }

// roots returns the solutions of a·t² + 2b·t + c = 0 in ascending order, given a > 0 and the square
// root of b² − a·c, which the caller computes more exactly than the coefficients allow. The root
// that would be a difference of nearly equal numbers follows from the other one by their product
// c/a (Hearn and Baker 2004; Haines, Günther and Akenine-Möller 2019, "Precision improvements for
// ray/sphere intersection", Ray Tracing Gems, chapter 7).
func roots(a, b, c, root float64) span {
	q := -b - math.Copysign(root, b)
	if q == 0 { // b, c and the discriminant are all zero
		return span{}
	}
	t0, t1 := q/a, c/q
	return span{min(t0, t1), max(t0, t1)}
}

// crossings returns the hits at both ends of a span that is not empty.
func (r Ray) crossings(s span, enterOutward, exitOutward DVec3) (enter, exit Hit, ok bool) {
	enter, ok1 := r.hit(s.enter, entering, enterOutward)
	exit, ok2 := r.hit(s.exit, leaving, exitOutward)
	if !ok1 || !ok2 {
		return Hit{}, Hit{}, false
	}
	return enter, exit, true
}
