package geom

import "math"

// Quat is a rotation as a unit quaternion; W is the real part.
//
// The zero Quat is no rotation, so that the zero [Transform] is the identity. The methods normalise
// a quaternion that is not unit; one that is NaN or infinite is no rotation.
type Quat struct{ X, Y, Z, W float32 }

// QuatIdentity returns no rotation, as a unit quaternion.
func QuatIdentity() Quat { return Quat{W: 1} }

// QuatAxisAngle returns the rotation about an axis by an angle in radians, counter-clockwise as
// seen by a viewer to whom the axis points. The axis need not be unit; if it is zero, NaN or
// infinite the result is no rotation.
func QuatAxisAngle(axis Vec3, radians float64) Quat {
	a := axis.wide().Normalize()
	sin, cos := math.Sincos(radians / 2)
	if a == (DVec3{}) {
		return QuatIdentity()
	}
	return Quat{float32(a.X * sin), float32(a.Y * sin), float32(a.Z * sin), float32(cos)}
}

// QuatEuler returns the rotation by yaw about Y, then by pitch about the rotated X axis, then by
// roll about the rotated Z axis, in radians: the order of a camera on a tripod.
func QuatEuler(yaw, pitch, roll float64) Quat {
	return QuatAxisAngle(V(0, 1, 0), yaw).
		Mul(QuatAxisAngle(V(1, 0, 0), pitch)).
		Mul(QuatAxisAngle(V(0, 0, 1), roll))
}

// QuatLook returns the rotation of a camera that looks along dir: it maps −Z to dir and Y as close
// to up as possible. Neither need be unit. If dir is zero, NaN or infinite the result is no
// rotation; if up is zero or parallel to dir another up is chosen.
func QuatLook(dir, up Vec3) Quat {
	back := dir.wide().Normalize().Neg()
	if back == (DVec3{}) {
		return QuatIdentity()
	}
	right := up.wide().Normalize().Cross(back)
	if right.Len() < 1e-6 { // parallel
		right = leastAxis(back).Cross(back)
	}
	right = right.Normalize()
	return quatOfColumns(right, back.Cross(right), back)
}

// QuatBetween returns the least rotation that maps the direction from to the direction to: that of
// Y and b − a turns a capsule, cylinder or cone to lie from a to b. Neither need be unit. Of
// opposite directions it is half a turn about any axis across them; if one is zero, NaN or infinite
// there is none.
func QuatBetween(from, to Vec3) Quat {
	a, b := from.wide().Normalize(), to.wide().Normalize()
	if a == (DVec3{}) || b == (DVec3{}) {
		return QuatIdentity()
	}
	half := a.Add(b)
	cos := half.Len() / 2 // of half the angle; a.Dot(half) is off by up to 1e-7 near half a turn
	if cos < 5e-10 {      // opposite
		half, cos = leastAxis(a).Cross(a), 0
	}
	axis := a.Cross(half.Normalize())
	return Quat{float32(axis.X), float32(axis.Y), float32(axis.Z), float32(cos)}
}

// leastAxis returns the coordinate axis along which v is smallest: it is at 54° or more to v.
func leastAxis(v DVec3) DVec3 {
	x, y, z := math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z)
	switch {
	case x <= y && x <= z:
		return DVec3{X: 1}
	case y <= z:
		return DVec3{Y: 1}
	}
	return DVec3{Z: 1}
}

// quatOfColumns returns the rotation whose matrix has the three orthonormal, right-handed columns.
// It computes the largest of the four components first, so that it never divides by a number near
// zero (Shepperd 1978, "Quaternion from rotation matrix").
func quatOfColumns(x, y, z DVec3) Quat {
	var qx, qy, qz, qw float64
	switch {
	case x.X+y.Y+z.Z > 0:
		s := 2 * math.Sqrt(1+x.X+y.Y+z.Z)
		qw, qx, qy, qz = s/4, (y.Z-z.Y)/s, (z.X-x.Z)/s, (x.Y-y.X)/s
	case x.X > y.Y && x.X > z.Z:
		s := 2 * math.Sqrt(1+x.X-y.Y-z.Z)
		qw, qx, qy, qz = (y.Z-z.Y)/s, s/4, (y.X+x.Y)/s, (z.X+x.Z)/s
	case y.Y > z.Z:
		s := 2 * math.Sqrt(1+y.Y-x.X-z.Z)
		qw, qx, qy, qz = (z.X-x.Z)/s, (y.X+x.Y)/s, s/4, (z.Y+y.Z)/s
	default:
		s := 2 * math.Sqrt(1+z.Z-x.X-y.Y)
		qw, qx, qy, qz = (x.Y-y.X)/s, (z.X+x.Z)/s, (z.Y+y.Z)/s, s/4
	}
	return Quat{float32(qx), float32(qy), float32(qz), float32(qw)}
}

