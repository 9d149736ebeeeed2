package geom

import "math"

// What decides a cast at a plane, a sphere or a triangle, number by number, as [Slabs] tells it of
// a box: for a screen, a lesson or a test. None of them regards the ray's range, since whether a T
// lies within it is for the caller to compare.

// Heights explains where a ray's line meets a [Plane]: what [Plane.CastRay] decides. Along the line
// the height above the plane changes evenly, from Start at T = 0 by Rate for each T, and is zero at
// the plane. Heights are counted along the plane's Normal, in multiples of its length: metres if it
// is a unit vector.
type Heights struct {
	Start float64 // Normal·Origin − D; positive in front of the plane
	Rate  float64 // Normal·Dir; negative if the ray comes from the front
	// T is where the height is zero: −Start/Rate. It is 0 if the line lies in the plane, and +Inf
	// if it never meets it.
	T float64
	// Point is the place on the line at T. It means something only if Hit is set.
	Point Vec3
	// Parallel tells that the height never changes, and BackFace that the line meets the plane from
	// behind.
	Parallel, BackFace bool
	// Hit tells that the line meets the plane, no further away than single precision reaches.
	Hit bool
}

// Heights explains where the ray's line meets the plane. No plane and a ray that is zero, NaN or
// infinite are explained as a line that is parallel and never meets it.
func (p Plane) Heights(r Ray) Heights {
	if p.IsEmpty() || !r.isLine() {
		return Heights{T: math.Inf(1), Parallel: true}
	}
	n := p.Normal.wide()
	h := Heights{Start: n.Dot(r.Origin.wide()) - float64(p.D), Rate: n.Dot(r.Dir.wide())}
	h.Parallel, h.BackFace = h.Rate == 0, h.Rate > 0
	switch {
	case !h.Parallel:
		h.T = -h.Start/h.Rate + 0 // turns −0 into 0
	case h.Start != 0:
		h.T = math.Inf(1)
	}
	if p := r.at(h.T).Narrow(); p.IsFinite() && float32(h.T)-float32(h.T) == 0 {
		h.Point, h.Hit = p, true
	}
	return h
}

// Roots explains where a ray's line meets a [Sphere]: what [Sphere.CastRay] decides. The squared
// distance of the line's point at T from the centre, less the squared radius, is A·T² + 2B·T + C;
// the line is in the sphere where that is not positive.
type Roots struct {
	A, B, C float64 // Dir·Dir, Dir·M and M·M − Radius², where M is the way from the centre to the origin
	// Discriminant is B² − A·C, found as Radius²·A − |M×Dir|², which keeps its digits. Negative: the line passes by.
	Discriminant float64
	// TNear and TFar are the two roots, at which the line enters and leaves; +Inf and −Inf, the
	// empty interval, if there are none.
	TNear, TFar float64
	// TClosest is where the line comes closest to the centre: −B/A, half way between the roots.
	// Closest is the place, and Distance how far from the centre it is.
	TClosest float64
	Closest  Vec3
	Distance float64
	// Hit tells that the line meets the sphere: Discriminant ≥ 0.
	Hit bool
}

// Roots explains where the ray's line meets the sphere. An empty sphere and a ray that is zero, NaN
// or infinite have no roots, and all numbers but these are zero.
func (s Sphere) Roots(r Ray) Roots {
	q := Roots{TNear: math.Inf(1), TFar: math.Inf(-1)}
	if s.IsEmpty() || !r.isLine() {
		return q
	}
	m, d, radius := r.Origin.wide().Sub(s.Center.wide()), r.Dir.wide(), float64(s.Radius)
	x, rr := m.Cross(d), float64(radius*radius)
	q.A, q.B, q.C = d.Dot(d), m.Dot(d), m.Dot(m)-rr
	q.Discriminant = float64(rr*q.A) - x.Dot(x)
	sp := s.span(r)
	q.TNear, q.TFar, q.Hit = sp.enter, sp.exit, sp.enter <= sp.exit
	q.TClosest = -q.B/q.A + 0 // turns −0 into 0
	q.Closest, q.Distance = r.at(q.TClosest).Narrow(), math.Sqrt(x.Dot(x)/q.A)
	return q
}

// Weights explains where a ray's line meets a [Triangle]: the point in the triangle's plane, and
// its weights of the corners, which add up to 1. The point is A·a + B·b + C·c, where a, b and c are
// the corners; of a [Hit], U is B and V is C.
//
// A weight is 1 at its corner and 0 on the edge across from it, and negative beyond that edge. So
// it tells by which edges a line passes. [Triangle.CastRay] decides in single precision, so that
// the two may differ about a line that comes within rounding of an edge.
type Weights struct {
	T       float64 // at which the line meets the plane; +Inf if Parallel
	A, B, C float64 // of the corners
	// Point is the place on the line at T. It means something only if Parallel is not set.
	Point Vec3
	// Parallel tells that the line never meets the plane or lies in it, which is seen edge-on and
	// no hit, or that the corners lie on one line, which is in no plane. The weights are zero then.
	Parallel bool
	// BackFace tells that the line meets the plane from behind: the corners go clockwise as seen
	// along it.
	BackFace bool
	// Hit tells that the line meets the triangle: no weight is negative.
	Hit bool
}

// Weights explains where the ray's line meets the triangle. An empty triangle and a ray that is
// zero, NaN or infinite are explained as parallel.
func (t Triangle) Weights(r Ray) Weights {
	w := Weights{T: math.Inf(1), Parallel: true}
	if t.IsEmpty() || !r.isLine() {
		return w
	}
	n, d := t.cross(), r.Dir.wide()
	rate := n.Dot(d)
	if rate == 0 {
		return w
	}
	at := n.Dot(t.A.wide().Sub(r.Origin.wide())) / rate
	p := r.at(at)
	u, v, ok := t.weights(p)
	if !ok || math.IsInf(at, 0) || math.IsNaN(u) || math.IsNaN(v) {
		return w
	}
	a := 1 - u - v
	return Weights{
		T: at + 0, A: a, B: u + 0, C: v + 0, Point: p.Narrow(), BackFace: rate > 0, Hit: a >= 0 && u >= 0 && v >= 0,
	}
}
