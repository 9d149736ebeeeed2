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
