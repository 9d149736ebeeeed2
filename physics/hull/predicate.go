package hull

import (
	"math"
	"math/big"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// orientError bounds the rounding error of the determinant in orient, as a fraction of the same sum
// of absolute values (Shewchuk 1997, "Adaptive precision floating-point arithmetic and fast robust
// geometric predicates", section 4.2).
const orientError = (7 + 56*0x1p-53) * 0x1p-53

// orient returns the side of the plane through a, b and c on which the point p is: 1 on the side
// from which the three run counter-clockwise, -1 on the other side and 0 exactly in the plane. All
// coordinates must be single-precision numbers. The sign is that of exact arithmetic: a determinant
// below the error bound of double precision, which is rare, is computed again without rounding.
func orient(a, b, c, p geom.DVec3) int {
	u, v, w := a.Sub(p), b.Sub(p), c.Sub(p)
	vwx1, vwx2 := float64(v.Y*w.Z), float64(v.Z*w.Y)
	vwy1, vwy2 := float64(v.Z*w.X), float64(v.X*w.Z)
	vwz1, vwz2 := float64(v.X*w.Y), float64(v.Y*w.X)
	det := float64(u.X*(vwx1-vwx2)) + float64(u.Y*(vwy1-vwy2)) + float64(u.Z*(vwz1-vwz2))
	size := float64(math.Abs(u.X)*(math.Abs(vwx1)+math.Abs(vwx2))) +
		float64(math.Abs(u.Y)*(math.Abs(vwy1)+math.Abs(vwy2))) +
		float64(math.Abs(u.Z)*(math.Abs(vwz1)+math.Abs(vwz2)))
	switch bound := orientError * size; {
	case det > bound:
		return -1 // the determinant of a−p, b−p, c−p is positive where p is behind
	case det < -bound:
		return 1
	case size == 0:
		return 0 // two of the points are equal, or all lie in a coordinate plane
	}
	return -exactDet(a, b, c, p).Sign()
}

// exactBits is a precision at which sums of products of three differences of single-precision
// numbers are not rounded: their bits lie between 2^-447 and 2^390.
const exactBits = 1024

func exactDet(a, b, c, p geom.DVec3) *big.Float {
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(exactBits).SetFloat64(x) }
	type triple [3]*big.Float
	minus := func(q geom.DVec3) triple {
		return triple{
			number(0).Sub(number(q.X), number(p.X)), number(0).Sub(number(q.Y), number(p.Y)), number(0).Sub(number(q.Z), number(p.Z))}
	}
	u, v, w := minus(a), minus(b), minus(c)
	det := number(0)
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		minor := number(0).Sub(number(0).Mul(v[j], w[k]), number(0).Mul(v[k], w[j]))
		det.Add(det, minor.Mul(minor, u[i]))
	}
	return det
}