// Mul returns the rotation by p, then by q.
func (q Quat) Mul(p Quat) Quat {
	a, b := q.unit(), p.unit()
	return dquat{
		float64(a.w*b.x) + float64(a.x*b.w) + float64(a.y*b.z) - float64(a.z*b.y),
		float64(a.w*b.y) - float64(a.x*b.z) + float64(a.y*b.w) + float64(a.z*b.x),
		float64(a.w*b.z) + float64(a.x*b.y) - float64(a.y*b.x) + float64(a.z*b.w),
		float64(a.w*b.w) - float64(a.x*b.x) - float64(a.y*b.y) - float64(a.z*b.z),
	}.narrow()
}

// Inverse returns the inverse rotation of q.
func (q Quat) Inverse() Quat {
	u := q.unit()
	return dquat{-u.x, -u.y, -u.z, u.w}.narrow()
}

// Mirrored returns the rotation that q is in a parent whose scale has these signs: D·q·D, where D
// is the diagonal matrix of the signs. A parent's matrix is rotation·D·|scale|, and
// D·q = (D·q·D)·D. The axis of a rotation is a pseudovector: D maps it to det(D)·D·axis and keeps
// the angle.
func (q Quat) Mirrored(scale Vec3) Quat {
	x, y, z := scale.X < 0, scale.Y < 0, scale.Z < 0
	if y != z {
		q.X = -q.X
	}
	if z != x {
		q.Y = -q.Y
	}
	if x != y {
		q.Z = -q.Z
	}
	return q
}

// Normalize returns q as a unit quaternion; no rotation if q is zero, NaN or infinite.
func (q Quat) Normalize() Quat { return q.unit().narrow() }

// Rotate returns v rotated by q.
func (q Quat) Rotate(v Vec3) Vec3 {
	x, y, z := q.columns()
	w := v.wide()
	return x.Mul(w.X).AddMul(w.Y, y).AddMul(w.Z, z).Narrow()
}

// IsFinite reports whether no component of q is NaN or infinite.
func (q Quat) IsFinite() bool { return Vec3{q.X, q.Y, q.Z}.IsFinite() && q.W-q.W == 0 }

// columns returns the rotated X, Y and Z axes. It snaps components within rounding of 0 or ±1 to
// them, so that rotations by right angles are exact and a ray can lie in a face of a box so
// rotated.
func (q Quat) columns() (x, y, z DVec3) {
	u := q.unit()
	xx, yy, zz := float64(u.x*u.x), float64(u.y*u.y), float64(u.z*u.z)
	xy, xz, yz := float64(u.x*u.y), float64(u.x*u.z), float64(u.y*u.z)
	wx, wy, wz := float64(u.w*u.x), float64(u.w*u.y), float64(u.w*u.z)
	x = DVec3{1 - 2*(yy+zz), 2 * (xy + wz), 2 * (xz - wy)}.snap()
	y = DVec3{2 * (xy - wz), 1 - 2*(xx+zz), 2 * (yz + wx)}.snap()
	z = DVec3{2 * (xz + wy), 2 * (yz - wx), 1 - 2*(xx+yy)}.snap()
	return x, y, z
}

// snap sets components of a unit vector below 1e-15, a few units in the last place of 1, to 0. A
// rotation by 1e-15 radians moves a point at a distance of 1000 km by a nanometre.
func (v DVec3) snap() DVec3 {
	const little = 1e-15
	switch x, y, z := math.Abs(v.X) < little, math.Abs(v.Y) < little, math.Abs(v.Z) < little; {
	case y && z:
		return DVec3{X: math.Copysign(1, v.X)}
	case z && x:
		return DVec3{Y: math.Copysign(1, v.Y)}
	case x && y:
		return DVec3{Z: math.Copysign(1, v.Z)}
	case x:
		v.X = 0
	case y:
		v.Y = 0
	case z:
		v.Z = 0
	}
	return v
}

// dquat is a unit quaternion in double precision.
type dquat struct{ x, y, z, w float64 }

func (q dquat) narrow() Quat { return Quat{float32(q.x), float32(q.y), float32(q.z), float32(q.w)} }

func (q Quat) unit() dquat {
	x, y, z, w := float64(q.X), float64(q.Y), float64(q.Z), float64(q.W)
	l := math.Sqrt(float64(x*x) + float64(y*y) + float64(z*z) + float64(w*w))
	if !(l > 0) || math.IsInf(l, 1) {
		return dquat{w: 1}
	}
	return dquat{x / l, y / l, z / l, w / l}
}

// turns reports whether q is not the identity.
func (q Quat) turns() bool { return q.X != 0 || q.Y != 0 || q.Z != 0 }
