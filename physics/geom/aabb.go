package geom

import "math"

// AABB is an axis-aligned box: the points p with Min ≤ p ≤ Max on every axis, faces included.
//
// It is flat where Min and Max agree on an axis, which is a rectangle, a line or a point and can
// still be hit. Where Min exceeds Max on any axis, or a number is NaN, it is empty and nothing
// touches it.
type AABB struct{ Min, Max Vec3 }

// AABBAround returns the box around a centre, reaching halfExtents to both sides.
func AABBAround(center, halfExtents Vec3) AABB {
	return AABB{center.Sub(halfExtents), center.Add(halfExtents)}
}

// Rect returns the 2D rectangle with a corner at (x, y) and the given width and height, flat in the
// plane Z = 0.
func Rect(x, y, width, height float32) AABB {
	return AABB{Vec3{x, y, 0}, Vec3{x + width, y + height, 0}}
}

// EmptyAABB returns the box that contains nothing and that Union leaves out.
func EmptyAABB() AABB {
	inf := float32(math.Inf(1))
	return AABB{Vec3{inf, inf, inf}, Vec3{-inf, -inf, -inf}}
}

// IsEmpty reports whether the box contains no point: Min exceeds Max somewhere, or a number is NaN.
func (b AABB) IsEmpty() bool {
	return !(b.Min.X <= b.Max.X && b.Min.Y <= b.Max.Y && b.Min.Z <= b.Max.Z)
}

// Center returns the middle of the box.
func (b AABB) Center() Vec3 {
	return b.Min.wide().Add(b.Max.wide()).Mul(0.5).Narrow()
}

// HalfExtents returns half the size of the box along each axis.
func (b AABB) HalfExtents() Vec3 {
	return b.Max.wide().Sub(b.Min.wide()).Mul(0.5).Narrow()
}

// Union returns the smallest box around both; an empty box adds nothing.
func (b AABB) Union(c AABB) AABB {
	if b.IsEmpty() {
		return c
	}
	if c.IsEmpty() {
		return b
	}
	return AABB{b.Min.Min(c.Min), b.Max.Max(c.Max)}
}

// Extend returns the smallest box around b and the point p.
func (b AABB) Extend(p Vec3) AABB { return b.Union(AABB{p, p}) }

// Grow returns the box moved outward by d on every side; a negative d shrinks it, until it is
// empty.
func (b AABB) Grow(d float32) AABB {
	return AABB{b.Min.Sub(Vec3{d, d, d}), b.Max.Add(Vec3{d, d, d})}
}

// Bounds returns the box itself, so that it can serve as a shape.
func (b AABB) Bounds() AABB { return b }

// down and up round to single precision outward, so that a float32 box contains the float64 one.
func (v DVec3) down() Vec3 { return Vec3{roundDown(v.X), roundDown(v.Y), roundDown(v.Z)} }
func (v DVec3) up() Vec3   { return Vec3{-roundDown(-v.X), -roundDown(-v.Y), -roundDown(-v.Z)} }

// roundDown returns the largest float32 that is not above x. It has no branch: which way x would be
// rounded can't be foretold.
func roundDown(x float64) float32 {
	f := float32(x)
	step := int32(0)
	if float64(f) > x {
		step = 1
	}
	// Seen as an integer, with the bits of negative numbers turned over, the next float32 below is
	// one less.
	b := int32(math.Float32bits(f))
	b = (b ^ b>>31&math.MaxInt32) - step
	return math.Float32frombits(uint32(b ^ b>>31&math.MaxInt32))
}
