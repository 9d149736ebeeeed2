package main

import (
	"math"

	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/skin"
)

// A puppet is a ragdoll that an animation moves. A key releases it, and calls it back: then its
// pose is blended from where it lies to the animation.
//
// What it does in a step follows from the step and from the steps at which the key was pressed, so
// that the slider of the time brings it back too.

const (
	blendSteps             = 60       // from where it lies to the animation
	strideSteps            = 70       // two paces
	walkRadius             = 1.5      // metres, of the circle it walks
	walkTurn               = 0.0126   // radians a step
	walkForward, walkAside = 4.9, 2.6 // the middle of the circle, in Z and X
)

type puppet struct {
	simulation *simulation
	bones      []skin.Bone
	doll       physecs.Ragdoll
	limp       physecs.Ragdoll // as it was made: neither animated nor limp after an animation
	from       []skin.Pose     // where it lay when it was called back
}

// newPuppet adds a puppet.
func newPuppet(m *simulation, s *skin.Skin, fit *skin.Ragdoll) *puppet {
	x := &puppet{simulation: m, bones: s.Bones}
	x.limp = *physecs.NewRagdoll(m.world, fit, x.stride(0))
	x.doll = x.limp
	return x
}

// toggle releases the puppet before the next step, or calls it back. What was known of later steps
// is forgotten.
func (x *puppet) toggle() {
	m := x.simulation
	m.forget()
	m.switches = append(m.switches, m.step)
}

// next returns what the key does next, in words.
func (x *puppet) next() string {
	if limp, _, _ := x.released(x.simulation.step); limp {
		return "back to walking"
	}
	return "let the walker fall"
}

// released reports whether the puppet is limp in a step, and since which.
func (x *puppet) released(step int) (limp bool, since, calls int) {
	n := 0
	for _, s := range x.simulation.switches {
		if s <= step {
			n, since = n+1, s
		}
	}
	return n%2 == 1, since, n / 2
}

// before moves the puppet in a step.
func (x *puppet) before(step int) {
	w := x.simulation.world
	limp, since, calls := x.released(step)
	switch {
	case limp && step == since:
		x.doll = x.limp
		x.doll.Animate(w, x.pose(step-2))
		x.doll.Animate(w, x.pose(step-1)) // its way from there is its velocity
		x.doll.Release(w)
	case limp:
		still := x.limp // which gives the bodies no velocity
		still.Release(w)
	default:
		if calls > 0 && step == since {
			x.doll = x.limp
			x.from = append(x.from[:min(calls-1, len(x.from))], x.lies())
		}
		x.doll.Animate(w, x.pose(step))
	}
}

// lies returns the pose of the bodies.
func (x *puppet) lies() skin.Pose {
	d := ecs.GetResource[physecs.Dynamics](x.simulation.world)
	var frames []geom.Transform
	for _, e := range x.doll.Bodies {
		t, _ := d.Transform(e)
		frames = append(frames, t)
	}
	return x.doll.Fit.Pose(nil, frames)
}

// pose returns the pose of an animated step.
func (x *puppet) pose(step int) skin.Pose {
	step = max(step, 0)
	walk := x.stride(step)
	if _, since, calls := x.released(step); calls > 0 && step-since < blendSteps {
		return skin.Blend(nil, x.from[calls-1], walk, float32(smoothstep(float64(step-since)/blendSteps)))
	}
	return walk
}

// stride returns the pose of a figure that walks along a circle. Each bone swings about an axis of
// the model, with its parents.
func (x *puppet) stride(step int) skin.Pose {
	angle := walkTurn * float64(step)
	sin, cos := math.Sincos(angle)
	turn := geom.QuatAxisAngle(geom.V(0, 1, 0), angle)
	phase := 2 * math.Pi * float64(step) / strideSteps
	swing := func(name string) (axis geom.Vec3, radians float64) {
		left := math.Sin(phase)
		across := geom.V(1, 0, 0)
		switch name {
		case "left_thigh":
			return across, -0.4 * left
		case "right_thigh":
			return across, 0.4 * left
		case "left_shin":
			return across, 0.5 + 0.45*math.Cos(phase)
		case "right_shin":
			return across, 0.5 - 0.45*math.Cos(phase)
		case "left_upperarm":
			return geom.V(0.35*float32(left), 0, -0.55), 1
		case "right_upperarm":
			return geom.V(-0.35*float32(left), 0, 0.55), 1
		case "spine":
			return geom.V(0, 1, 0), 0.12 * left
		}
		return across, 0
	}
	at := geom.V(walkAside-walkRadius*float32(cos), 0.03+0.03*float32(math.Cos(2*phase)), walkForward+walkRadius*float32(sin))
	turns, pose := make([]geom.Quat, len(x.bones)), make(skin.Pose, len(x.bones))
	for i := range x.bones {
		b := &x.bones[i]
		axis, radians := swing(b.Name)
		radians *= float64(axis.Len())
		own := geom.QuatIdentity()
		if radians != 0 {
			own = geom.QuatAxisAngle(axis.Normalize(), radians)
		}
		if b.Parent < 0 {
			turns[i] = turn.Mul(own)
			pose[i].Position = at.Add(turn.Rotate(b.Rest.Position))
		} else {
			up := turns[b.Parent]
			turns[i] = up.Mul(own)
			pose[i].Position = pose[b.Parent].Position.Add(up.Rotate(b.Rest.Position.Sub(x.bones[b.Parent].Rest.Position)))
		}
		pose[i].Rotation = turns[i].Mul(b.Rest.Rotation)
	}
	return pose
}
