package geom

import "math"

// This file holds the overlap tests of spheres and capsules: each compares the radius with the
// distance of the centre, or of the capsule's segment, from the other shape.

// OverlapsSphere reports whether the sphere and the box have a point in common; false if
// either is empty.
func (b AABB) OverlapsSphere(s Sphere) bool {
	if b.IsEmpty() || s.IsEmpty() {
		return false
	}
	return within(beyond(s.Center.wide(), b.Min.wide(), b.Max.wide()), float64(s.Radius))
}

// OverlapsSphere reports whether the sphere and the box have a point in common; false if
// either is empty.
func (b Box) OverlapsSphere(s Sphere) bool {
	if b.IsEmpty() || s.IsEmpty() {
		return false
	}
	f := b.frame()
	p := f.local(s.Center.wide())
	return within(beyond(p, f.half.Neg(), f.half), float64(s.Radius)+float64(slack*(sum(p.abs())+sum(f.half))))
}

// OverlapsSphere reports whether the two spheres have a point in common; false if
// either is empty.
func (s Sphere) OverlapsSphere(t Sphere) bool {
	return !s.IsEmpty() && !t.IsEmpty() &&
		within(s.Center.wide().Sub(t.Center.wide()), float64(s.Radius)+float64(t.Radius))
}

// OverlapsCapsule reports whether the sphere and the capsule have a point in common; false if
// either is empty.
func (s Sphere) OverlapsCapsule(c Capsule) bool {
	if s.IsEmpty() || c.IsEmpty() {
		return false
	}
	p := s.Center.wide()
	return touches(c.core(p).Sub(p), float64(s.Radius)+float64(c.Radius), c.size()+sum(p.abs()))
}

// OverlapsTriangle reports whether the solid sphere and the triangle have a point in common; false
// if either is empty.
func (s Sphere) OverlapsTriangle(t Triangle) bool {
	if s.IsEmpty() || t.IsEmpty() {
		return false
	}
	p := s.Center.wide()
	return touches(t.closest(p).Sub(p), float64(s.Radius), t.size()+sum(p.abs()))
}

// OverlapsCapsule reports whether the two capsules have a point in common; false if
// either is empty.
func (c Capsule) OverlapsCapsule(d Capsule) bool {
	if c.IsEmpty() || d.IsEmpty() {
		return false
	}
	p, q := closestOnSegments(c.A.wide(), c.B.wide(), d.A.wide(), d.B.wide())
	return touches(p.Sub(q), float64(c.Radius)+float64(d.Radius), c.size()+d.size())
}

// OverlapsCapsule reports whether the capsule and the box have a point in common; false if
// either is empty.
func (b AABB) OverlapsCapsule(c Capsule) bool {
	if b.IsEmpty() || c.IsEmpty() {
		return false
	}
	v := segmentBeyond(c.A.wide(), c.B.wide(), b.Min.wide(), b.Max.wide())
	return touches(v, float64(c.Radius), c.size())
}

// OverlapsCapsule reports whether the capsule and the box have a point in common; false if
// either is empty.
func (b Box) OverlapsCapsule(c Capsule) bool {
	if b.IsEmpty() || c.IsEmpty() {
		return false
	}
	f := b.frame()
	p, q := f.local(c.A.wide()), f.local(c.B.wide())
	return touches(segmentBeyond(p, q, f.half.Neg(), f.half), float64(c.Radius), sum(p.abs())+sum(q.abs())+sum(f.half))
}

// OverlapsTriangle reports whether the solid capsule and the triangle have a point in common; false
// if either is empty.
func (c Capsule) OverlapsTriangle(t Triangle) bool {
	if c.IsEmpty() || t.IsEmpty() {
		return false
	}
	return touches(t.toSegment(c.A.wide(), c.B.wide()), float64(c.Radius), c.size()+t.size())
}

// beyond returns the vector to p from the closest point of the box from lo to hi; zero inside.
func beyond(p, lo, hi DVec3) DVec3 {
	return DVec3{beyond1(p.X, lo.X, hi.X), beyond1(p.Y, lo.Y, hi.Y), beyond1(p.Z, lo.Z, hi.Z)}
}

func beyond1(x, lo, hi float64) float64 {
	switch {
	case x < lo:
		return x - lo
	case x > hi:
		return x - hi
	}
	return 0
}

// segmentBeyond returns the shortest vector from the box from lo to hi to the segment a–b; zero if
// they overlap.
//
// Along the segment the squared distance from the box is convex and piecewise quadratic, with
// breaks where the segment crosses one of the six planes of the box. Half its derivative, s below,
// is therefore increasing and piecewise linear. The code finds the two neighbouring breaks between
// which s changes sign, and the zero of s between them.
func segmentBeyond(a, b, lo, hi DVec3) DVec3 {
	d := b.Sub(a)
	at := func(t float64) DVec3 { return beyond(a.AddMul(t, d), lo, hi) }
	s0, s1 := d.Dot(at(0)), d.Dot(at(1))
	if s0 >= 0 {
		return at(0)
	}
	if s1 <= 0 {
		return at(1)
	}
	t0, t1 := 0.0, 1.0
	for _, t := range [6]float64{
		(lo.X - a.X) / d.X, (hi.X - a.X) / d.X,
		(lo.Y - a.Y) / d.Y, (hi.Y - a.Y) / d.Y,
		(lo.Z - a.Z) / d.Z, (hi.Z - a.Z) / d.Z,
	} {
		if t > t0 && t < t1 { // false where d is zero
			if s := d.Dot(at(t)); s <= 0 {
				t0, s0 = t, s
			} else {
				t1, s1 = t, s
			}
		}
	}
	return at(t0 + float64((t1-t0)*(-s0/(s1-s0))))
}

// toSegment returns the shortest vector from the triangle to the segment p–q. One of its ends is an
// end of the segment or on an edge of the triangle, unless the segment pierces the triangle.
func (t Triangle) toSegment(p, q DVec3) DVec3 {
	way := func(p DVec3) DVec3 { return p.Sub(t.closest(p)) }
	best := way(p)
	try := func(v DVec3) {
		if v.Dot(v) < best.Dot(best) {
			best = v
		}
	}
	try(way(q))
	a, b, c := t.A.wide(), t.B.wide(), t.C.wide()
	for _, e := range [3][2]DVec3{{a, b}, {b, c}, {c, a}} {
		x, y := closestOnSegments(p, q, e[0], e[1])
		try(x.Sub(y))
	}
	n := t.cross()
	if h, k := n.Dot(p.Sub(a)), n.Dot(q.Sub(a)); math.Signbit(h) != math.Signbit(k) && h != k {
		try(way(p.AddMul(h/(h-k), q.Sub(p))))
	}
	return best
}
