package physecs

import (
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
	"github.com/hitscan-go/hitscan/physics/skin"
)

// Ragdoll is the bodies and joints of a skeleton, which are entities of the world. Its methods put
// a pose of the skeleton in and out:
//
//	fit, err := skin.Fit(&figure, skin.Options{})
//	doll := physecs.NewRagdoll(w, fit, pose)
//	doll.Animate(w, pose)             // each step: the animation moves it, and pushes what it meets
//	doll.Release(w)                   // physics takes over
//	doll.Drive(w, pose, 60, 0)        // physics, with muscles that pull towards the animation
//	from := doll.Pose(nil, w)         // and back to the animation, in some steps
//	doll.Animate(w, skin.Blend(nil, from, pose, share))
//
// Poses are in world space, and of as many bones as the skeleton: others are a panic. A method that
// changes components takes effect in the next update of [DynamicsSystem].
//
// To go back in time, save the components [Body] and [Joint] beside [Dynamics.Save], each by a
// [ComponentState]. They say whether the ragdoll is animated. Not saved are IsLimp and the last two
// poses of Animate, whose velocities Release keeps: after a Restore, call Animate before it.
type Ragdoll struct {
	Fit *skin.Ragdoll
	// Bodies are the entities of the parts, with Transform, [Collider] and [Body]; give them what
	// else they need, such as a [Draggable].
	Bodies []ecs.Entity

	joints []ecs.Entity // with the Joints of the parts, and of pairs that must not collide
	motors []ecs.Entity // by part; that of the root pulls to the world
	before []geom.Transform
	now    []geom.Transform // of the last Animate
	origin geom.DVec3       // of the coordinates of both
	bodies generic.Map3[Transform, Collider, Body]
	links  generic.Map1[Joint]
	limp   bool
}

// dollGap is the distance in metres below which two parts of a ragdoll in the rest pose do not
// collide. Smaller: they push each other apart when they are moved a little.
const dollGap = 0.02

// muscleHertz is the frequency of the springs of Drive, as each part alone feels them. Greater: it
// shakes at the limits. Smaller: limbs hang down by what is beyond them.
const muscleHertz = 20

// NewRagdoll adds the entities of a ragdoll in a pose. Parts that a joint connects, and those that
// are closer than 2 cm in the rest pose, do not collide with each other. It is limp until the first
// Animate or Drive. Panics in a locked world.
func NewRagdoll(w *ecs.World, fit *skin.Ragdoll, p skin.Pose) *Ragdoll {
	r := &Ragdoll{
		Fit: fit, bodies: generic.NewMap3[Transform, Collider, Body](w), links: generic.NewMap1[Joint](w), limp: true,
	}
	rest := make(skin.Pose, len(fit.Bones))
	for i := range fit.Bones {
		rest[i] = fit.Bones[i].Rest
	}
	at := fit.Frames(nil, rest)
	for i, t := range fit.Frames(nil, p) {
		part := &fit.Parts[i]
		c := Capsule(part.HalfExtents.Y, part.Radius)
		if part.Box {
			c = Box(part.HalfExtents)
		}
		r.Bodies = append(r.Bodies, r.bodies.NewWith(&t, &c, &Body{Mass: part.Mass}))
	}
	shape := func(i int) physics.Placed {
		part := &fit.Parts[i]
		if part.Box {
			return physics.Placed{Shape: geom.Box{HalfExtents: part.HalfExtents.Add(geom.V(dollGap/2, dollGap/2, dollGap/2))}, Transform: at[i]}
		}
		end := geom.V(0, part.HalfExtents.Y, 0)
		return physics.Placed{Shape: geom.Capsule{A: end.Neg(), B: end, Radius: part.Radius + dollGap/2}, Transform: at[i]}
	}
	for i := range fit.Parts {
		part := &fit.Parts[i]
		motor := Joint{B: r.Bodies[i], Joint: rigid.Joint{Kind: rigid.MotorJoint, Hertz: muscleHertz, Damping: 1, Disabled: true}}
		if part.Parent >= 0 {
			motor.A = r.Bodies[part.Parent]
			j := Joint{A: motor.A, B: motor.B, Joint: rigid.Joint{Kind: rigid.BallJoint, Limited: true}}
			j.FrameA, j.FrameB = skin.Within(at[part.Parent], part.Joint), skin.Within(at[i], part.Joint)
			l := &part.Limit
			if j.Cone, j.Lower, j.Upper = l.Cone, -l.Twist, l.Twist; l.Flex != (geom.Vec3{}) {
				j.Kind, j.Cone, j.Lower, j.Upper = rigid.HingeJoint, 0, l.Lower, l.Upper
			}
			r.joints = append(r.joints, r.links.NewWith(&j))
		}
		r.motors = append(r.motors, r.links.NewWith(&motor))
		for k := range i {
			if k != part.Parent && physics.Overlaps(shape(k), shape(i)) {
				r.joints = append(r.joints, r.links.NewWith(&Joint{A: r.Bodies[k], B: r.Bodies[i], Joint: rigid.Joint{Kind: rigid.MotorJoint}}))
			}
		}
	}
	return r
}

