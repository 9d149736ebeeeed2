package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// setAxes sets the axes of a rotated box, each component within a few roundings of the one that
// [geom.Box.Axes] returns, and the same where that snaps it to 0 or ±1. It takes a quarter of the
// time unless the box is turned about a coordinate axis, since it needs no root. It
// returns a number that is finite if the components of the rotation are.
func (s *Shape) setAxes(q geom.Quat) float64 {
	if q.X == 0 && q.Y == 0 && q.Z == 0 {
		s.x, s.y, s.z = geom.DVec3{X: 1}, geom.DVec3{Y: 1}, geom.DVec3{Z: 1}
		return float64(q.W)
	}
	i, j, k, r := float64(q.X), float64(q.Y), float64(q.Z), float64(q.W)
	l := float64(i*i) + float64(j*j) + float64(k*k) + float64(r*r)
	d := 2 / l
	ii, jj, kk := float64(i*i), float64(j*j), float64(k*k)
	ij, ik, jk := float64(i*j), float64(i*k), float64(j*k)
	ri, rj, rk := float64(r*i), float64(r*j), float64(r*k)
	x := geom.DVec3{X: 1 - float64(d*(jj+kk)), Y: d * (ij + rk), Z: d * (ik - rj)}
	y := geom.DVec3{X: d * (ij - rk), Y: 1 - float64(d*(ii+kk)), Z: d * (jk + ri)}
	z := geom.DVec3{X: d * (ik + rj), Y: d * (jk - ri), Z: 1 - float64(d*(ii+jj))}
	// No entry is greater than 1, except by rounding. So none is small where the product of the
	// entries of an axis is not.
	if l > 0 && math.Abs(x.X*x.Y*x.Z) > 2*rightAngle && math.Abs(y.X*y.Y*y.Z) > 2*rightAngle && math.Abs(z.X*z.Y*z.Z) > 2*rightAngle {
		s.x, s.y, s.z = x, y, z
		return l
	}
	s.x, s.y, s.z = geom.Box{Rotation: q}.Axes()
	return l
}
