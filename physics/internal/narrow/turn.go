package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// axesOf returns the same bits as b.Axes. It takes half the time unless the box is turned about a
// coordinate axis.
func axesOf(b *geom.Box) (x, y, z geom.DVec3) {
	q := b.Rotation
	switch {
	case q.X == 0 && q.Y == 0 && q.Z == 0:
		return geom.DVec3{X: 1}, geom.DVec3{Y: 1}, geom.DVec3{Z: 1}
	case q.X == 0 || q.Y == 0 || q.Z == 0: // Axes snaps these to coordinate axes
		return b.Axes()
	}
	i, j, k, r := float64(q.X), float64(q.Y), float64(q.Z), float64(q.W)
	l := math.Sqrt(float64(i*i) + float64(j*j) + float64(k*k) + float64(r*r))
	i, j, k, r = i/l, j/l, k/l, r/l
	ii, jj, kk := float64(i*i), float64(j*j), float64(k*k)
	ij, ik, jk := float64(i*j), float64(i*k), float64(j*k)
	ri, rj, rk := float64(r*i), float64(r*j), float64(r*k)
	x = geom.DVec3{X: 1 - 2*(jj+kk), Y: 2 * (ij + rk), Z: 2 * (ik - rj)}
	y = geom.DVec3{X: 2 * (ij - rk), Y: 1 - 2*(ii+kk), Z: 2 * (jk + ri)}
	z = geom.DVec3{X: 2 * (ik + rj), Y: 2 * (jk - ri), Z: 1 - 2*(ii+jj)}
	// No entry is greater than 1, except by rounding. So none is small where the product of the
	// entries of an axis is not.
	if l > 0 && math.Abs(x.X*x.Y*x.Z) > 2*rightAngle && math.Abs(y.X*y.Y*y.Z) > 2*rightAngle && math.Abs(z.X*z.Y*z.Z) > 2*rightAngle {
		return x, y, z
	}
	return b.Axes()
}
