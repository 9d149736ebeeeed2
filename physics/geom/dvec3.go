package geom

import "math"

// DVec3 is a [Vec3] in double precision. Exact tests compute in it and round once at the end, so
// that the numbers given, not intermediate rounding, decide whether a ray touches a face, an edge
// or a corner.
type DVec3 struct{ X, Y, Z float64 }

// Narrow returns v rounded to single precision.
func (v DVec3) Narrow() Vec3 { return Vec3{float32(v.X), float32(v.Y), float32(v.Z)} }

// Add returns v + w.
func (v DVec3) Add(w DVec3) DVec3 { return DVec3{v.X + w.X, v.Y + w.Y, v.Z + w.Z} }

// Sub returns v − w.
func (v DVec3) Sub(w DVec3) DVec3 { return DVec3{v.X - w.X, v.Y - w.Y, v.Z - w.Z} }

// Mul returns s·v.
func (v DVec3) Mul(s float64) DVec3 {
	return DVec3{float64(v.X * s), float64(v.Y * s), float64(v.Z * s)}
}

// AddMul returns v + s·w.
func (v DVec3) AddMul(s float64, w DVec3) DVec3 {
	return DVec3{v.X + float64(s*w.X), v.Y + float64(s*w.Y), v.Z + float64(s*w.Z)}
}

// Neg returns −v.
func (v DVec3) Neg() DVec3 { return DVec3{-v.X, -v.Y, -v.Z} }

// Dot returns the dot product of v and w.
func (v DVec3) Dot(w DVec3) float64 {
	return float64(v.X*w.X) + float64(v.Y*w.Y) + float64(v.Z*w.Z)
}

// Cross returns the cross product v × w, right-handed.
func (v DVec3) Cross(w DVec3) DVec3 {
	return DVec3{
		float64(v.Y*w.Z) - float64(v.Z*w.Y),
		float64(v.Z*w.X) - float64(v.X*w.Z),
		float64(v.X*w.Y) - float64(v.Y*w.X),
	}
}

// Len returns the length of v.
func (v DVec3) Len() float64 { return math.Sqrt(v.Dot(v)) }

// Normalize returns the unit vector along v; zero if v is zero, NaN or infinite.
func (v DVec3) Normalize() DVec3 {
	l := v.Len()
	if !(l > 0) || math.IsInf(l, 1) {
		return DVec3{}
	}
	return v.Mul(1 / l)
}

func (v DVec3) abs() DVec3 { return DVec3{math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z)} }
