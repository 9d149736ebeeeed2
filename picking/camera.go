package picking

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Camera is a position, an orientation and a projection. With the zero Rotation it looks along −Z,
// with Y up and X to the right.
type Camera struct {
	Position   geom.Vec3  // world, metres
	Rotation   geom.Quat  // camera to world; zero: no rotation
	Projection Projection // the zero Projection shows nothing
}

// LookAt moves the camera to eye and turns it towards target, with up as close to upward in the
// image as possible. If eye and target are equal, the rotation is zero; if up is parallel to the
// view direction, another up is chosen. Positions are in world space, metres.
func (c *Camera) LookAt(eye, target, up geom.Vec3) {
	c.Position = eye
	c.Rotation = geom.QuatLook(target.Sub(eye), up)
}

// Rebase changes the camera's position to the coordinates of a new origin: from and to are the old
// and the new origin in absolute coordinates, in metres. The camera stays at the same absolute
// place. Call it together with physics.Space.Rebase, with the origin that the space had and the one
// it gets.
//
// The result is rounded to single precision once: to 1/30 mm within a kilometre of the new origin.
// Panics if an origin is NaN or infinite.
func (c *Camera) Rebase(from, to geom.DVec3) { c.Position = rebase("Camera", c.Position, from, to) }

func rebase(what string, p geom.Vec3, from, to geom.DVec3) geom.Vec3 {
	by := from.Sub(to) // subtracted first: the difference is small where both are large
	if sum := by.X + by.Y + by.Z; sum-sum != 0 {
		panic("picking: " + what + ".Rebase: an origin is NaN or infinite")
	}
	return p.Wide().Add(by).Narrow()
}

// View returns the view matrix: world to camera space.
func (c Camera) View() geom.Mat4 {
	x, y, z := axes(c.Rotation)
	p := c.Position.Wide()
	return geom.Mat4{
		x.X, y.X, z.X, 0,
		x.Y, y.Y, z.Y, 0,
		x.Z, y.Z, z.Z, 0,
		-x.Dot(p), -y.Dot(p), -z.Dot(p), 1,
	}
}

// Matrix returns the matrix from the world to clip space, projection times view, for a viewport of
// the given aspect (width / height). It is zero where [Projection.Matrix] is.
//
// To draw exactly what is picked, multiply it with an object's matrix in double precision and round
// the product.
func (c Camera) Matrix(aspect float64) geom.Mat4 { return c.Projection.Matrix(aspect).Mul(c.View()) }

// local maps a point from the world to camera space. The position is subtracted first, which is
// exact; the product with the view matrix loses digits far from the origin.
func (c Camera) local(p geom.DVec3) geom.DVec3 {
	x, y, z := axes(c.Rotation)
	p = p.Sub(c.Position.Wide())
	return geom.DVec3{X: x.Dot(p), Y: y.Dot(p), Z: z.Dot(p)}
}

// world maps a point from camera space to the world.
func (c Camera) world(p geom.DVec3) geom.DVec3 { return turn(c.Rotation, p).Add(c.Position.Wide()) }

func turn(q geom.Quat, v geom.DVec3) geom.DVec3 {
	x, y, z := axes(q)
	return x.Mul(v.X).AddMul(v.Y, y).AddMul(v.Z, z)
}

// axes returns the rotated X, Y and Z axes in double precision: the columns of the rotation matrix.
// geom.Affine has them only in single precision, in which they are no longer orthogonal to double
// precision.
func axes(q geom.Quat) (x, y, z geom.DVec3) {
	qx, qy, qz, qw := float64(q.X), float64(q.Y), float64(q.Z), float64(q.W)
	n := float64(qx*qx) + float64(qy*qy) + float64(qz*qz) + float64(qw*qw)
	if !(n > 0) || math.IsInf(n, 1) {
		return geom.DVec3{X: 1}, geom.DVec3{Y: 1}, geom.DVec3{Z: 1}
	}
	s := 2 / n
	xx, yy, zz := float64(s*qx*qx), float64(s*qy*qy), float64(s*qz*qz)
	xy, xz, yz := float64(s*qx*qy), float64(s*qx*qz), float64(s*qy*qz)
	wx, wy, wz := float64(s*qw*qx), float64(s*qw*qy), float64(s*qw*qz)
	return geom.DVec3{X: 1 - (yy + zz), Y: xy + wz, Z: xz - wy},
		geom.DVec3{X: xy - wz, Y: 1 - (xx + zz), Z: yz + wx},
		geom.DVec3{X: xz + wy, Y: yz - wx, Z: 1 - (xx + yy)}
}
