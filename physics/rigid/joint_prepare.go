package rigid

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// What a joint does in a substep depends on where its bodies are: the axes of its rows, the
// effective masses, and the gaps that are left.

// prepareJoint makes the constraint of a joint, which may be solved at once with others.
func (d *Dynamics) prepareJoint(c *jointConstraint, m *member, direct bool) {
	x := &d.joints[m.joint]
	j := &x.set
	a, b := m.a, m.b
	ba, bb := &d.bodies[a], &d.bodies[b]
	m.breaks = j.breaks()
	*c = jointConstraint{joint: m.joint, a: a, b: b, kind: j.Kind, direct: direct, scale: 1}
	c.invMassA, c.invMassB = d.jointInertias[a].mass, d.jointInertias[b].mass
	c.frameA, c.frameB = j.FrameA.Rotation.Normalize(), j.FrameB.Rotation.Normalize()
	// The origin of the world's frame stands for its centre of mass.
	ca, cb := ba.center, bb.center
	if c.localA = j.FrameA.Position.Sub(ba.local); a == 0 {
		ca, c.localA = c.localA, geom.Vec3{}
	}
	if c.localB = j.FrameB.Position.Sub(bb.local); b == 0 {
		cb, c.localB = c.localB, geom.Vec3{}
	}
	c.apart = cb.Sub(ca)
	c.soft, c.relaxes = d.jointSoftness, true
	if j.Hertz > 0 {
		c.soft, c.relaxes = springOf(j.Hertz, j.Damping, d.h), false
	}
	if j.Kind == WheelJoint {
		sin, cos := sincos(j.Steering)
		c.steered = geom.Vec3{X: cos, Z: -sin}
	}
	if radius := j.socket(c.localA, c.localB); j.rubs() {
		c.friction, c.socket = d.Settings.LimitFriction, float32(radius*d.Settings.LimitFriction)
	}
	c.use(j, d.h)
	c.point.impulse, c.turn.impulse = x.linear, x.turn
	for k := range c.rows {
		if c.used>>k&1 != 0 {
			c.rows[k] = x.rows[k]
		}
	}
}

// springOf returns the softness of a spring of a joint. Beyond a quarter of the substeps per second
// it would shake what it holds; and beyond any damping that matters the numbers overflow.
func springOf(hertz, damping, h float32) softness {
	return soft(min(hertz, 0.25/h), min(damping, 1e9), h)
}

// use chooses the blocks and rows of a joint.
func (c *jointConstraint) use(j *Joint, h float32) {
	k := j.Kind
	c.point.on = k != DistanceJoint
	c.point.flat = k == SliderJoint || k == WheelJoint
	c.turn.on = k != DistanceJoint && (k != BallJoint || c.friction > 0)
	c.turn.flat = k == HingeJoint || k == WheelJoint
	if k == MotorJoint {
		c.point.on, c.point.most = j.MaxForce > 0, j.MaxForce*h
		c.turn.on, c.turn.most = j.MaxTorque > 0, j.MaxTorque*h
	}
	set := func(row int, on bool) {
		if on {
			c.used |= 1 << row
		}
	}
	driven := k == HingeJoint || k == SliderJoint || k == DistanceJoint || k == WheelJoint
	if driven && j.SpringHertz > 0 {
		set(rowSpring, true)
		c.spring = springOf(j.SpringHertz, j.SpringDamping, h)
	}
	set(rowMotor, driven && j.MotorForce > 0)
	set(rowBrake, k == WheelJoint && j.Brake > 0 || k == HingeJoint && c.friction > 0)
	set(rowRod, k == DistanceJoint && !j.Limited && j.SpringHertz == 0)
	set(rowCone, k == BallJoint && j.Cone > 0)
	limited := j.Limited && (driven || k == BallJoint)
	set(rowLower, limited && !(k == DistanceJoint && j.Lower == 0))
	set(rowUpper, limited)
}

