package physecs

import (
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// Body is the component that makes an entity with a [Transform] and a [Collider] a rigid body: it
// falls, lands on colliders without a Body, is pushed by others and goes to sleep. [DynamicsSystem]
// moves it. The zero Body is dynamic and has the density of water.
//
// The shape must be solid: a dynamic mesh or plane has no mass, and [Dynamics.Faults] reports it.
// Without a Body an entity is static ground to all bodies, wherever it is moved.
type Body struct {
	// Density is in kg/m³; 0 means [rigid.DefaultDensity]. The mass follows from it and the shapes.
	Density float32
	// Mass, in kg, replaces the mass that follows from Density; 0: no override.
	Mass float32
	// GravityScale multiplies gravity; 0 means 1. See Weightless.
	GravityScale float32
	// LinearDamping and AngularDamping slow the body down, in 1/s: it loses about that share of its
	// velocity a second.
	LinearDamping, AngularDamping float32
	// MaxSpeed and MaxSpin limit the velocity, in m/s and rad/s; 0: the limits of the settings.
	MaxSpeed, MaxSpin float32
	// Kind is how it moves: [rigid.Dynamic] or [rigid.Kinematic]. A body that becomes kinematic
	// keeps its velocity, which nothing slows down: to freeze it, set its [Velocity] to zero too.
	Kind rigid.Kind
	// Locked is the motions that the body does not have.
	Locked rigid.Axes
	// Weightless excepts the body from gravity.
	Weightless bool
	// Bullet stops a fast body at moving ones too, not only at static ones.
	Bullet bool
	// NoSleep keeps the body, and all that touches it, awake.
	NoSleep bool
	// Driven is for kinematic bodies whose Transform the game, or a [Parent], writes every tick: in
	// the next step the body moves to it and pushes and carries what it touches. A child of a body
	// is thus one step behind its parent. Without Driven a written Transform teleports the body,
	// and a [Velocity] or [Dynamics.MoveTo] moves it.
	Driven bool
}

// Velocity is the component that holds the velocity of a body: that of its centre of mass, in m/s,
// and the axis about which it turns counter-clockwise, times the speed in rad/s. It is optional.
// [DynamicsSystem] writes it; if the game changes it, the body has that velocity from the next step
// on.
type Velocity struct{ Linear, Angular geom.Vec3 }

// Material is the component that says how the surface of an entity's [Collider] acts on what
// touches it, whether it is part of a body or not. It is optional: without it an entity has
// [rigid.DefaultMaterial], which to start from is best, since the zero Material has no friction.
type Material = rigid.Material

func (b *Body) isDriven() bool { return b.Driven && b.Kind == rigid.Kinematic }

// rigid returns what a body is added with.
func (b *Body) rigid(v *Velocity) rigid.Body {
	return rigid.Body{
		Kind: b.Kind, Velocity: v.Linear, AngularVelocity: v.Angular,
		Density: b.Density, Mass: rigid.Mass{Mass: b.Mass}, GravityScale: b.GravityScale, Weightless: b.Weightless,
		LinearDamping: b.LinearDamping, AngularDamping: b.AngularDamping, Locked: b.Locked,
		MaxSpeed: b.MaxSpeed, MaxSpin: b.MaxSpin, Bullet: b.Bullet, NoSleep: b.NoSleep,
	}
}
