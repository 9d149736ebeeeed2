package geom

import "math"

// This file holds the point queries of the four solids: closest point, containment and distance.
// The rules for empty shapes are the same for all:
//
//   - an empty shape contains nothing, its closest point is NaN and its distance +Inf;
//   - a point that is NaN or infinite is in no shape, its closest point is NaN and its distance
//     +Inf.

// ClosestPoint returns the point of the box closest to p: p itself if p is inside. NaN in all
// components if the box is empty or p is NaN or infinite.
func (b AABB) ClosestPoint(p Vec3) Vec3 {
	if b.IsEmpty() || !p.IsFinite() {
		return noPoint()
	}
	return b.Min.Max(b.Max.Min(p))
}

// Contains reports whether p is in the box, faces included; false if p is NaN or infinite.
func (b AABB) Contains(p Vec3) bool {
	return b.Min.X <= p.X && p.X <= b.Max.X && b.Min.Y <= p.Y && p.Y <= b.Max.Y && b.Min.Z <= p.Z && p.Z <= b.Max.Z &&
		p.IsFinite()
}

// Distance returns the distance of p from the box, in metres: 0 inside, +Inf if the box is empty or
// p is NaN or infinite.
func (b AABB) Distance(p Vec3) float32 { return max(0, b.SignedDistance(p)) }

// SignedDistance returns the distance of p from the surface of the box, in metres: negative inside,
// +Inf if the box is empty or p is NaN or infinite.
func (b AABB) SignedDistance(p Vec3) float32 {
	if b.IsEmpty() || !p.IsFinite() {
		return float32(math.Inf(1))
	}
	w := p.wide()
	below, above := b.Min.wide().Sub(w), w.Sub(b.Max.wide())
	return float32(boxDistance(DVec3{max(below.X, above.X), max(below.Y, above.Y), max(below.Z, above.Z)}))
}

// boxDistance returns the signed distance of a point from a box. beyond is, for each axis, how far
// the point is outside of the nearer of the two faces: negative between them.
func boxDistance(beyond DVec3) float64 {
	if inside := max(beyond.X, beyond.Y, beyond.Z); inside <= 0 {
		return inside
	}
	return DVec3{max(0, beyond.X), max(0, beyond.Y), max(0, beyond.Z)}.Len()
}

// ClosestPoint returns the point of the box closest to p: p itself if p is inside. NaN in all
// components if the box is empty or p is NaN or infinite.
func (b Box) ClosestPoint(p Vec3) Vec3 {
	if b.IsEmpty() || !p.IsFinite() {
		return noPoint()
	}
	f := b.frame()
	q, h := f.local(p.wide()), f.half
	c := DVec3{max(-h.X, min(q.X, h.X)), max(-h.Y, min(q.Y, h.Y)), max(-h.Z, min(q.Z, h.Z))}
	if c == q {
		return p // without the rounding of two rotations
	}
	return f.center.AddMul(c.X, f.x).AddMul(c.Y, f.y).AddMul(c.Z, f.z).Narrow()
}

// Contains reports whether p is in the box, faces included; false if p is NaN or infinite. If the
// box is rotated, a point within rounding in double precision of a face counts as on it.
func (b Box) Contains(p Vec3) bool {
	if b.IsEmpty() || !p.IsFinite() {
		return false
	}
	f, w := b.frame(), p.wide()
	d := w.Sub(f.center)
	// The slack is the rounding error of the projection on an axis.
	size := sum(w.abs()) + sum(f.center.abs())
	between := func(axis DVec3, h float64) bool { return math.Abs(axis.Dot(d)) <= h+float64(slack*(size+h)) }
	return between(f.x, f.half.X) && between(f.y, f.half.Y) && between(f.z, f.half.Z)
}

// Distance returns the distance of p from the box, in world units: 0 inside, +Inf if the box is
// empty or p is NaN or infinite.
func (b Box) Distance(p Vec3) float32 { return max(0, b.SignedDistance(p)) }

// SignedDistance returns the distance of p from the surface of the box, in world units: negative
// inside, +Inf if the box is empty or p is NaN or infinite.
func (b Box) SignedDistance(p Vec3) float32 {
	if b.IsEmpty() || !p.IsFinite() {
		return float32(math.Inf(1))
	}
	f := b.frame()
	return float32(boxDistance(f.local(p.wide()).abs().Sub(f.half)))
}