// bend returns by how much an arm turns in a substep beyond its velocity at the start of it, as the
// error of which directBias is the share. Half is half of the substep. With it in the error of a
// joint, the points are together at the end of the substep, as in SHAKE (Ryckaert, Ciccotti and
// Berendsen 1977). Without it, what swings at the end of an arm moves along the tangent, and loses
// the square of its angle as a share of its energy each substep. The rotation is that of integrate;
// the angular velocity is that before the impulses of the last substep are applied, which act at
// another arm than they were found at.
func bend(w, arm geom.Vec3, half float32) geom.Vec3 {
	square, k := w.LenSq(), float32(half*half)
	k = float32(2/directBias*k) / (1 + float32(square*k))
	v := w.Cross(arm)
	return w.Cross(v).Sub(v.Mul(float32(square * half))).Mul(k)
}

// leastSum is the length of the sum of the X axes of a ball joint, that of a swing of 179.4°, up to
// which it has no limit of twist, which is not defined at half a turn. Smaller: rounding turns the
// axis of the twist. Greater: it twists further on its way past half a turn, and is pulled back.
const leastSum = 0.01

// aim computes the errors and masses of a constraint where the bodies are now.
func (d *Dynamics) aim(c *jointConstraint) {
	a, b := &d.motions[c.a], &d.motions[c.b]
	ia, ib := &d.jointInertias[c.a], &d.jointInertias[c.b]
	qa, qb := c.frameA, c.frameB
	var armA, armB geom.Vec3
	if c.a != 0 {
		armA, qa = turned(a.q, c.localA), product(a.q, qa)
	}
	if c.b != 0 {
		armB, qb = turned(b.q, c.localB), product(b.q, qb)
	}
	gap := c.apart.Add(b.moved.Sub(a.moved)).Add(armB.Sub(armA))
	xa, ya, za := axes(qa)
	mass := c.invMassA + c.invMassB
	var along geom.Vec3
	switch c.kind {
	case SliderJoint:
		along = xa
	case WheelJoint:
		along = ya
	case DistanceJoint:
		along = xa // any, while the origins are one point
		if l := gap.LenSq(); l > 0 {
			along = gap.Mul(1 / float32(math.Sqrt(float64(l))))
		}
	}
	if along != (geom.Vec3{}) {
		armA = armA.Add(gap) // it acts at B's origin
		c.value = gap.Dot(along)
	}
	c.armA, c.armB = armA, armB
	if p := &c.point; p.on {
		p.error = gap
		if p.flat {
			p.free = along
		}
		k := pointMass(mass, armA, armB, ia, ib)
		p.invert(&k)
	}
	xb, _, _ := axes(qb)
	if t := &c.turn; t.on {
		switch c.kind {
		case BallJoint: // friction
		case HingeJoint:
			t.error, t.free = xa.Cross(xb), xa
		case WheelJoint:
			t.free = xa.Mul(c.steered.X).Add(za.Mul(c.steered.Z))
			t.error = t.free.Cross(xb)
		default:
			t.error = rotationVector(product(qb, conjugate(qa)))
		}
		k := inertia{
			xx: ia.xx + ib.xx, yy: ia.yy + ib.yy, zz: ia.zz + ib.zz, xy: ia.xy + ib.xy, xz: ia.xz + ib.xz, yz: ia.yz + ib.yz,
		}
		if c.point.on && c.rigid() {
			c.compensate(&k, ia, ib)
		}
		t.invert(&k)
	}
	if c.used == 0 {
		return
	}
	if along != (geom.Vec3{}) {
		c.slide(&c.axes[0], along, ia, ib)
	}
	switch c.kind {
	case HingeJoint:
		c.value = d.joints[c.joint].set.angle(twistOf(product(conjugate(qa), qb)))
		c.spin(&c.axes[0], xa, ia, ib)
	case BallJoint:
		q := product(conjugate(qa), qb)
		c.value, c.swing = d.joints[c.joint].set.angle(twistOf(q)), swingOf(q)
		// The twist changes by the angular velocity about the axis between the X axes over the
		// cosine of half the swing, and the swing by that about the axis across both. A row of the
		// twist itself would have impulses whose torques change with that cosine: relaxation would
		// take back less than solving gave.
		middle := xa.Add(xb)
		if sum := middle.Len(); sum > leastSum {
			c.scale = sum / 2
			c.spin(&c.axes[0], middle.Mul(1/sum), ia, ib)
		} else {
			c.axes[0], c.rows[rowLower], c.rows[rowUpper] = jacobian{}, 0, 0
		}
		across := xa.Cross(xb)
		if l := across.LenSq(); l > 0 {
			across = across.Mul(1 / float32(math.Sqrt(float64(l))))
		}
		c.spin(&c.axes[1], across, ia, ib)
	case WheelJoint:
		c.spin(&c.axes[1], xb, ia, ib)
	}
}

