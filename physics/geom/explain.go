package geom

import "math"

// This file holds the intermediate numbers of a ray cast at a plane, a sphere or a triangle, as
// [Slabs] holds those of a box: for a display, a lesson or a test. All of them ignore the ray's
// range; the caller compares T with it.

// Heights explains where a ray's line meets a [Plane]: the numbers by which [Plane.CastRay]
// decides. Along the line the height above the plane is linear, Start + Rate·T, and zero at the
// plane. Heights are measured along the plane's Normal, in multiples of its length: in metres if it
// is a unit vector.
type Heights struct {
	Start float64 // Normal·Origin − D; positive in front of the plane
	Rate  float64 // Normal·Dir; negative if the ray comes from the front
	// T is where the height is zero: −Start/Rate. It is 0 if the line lies in the plane, and +Inf
	// if the line is parallel to the plane and apart from it.
	T float64
	// Point is the point of the line at T, valid only if Hit is set.
	Point Vec3
	// Parallel is set if Rate is 0, BackFace if the line meets the plane from behind.
	Parallel, BackFace bool
	// Hit is set if the line meets the plane, and single precision can represent T and Point.
	Hit bool
}

// Heights explains where the ray's line meets the plane; the ray's range is ignored. For an empty
// plane, or a ray that is zero, NaN or infinite, it returns a parallel line that misses.
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

// Roots explains where a ray's line meets a [Sphere]: the numbers by which [Sphere.CastRay]
// decides. The squared distance of the line's point at T from the centre, minus the squared radius,
// is A·T² + 2B·T + C; the line is in the sphere where that is not positive.
type Roots struct {
	// A is Dir·Dir, B is Dir·M and C is M·M − Radius², where M is Origin − Center.
	A, B, C float64
	// Discriminant is B² − A·C, computed as Radius²·A − |M×Dir|², which keeps its digits. If it is
	// negative the line misses.
	Discriminant float64
	// TNear and TFar are the two roots, at which the line enters and leaves; +Inf and −Inf, the
	// empty interval, if there are none.
	TNear, TFar float64
	// TClosest is where the line is closest to the centre: −B/A, half-way between the roots.
	// Closest is the point there, and Distance its distance from the centre.
	TClosest float64
	Closest  Vec3
	Distance float64
	// Hit is set if the line meets the sphere: Discriminant ≥ 0.
	Hit bool
}

// Roots explains where the ray's line meets the sphere; the ray's range is ignored. For an empty
// sphere, or a ray that is zero, NaN or infinite, there are no roots and all other numbers are
// zero.
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
// its barycentric weights, which add up to 1. The point is A·a + B·b + C·c, where a, b and c are
// the corners; in a [Hit], U is B and V is C.
//
// A weight is 1 at its corner, 0 on the opposite edge and negative beyond that edge, so the
// negative weights name the edges that a line passes outside of. [Triangle.CastRay] decides in
// single precision, so the two may differ for a line within rounding of an edge.
type Weights struct {
	T       float64 // where the line meets the plane; +Inf if Parallel
	A, B, C float64 // weights of the corners
	// Point is the point of the line at T, valid only if Parallel is not set.
	Point Vec3
	// Parallel is set if the line is parallel to the plane or lies in it, which is no hit, or if
	// the corners lie on one line, so that there is no plane. The weights are then zero.
	Parallel bool
	// BackFace is set if the line meets the plane from behind: the corners run clockwise as seen
	// along it.
	BackFace bool
	// Hit is set if the line meets the triangle: no weight is negative.
	Hit bool
}

// Weights explains where the ray's line meets the triangle; the ray's range is ignored. For an
// empty triangle, or a ray that is zero, NaN or infinite, it returns Parallel.
func (t Triangle) Weights(r Ray) Weights {
	w := Weights{T: math.Inf(1), Parallel: true}
	if t.IsEmpty() || !r.isLine() {
		return w
	}
	n, d := t.cross(), r.Dir.wide()
	rate := n.Dot(d) // 0 if they are parallel, and at is infinite or NaN then
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
