package geom

import "math"

// This file holds the overlap tests of planes, which are surfaces: a shape overlaps a plane if it
// touches the plane or has points on both sides. Plane.SignedDistance of any point of a shape that
// does not overlap the plane returns its side.

// OverlapsPlane reports whether the plane and the box have a point in common; false if either is
// empty.
func (b AABB) OverlapsPlane(p Plane) bool {
	if b.IsEmpty() || p.IsEmpty() {
		return false
	}
	// The heights of the lowest and the highest corner. The box may be infinite on an axis; it does
	// not count if the plane is parallel to that axis.
	var low, high, lowSize, highSize float64
	add := func(n, lo, hi float32) {
		l, h := float64(float64(n)*float64(lo)), float64(float64(n)*float64(hi))
		switch {
		case n < 0:
			l, h = h, l
		case n == 0:
			l, h = 0, 0
		}
		low, high = low+l, high+h
		lowSize, highSize = lowSize+math.Abs(l), highSize+math.Abs(h)
	}
	add(p.Normal.X, b.Min.X, b.Max.X)
	add(p.Normal.Y, b.Min.Y, b.Max.Y)
	add(p.Normal.Z, b.Min.Z, b.Max.Z)
	d := float64(p.D)
	return low-float64(slack*lowSize) <= d && d <= high+float64(slack*highSize)
}

// OverlapsPlane reports whether the plane and the box have a point in common; false if either is
// empty.
func (b Box) OverlapsPlane(p Plane) bool {
	if b.IsEmpty() || p.IsEmpty() {
		return false
	}
	f, n := b.frame(), p.Normal.wide()
	return p.near(f.center, f.reach(n)+float64(slack*sum(n.abs())*sum(f.half)))
}

// OverlapsPlane reports whether the plane and the sphere have a point in common; false if either is
// empty.
func (s Sphere) OverlapsPlane(p Plane) bool {
	if s.IsEmpty() || p.IsEmpty() {
		return false
	}
	return p.near(s.Center.wide(), float64(float64(s.Radius)*p.Normal.wide().Len()))
}

// OverlapsPlane reports whether the plane and the capsule have a point in common; false if either
// is empty.
func (c Capsule) OverlapsPlane(p Plane) bool {
	if c.IsEmpty() || p.IsEmpty() {
		return false
	}
	a, b, reach := c.A.wide(), c.B.wide(), float64(float64(c.Radius)*p.Normal.wide().Len())
	return (p.height(a) < 0) != (p.height(b) < 0) || p.near(a, reach) || p.near(b, reach)
}

// OverlapsPlane reports whether the two planes have a point in common: always, unless they are
// parallel and apart or one is empty. It is exact.
func (p Plane) OverlapsPlane(q Plane) bool {
	if p.IsEmpty() || q.IsEmpty() {
		return false
	}
	n, m := p.Normal.wide(), q.Normal.wide()
	// Products of two single-precision numbers are exact in double precision, and so are these
	// comparisons.
	if n.Cross(m) != (DVec3{}) {
		return true
	}
	return n.Mul(float64(q.D)) == m.Mul(float64(p.D))
}

// OverlapsPlane reports whether the plane and the triangle have a point in common; false if either
// is empty.
func (t Triangle) OverlapsPlane(p Plane) bool {
	if t.IsEmpty() || p.IsEmpty() {
		return false
	}
	a, b, c := t.A.wide(), t.B.wide(), t.C.wide()
	behind := p.height(a) < 0
	return (p.height(b) < 0) != behind || (p.height(c) < 0) != behind || p.near(a, 0) || p.near(b, 0) || p.near(c, 0)
}

// near reports whether q is no further from the plane than reach over the length of Normal.
func (p Plane) near(q DVec3, reach float64) bool {
	return math.Abs(p.height(q)) <= reach+float64(slack*(p.Normal.wide().abs().Dot(q.abs())+math.Abs(float64(p.D))+reach))
}