// product returns the rotation by p, then by q, of unit quaternions.
func product(q, p geom.Quat) geom.Quat {
	return geom.Quat{
		X: float32(q.W*p.X) + float32(q.X*p.W) + float32(q.Y*p.Z) - float32(q.Z*p.Y),
		Y: float32(q.W*p.Y) - float32(q.X*p.Z) + float32(q.Y*p.W) + float32(q.Z*p.X),
		Z: float32(q.W*p.Z) + float32(q.X*p.Y) - float32(q.Y*p.X) + float32(q.Z*p.W),
		W: float32(q.W*p.W) - float32(q.X*p.X) - float32(q.Y*p.Y) - float32(q.Z*p.Z),
	}
}

func conjugate(q geom.Quat) geom.Quat { return geom.Quat{X: -q.X, Y: -q.Y, Z: -q.Z, W: q.W} }

// turned returns a vector rotated by a unit quaternion.
func turned(q geom.Quat, v geom.Vec3) geom.Vec3 {
	x, y, z := axes(q)
	return x.Mul(v.X).Add(y.Mul(v.Y)).Add(z.Mul(v.Z))
}

// pointMass returns the inverse of the effective mass of two bodies to an impulse between points of
// them: a symmetric matrix.
func pointMass(mass float32, armA, armB geom.Vec3, ia, ib *inertia) inertia {
	k := inertia{xx: mass, yy: mass, zz: mass}
	k.addArm(armA, ia)
	k.addArm(armB, ib)
	return k
}

// addArm adds −[r]·i·[r], where [r] is the matrix of the cross product with r.
func (k *inertia) addArm(r geom.Vec3, i *inertia) {
	// The columns of i·[r], and of them the cross product with −r.
	x := i.apply(geom.Vec3{Y: r.Z, Z: -r.Y})
	y := i.apply(geom.Vec3{X: -r.Z, Z: r.X})
	z := i.apply(geom.Vec3{X: r.Y, Y: -r.X})
	k.xx += float32(r.Z*x.Y) - float32(r.Y*x.Z)
	k.xy += float32(r.Z*y.Y) - float32(r.Y*y.Z)
	k.xz += float32(r.Z*z.Y) - float32(r.Y*z.Z)
	k.yy += float32(r.X*y.Z) - float32(r.Z*y.X)
	k.yz += float32(r.X*z.Z) - float32(r.Z*z.X)
	k.zz += float32(r.Y*z.X) - float32(r.X*z.Y)
}

// invert sets the inverse of a symmetric matrix, and makes the impulse one across the free axis.
func (b *block) invert(k *inertia) {
	m := widened(k)
	trace := m.trace()
	if b.flat {
		b.impulse = b.impulse.Sub(b.free.Mul(b.free.Dot(b.impulse)))
		b.error = b.error.Sub(b.free.Mul(b.free.Dot(b.error)))
		m = m.inverseAcross(b.free, trace, flatPivot*trace)
	} else {
		m = m.inverse(flatPivot * trace)
	}
	b.inverse = m.narrow()
	if b.most > 0 {
		limit(&b.impulse, b.most, 0)
	}
}

// slide makes a row along an axis between the points.
func (c *jointConstraint) slide(j *jacobian, n geom.Vec3, ia, ib *inertia) {
	*j = jacobian{linear: true, n: n, line: n, armA: c.armA.Cross(n), armB: c.armB.Cross(n)}
	c.weighRow(j, ia, ib)
}