// Pose appends the pose of the bodies, as their Transforms have it. A part whose entity is dead is
// where the last Animate left it, or at the origin.
func (r *Ragdoll) Pose(dst skin.Pose, w *ecs.World) skin.Pose {
	r.rebase(w)
	frames := make([]geom.Transform, len(r.Bodies))
	copy(frames, r.now)
	for i, e := range r.Bodies {
		if alive(w, e) {
			t, _, _ := r.bodies.Get(e)
			frames[i] = *t
		}
	}
	return r.Fit.Pose(dst, frames)
}

// Animate moves the bodies to a pose in the next step: they push what they meet, and nothing stops
// them. The first call after they were limp teleports them: begin with the pose that they have.
func (r *Ragdoll) Animate(w *ecs.World, p skin.Pose) {
	r.rebase(w)
	r.now = r.Fit.Frames(r.now[:0], p)
	r.before = append(r.before[:0], r.now...)
	d := findResource[Dynamics](w)
	for i, e := range r.Bodies {
		if alive(w, e) {
			t, _, b := r.bodies.Get(e)
			switch {
			case b.Driven:
				r.before[i] = geom.Transform{Position: t.Position, Rotation: t.Rotation}
			case d != nil:
				d.SetVelocity(e, geom.Vec3{}, geom.Vec3{}) // a kinematic body would keep its own
			}
			t.Position, t.Rotation = r.now[i].Position, r.now[i].Rotation
			b.Kind, b.Driven = rigid.Kinematic, true
		}
	}
	r.slack(w)
	r.limp = false
}

// rebase moves the last two poses into the coordinates of now.
func (r *Ragdoll) rebase(w *ecs.World) {
	s := findResource[Space](w)
	if s == nil || s.Origin() == r.origin {
		return
	}
	shift := r.origin.Sub(s.Origin())
	for _, pose := range [...][]geom.Transform{r.before, r.now} {
		for i := range pose {
			pose[i].Position = pose[i].Position.Wide().Add(shift).Narrow()
		}
	}
	r.origin = s.Origin()
}

// Release makes the bodies limp. After Animate they keep the velocities of its last two poses, if
// it was called once a step.
func (r *Ragdoll) Release(w *ecs.World) {
	r.slack(w)
	r.free(w)
	r.limp = true
}

// free makes the bodies dynamic.
func (r *Ragdoll) free(w *ecs.World) {
	d := findResource[Dynamics](w)
	for i, e := range r.Bodies {
		if !alive(w, e) {
			continue
		}
		_, _, b := r.bodies.Get(e)
		animated := b.Driven && len(r.now) > 0
		b.Kind, b.Driven = rigid.Dynamic, false
		if animated && d != nil {
			rate := 1 / d.rigid.Settings.Step
			d.SetVelocity(e, r.now[i].Position.Sub(r.before[i].Position).Mul(rate),
				rotationBetween(r.before[i].Rotation, r.now[i].Rotation).Mul(rate))
		}
	}
}

// rotationBetween returns the axis of the rotation from p to q times twice the sine of half its
// angle: of a step's rotation, its angle.
func rotationBetween(p, q geom.Quat) geom.Vec3 {
	d := q.Mul(p.Inverse())
	if d.W < 0 {
		d = geom.Quat{X: -d.X, Y: -d.Y, Z: -d.Z, W: -d.W}
	}
	return geom.V(2*d.X, 2*d.Y, 2*d.Z)
}

// Drive lets physics move the bodies, with muscles: motors that turn each part towards the pose,
// seen from its parent, with at most a torque in N·m, and pull the root to its place in the world
// with at most a force in N; 0: the root is free.
func (r *Ragdoll) Drive(w *ecs.World, p skin.Pose, torque, force float32) {
	r.free(w)
	r.limp = false
	frames := r.Fit.Frames(nil, p)
	for i, e := range r.motors {
		if !alive(w, e) {
			continue
		}
		j := r.links.Get(e)
		j.Disabled, j.MaxTorque = false, torque
		if up := r.Fit.Parts[i].Parent; up >= 0 {
			j.FrameA.Rotation = skin.Within(frames[up], frames[i]).Rotation
		} else {
			j.FrameA, j.MaxForce, j.Disabled = frames[i], force, force == 0
		}
	}
}

// slack switches the muscles off.
func (r *Ragdoll) slack(w *ecs.World) {
	for _, e := range r.motors {
		if alive(w, e) {
			r.links.Get(e).Disabled = true
		}
	}
}

// IsLimp reports whether neither Animate nor Drive has been called since NewRagdoll or Release.
func (r *Ragdoll) IsLimp() bool { return r.limp }

// Remove removes the entities. Panics in a locked world.
func (r *Ragdoll) Remove(w *ecs.World) {
	for _, list := range [...][]ecs.Entity{r.motors, r.joints, r.Bodies} {
		for _, e := range list {
			if alive(w, e) {
				w.RemoveEntity(e)
			}
		}
	}
}