// boxFrame is a box in double precision: its centre, its unit axes and its half extents.
type boxFrame struct{ center, x, y, z, half DVec3 }

// Axes returns the box's own X, Y and Z axis in world space, as unit vectors in double precision.
func (b Box) Axes() (x, y, z DVec3) { return b.Rotation.columns() }

func (b Box) frame() boxFrame {
	x, y, z := b.Rotation.columns()
	return boxFrame{b.Center.wide(), x, y, z, b.HalfExtents.wide()}
}

// local returns p in the coordinates of the box, with its centre at 0 and its axes along the
// coordinate axes.
func (f *boxFrame) local(p DVec3) DVec3 {
	d := p.Sub(f.center)
	return DVec3{f.x.Dot(d), f.y.Dot(d), f.z.Dot(d)}
}

// ClosestPoint returns the point of the sphere closest to p: p itself if p is inside. NaN in all
// components if the sphere is empty or p is NaN or infinite.
func (s Sphere) ClosestPoint(p Vec3) Vec3 {
	if s.IsEmpty() || !p.IsFinite() {
		return noPoint()
	}
	return closestInSphere(s.Center.wide(), float64(s.Radius), p)
}

// Contains reports whether p is in the sphere, surface included; false if p is NaN or infinite.
func (s Sphere) Contains(p Vec3) bool {
	return !s.IsEmpty() && within(p.wide().Sub(s.Center.wide()), float64(s.Radius))
}

// Distance returns the distance of p from the sphere, in metres: 0 inside, +Inf if the sphere is
// empty or p is NaN or infinite.
func (s Sphere) Distance(p Vec3) float32 { return max(0, s.SignedDistance(p)) }

// SignedDistance returns the distance of p from the surface of the sphere, in metres: negative
// inside, +Inf if the sphere is empty or p is NaN or infinite.
func (s Sphere) SignedDistance(p Vec3) float32 {
	if s.IsEmpty() || !p.IsFinite() {
		return float32(math.Inf(1))
	}
	return float32(p.wide().Sub(s.Center.wide()).Len() - float64(s.Radius))
}

// ClosestPoint returns the point of the capsule closest to p: p itself if p is inside. NaN in all
// components if the capsule is empty or p is NaN or infinite.
func (c Capsule) ClosestPoint(p Vec3) Vec3 {
	if c.IsEmpty() || !p.IsFinite() {
		return noPoint()
	}
	return closestInSphere(c.core(p.wide()), float64(c.Radius), p)
}

// Contains reports whether p is in the capsule, surface included; false if p is NaN or infinite.
func (c Capsule) Contains(p Vec3) bool {
	return !c.IsEmpty() && p.IsFinite() && within(p.wide().Sub(c.core(p.wide())), float64(c.Radius))
}

// Distance returns the distance of p from the capsule, in metres: 0 inside, +Inf if the capsule is
// empty or p is NaN or infinite.
func (c Capsule) Distance(p Vec3) float32 { return max(0, c.SignedDistance(p)) }

// SignedDistance returns the distance of p from the surface of the capsule, in metres: negative
// inside, +Inf if the capsule is empty or p is NaN or infinite.
func (c Capsule) SignedDistance(p Vec3) float32 {
	if c.IsEmpty() || !p.IsFinite() {
		return float32(math.Inf(1))
	}
	return float32(p.wide().Sub(c.core(p.wide())).Len() - float64(c.Radius))
}

// core returns the point closest to p on the segment between A and B.
func (c Capsule) core(p DVec3) DVec3 { return closestOnSegment(c.A.wide(), c.B.wide(), p) }

// within reports whether the vector is no longer than r. Squares of single-precision numbers are
// exact in double precision, so a vector of exactly that length is within.
func within(v DVec3, r float64) bool { return v.Dot(v) <= float64(r*r) }

// closestInSphere returns the point closest to p of the solid sphere around c.
func closestInSphere(c DVec3, r float64, p Vec3) Vec3 {
	d := p.wide().Sub(c)
	if within(d, r) {
		return p
	}
	return c.AddMul(r/d.Len(), d).Narrow()
}
