package rigid

import "github.com/hitscan-go/hitscan/physics/geom"

// AppendMoved appends the bodies that the last step moved, or put to sleep, in the order of bodies.
// All others are where they were before it. Call it before bodies are added, removed or woken.
func (d *Dynamics) AppendMoved(dst []BodyID) []BodyID {
	for _, i := range d.awake {
		dst = append(dst, d.bodies[i].id)
	}
	return dst
}

// Velocity returns the velocity of a body's centre of mass, in m/s, and its angular velocity, in
// rad/s; false if there is no such body.
func (d *Dynamics) Velocity(id BodyID) (v, w geom.Vec3, ok bool) {
	i := d.find(id)
	return d.motions[i].v, d.motions[i].w, i != 0
}

// Mass returns the mass of a dynamic body in kg; 0 if there is none.
func (d *Dynamics) Mass(id BodyID) float32 {
	if b := &d.bodies[d.find(id)]; b.moves {
		return reciprocal(b.invMass)
	}
	return 0
}

// AtPoint returns the velocity of a body at a point in world space, in m/s, and the mass, in kg,
// that it has to an impulse there along a unit vector: its effective mass, 0 if it is not dynamic.
// It returns false if there is no such body.
func (d *Dynamics) AtPoint(id BodyID, at, dir geom.Vec3) (velocity geom.Vec3, mass float32, ok bool) {
	i := d.find(id)
	if i == 0 {
		return geom.Vec3{}, 0, false
	}
	arm := at.Sub(d.bodies[i].center)
	velocity = d.motions[i].v.Add(d.motions[i].w.Cross(arm))
	if d.bodies[i].moves {
		d.weigh(i)
		turn := arm.Cross(dir)
		mass = reciprocal(d.inertias[i].mass + turn.Dot(d.inertias[i].apply(turn)))
	}
	return velocity, mass, true
}

// rebase moves the bodies to the coordinates of the space, if that was rebased.
func (d *Dynamics) rebase() {
	origin := d.space.Origin()
	if origin == d.origin {
		return
	}
	shift := d.origin.Sub(origin)
	for i := range d.bodies[1:] {
		b := &d.bodies[1+i]
		d.touchBody(int32(1 + i))
		b.center = b.center.Wide().Add(shift).Narrow()
		b.restAt = b.restAt.Wide().Add(shift).Narrow()
	}
	for i := range d.orders {
		at := &d.orders[i].goal.Position
		*at = at.Wide().Add(shift).Narrow()
	}
	for i := range d.joints {
		j := &d.joints[i]
		for side, f := range [...]*geom.Transform{&j.set.FrameA, &j.set.FrameB} {
			if j.alive && j.bodies[side] == 0 {
				f.Position = f.Position.Wide().Add(shift).Narrow()
				d.touchJoint(int32(i))
			}
		}
	}
	d.origin, d.rebased = origin, true
}
