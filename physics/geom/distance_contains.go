package geom

import "math"

// This file holds which volumes contain which. All shapes are convex, and all that are contained
// are the hull of a few balls of one radius, which may be 0: the corners of a box or a triangle,
// the ends of a capsule. A convex solid contains such a hull where it contains each of the balls.

// hull is the hull of the first n balls around p, all with the same radius; n is 0 where a shape is
// empty.
type hull struct {
	p      [8]DVec3
	n      int
	radius float64
}

func (b AABB) hull() hull {
	if b.IsEmpty() {
		return hull{}
	}
	lo, hi := b.Min.wide(), b.Max.wide()
	return hull{n: 8, p: [8]DVec3{
		lo, {hi.X, lo.Y, lo.Z}, {lo.X, hi.Y, lo.Z}, {hi.X, hi.Y, lo.Z},
		{lo.X, lo.Y, hi.Z}, {hi.X, lo.Y, hi.Z}, {lo.X, hi.Y, hi.Z}, hi,
	}}
}

func (b Box) hull() hull {
	if b.IsEmpty() {
		return hull{}
	}
	f := b.frame()
	h := AABB{b.HalfExtents.Neg(), b.HalfExtents}.hull()
	for i, p := range h.p {
		h.p[i] = f.world(p)
	}
	return h
}

func (s Sphere) hull() hull {
	if s.IsEmpty() {
		return hull{}
	}
	return hull{n: 1, radius: float64(s.Radius), p: [8]DVec3{s.Center.wide()}}
}

func (c Capsule) hull() hull {
	if c.IsEmpty() {
		return hull{}
	}
	return hull{n: 2, radius: float64(c.Radius), p: [8]DVec3{c.A.wide(), c.B.wide()}}
}

func (t Triangle) hull() hull {
	if t.IsEmpty() {
		return hull{}
	}
	return hull{n: 3, p: [8]DVec3{t.A.wide(), t.B.wide(), t.C.wide()}}
}

// containsHull reports whether a solid contains a hull.
func containsHull[S interface {
	IsEmpty() bool
	containsBall(DVec3, float64) bool
}](s S, h hull) bool {
	for _, p := range h.p[:h.n] {
		if !s.containsBall(p, h.radius) {
			return false
		}
	}
	return h.n > 0 && !s.IsEmpty()
}

func (b AABB) containsBall(p DVec3, r float64) bool {
	lo, hi := b.Min.wide(), b.Max.wide()
	return p.X-r >= lo.X && p.X+r <= hi.X && p.Y-r >= lo.Y && p.Y+r <= hi.Y && p.Z-r >= lo.Z && p.Z+r <= hi.Z
}

func (b Box) containsBall(p DVec3, r float64) bool {
	f := b.frame()
	d, h := p.Sub(f.center), f.half
	size := sum(p.abs()) + sum(f.center.abs())
	inside := func(axis DVec3, h float64) bool {
		// A corner that lies in a face is turned there and back, and must not be lost to rounding
		// on the way.
		return math.Abs(axis.Dot(d))+r <= h+float64(slack*(size+h))
	}
	return inside(f.x, h.X) && inside(f.y, h.Y) && inside(f.z, h.Z)
}

func (s Sphere) containsBall(p DVec3, r float64) bool {
	return ballInBall(p.Sub(s.Center.wide()), r, float64(s.Radius))
}

func (c Capsule) containsBall(p DVec3, r float64) bool {
	return ballInBall(p.Sub(c.core(p)), r, float64(c.Radius))
}

func ballInBall(d DVec3, small, large float64) bool { return small <= large && within(d, large-small) }

// ContainsAABB reports whether no point of c is outside b; faces may touch. False if either is
// empty.
func (b AABB) ContainsAABB(c AABB) bool { return containsHull(b, c.hull()) }

// ContainsBox reports whether no point of c is outside b; they may touch. False if either is empty.
func (b AABB) ContainsBox(c Box) bool { return containsHull(b, c.hull()) }

// ContainsSphere reports whether no point of s is outside b; they may touch. False if either is
// empty.
func (b AABB) ContainsSphere(s Sphere) bool { return containsHull(b, s.hull()) }

// ContainsCapsule reports whether no point of c is outside b; they may touch. False if either is
// empty.
func (b AABB) ContainsCapsule(c Capsule) bool { return containsHull(b, c.hull()) }

// ContainsTriangle reports whether no point of t is outside b; they may touch. False if either is
// empty.
func (b AABB) ContainsTriangle(t Triangle) bool { return containsHull(b, t.hull()) }

// ContainsAABB reports whether no point of c is outside b; they may touch. False if either is
// empty.
func (b Box) ContainsAABB(c AABB) bool { return containsHull(b, c.hull()) }

// ContainsBox reports whether no point of c is outside b; faces may touch. False if either is
// empty.
func (b Box) ContainsBox(c Box) bool { return containsHull(b, c.hull()) }

// ContainsSphere reports whether no point of s is outside b; they may touch. False if either is
// empty.
func (b Box) ContainsSphere(s Sphere) bool { return containsHull(b, s.hull()) }

// ContainsCapsule reports whether no point of c is outside b; they may touch. False if either is
// empty.
func (b Box) ContainsCapsule(c Capsule) bool { return containsHull(b, c.hull()) }

// ContainsTriangle reports whether no point of t is outside b; they may touch. False if either is
// empty.
func (b Box) ContainsTriangle(t Triangle) bool { return containsHull(b, t.hull()) }

// ContainsAABB reports whether no point of b is outside s; they may touch. False if either is
// empty.
func (s Sphere) ContainsAABB(b AABB) bool { return containsHull(s, b.hull()) }

// ContainsBox reports whether no point of b is outside s; they may touch. False if either is empty.
func (s Sphere) ContainsBox(b Box) bool { return containsHull(s, b.hull()) }

// ContainsSphere reports whether no point of t is outside s; they may touch. False if either is
// empty.
func (s Sphere) ContainsSphere(t Sphere) bool { return containsHull(s, t.hull()) }

// ContainsCapsule reports whether no point of c is outside s; they may touch. False if either is
// empty.
func (s Sphere) ContainsCapsule(c Capsule) bool { return containsHull(s, c.hull()) }

// ContainsTriangle reports whether no point of t is outside s; they may touch. False if either is
// empty.
func (s Sphere) ContainsTriangle(t Triangle) bool { return containsHull(s, t.hull()) }

// ContainsAABB reports whether no point of b is outside c; they may touch. False if either is
// empty.
func (c Capsule) ContainsAABB(b AABB) bool { return containsHull(c, b.hull()) }

// ContainsBox reports whether no point of b is outside c; they may touch. False if either is empty.
func (c Capsule) ContainsBox(b Box) bool { return containsHull(c, b.hull()) }

// ContainsSphere reports whether no point of s is outside c; they may touch. False if either is
// empty.
func (c Capsule) ContainsSphere(s Sphere) bool { return containsHull(c, s.hull()) }

// ContainsCapsule reports whether no point of d is outside c; they may touch. False if either is
// empty.
func (c Capsule) ContainsCapsule(d Capsule) bool { return containsHull(c, d.hull()) }

// ContainsTriangle reports whether no point of t is outside c; they may touch. False if either is
// empty.
func (c Capsule) ContainsTriangle(t Triangle) bool { return containsHull(c, t.hull()) }
