package physics

import (
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Mover moves a character through a [Space]: it slides along walls, climbs steps and slopes,
// follows the ground down, rides on platforms, and is pushed out of what has moved into it. It is a
// plain value that says how; what one character has come to is its [MoverState], so that one Mover
// may serve thousands. Of every number, 0 means the default, which is for somebody as large as a
// human; who is much larger or smaller needs all lengths given.
//
// # Methods
//
// A mover asks how far things are from its shape, never what it would hit. The plane across the
// shortest way to a convex thing has that thing behind it, so going up to it is safe; as the
// distance along a straight way is convex, doing so again and again (Newton's method) ends where
// they first touch (Mirtich 1996, "Impulse-based dynamic simulation", calls it conservative
// advancement). Whatever has a part in a move is gathered once.
//
// Motion that is blocked goes on along what blocks it: in the air by the part of it that leads into
// no surface met so far, on the ground by that of its horizontal part, and then up or down so that
// it stays on the ground. So a wall never lifts a walker, and a slope never slows it down.
//
// A step is walked over by going up, on and down again (id Software 1996, "Quake"). Where that ends
// on the front of the step, as the front leans or little is moved at once, ground is sought further
// on (Rouwé 2022, "Jolt Physics"): if there is some that the step may lead to, the mover goes as
// far as it should and stands on the front, and likewise on the way down.
//
// # Limits
//
// A mover looks for the ways of its own motion, not of others': it is pushed out of what has moved
// into it, to where that is nearest. A wall that moves in a tick by more than about its thickness
// and the mover's radius together passes it.
//
// Where there is no room, static ground on which a mover stands has precedence over all that
// presses it: a ceiling, or a crusher. It stays on the ground, and Depth says how deep it is in
// that. Of walls on both sides it ends in the middle. What moves and has its upper side, or if it
// is a mesh any side, below the middle of the mover is beneath it, however it came there, and lifts
// it. Who makes a mover taller asks first whether there is room, by [Space.OverlapShape] of the
// taller shape.
type Mover struct {
	// Shape is convex: a [geom.Capsule], [geom.Sphere], [geom.Box] or [geom.AABB] by value, or a
	// [*hull.Hull]. It is placed by the Transform of the state. nil means a capsule 1.8 m high and
	// 0.6 m wide that stands on the origin, along the Y axis.
	Shape Shape
	// Up is the direction against which things fall, of any length; 0 means the Y axis.
	Up geom.Vec3
	// Offset is how far the mover stays away from everything, in metres, which keeps rounding from
	// mattering; 0 means 0.02. What is less than rounding needs, as everything negative is, counts
	// as that.
	Offset float32
	// StepHeight is how high a step may be that it walks up, in metres; 0 means 0.4, and what is
	// negative none. The front of a step may lean as it likes: steeper than MaxSlope, upright or
	// overhanging. The height is that of the ground on it over where the mover is.
	StepHeight float32
	// StepDepth is how far it must be able to go on at the upper end of a step, straight away from
	// its edge, in metres; 0 means 0.1, and what is negative none. What is less deep than that by
	// more than a quarter is a wall with a ledge.
	StepDepth float32
	// SnapDistance is how far the ground may drop under a walker that then follows it down, in
	// metres; 0 means 0.5, and what is negative not at all. It follows down a front steeper than
	// MaxSlope too, if there is ground no further below that.
	SnapDistance float32
	// MaxSlope is the steepest ground that it walks on, as rise over run: 1 is 45°. 0 means 1.2,
	// which is about 50°, and what is negative level ground alone. On what is steeper it slides,
	// and it can't climb it, but for the front of a step while it walks up or down that.
	MaxSlope float32
	// Unmoved keeps the mover from being carried along by what it stands on.
	Unmoved bool
}

// What zeros of a [Mover] mean.
const (
	DefaultOffset       = 0.02
	DefaultStepHeight   = 0.4
	DefaultStepDepth    = 0.1
	DefaultSnapDistance = 0.5
	DefaultMaxSlope     = 1.2
)

// GroundState says what a mover stands on.
type GroundState uint8

const (
	// InAir: nothing is under it.
	InAir GroundState = iota
	// OnGround: it stands, and walks. While it walks over the front of a step the ground may be
	// steeper than MaxSlope.
	OnGround
	// OnSteepGround: what is under it is steeper than it can stand on.
	OnSteepGround
)

// String returns the state in words.
func (g GroundState) String() string {
	switch g {
	case InAir:
		return "in the air"
	case OnGround:
		return "on the ground"
	case OnSteepGround:
		return "on steep ground"
	}
	return "unknown"
}

// MoverState is where one character is and what it stands on. It is a plain value, which
// [Mover.Move] reads and writes; a new one needs its Transform alone.
type MoverState struct {
	// Transform places the mover's shape. Moves change its Position, and its Rotation where the
	// ground turns about Up.
	Transform geom.Transform
	// Velocity is what is left of the wanted velocity, in metres a second, after all that stood in
	// its way; the next move in the air starts from it. On the ground it is horizontal and relative
	// to the ground, in the air relative to the world: who leaves the ground takes the ground's
	// velocity along.
	Velocity geom.Vec3
	// Ground says whether it stands on something; without that all below is zero, but for Depth.
	Ground GroundState
	// GroundPoint is where it stands, in the world, and GroundNormal is the unit normal of the
	// surface there.
	GroundPoint, GroundNormal geom.Vec3
	// GroundVelocity is how fast the ground moved at the mover since its last move, in metres a
	// second.
	GroundVelocity geom.Vec3
	// GroundCollider is what it stands on; GroundChild and GroundTriangle are the part of that, −1
	// if it has none.
	GroundCollider              ColliderID
	GroundChild, GroundTriangle int32
	// GroundUser is the collider's own.
	GroundUser uint64
	// GroundTransform is where that collider was when the mover came to stand on it or last moved.
	// The next move carries the mover along from there to where the collider is then, unless the
	// mover is no longer at GroundPoint: one that was put elsewhere, so that this is further from
	// it than its radius or half its least width, is not carried.
	GroundTransform geom.Transform
	// Depth is how deep it is still in something, in metres, because there is no room for it: 0
	// nearly always.
	Depth float32
}

// MoverHit is something that stood in the way of a mover.
type MoverHit struct {
	Collider ColliderID
	User     uint64    // the collider's own
	Child    int32     // number of the child of a [Compound]; −1 for every other shape
	Triangle int32     // of a mesh; −1 for every other shape
	Point    geom.Vec3 // on the collider, in the world
	Normal   geom.Vec3 // unit, from the collider to the mover
	Motion   geom.Vec3 // what was left of the mover's motion in this move, in metres, before it was turned aside
	Position geom.Vec3 // of the mover
}

// Shift moves all that the state knows by a vector, in metres: by the old origin − the new one
// after [Space.Rebase].
func (st *MoverState) Shift(by geom.DVec3) {
	shift := func(p *geom.Vec3) { *p = p.Wide().Add(by).Narrow() }
	shift(&st.Transform.Position)
	if st.Ground != InAir {
		shift(&st.GroundPoint)
		shift(&st.GroundTransform.Position)
	}
}
