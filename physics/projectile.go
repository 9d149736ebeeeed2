package physics

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Projectile is something small that flies: a bullet, an arrow, a grenade. It is a value, to be
// kept by the game and moved once a tick by [Projectile.Move].
//
// Its way is a ball's that is swept through the space, continuous within a tick and from tick to
// tick, so that nothing is passed however fast it goes. The ball is larger than Radius by a skin of
// 2⁻¹³ m (0.12 mm), or from 512 m away from the origin on of about a 2²²th part of the distance (4
// mm at 10 km, some four steps of single precision): that is how far it stops from a surface.
// Rounding takes less than three quarters of it, so the centre is always on the side from which it
// came, at least Radius and a quarter of the skin away.
//
// That holds of what stands still. A space knows no velocities: what moves onto a projectile
// between two ticks is seen as an overlap where the next Move begins, and one that moves over it by
// more than Radius has passed it.
type Projectile struct {
	// Position is the centre, in world space.
	Position geom.Vec3
	// Velocity is in metres per second, in world space.
	Velocity geom.Vec3
	// Acceleration is gravity, or the thrust of a rocket, in metres per second squared, in world
	// space. The way is then made of chords of the parabola, which are nowhere further than 1 mm
	// from it unless that took more than 64 a Move.
	Acceleration geom.Vec3
	// Radius is that of the ball, in metres; 0 is a point.
	Radius float32
	// Bounces is how many times it still bounces; a hit after that ends it. Negative means without
	// end.
	Bounces int32
	// Restitution is how much of the speed against a surface a bounce gives back: 0 none, 1 all.
	// Less than 0 is 0.
	Restitution float32
	// Friction is Coulomb's coefficient: a bounce takes as much of the speed along the surface as
	// that times what it changes the speed across, and a projectile that slides is slowed down by
	// that times what presses it on. Less than 0 is 0.
	Friction float32
	// RestSpeed is the speed, in metres per second, below which it would leave a surface and stays
	// on it instead. 0 means [DefaultRestSpeed], and less none at all.
	RestSpeed float32
	// Life is how long it still lives, in seconds. 0, or less, means without end.
	Life float32
	// Resting tells that it lies on something, or slides along it, as of the last Move.
	Resting bool
	// Done tells that it has ended, by a hit or by its Life. Move then does nothing.
	Done bool
}

// DefaultRestSpeed is the RestSpeed of a [Projectile] that says none, in metres per second: with it
// the last bounce under gravity is half a millimetre high.
const DefaultRestSpeed = 0.1

// ProjectileEvent is what befell a [Projectile].
type ProjectileEvent uint8

const (
	// ProjectileStopped: it hit something, had no bounce left, and has ended.
	ProjectileStopped ProjectileEvent = iota
	// ProjectileBounced: it hit something and flies on.
	ProjectileBounced
	// ProjectileRested: it hit something too slowly to bounce, and lies on it or slides along it.
	// It is told once, until nothing holds the projectile any more.
	ProjectileRested
	// ProjectilePassed: it touched a sensor, which does not stop it.
	ProjectilePassed
	// ProjectileExpired: its Life is over. There is no hit: Collider is 0, and Child and Triangle
	// are −1.
	ProjectileExpired
)

// String returns the event in lower case.
func (e ProjectileEvent) String() string {
	names := [...]string{"stopped", "bounced", "rested", "passed", "expired"}
	if int(e) < len(names) {
		return names[e]
	}
	return "unknown"
}

// ProjectileHit is something that befell a [Projectile] on its way through a tick.
type ProjectileHit struct {
	// ShapeHit is what was hit and where, as by [Space.CastShape] of the ball with its skin. But T
	// is when: 0 where the tick begins and 1 where it ends; and Overlaps and Depth are those of the
	// ball without the skin.
	ShapeHit
	// Event is what became of it.
	Event ProjectileEvent
	// Position is where the centre was.
	Position geom.Vec3
	// VelocityIn and VelocityOut are its velocities before and after.
	VelocityIn, VelocityOut geom.Vec3
}

const (
	// maxSag is how far a chord may be from the parabola, in metres.
	maxSag = 1e-3
	// maxChords bounds the chords of a Move.
	maxChords = 64
	// maxStops bounds how many times a projectile is stopped by something in one Move. Only where
	// two surfaces meet, or nearly, does it come to so many.
	maxStops = 32
)

// skinOf returns the skin of a projectile that gets as far from the origin as reach. It is a power
// of two, so that it stays the same while a projectile lies still.
func skinOf(reach float64) float64 {
	_, e := math.Frexp(reach)
	return max(0x1p-13, math.Ldexp(1, e-22))
}
