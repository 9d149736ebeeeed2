package geom

import "math"

// AABB is a solid axis-aligned box: the points p with Min ≤ p ≤ Max on every axis, faces included.
//
// If Min and Max are equal on an axis, the box is flat: a rectangle, a segment or a point, which
// can still be hit. If Min exceeds Max on any axis, or a number is NaN, the box is empty and
// nothing touches it. A box may be unbounded: Min −Inf or Max +Inf on any axis.
type AABB struct{ Min, Max Vec3 } // metres

// AABBAround returns the box that extends from center by halfExtents to both sides, in metres.
func AABBAround(center, halfExtents Vec3) AABB {
	return AABB{center.Sub(halfExtents), center.Add(halfExtents)}
}

// Rect returns the 2D rectangle with a corner at (x, y) and the given width and height, flat in the
// plane Z = 0.
func Rect(x, y, width, height float32) AABB {
	return AABB{Vec3{x, y, 0}, Vec3{x + width, y + height, 0}}
}

// EmptyAABB returns the box that contains nothing: the neutral element of [AABB.Union].
func EmptyAABB() AABB {
	inf := float32(math.Inf(1))
	return AABB{Vec3{inf, inf, inf}, Vec3{-inf, -inf, -inf}}
}

// IsEmpty reports whether the box contains no point: Min exceeds Max on an axis, or a number is
// NaN.
func (b AABB) IsEmpty() bool {
	return !(b.Min.X <= b.Max.X && b.Min.Y <= b.Max.Y && b.Min.Z <= b.Max.Z)
}

// Center returns the centre of the box; NaN on an axis on which the box is unbounded to both sides.
func (b AABB) Center() Vec3 {
	return b.Min.wide().Add(b.Max.wide()).Mul(0.5).Narrow()
}

// HalfExtents returns half the size of the box along each axis, in metres.
func (b AABB) HalfExtents() Vec3 {
	return b.Max.wide().Sub(b.Min.wide()).Mul(0.5).Narrow()
}

// Union returns the smallest box that contains both b and c; an empty box adds nothing.
func (b AABB) Union(c AABB) AABB {
	if b.IsEmpty() {
		return c
	}
	if c.IsEmpty() {
		return b
	}
	return AABB{b.Min.Min(c.Min), b.Max.Max(c.Max)}
}

// Extend returns the smallest box that contains b and the point p.
func (b AABB) Extend(p Vec3) AABB { return b.Union(AABB{p, p}) }

// Grow returns the box with every face moved outward by d metres. A negative d shrinks the box; one
// that exceeds a half extent makes it empty.
func (b AABB) Grow(d float32) AABB {
	return AABB{b.Min.Sub(Vec3{d, d, d}), b.Max.Add(Vec3{d, d, d})}
}

// Bounds returns the box itself: the bounds that every shape has.
func (b AABB) Bounds() AABB { return b }

// down and up round to single precision outward, so that a float32 box contains the float64 one.
func (v DVec3) down() Vec3 { return Vec3{roundDown(v.X), roundDown(v.Y), roundDown(v.Z)} }
func (v DVec3) up() Vec3   { return Vec3{-roundDown(-v.X), -roundDown(-v.Y), -roundDown(-v.Z)} }

// roundDown returns the largest float32 that is not above x. It has no branch, because the
// direction in which x would be rounded is random and would be mispredicted.
func roundDown(x float64) float32 {
	f := float32(x)
	step := int32(0)
	if float64(f) > x {
		step = 1
	}
	// As an integer, with the bits of negative numbers inverted, the next float32 below is one
	// less.
	b := int32(math.Float32bits(f))
	b = (b ^ b>>31&math.MaxInt32) - step
	return math.Float32frombits(uint32(b ^ b>>31&math.MaxInt32))
}
