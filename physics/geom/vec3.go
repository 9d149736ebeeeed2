package geom

import (
	"fmt"
	"math"
)

// Vec3 is a point, a direction or a triple of sizes, in metres unless documented otherwise.
//
// It is a struct and not an array because Go keeps small structs in registers and arrays in memory:
// the same triangle test takes a third of the time. [VecOf] and [Vec3.Array] convert from and to
// any [3]float32, such as mgl32.Vec3.
//
// Every product that is a summand is written float32(a*b) + c: the conversion forbids the compiler
// to fuse the two operations into one instruction, so that all architectures return the same bits.
// A product that is returned is converted too, because the sum may appear after inlining.
type Vec3 struct{ X, Y, Z float32 }

// V returns the vector (x, y, z).
func V(x, y, z float32) Vec3 { return Vec3{x, y, z} }

// VecOf returns the vector with the components of an array, for instance of an mgl32.Vec3.
func VecOf[A ~[3]float32](a A) Vec3 { return Vec3{a[0], a[1], a[2]} }

// Array returns the components of v as an array, which converts to mgl32.Vec3 and its like.
func (v Vec3) Array() [3]float32 { return [3]float32{v.X, v.Y, v.Z} }

// String returns v as "(x, y, z)", each component with the shortest decimal digits that identify
// it.
func (v Vec3) String() string { return fmt.Sprintf("(%g, %g, %g)", v.X, v.Y, v.Z) }

// Add returns v + w.
func (v Vec3) Add(w Vec3) Vec3 { return Vec3{v.X + w.X, v.Y + w.Y, v.Z + w.Z} }

// Sub returns v − w, the vector from w to v.
func (v Vec3) Sub(w Vec3) Vec3 { return Vec3{v.X - w.X, v.Y - w.Y, v.Z - w.Z} }

// Mul returns s·v.
func (v Vec3) Mul(s float32) Vec3 {
	return Vec3{float32(v.X * s), float32(v.Y * s), float32(v.Z * s)}
}

// MulVec returns the component-wise product, as a scale applies to a point.
func (v Vec3) MulVec(w Vec3) Vec3 {
	return Vec3{float32(v.X * w.X), float32(v.Y * w.Y), float32(v.Z * w.Z)}
}

// Neg returns −v.
func (v Vec3) Neg() Vec3 { return Vec3{-v.X, -v.Y, -v.Z} }

// Abs returns the absolute value of each component.
func (v Vec3) Abs() Vec3 { return Vec3{abs(v.X), abs(v.Y), abs(v.Z)} }

// Min returns the smaller of each pair of components; NaN if either is NaN.
func (v Vec3) Min(w Vec3) Vec3 { return Vec3{min(v.X, w.X), min(v.Y, w.Y), min(v.Z, w.Z)} }

// Max returns the larger of each pair of components; NaN if either is NaN.
func (v Vec3) Max(w Vec3) Vec3 { return Vec3{max(v.X, w.X), max(v.Y, w.Y), max(v.Z, w.Z)} }

// Dot returns the dot product of v and w.
func (v Vec3) Dot(w Vec3) float32 {
	return float32(v.X*w.X) + float32(v.Y*w.Y) + float32(v.Z*w.Z)
}

// Cross returns the cross product v × w, right-handed.
func (v Vec3) Cross(w Vec3) Vec3 {
	return Vec3{
		float32(v.Y*w.Z) - float32(v.Z*w.Y),
		float32(v.Z*w.X) - float32(v.X*w.Z),
		float32(v.X*w.Y) - float32(v.Y*w.X),
	}
}

// Len returns the length of v, computed in float64 so that components of 1e-30 or 1e30 neither
// underflow nor overflow.
func (v Vec3) Len() float32 { return float32(v.wide().Len()) }

// LenSq returns the square of the length of v, computed in float32: cheap, for comparisons.
func (v Vec3) LenSq() float32 { return v.Dot(v) }

// Distance returns the distance between the points v and w, in world units.
func (v Vec3) Distance(w Vec3) float32 { return float32(v.wide().Sub(w.wide()).Len()) }

// Normalize returns the unit vector along v; zero if v is zero, NaN or infinite.
func (v Vec3) Normalize() Vec3 {
	w := v.wide()
	l := w.Len()
	if !(l > 0) || math.IsInf(l, 1) {
		return Vec3{}
	}
	return w.Mul(1 / l).Narrow()
}

// Lerp returns the linear interpolation (1 − t)·v + t·w: exactly v at 0 and exactly w at 1.
func (v Vec3) Lerp(w Vec3, t float32) Vec3 {
	s := 1 - t
	return Vec3{
		float32(v.X*s) + float32(w.X*t),
		float32(v.Y*s) + float32(w.Y*t),
		float32(v.Z*s) + float32(w.Z*t),
	}
}

// Axis returns one component of v. Panics if the axis is none of [X], [Y] and [Z].
func (v Vec3) Axis(a Axis) float32 {
	switch a {
	case X:
		return v.X
	case Y:
		return v.Y
	case Z:
		return v.Z
	}
	panic("geom: Vec3.Axis: " + a.String())
}

// WithAxis returns v with one component replaced. Panics if the axis is none of [X], [Y] and [Z].
func (v Vec3) WithAxis(a Axis, value float32) Vec3 {
	switch a {
	case X:
		v.X = value
	case Y:
		v.Y = value
	case Z:
		v.Z = value
	default:
		panic("geom: Vec3.WithAxis: " + a.String())
	}
	return v
}

// IsFinite reports whether no component of v is NaN or infinite.
func (v Vec3) IsFinite() bool {
	// x−x is 0 for finite x and NaN for all others.
	return v.X-v.X == 0 && v.Y-v.Y == 0 && v.Z-v.Z == 0
}

// Wide returns v in double precision.
func (v Vec3) Wide() DVec3 { return v.wide() }

func (v Vec3) wide() DVec3 { return DVec3{float64(v.X), float64(v.Y), float64(v.Z)} }

func abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// Axis is one of the three coordinate axes.
type Axis uint8

// The three coordinate axes.
const (
	X Axis = iota
	Y
	Z
)

// String returns "x", "y" or "z"; "axis n" for any other value n.
func (a Axis) String() string {
	switch a {
	case X:
		return "x"
	case Y:
		return "y"
	case Z:
		return "z"
	}
	return fmt.Sprintf("axis %d", uint8(a))
}

// Unit returns the unit vector along the axis. Panics if the axis is none of [X], [Y] and [Z].
func (a Axis) Unit() Vec3 { return Vec3{}.WithAxis(a, 1) }