// spin makes a row about an axis.
func (c *jointConstraint) spin(j *jacobian, n geom.Vec3, ia, ib *inertia) {
	*j = jacobian{n: n, armA: n, armB: n}
	c.weighRow(j, ia, ib)
}

// weighRow computes what impulses of a row change.
func (c *jointConstraint) weighRow(j *jacobian, ia, ib *inertia) {
	j.turnA, j.turnB = ia.apply(j.armA), ib.apply(j.armB)
	mass := c.invMassA + c.invMassB
	if c.point.on && c.rigid() {
		v := j.line.Mul(mass).Add(j.turnB.Cross(c.armB)).Add(j.turnA.Cross(c.armA))
		j.push = c.point.inverse.apply(v).Neg()
		j.line = j.line.Add(j.push)
		j.turnA = j.turnA.Add(ia.apply(c.armA.Cross(j.push)))
		j.turnB = j.turnB.Add(ib.apply(c.armB.Cross(j.push)))
	}
	if t := &c.turn; t.on && c.relaxes && t.most == 0 && c.kind != BallJoint {
		j.twist = t.inverse.apply(j.turnA.Add(j.turnB)).Neg()
		push := t.push.times(j.twist)
		j.push = j.push.Add(push)
		j.line = j.line.Add(push)
		j.turnA = j.turnA.Add(ia.apply(c.armA.Cross(push).Add(j.twist)))
		j.turnB = j.turnB.Add(ib.apply(c.armB.Cross(push).Add(j.twist)))
	}
	k := j.armA.Dot(j.turnA) + j.armB.Dot(j.turnB)
	if j.linear {
		k += float32(mass * j.n.Dot(j.line))
	}
	least := float32(0)
	if !j.linear {
		least = float32(flatRow * (ia.trace() + ib.trace()))
	}
	j.mass = reciprocalAbove(k, least)
}

// rigid reports whether the point block keeps the points together whatever it takes.
func (c *jointConstraint) rigid() bool { return c.relaxes && c.point.most == 0 }

// matrix32 is a matrix of three columns.
type matrix32 struct{ x, y, z geom.Vec3 }

func (m *matrix32) times(v geom.Vec3) geom.Vec3 {
	return m.x.Mul(v.X).Add(m.y.Mul(v.Y)).Add(m.z.Mul(v.Z))
}

func (m *matrix32) transposedTimes(v geom.Vec3) geom.Vec3 {
	return geom.Vec3{X: m.x.Dot(v), Y: m.y.Dot(v), Z: m.z.Dot(v)}
}

// compensate computes the impulse of the point block that goes with one of the turn block, and
// subtracts from the inverse k of the effective mass what that saves.
func (c *jointConstraint) compensate(k *inertia, ia, ib *inertia) {
	column := func(a, b geom.Vec3) (speed, push geom.Vec3) {
		speed = b.Cross(c.armB).Add(a.Cross(c.armA))
		return speed, c.point.inverse.apply(speed).Neg()
	}
	var x, y, z geom.Vec3
	p := &c.turn.push
	x, p.x = column(geom.Vec3{X: ia.xx, Y: ia.xy, Z: ia.xz}, geom.Vec3{X: ib.xx, Y: ib.xy, Z: ib.xz})
	y, p.y = column(geom.Vec3{X: ia.xy, Y: ia.yy, Z: ia.yz}, geom.Vec3{X: ib.xy, Y: ib.yy, Z: ib.yz})
	z, p.z = column(geom.Vec3{X: ia.xz, Y: ia.yz, Z: ia.zz}, geom.Vec3{X: ib.xz, Y: ib.yz, Z: ib.zz})
	k.xx += x.Dot(p.x)
	k.yy += y.Dot(p.y)
	k.zz += z.Dot(p.z)
	k.xy += x.Dot(p.y)
	k.xz += x.Dot(p.z)
	k.yz += y.Dot(p.z)
}
