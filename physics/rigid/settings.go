package rigid

import (
	"fmt"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Settings are the parameters of a [Dynamics]. [DefaultSettings] suit objects of 0.1 to 10 m that
// move at up to 100 m/s; few games change more than Gravity and Step. 0 is the number itself, not a
// default. +Inf is no limit for MaxMargin, MaxSpeed, MaxSpin and PushSpeed, as stiff as possible
// for ContactHertz and JointHertz, and never reached for BounceSpeed, HitSpeed and SleepTime; at a
// SleepSpeed of +Inf all sleeps but what falls or a surface carries. Any other number must be
// finite, none may be NaN: [Dynamics.Step] panics.
type Settings struct {
	// Step is the time that [Dynamics.Step] advances, in seconds. It should be constant: a stack
	// that is at rest at one step moves at another.
	Step float32
	// Substeps is how often the solver runs in a step. More: stiffer stacks and joints, in
	// proportion to the time it takes.
	Substeps int
	// Gravity is the acceleration of all bodies, in m/s². A change wakes nothing: see
	// [Dynamics.Wake].
	Gravity geom.Vec3
	// ContactHertz is the stiffness of contacts, as the frequency of a spring, and ContactDamping
	// its damping ratio. Lower: stacks sink in. It is limited to a sixth of the substeps per
	// second, 40 Hz by default, beyond which stacks jitter.
	ContactHertz, ContactDamping float32
	// JointHertz and JointDamping are the same of joints that are as stiff as possible: of limits,
	// and of all that they prevent but the motion of the points of fixed joints, balls and hinges,
	// which is as a rule solved more exactly. It is limited to a quarter of the substeps per
	// second.
	JointHertz, JointDamping float32
	// LimitFriction is the coefficient of friction of balls and hinges that have limits. They are
	// sockets with a radius in proportion to their bodies: friction opposes rotation, with a torque
	// in proportion to the force in the joint and to those with which the limits of a ball act. 0:
	// a head that leans on the limit of its neck swings along it without end. Joints without limits
	// have no friction.
	LimitFriction float32
	// PushSpeed is the greatest speed, in m/s, at which overlapping bodies are pushed apart.
	PushSpeed float32
	// Margin is the distance in metres at which the solver gets a contact ahead of the impact. What
	// is fast and passes an edge or a corner by less may be deflected, as if it hit it.
	Margin float32
	// MaxMargin limits the margin of bodies that approach each other by more than Margin in a step.
	// Theirs is greater by the distance that they approach. Smaller: faster bodies overlap at the
	// impact before they are pushed apart, and a [Kinematic] body that moves further in a step than
	// it and the other are thick passes through: at 40 m/s, 0.7 m in a step, set it to 0.7. That of
	// balls, of capsules without joints, and of the parts of a body of several colliders may be up
	// to a metre.
	MaxMargin float32
	// BounceSpeed is the least speed of an impact, in m/s, that restitution applies to. At 0, what
	// rests on the ground never comes to rest.
	BounceSpeed float32
	// HitSpeed is the least speed of an impact, in m/s, that makes a [Hit].
	HitSpeed float32
	// MaxSpeed and MaxSpin limit the velocity of all bodies, in m/s and rad/s.
	MaxSpeed, MaxSpin float32
	// SleepSpeed is the speed, in m/s, that no point of a body may exceed for SleepTime, in
	// seconds, before it sleeps. One that trembles in place may be eight times as fast, and one
	// that falls freely stays awake. An island sleeps when all its bodies may. So does a ball that
	// rolls as slowly, as in Box3D, of which these are the defaults, and below 0.03 m/s in Jolt,
	// and a door that a motor turns as slowly: a lower speed or [Body.NoSleep] keeps them moving.
	// What a surface with a velocity carries stays awake, however slow it is.
	// 0: nothing sleeps.
	SleepSpeed, SleepTime float32
	// Bounds is the box of the world, in the space's coordinates: after [physics.Space.Rebase] it
	// has to be moved. Bodies that leave it are listed in [Dynamics.Outside] and go on as before.
	// The zero box: no bounds.
	Bounds geom.AABB
}

// DefaultSettings returns the settings of a new [Dynamics]: 60 steps a second of 4 substeps each,
// gravity 9.81 m/s² downward.
func DefaultSettings() Settings {
	return Settings{
		Step: 1.0 / 60, Substeps: 4, Gravity: geom.V(0, -9.81, 0),
		ContactHertz: 120, ContactDamping: 10, JointHertz: 60, JointDamping: 5, LimitFriction: 0.2, PushSpeed: 3, Margin: 0.02, MaxMargin: 0.06,
		BounceSpeed: 1, HitSpeed: 1,
		MaxSpeed: 1000, MaxSpin: 400,
		SleepSpeed: 0.05, SleepTime: 0.5,
	}
}

// check panics if a number is not allowed.
func (s *Settings) check() {
	if !(s.Step > 0) || s.Substeps <= 0 {
		panic(fmt.Sprintf("rigid: Dynamics.Step: Settings.Step is %g and Settings.Substeps %d: both must be positive, as in DefaultSettings", s.Step, s.Substeps))
	}
	if !s.Gravity.IsFinite() {
		panic(fmt.Sprintf("rigid: Dynamics.Step: Settings.Gravity is %v", s.Gravity))
	}
	for i, v := range [...]geom.Vec3{s.Bounds.Min, s.Bounds.Max} {
		if !v.IsFinite() {
			panic(fmt.Sprintf("rigid: Dynamics.Step: Settings.Bounds.%s is %v", [...]string{"Min", "Max"}[i], v))
		}
	}
	const finite = math.MaxFloat32
	inf := float32(math.Inf(1))
	for _, v := range [...]struct {
		name    string
		v, most float32
	}{
		{"Step", s.Step, finite}, {"ContactHertz", s.ContactHertz, inf}, {"ContactDamping", s.ContactDamping, finite}, {"JointHertz", s.JointHertz, inf},
		{"JointDamping", s.JointDamping, finite}, {"LimitFriction", s.LimitFriction, finite}, {"PushSpeed", s.PushSpeed, inf},
		{"Margin", s.Margin, finite}, {"MaxMargin", s.MaxMargin, inf}, {"BounceSpeed", s.BounceSpeed, inf}, {"HitSpeed", s.HitSpeed, inf},
		{"MaxSpeed", s.MaxSpeed, inf}, {"MaxSpin", s.MaxSpin, inf}, {"SleepSpeed", s.SleepSpeed, inf}, {"SleepTime", s.SleepTime, inf},
	} {
		if !(v.v >= -finite && v.v <= v.most) {
			panic(fmt.Sprintf("rigid: Dynamics.Step: Settings.%s is %g", v.name, v.v))
		}
	}
}

// softness holds the coefficients of a soft constraint for one substep.
type softness struct {
	bias    float32 // velocity per metre of error, 1/s
	mass    float32 // share of the effective mass
	impulse float32 // share of the accumulated impulse that is taken back
}

// rigidly are the coefficients of a constraint that is not soft, and leaves errors as they are.
var rigidly = softness{mass: 1}

// soft returns the coefficients of a damped spring that is integrated implicitly (Catto 2011, "Soft
// constraints").
func soft(hertz, damping, h float32) softness {
	if hertz <= 0 {
		return rigidly
	}
	const tau = 6.2831853
	omega := tau * hertz
	a := float32(2*damping) + float32(h*omega)
	b := float32(h * omega * a)
	c := 1 / (1 + b)
	return softness{omega / a, float32(b * c), c}
}
