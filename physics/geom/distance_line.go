package geom

import "math"

// This file holds distances and closest points of lines, segments and rays. Those of two lines, and
// the capsule tests that use them, rely on closestParams. It compares candidates by their computed
// distance, so that parallel and zero-length segments need no special cases.

// ClosestPointOnLine returns the point closest to p on the infinite line through a and b; a if a
// and b are equal.
func ClosestPointOnLine(a, b, p Vec3) Vec3 {
	w, d := a.wide(), b.wide().Sub(a.wide())
	return w.AddMul(project(w, d, math.Inf(-1), math.Inf(1), p.wide()), d).Narrow()
}

// DistanceToLine returns the distance of p from the infinite line through a and b, in metres; from
// a if a and b are equal.
func DistanceToLine(a, b, p Vec3) float32 {
	w, d := a.wide(), b.wide().Sub(a.wide())
	return float32(w.AddMul(project(w, d, math.Inf(-1), math.Inf(1), p.wide()), d).Sub(p.wide()).Len())
}

// ClosestPointOnSegment returns the point closest to p on the segment between a and b, ends
// included.
func ClosestPointOnSegment(a, b, p Vec3) Vec3 {
	return closestOnSegment(a.wide(), b.wide(), p.wide()).Narrow()
}

// DistanceToSegment returns the distance of p from the segment between a and b, in metres.
func DistanceToSegment(a, b, p Vec3) float32 {
	return float32(closestOnSegment(a.wide(), b.wide(), p.wide()).Sub(p.wide()).Len())
}

// ClosestPointsSegments returns the closest points of the segments a–b and c–d to each other. If
// the segments are parallel there may be many such pairs; it returns one of them.
func ClosestPointsSegments(a, b, c, d Vec3) (onAB, onCD Vec3) {
	p, q := closestOnSegments(a.wide(), b.wide(), c.wide(), d.wide())
	return p.Narrow(), q.Narrow()
}

// ClosestT returns the T of the ray's point closest to p, within the ray's range; NaN if the ray is
// not valid (see [Ray.IsValid]) or p is NaN or infinite.
func (r Ray) ClosestT(p Vec3) float32 {
	if !r.IsValid() || !p.IsFinite() {
		return float32(math.NaN())
	}
	return float32(r.closestT(p.wide()))
}

// ClosestPoint returns the ray's point closest to p, within the ray's range, computed in double
// precision; NaN in all components if the ray is not valid (see [Ray.IsValid]) or p is NaN or
// infinite.
func (r Ray) ClosestPoint(p Vec3) Vec3 {
	if !r.IsValid() || !p.IsFinite() {
		return noPoint()
	}
	return r.at(r.closestT(p.wide())).Narrow()
}

// Distance returns the distance of p from the ray within its range, in metres; +Inf if the ray is
// not valid (see [Ray.IsValid]) or p is NaN or infinite. To pick points with a tolerance, compare
// it with the tolerance.
func (r Ray) Distance(p Vec3) float32 {
	if !r.IsValid() || !p.IsFinite() {
		return float32(math.Inf(1))
	}
	return float32(r.at(r.closestT(p.wide())).Sub(p.wide()).Len())
}

// ClosestPointsSegment returns the closest points of the ray, within its range, and of the segment
// a–b to each other; NaN in all components if the ray is not valid (see [Ray.IsValid]) or a or b is
// NaN or infinite.
func (r Ray) ClosestPointsSegment(a, b Vec3) (onRay, onSegment Vec3) {
	if !r.IsValid() || !a.IsFinite() || !b.IsFinite() {
		return noPoint(), noPoint()
	}
	p, q := r.closestToSegment(a.wide(), b.wide())
	return p.Narrow(), q.Narrow()
}

// DistanceToSegment returns the distance between the ray, within its range, and the segment a–b, in
// metres; +Inf if the ray is not valid (see [Ray.IsValid]) or a or b is NaN or infinite.
func (r Ray) DistanceToSegment(a, b Vec3) float32 {
	if !r.IsValid() || !a.IsFinite() || !b.IsFinite() {
		return float32(math.Inf(1))
	}
	p, q := r.closestToSegment(a.wide(), b.wide())
	return float32(p.Sub(q).Len())
}

func (r Ray) closestT(p DVec3) float64 {
	tMin, tMax := r.Range()
	return project(r.Origin.wide(), r.Dir.wide(), float64(tMin), float64(tMax), p)
}

func (r Ray) closestToSegment(a, b DVec3) (onRay, onSegment DVec3) {
	tMin, tMax := r.Range()
	d := b.Sub(a)
	s, t := closestParams(r.Origin.wide(), r.Dir.wide(), float64(tMin), float64(tMax), a, d)
	return r.at(s), a.AddMul(t, d)
}

// noPoint is the closest point of an empty shape: NaN.
func noPoint() Vec3 {
	nan := float32(math.NaN())
	return Vec3{nan, nan, nan}
}

// project returns the t between lo and hi for which a + t·d is closest to p. If d is zero it
// returns the number in that range closest to 0.
func project(a, d DVec3, lo, hi float64, p DVec3) float64 {
	l := d.Dot(d)
	if l == 0 {
		return max(lo, min(0, hi))
	}
	return max(lo, min(p.Sub(a).Dot(d)/l, hi))
}

func closestOnSegment(a, b, p DVec3) DVec3 {
	d := b.Sub(a)
	return a.AddMul(project(a, d, 0, 1, p), d)
}

func closestOnSegments(a, b, c, d DVec3) (onAB, onCD DVec3) {
	ab, cd := b.Sub(a), d.Sub(c)
	s, t := closestParams(a, ab, 0, 1, c, cd)
	return a.AddMul(s, ab), c.AddMul(t, cd)
}

// closestParams returns s, within its limits, and t, from 0 to 1, for which the points a + s·d and
// b + t·e are closest to each other. The limits of s may be infinite. The minimum of a convex
// function over a rectangle is where its gradient is zero, if that is inside, or on one of the four
// sides; the code tries each of them.
func closestParams(a, d DVec3, sMin, sMax float64, b, e DVec3) (s, t float64) {
	least := math.Inf(1)
	try := func(u, v float64) {
		if l := a.AddMul(u, d).Sub(b.AddMul(v, e)); l.Dot(l) < least {
			s, t, least = u, v, l.Dot(l)
		}
	}
	for _, u := range [2]float64{sMin, sMax} {
		if !math.IsInf(u, 0) {
			try(u, project(b, e, 0, 1, a.AddMul(u, d)))
		}
	}
	for _, v := range [2]float64{0, 1} {
		try(project(a, d, sMin, sMax, b.AddMul(v, e)), v)
	}
	n, gap := d.Cross(e), b.Sub(a)
	l := n.Dot(n)
	u, v := gap.Cross(e).Dot(n)/l, gap.Cross(d).Dot(n)/l
	if u >= sMin && u <= sMax && v >= 0 && v <= 1 { // false if parallel: NaN or infinite
		try(u, v)
	}
	return s, t
}
