package rigid

import "github.com/hitscan-go/hitscan/physics/geom"

// Each call here reports false, and does nothing, if there is no such body, it is not dynamic, or a
// number is NaN or infinite. It wakes the body unless the force or impulse is zero.

// ApplyForce pushes a body at its centre of mass with a force in newtons, during the next step.
// Forces add up.
func (d *Dynamics) ApplyForce(id BodyID, force geom.Vec3) bool {
	return d.push(id, force, geom.Vec3{})
}

// ApplyForceAt pushes a body at a point in world space.
func (d *Dynamics) ApplyForceAt(id BodyID, force, at geom.Vec3) bool {
	return d.push(id, force, d.arm(id, at).Cross(force))
}

// ApplyTorque turns a body during the next step, with a torque in N·m about an axis in world space.
func (d *Dynamics) ApplyTorque(id BodyID, torque geom.Vec3) bool {
	return d.push(id, geom.Vec3{}, torque)
}

// ApplyImpulse changes the velocity of a body at once, by an impulse in N·s at its centre of mass.
func (d *Dynamics) ApplyImpulse(id BodyID, impulse geom.Vec3) bool {
	return d.hit(id, impulse, geom.Vec3{})
}

// ApplyImpulseAt is ApplyImpulse at a point in world space.
func (d *Dynamics) ApplyImpulseAt(id BodyID, impulse, at geom.Vec3) bool {
	return d.hit(id, impulse, d.arm(id, at).Cross(impulse))
}

// ApplyAngularImpulse changes the angular velocity of a body at once, by an angular impulse in
// N·m·s about an axis in world space.
func (d *Dynamics) ApplyAngularImpulse(id BodyID, impulse geom.Vec3) bool {
	return d.hit(id, geom.Vec3{}, impulse)
}

// ApplyRadialImpulse pushes all dynamic bodies away from a point, as an explosion does. A body
// whose centre is at the distance r < radius gets the impulse strength·(1 − r/radius)^falloff, in
// N·s: 0 is none, 1 linear; a negative strength pulls. It reports false if a number is NaN or
// infinite, or the radius or the falloff negative.
func (d *Dynamics) ApplyRadialImpulse(at geom.Vec3, radius, strength float32, falloff int) bool {
	if !at.IsFinite() || !isFinite(radius) || !isFinite(strength) || radius < 0 || falloff < 0 {
		return false
	}
	d.rebase()
	for i := range d.bodies {
		b := &d.bodies[i]
		if !b.alive || !b.moves {
			continue
		}
		arm := b.center.Sub(at)
		r := arm.Len()
		if !(r < radius) {
			continue
		}
		impulse := strength
		for range falloff {
			impulse *= 1 - r/radius
		}
		d.hit(b.id, arm.Normalize().Mul(impulse), geom.Vec3{})
	}
	return true
}

// SetVelocity sets the velocity of a body, in m/s and rad/s, except what [Body.Locked] holds, and
// wakes it if either changes. It reports false if there is no such body or a number is NaN or
// infinite.
func (d *Dynamics) SetVelocity(id BodyID, v, w geom.Vec3) bool {
	i := d.find(id)
	if i == 0 || !v.IsFinite() || !w.IsFinite() {
		return false
	}
	d.setVelocity(i, v, w)
	return true
}

// setVelocity gives a body a velocity, except what is locked, which the contacts of the next step
// would see. Another velocity ends a MoveTo.
func (d *Dynamics) setVelocity(i int32, v, w geom.Vec3) {
	b, m := &d.bodies[i], &d.motions[i]
	if m.v != v || m.w != w {
		d.wake(i)
		m.v, m.w = v, w
		b.lock(m)
		b.target = false
	}
}

