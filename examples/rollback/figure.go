package main

import (
	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// car is four wheels on a hull.
type car struct {
	hull   ecs.Entity
	wheels [4]ecs.Entity // with the joints; the front ones first
}

func (g *game) addCar(at geom.Vec3) (c car) {
	c.hull = g.addBody(geom.At(at.X, at.Y, at.Z), physecs.Box(geom.V(0.8, 0.25, 1.8)), 350)
	g.steerings.Assign(c.hull, &steering{})
	for i := range c.wheels {
		side, end := float32(1-2*(i%2)), float32(1-2*(i/2))
		hub := at.Add(geom.V(0.95, -0.35, 1.2).MulVec(geom.V(side, 1, end)))
		wheel := g.addBody(geom.At(hub.X, hub.Y, hub.Z), physecs.Sphere(0.35), 200)
		j := g.bodies.JointAt(&g.world, rigid.WheelJoint, c.hull, wheel, hub, geom.V(1, 0, 0))
		j.SpringHertz, j.SpringDamping = 6, 2
		j.Limited, j.Lower, j.Upper = true, -0.2, 0.2
		c.wheels[i] = g.joints.NewWith(&j)
	}
	return c
}

// drive sets the wheels, each tick, so that no joint has to be saved. The steering wheel turns
// slowly, and so is a component that is saved.
func (g *game) drive(c *car, in *input) {
	s := g.steerings.Get(c.hull)
	s.angle += min(max(float32(0.5*in.steer)-s.angle, -0.03), 0.03)
	for i, e := range c.wheels {
		j := g.joints.Get(e)
		j.MotorSpeed, j.MotorForce, j.Brake = 25*in.throttle, 700, 0
		if in.throttle == 0 {
			j.MotorForce, j.Brake = 0, 200
		}
		if i < 2 {
			j.Steering = s.angle
		}
	}
}

// bones are the parts of a ragdoll: capsules along Y, each on a part before it, by a joint at its
// upper end or, for those that point upwards, its lower one.
var bones = []struct {
	at           geom.Vec3
	half, radius float32
	on           int
	kind         rigid.JointKind
	joint        float32 // where, from the middle, in metres
}{
	{at: geom.V(0, 1, 0), half: 0.05, radius: 0.13, on: nothing}, // pelvis
	{geom.V(0, 1.35, 0), 0.12, 0.14, 0, rigid.BallJoint, -0.2},   // chest
	{geom.V(0, 1.72, 0), 0.03, 0.11, 1, rigid.BallJoint, -0.13},  // head
	{geom.V(0.24, 1.3, 0), 0.12, 0.05, 1, rigid.BallJoint, 0.15}, // arms
	{geom.V(-0.24, 1.3, 0), 0.12, 0.05, 1, rigid.BallJoint, 0.15},
	{geom.V(0.24, 0.99, 0), 0.1, 0.045, 3, rigid.HingeJoint, 0.15},
	{geom.V(-0.24, 0.99, 0), 0.1, 0.045, 4, rigid.HingeJoint, 0.15},
	{geom.V(0.1, 0.68, 0), 0.17, 0.07, 0, rigid.BallJoint, 0.22}, // legs
	{geom.V(-0.1, 0.68, 0), 0.17, 0.07, 0, rigid.BallJoint, 0.22},
	{geom.V(0.1, 0.25, 0), 0.17, 0.055, 7, rigid.HingeJoint, 0.21},
	{geom.V(-0.1, 0.25, 0), 0.17, 0.055, 8, rigid.HingeJoint, 0.21},
}

func (g *game) addRagdoll(at geom.Vec3) {
	var parts []ecs.Entity
	for _, b := range bones {
		p := at.Add(b.at)
		e := g.addBody(geom.At(p.X, p.Y, p.Z), physecs.Capsule(b.half, b.radius), 1000)
		if parts = append(parts, e); b.on == nothing {
			continue
		}
		axis := geom.V(0, -1, 0)
		if b.kind == rigid.HingeJoint {
			axis = geom.V(1, 0, 0)
		}
		j := g.bodies.JointAt(&g.world, b.kind, parts[b.on], e, p.Add(geom.V(0, b.joint, 0)), axis)
		j.Limited, j.Lower, j.Upper = true, -0.3, 0.3
		if j.Cone = 0.8; b.kind == rigid.HingeJoint {
			j.Lower, j.Upper, j.Cone = 0, 2.2, 0
		}
		g.joints.NewWith(&j)
	}
}
