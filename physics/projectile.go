package physics

import (
	"math"

	"github.com/hitscan-go/hitscan/internal/enum"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Projectile is a small body that flies: a bullet, an arrow, a grenade. It is a value that the game
// keeps and moves once a tick by [Projectile.Move].
//
// A sphere is swept through the space, continuously within a tick and from tick to tick, so that
// the projectile passes through nothing at any speed. The sphere is larger than Radius by a skin of
// 2⁻¹³ m (0.12 mm), or, from 512 m from the origin on, of about 2⁻²² of that distance (4 mm at 10
// km, some four steps of single precision): the projectile stops that far from a surface. Rounding
// takes less than three quarters of the skin, so the centre always stays on the side from which it
// came, at least Radius and a quarter of the skin from the surface.
//
// That holds for colliders at rest. A space has no velocities: a collider that moves onto a
// projectile between two ticks overlaps it at the start of the next Move, and one that moves over
// it by more than Radius passes it.
type Projectile struct {
	// Position is the centre, in world space.
	Position geom.Vec3
	// Velocity is in metres per second, in world space.
	Velocity geom.Vec3
	// Acceleration is gravity, or the thrust of a rocket, in metres per second squared, in world
	// space. The path then consists of chords of the parabola. They are within 1 mm of it, unless a
	// Move would need more than 64 of them.
	Acceleration geom.Vec3
	// Radius is the radius of the sphere, in metres; 0 is a point.
	Radius float32
	// Bounces is the number of bounces left; a hit after that ends the projectile. Negative means
	// no limit.
	Bounces int32
	// Restitution is the fraction of the speed against a surface that a bounce returns, from 0 to
	// 1. A negative value is 0.
	Restitution float32
	// Friction is Coulomb's coefficient. A bounce reduces the speed along the surface by Friction
	// times the change of the speed across it; sliding reduces it by Friction times the
	// acceleration against the surface. A negative value is 0.
	Friction float32
	// RestSpeed is the speed of a bounce, in metres per second, below which the projectile stays on
	// the surface instead. 0 means [DefaultRestSpeed], and a negative value that it always bounces.
	RestSpeed float32
	// Life is the time until it expires, in seconds. 0 or less means no limit.
	Life float32
	// Resting is set if it lies on a surface, or slides along one, since the last Move.
	Resting bool
	// Done is set when it has ended, by a hit or by its Life. Move then does nothing.
	Done bool
}

// DefaultRestSpeed is the RestSpeed of a [Projectile] whose own is 0, in metres per second. With
// it, the last bounce under gravity is half a millimetre high.
const DefaultRestSpeed = 0.1

// ProjectileEvent is the kind of a [ProjectileHit].
type ProjectileEvent uint8

const (
	// ProjectileStopped: it hit a collider with no bounce left, and has ended.
	ProjectileStopped ProjectileEvent = iota
	// ProjectileBounced: it hit a collider and flies on.
	ProjectileBounced
	// ProjectileRested: it hit a collider too slowly to bounce, and lies on it or slides along it.
	// It is reported once, and again only after the projectile has left all surfaces.
	ProjectileRested
	// ProjectilePassed: it touched a sensor, which does not stop it. Each Move reports each sensor
	// that it touches once. T is greater than 0 in the Move in which the projectile comes to the
	// sensor, and 0 while it stays there.
	ProjectilePassed
	// ProjectileExpired: its Life is over. There is no hit: Collider is 0, and Child and Triangle
	// are −1.
	ProjectileExpired
)

// String returns the event in lower case.
func (e ProjectileEvent) String() string {
	return enum.Name(e, "stopped", "bounced", "rested", "passed", "expired")
}

// ProjectileHit is an event of a [Projectile] during a tick.
type ProjectileHit struct {
	// ShapeHit is the hit, as [Space.CastShape] returns it for the sphere with its skin, except
	// that T is the time, from 0 at the start of the tick to 1 at its end, and Overlaps and Depth
	// are those of the sphere without the skin.
	ShapeHit
	// Event is the kind of the event.
	Event ProjectileEvent
	// Position is the centre at that time, in world space.
	Position geom.Vec3
	// VelocityIn and VelocityOut are the velocities before and after, in metres per second.
	VelocityIn, VelocityOut geom.Vec3
}

const (
	// maxSag is the distance of a chord from the parabola, in metres. With more, grenades fly
	// through the corners of what they would miss; with less, a Move takes more casts.
	maxSag = 1e-3
	// maxChords bounds the chords, and so the casts, of a Move.
	maxChords = 64
	// maxStops bounds the hits in one Move. Only between two surfaces that almost meet are there so
	// many.
	maxStops = 32
)

// skinOf returns the skin, in metres, of a projectile that gets as far from the origin as reach. It
// is a power of two, so that it stays the same while a projectile lies still.
func skinOf(reach float64) float64 {
	_, e := math.Frexp(reach)
	return max(0x1p-13, math.Ldexp(1, e-22))
}