// MoveTo gives a kinematic body the velocity by which it reaches a pose at the end of the next
// step, where it stops, and pushes and carries what it touches. By the motions that [Body.Locked]
// holds it gets to the pose all the same, but pushes and carries nothing. The Scale of t is
// ignored. It reports false if there is no such body, it is not kinematic, or t holds NaN or
// infinity.
func (d *Dynamics) MoveTo(id BodyID, t geom.Transform) bool {
	i := d.find(id)
	if i == 0 || d.bodies[i].set.Kind != Kinematic || !t.IsFinite() {
		return false
	}
	if d.space.IsPlanar() {
		t = t.Flat()
	}
	b, m := &d.bodies[i], &d.motions[i]
	d.wake(i)
	q := t.Rotation.Normalize()
	b.target = true
	d.orderTo(b).goal = geom.Transform{Position: t.Position, Rotation: q}
	rate := 1 / d.Settings.Step
	m.v = t.Position.Add(q.Rotate(b.local)).Sub(b.center).Mul(rate)
	m.w = rotationVector(q.Mul(m.q.Inverse())).Mul(rate)
	b.lock(m)
	return true
}

// rotationVector returns the axis of a rotation times its angle: 2·asin of the imaginary part, by
// its series. Beyond a quarter turn it is too short by up to 9 %.
func rotationVector(q geom.Quat) geom.Vec3 {
	if q.W < 0 {
		q = geom.Quat{X: -q.X, Y: -q.Y, Z: -q.Z, W: -q.W}
	}
	v := geom.V(q.X, q.Y, q.Z)
	return v.Mul(twiceAsin(v.LenSq()))
}

// twiceAsin returns 2·asin(x)/x of a square x², by its series.
func twiceAsin(s float32) float32 {
	return 2 * (1 + float32(s*(1.0/6+float32(s*(3.0/40+float32(s*(15.0/336+float32(s*(105.0/3456)))))))))
}

// Wake wakes a body and all bodies that it slept with; it reports false if there is no such body.
func (d *Dynamics) Wake(id BodyID) bool {
	i := d.find(id)
	if i != 0 {
		d.wake(i)
	}
	return i != 0
}

// IsAwake reports whether a body is awake.
func (d *Dynamics) IsAwake(id BodyID) bool { return d.bodies[d.find(id)].awake }

func (d *Dynamics) arm(id BodyID, at geom.Vec3) geom.Vec3 {
	return at.Sub(d.bodies[d.find(id)].center)
}

func (d *Dynamics) push(id BodyID, force, torque geom.Vec3) bool {
	i := d.find(id)
	if b := &d.bodies[i]; b.moves && force.IsFinite() && torque.IsFinite() {
		if force != (geom.Vec3{}) || torque != (geom.Vec3{}) {
			d.wake(i)
			o := d.orderTo(b)
			o.force, o.torque = o.force.Add(force), o.torque.Add(torque)
		}
		return true
	}
	return false
}

func (d *Dynamics) hit(id BodyID, impulse, angular geom.Vec3) bool {
	i := d.find(id)
	if b := &d.bodies[i]; b.moves && impulse.IsFinite() && angular.IsFinite() {
		if impulse != (geom.Vec3{}) || angular != (geom.Vec3{}) {
			d.wake(i)
			d.weigh(i)
			m := &d.motions[i]
			m.v = m.v.Add(impulse.Mul(b.invMass))
			m.w = m.w.Add(d.inertias[i].apply(angular))
			b.lock(m)
		}
		return true
	}
	return false
}

// orderOf returns the order to a body, to be read.
func (d *Dynamics) orderOf(b *body) *order {
	if b.order == 0 {
		return &noOrder
	}
	return &d.orders[b.order-1]
}

var noOrder order

// orderTo returns the order to a body, to be written to.
func (d *Dynamics) orderTo(b *body) *order {
	if b.order == 0 {
		d.orders = append(d.orders, order{})
		b.order = int32(len(d.orders))
	}
	return &d.orders[b.order-1]
}

func isFinite(x float32) bool { return x-x == 0 }
