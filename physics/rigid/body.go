package rigid

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// BodyID names a body of one [Dynamics]. The zero BodyID is none. An ID is never given out twice.
type BodyID uint64

// String returns the index of the body and how often the index was used, as "body 12.1".
func (id BodyID) String() string {
	if id == 0 {
		return "no body"
	}
	return fmt.Sprintf("body %d.%d", id.index(), uint32(id>>32))
}

func (id BodyID) index() int { return int(uint32(id)) }

// Kind is how a body moves.
type Kind uint8

const (
	// Dynamic bodies are moved by forces and contacts.
	Dynamic Kind = iota
	// Kinematic bodies move at their velocity, which nothing but the game changes. They push
	// dynamic bodies as if they had infinite mass; for fast ones see [Settings].MaxMargin.
	Kinematic
)

// Axes is a set of motions along and about the axes of the world.
type Axes uint8

// The motions that [Body.Locked] can hold.
const (
	MoveX Axes = 1 << iota
	MoveY
	MoveZ
	TurnX
	TurnY
	TurnZ
)

// Planar is the motions that a body of a 2D game in the XY plane does not have.
const Planar = MoveZ | TurnX | TurnY

// Body is what a body is added with. The zero Body is dynamic and has the mass of its shapes at
// [DefaultDensity].
type Body struct {
	Kind Kind
	// Velocity is that of the centre of mass, in m/s. AngularVelocity points along the axis, about
	// which the body turns counter-clockwise, and its length is in rad/s.
	Velocity, AngularVelocity geom.Vec3
	// Density is in kg/m³; 0 means [DefaultDensity]. The mass follows from it and the shapes. In a
	// planar space these are a metre thick, whatever their half extents along Z.
	Density float32
	// Mass replaces what follows from the shapes. Without an Inertia, which counts only beside a
	// Mass, the moments are in proportion to those of the shapes, and a Mass of 0 or a zero Center
	// is theirs: a Center alone is a keel. Of a kinematic body the Center alone counts, about which
	// it turns, in the axes of its first collider. Contacts hold bodies of up to 1e30 kg.
	Mass Mass
	// GravityScale multiplies gravity; 0 means 1. See Weightless.
	GravityScale float32
	// Weightless excepts the body from gravity.
	Weightless bool
	// LinearDamping and AngularDamping slow the body down, in 1/s: it loses about that share of its
	// velocity a second.
	LinearDamping, AngularDamping float32
	// Locked is the motions that the body does not have. In a planar space Planar is added to it.
	// With MoveX, MoveY and MoveZ it carries as much as the ground. With one or two of them,
	// contacts and joints find its mass in all directions, and what is much heavier sinks into it:
	// use a [SliderJoint] for a cart.
	Locked Axes
	// MaxSpeed and MaxSpin limit the velocity, in m/s and rad/s; 0: the limits of [Settings].
	MaxSpeed, MaxSpin float32
	// Bullet stops a fast body also at moving ones, not only at static ones. In either case it is
	// the way of its centre that is stopped, not its rotation: the ends of a rod that spins about
	// its middle may pass a wall that is thinner than their way in a step.
	Bullet bool
	// NoSleep keeps the body, and all that touches it, awake.
	NoSleep bool
	// User is the game's own value.
	User uint64
}

// DefaultDensity is the density of bodies that name none, that of water, in kg/m³.
const DefaultDensity = 1000

// motion is the part of a body's state that the solver reads and writes: one cache line. That of
// index 0 is of all static colliders, and stays zero.
type motion struct {
	v, w   geom.Vec3 // velocity of the centre of mass, angular velocity
	moved  geom.Vec3 // displacement of the centre in this step
	turned geom.Vec3 // sum of the angular displacements in this step, for the solver
	q      geom.Quat
}

// inertia is the inverse of mass and inertia, the latter in world axes at the start of the step: a
// symmetric matrix. It is zero for static and kinematic bodies.
type inertia struct {
	mass                   float32
	xx, yy, zz, xy, xz, yz float32
	_                      float32
}

// apply returns the change of angular velocity by an angular impulse.
func (i *inertia) apply(l geom.Vec3) geom.Vec3 {
	return geom.Vec3{
		X: float32(i.xx*l.X) + float32(i.xy*l.Y) + float32(i.xz*l.Z),
		Y: float32(i.xy*l.X) + float32(i.yy*l.Y) + float32(i.yz*l.Z),
		Z: float32(i.xz*l.X) + float32(i.yz*l.Y) + float32(i.zz*l.Z),
	}
}

// trace returns the sum of the inverse moments about three axes.
func (i *inertia) trace() float32 { return i.xx + i.yy + i.zz }

// body is the rest of a body's state. What is known for one step only is kept elsewhere: each state
// that is saved has a copy.
type body struct {
	*form
	id      BodyID
	alive   bool
	awake   bool
	moves   bool    // dynamic, and not without mass
	target  bool    // kinematic, on its way to a pose given by MoveTo
	spins   bool    // the principal moments differ: there is a gyroscopic torque
	fast    bool    // see continuous.go
	colors  uint32  // of its constraints
	joints  int32   // the first link of its joints: see joint.go
	least   float32 // moment of inertia, kg·m²: see loadJoints
	invMass float32
	center  geom.Vec3 // of mass, in world coordinates, at the start of the step
	still   float32   // seconds of rest
	restAt  geom.Vec3 // the centre where it last moved too fast for rest
	restQ   geom.Quat // and the rotation
	next    int32     // the next body of a sleeping island, in a ring
	order   int32     // 1 + index in Dynamics.orders; 0: none
}

// order is what the game requests of a body for the next step. Few bodies have one.
type order struct {
	force  geom.Vec3      // N
	torque geom.Vec3      // N·m
	goal   geom.Transform // see body.target
}

// passage is what is known of a body for one step: see continuous.go.
type passage struct {
	way    geom.Vec3          // without impacts: see foresees
	room   float32            // how far the core may move without a hit
	passes physics.ColliderID // the last one that the solver leaves alone; 0: none
}

// form is what steps do not change. It is replaced as a whole, so that saved states share it.
type form struct {
	set       Body
	local     geom.Vec3 // the centre of mass from the first collider, in its rotated axes
	principal geom.Vec3 // moments of inertia, in units of a power of two in which all are up to 1
	inverse   geom.Vec3 // 1 ÷ the moments of inertia, 1/(kg·m²)
	axes      geom.Quat // principal axes in local axes
	reach     float32   // the farthest that any of it is from the centre
	half      geom.Vec3 // the same along each of its axes
	core      float32   // radius of the sphere that walls stop: see continuous.go
	clear     float32   // see roomOf
	round     bool      // it is one ball or capsule
	ball      bool      // it is one ball
	parts     []part
}

// noForm is the form of what is no body.
var noForm form

// part is a collider of a body.
type part struct {
	collider physics.ColliderID
	local    geom.Transform // from the body's axes at the centre of mass; with the collider's scale
}
