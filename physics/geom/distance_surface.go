package geom

import "math"

// This file holds the point queries of the surfaces: planes and triangles. A surface has no inside.
// It contains a point that equals its own closest point in single precision, and the signed
// distance of a plane is negative behind it. Empty shapes, and points that are NaN or infinite,
// count as with the solids.

// ClosestPoint returns the foot of the perpendicular from q to the plane. NaN in all components if
// the plane is empty or q is NaN or infinite.
func (p Plane) ClosestPoint(q Vec3) Vec3 {
	if p.IsEmpty() || !q.IsFinite() {
		return noPoint()
	}
	n, w := p.Normal.wide(), q.wide()
	return w.AddMul((float64(p.D)-n.Dot(w))/n.Dot(n), n).Narrow()
}

// Contains reports whether q is on the plane, to the last bit of single precision.
func (p Plane) Contains(q Vec3) bool { return p.ClosestPoint(q) == q }

// Distance returns the distance of q from the plane, in metres; +Inf if the plane is empty or q is
// NaN or infinite.
func (p Plane) Distance(q Vec3) float32 { return abs(p.SignedDistance(q)) }

// SignedDistance returns the distance of q from the plane, in metres: positive on the side to which
// Normal points, negative behind; +Inf if the plane is empty or q is NaN or infinite.
func (p Plane) SignedDistance(q Vec3) float32 {
	if p.IsEmpty() || !q.IsFinite() {
		return float32(math.Inf(1))
	}
	return float32(p.height(q.wide()) / p.Normal.wide().Len())
}

// height returns the signed distance of q from the plane times the length of Normal.
func (p Plane) height(q DVec3) float64 { return p.Normal.wide().Dot(q) - float64(p.D) }

// ClosestPoint returns the point of the triangle closest to p, edges and corners included. A
// degenerate triangle counts as the segment or the point that it is. NaN in all components if a
// number of the triangle or of p is NaN or infinite.
func (t Triangle) ClosestPoint(p Vec3) Vec3 {
	if t.IsEmpty() || !p.IsFinite() {
		return noPoint()
	}
	return t.closest(p.wide()).Narrow()
}

// Contains reports whether p is on the triangle, edges and corners included, to the last bit of
// single precision. [Triangle.Barycentric] shows whether p is above or below the triangle.
func (t Triangle) Contains(p Vec3) bool { return t.ClosestPoint(p) == p }

// Distance returns the distance of p from the triangle, in metres; +Inf if a number of either is
// NaN or infinite.
func (t Triangle) Distance(p Vec3) float32 {
	if t.IsEmpty() || !p.IsFinite() {
		return float32(math.Inf(1))
	}
	return float32(t.closest(p.wide()).Sub(p.wide()).Len())
}

// Barycentric returns the weights u of corner B and v of corner C at the foot of the perpendicular
// from p to the triangle's plane; A has the weight 1 − u − v, as in a [Hit]. The foot is in the
// triangle if none of the three weights is negative. ok is false if the corners lie on one line, or
// a number is NaN or infinite.
func (t Triangle) Barycentric(p Vec3) (u, v float32, ok bool) {
	if t.IsEmpty() || !p.IsFinite() {
		return 0, 0, false
	}
	x, y, ok := t.weights(p.wide())
	return float32(x), float32(y), ok
}

func (t Triangle) weights(p DVec3) (u, v float64, ok bool) {
	a := t.A.wide()
	ab, ac, ap := t.B.wide().Sub(a), t.C.wide().Sub(a), p.Sub(a)
	n := ab.Cross(ac)
	l := n.Dot(n)
	if l == 0 {
		return 0, 0, false
	}
	return ap.Cross(ac).Dot(n) / l, ab.Cross(ap).Dot(n) / l, true
}

// closest returns the point closest to p: the foot of the perpendicular if it is inside, otherwise
// the closest point of the three edges.
func (t Triangle) closest(p DVec3) DVec3 {
	a, b, c := t.A.wide(), t.B.wide(), t.C.wide()
	if u, v, ok := t.weights(p); ok && u >= 0 && v >= 0 && u+v <= 1 {
		return a.AddMul(u, b.Sub(a)).AddMul(v, c.Sub(a))
	}
	best := closestOnSegment(a, b, p)
	for _, q := range [2]DVec3{closestOnSegment(b, c, p), closestOnSegment(c, a, p)} {
		if d, e := q.Sub(p), best.Sub(p); d.Dot(d) < e.Dot(e) {
			best = q
		}
	}
	return best
}
