package physics

import (
	"github.com/hitscan-go/hitscan/internal/enum"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Mover moves a character through a [Space]: it slides along walls, climbs steps and slopes,
// follows the ground down, rides on platforms, and is pushed out of colliders that have moved into
// it. It is a plain value of settings; the state of one character is its [MoverState], so that one
// Mover may serve thousands. For every number, 0 means the default, which is for a character as
// large as a human; one that is much larger or smaller needs all lengths set.
//
// # Methods
//
// A mover computes distances from its shape to convex obstacles, and casts nothing. The plane
// across the shortest way to an obstacle has the obstacle behind it, so the mover may move up to
// that plane. The distance along a straight way is convex, so repeating this (Newton's method) ends
// at the first touch (conservative advancement: Mirtich 1996, "Impulse-based dynamic simulation").
// The obstacles around a move are gathered once.
//
// Motion that is blocked continues along the obstacle. In the air, it is the projection that leads
// into no surface met so far. On the ground, it is that projection of its horizontal part, and then
// up or down so that the mover stays on the ground. So a wall never lifts a walker, and a slope
// never slows it down.
//
// A step is walked over by moving up, forward and down again (id Software 1996, "Quake"). If that
// ends on the front of the step, because the front leans or the motion is short, the mover looks
// for ground further on (Rouwé 2022, "Jolt Physics"). If the step leads to some, the mover moves as
// far as the motion and stands on the front; likewise on the way down.
//
// # Limits
//
// Only the mover's own motion is continuous. It is pushed out of a collider that has moved into it,
// by the shortest way; a wall that moves in a tick by more than about its thickness and the mover's
// radius together passes the mover.
//
// Where there is no space for the mover, ground that is static, or on which it stands and that has
// not moved since its last move, has precedence over a ceiling or a crusher: it stays on the
// ground, and Depth is how deep it is in the other. Between two walls it ends in the middle. A
// moving collider whose upper side, or any side if it is a mesh, is below the middle of the mover
// lifts it, however it came there. Before a mover is made taller, the caller should check the space
// above it, by [Space.OverlapShape] of the taller shape.
type Mover struct {
	// Shape is convex: a [geom.Capsule], [geom.TaperedCapsule], [geom.Cone], [geom.Sphere],
	// [geom.Box] or [geom.AABB] by value, or a [*hull.Hull]. It is placed by the Transform of the
	// state. nil means a capsule 1.8 m high and 0.6 m wide that stands on the origin, along the Y
	// axis.
	Shape Shape
	// Up is the direction against gravity, in world space and of any length; 0 means the Y axis.
	Up geom.Vec3
	// Offset is the gap that the mover keeps to all obstacles, in metres, so that rounding does not
	// matter; 0 means 0.02. A value that is less than rounding requires, as a negative one, is
	// raised to that.
	Offset float32
	// StepHeight is the greatest height of a step that it walks up, in metres; 0 means 0.4, and a
	// negative value no steps. The front of a step may have any slope steeper than MaxSlope, be
	// upright or overhang. The height is that of the ground on the step over the mover's feet.
	StepHeight float32
	// StepDepth is the free way that a step needs at its upper end, straight away from its edge, in
	// metres; 0 means 0.1, and a negative value none. A step that is less deep than that by more
	// than a quarter is a wall with a ledge.
	StepDepth float32
	// SnapDistance is the greatest drop of the ground that a walker follows down, in metres; 0
	// means 0.5, and a negative value none. It also follows a front steeper than MaxSlope, if there
	// is ground within that distance below.
	SnapDistance float32
	// MaxSlope is the steepest ground that it walks on, as rise over run: 1 is 45°. 0 means 1.2,
	// which is about 50°, and a negative value level ground only. On steeper ground it slides and
	// cannot climb, except on the front of a step.
	MaxSlope float32
	// OneWay is the layers of platforms that are solid from above alone: what the mover is above at
	// the start of a move, by the slope of MaxSlope, or stands on. It passes others from below and
	// from the sides, and walks up no step onto them. One that rises by more than twice Offset in a
	// move, at 2.4 m/s and 60 Hz, may pass a mover in the air. To let it drop through, exclude a
	// platform until the mover is below.
	OneWay Layers
	// Unmoved keeps the ground and its surface from carrying the mover along.
	Unmoved bool
}

// Values for the zeros of a [Mover]; lengths in metres.
const (
	DefaultOffset       = 0.02
	DefaultStepHeight   = 0.4
	DefaultStepDepth    = 0.1
	DefaultSnapDistance = 0.5
	DefaultMaxSlope     = 1.2
)

// GroundState is the kind of ground that a mover stands on.
type GroundState uint8

const (
	// InAir: there is no ground under it.
	InAir GroundState = iota
	// OnGround: it stands or walks. While it walks over the front of a step, the ground may be
	// steeper than MaxSlope.
	OnGround
	// OnSteepGround: the ground under it is steeper than MaxSlope.
	OnSteepGround
)

// String returns the state in words.
func (g GroundState) String() string {
	return enum.Name(g, "in the air", "on the ground", "on steep ground")
}

// MoverState is the place of one character and the ground that it stands on. It is a plain value,
// which [Mover.Move] reads and writes; a new one needs only its Transform.
type MoverState struct {
	// Transform places the mover's shape in the world. Moves change its Position, and its Rotation
	// if the ground turns about Up.
	Transform geom.Transform
	// Velocity is the velocity that obstacles left, in metres a second; in the air, the next move
	// should start from it. On the ground it is horizontal and relative to the ground, in the air
	// relative to the world: a mover that leaves the ground keeps the ground's velocity.
	Velocity geom.Vec3
	// Ground is the kind of ground. In the air, all fields below are zero, except Depth.
	Ground GroundState
	// GroundPoint is where it stands, in world space, and GroundNormal the unit normal of the
	// surface there.
	GroundPoint, GroundNormal geom.Vec3
	// GroundVelocity is the velocity of the ground at the mover since its last move, with the
	// SurfaceVelocity, in metres a second, in world space.
	GroundVelocity geom.Vec3
	// GroundCollider is the collider that it stands on; GroundChild and GroundTriangle are the
	// child and the triangle of that, −1 if it has none.
	GroundCollider              ColliderID
	GroundChild, GroundTriangle int32
	// GroundUser is the collider's User.
	GroundUser uint64
	// SurfaceVelocity is the velocity at which the surface of the ground moves what stands on it,
	// as a conveyor belt does, in metres a second and world axes; what leads out of the surface has
	// no effect.
	// The caller sets it before a move, to what rigid.Dynamics.SurfaceVelocity returns for the
	// ground; the move carries the mover along, and sets it to 0 when the ground is another.
	SurfaceVelocity geom.Vec3
	// GroundTransform is the transform of that collider when the mover last moved. The next move
	// carries the mover along with the collider's motion since, unless GroundPoint is further from
	// the mover than its radius, or half its least width: then the caller has put it elsewhere. A
	// collider that has moved farther than the diagonal of its bounds in a sixtieth of a second was
	// teleported, and carries nothing.
	GroundTransform geom.Transform
	// Depth is the penetration depth that is left, in metres, where there is no space for the
	// mover. It is almost always 0.
	Depth float32
}

// MoverHit is an obstacle that a mover met, in world space.
type MoverHit struct {
	Collider ColliderID
	User     uint64    // the collider's User
	Child    int32     // number of the child of a [Compound]; −1 for every other shape
	Triangle int32     // of a mesh; −1 for every other shape
	Point    geom.Vec3 // on the collider
	Normal   geom.Vec3 // unit, from the collider to the mover
	Motion   geom.Vec3 // the rest of the motion of this move, in metres, before the hit
	Position geom.Vec3 // of the mover at the hit
}

// Shift moves all positions in the state by a vector, in metres. After [Space.Rebase] that is the
// old origin − the new one.
func (st *MoverState) Shift(by geom.DVec3) {
	shift := func(p *geom.Vec3) { *p = p.Wide().Add(by).Narrow() }
	shift(&st.Transform.Position)
	if st.Ground != InAir {
		shift(&st.GroundPoint)
		shift(&st.GroundTransform.Position)
	}
}
