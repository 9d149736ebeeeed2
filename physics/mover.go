package physics

import (
	"math"
	"sync"

	"github.com/hitscan-go/hitscan/physics/geom"

	"github.com/hitscan-go/hitscan/physics/internal/placed"
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
// Where there is no space for the mover, static ground on which it stands has precedence over a
// ceiling or a crusher: it stays on the ground, and Depth is how deep it is in the other. Between
// two walls it ends in the middle. A moving collider whose upper side, or any side if it is a mesh,
// is below the middle of the mover lifts it, however it came there. Before a mover is made taller,
// the caller should check the space above it, by [Space.OverlapShape] of the taller shape.
type Mover struct {
	// Shape is convex: a [geom.Capsule], [geom.Sphere], [geom.Box] or [geom.AABB] by value, or a
	// [*hull.Hull]. It is placed by the Transform of the state. nil means a capsule 1.8 m high and
	// 0.6 m wide that stands on the origin, along the Y axis.
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
	// Unmoved keeps the ground from carrying the mover along.
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
	// GroundVelocity is the velocity of the ground at the mover since its last move, in metres a
	// second, in world space.
	GroundVelocity geom.Vec3
	// GroundCollider is the collider that it stands on; GroundChild and GroundTriangle are the
	// child and the triangle of that, −1 if it has none.
	GroundCollider              ColliderID
	GroundChild, GroundTriangle int32
	// GroundUser is the collider's User.
	GroundUser uint64
	// GroundTransform is the transform of that collider when the mover last moved. The next move
	// carries the mover along with the collider's motion since, unless GroundPoint is further from
	// the mover than its radius, or half its least width: then the caller has put it elsewhere.
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

// Move moves a character for dt seconds with a velocity in metres a second, writes its new place
// and ground to st, and appends the obstacles that it met to hits, in the order of meeting; it
// returns the longer slice. Many goroutines may call it at once while no one changes the space. It
// allocates nothing.
//
// A mover on the ground is first carried along with the ground. Then a velocity that does not lead
// upward makes it walk: the component along Up is ignored, and the mover stays on the ground if
// that drops by no more than SnapDistance. A velocity that leads upward makes it jump, with the
// ground's velocity added. In the air only the velocity counts, so the caller adds gravity:
//
//	v := wish
//	if st.Ground != physics.OnGround {
//		v = st.Velocity.Add(gravity.Mul(dt))
//	} else if jump {
//		v.Y = 5
//	}
//	hits = m.Move(space, &st, v, dt, filter, hits[:0])
//
// The filter selects the obstacles. Sensors are never among them, and Start and Cull are ignored;
// Predicate is called for all colliders that are near, touched or not. If the mover's own collider
// is in the space, exclude it by Exclude, or by layers.
//
// If a number in the mover, the state, velocity or dt is NaN or infinite, dt is not positive, or
// the shape is nowhere, Move changes nothing. Panics if the shape is none of those that Mover
// lists.
func (m *Mover) Move(s *Space, st *MoverState, velocity geom.Vec3, dt float32, f Filter, hits []MoverHit) []MoverHit {
	w := movers.Get().(*walker)
	w.static = &w.own
	w.own.forget()
	hits = w.move(m, s, st, velocity, dt, &f, hits)
	w.release()
	return hits
}

// MoverCache keeps the static colliders around one character, those with [Collider.Static], so that
// most moves need not query the space for them while none of them changes. It changes no result.
// Use one for each character: one that serves several in turn saves less.
//
// The first move allocates 7 KB: buffers for 32 triangles or other convex obstacles, of which up to
// 8 are not triangles. Where there is more around a character, its cache borrows buffers that all
// caches share, of 40 KB and more. Once as many of those exist as are in use at a time, moves
// allocate nothing.
//
// The zero MoverCache is ready for use. It must not be used by two goroutines at once, and must not
// be copied.
type MoverCache struct{ around surroundings }

// Move is [Mover.Move] with a cache. If the filter's Predicate panics, the cache is cleared.
func (c *MoverCache) Move(m *Mover, s *Space, st *MoverState, velocity geom.Vec3, dt float32, f Filter, hits []MoverHit) []MoverHit {
	w := movers.Get().(*walker)
	if c.around.boxes == nil {
		c.around.reserve()
	}
	w.static = &c.around
	whole := false // after a panic, colliders may be missing from the cache
	defer func() {
		if !whole {
			c.Clear()
		}
	}()
	hits = w.move(m, s, st, velocity, dt, &f, hits)
	whole = true
	w.release()
	return hits
}

// Clear empties the cache and releases its memory.
func (c *MoverCache) Clear() { c.around = surroundings{} }

var movers = sync.Pool{New: func() any { return new(walker) }}

// release returns a walker to the pool. Its contacts may still point to a cache, until the garbage
// collector empties the pool.
func (w *walker) release() {
	w.space, w.filter, w.static = nil, Filter{}, nil
	w.own.space = nil
	w.hits = nil
	movers.Put(w)
}

// move is Move with the scratch memory of a walker.
func (w *walker) move(m *Mover, s *Space, st *MoverState, velocity geom.Vec3, dt float32, f *Filter, hits []MoverHit) []MoverHit {
	if !(dt > 0) || !placed.Finite(dt) || !velocity.Mul(dt).IsFinite() || !w.start(m, s, st, f) {
		return hits
	}
	w.hits = hits
	seconds := float64(dt)
	v := velocity.Wide()
	start := w.at
	grounded := st.Ground == OnGround
	var under platform
	if grounded && !m.Unmoved {
		under = w.platform(st, seconds)
	}
	walks := grounded && !(v.Dot(w.up) > 1e-4*v.Len())
	if grounded && !walks {
		v = v.Add(under.velocity)
		under.way = geom.DVec3{}
	}
	motion := v.Mul(seconds)
	w.prepare(motion, under.way)
	if under.way != (geom.DVec3{}) {
		w.carry(&under, st)
	}
	w.pushOut()
	from := w.at
	if walks {
		w.findFloors()
		w.flat = motion.AddMul(-motion.Dot(w.up), w.up)
		w.walk(w.flat)
	} else {
		walks = w.fly(motion)
	}
	stand := w.stand(walks)
	stop := w.at
	if len(w.hits) > len(hits) && w.isHair(stop.Sub(start)) {
		stop = start // a motion of rounding's size is none
	}
	if !stop.Narrow().IsFinite() {
		return hits // the position overflowed float32
	}
	st.Transform.Position = stop.Narrow()
	switch {
	case walks:
		d := stop.Sub(from)
		v = d.AddMul(-d.Dot(w.up), w.up).Mul(1 / seconds)
		if !stand {
			v = v.Add(under.velocity)
		}
	default:
		v = w.clip(v)
		if stand && w.ground.state == OnGround {
			v = v.Sub(under.velocity)
			v = v.AddMul(-v.Dot(w.up), w.up)
		}
	}
	st.Velocity = v.Narrow()
	w.writeGround(st, &under)
	return w.hits
}

// isHair reports whether a way is no longer than the rounding of single precision.
func (w *walker) isHair(v geom.DVec3) bool { return v.Len() <= w.ulp }

// writeGround writes the ground that the mover stands on.
func (w *walker) writeGround(st *MoverState, p *platform) {
	g := &w.ground
	st.Depth = float32(w.deepest())
	if g.state == InAir {
		st.Ground, st.GroundPoint, st.GroundNormal, st.GroundVelocity = InAir, geom.Vec3{}, geom.Vec3{}, geom.Vec3{}
		st.GroundCollider, st.GroundChild, st.GroundTriangle, st.GroundUser = 0, 0, 0, 0
		st.GroundTransform = geom.Transform{}
		return
	}
	r := &w.space.records[g.record]
	st.Ground, st.GroundPoint, st.GroundNormal = g.state, g.point.Narrow(), unsigned(g.normal).Narrow()
	if r.id == p.id {
		st.GroundVelocity = p.velocity.Narrow()
	} else {
		st.GroundVelocity = geom.Vec3{}
	}
	st.GroundCollider, st.GroundChild, st.GroundTriangle, st.GroundUser = r.id, g.child, g.triangle, r.user
	st.GroundTransform = w.space.transform(int(g.record))
}

// start prepares the walker. It returns false if the mover is nowhere or a setting is not finite.
func (w *walker) start(m *Mover, s *Space, st *MoverState, f *Filter) bool {
	option := func(x float32, unset float64) float64 {
		switch {
		case x == 0:
			return unset
		case x < 0:
			return 0
		}
		return float64(x)
	}
	up := m.Up
	if up == (geom.Vec3{}) {
		up = geom.Vec3{Y: 1}
	}
	w.up = up.Wide().Normalize()
	w.at = st.Transform.Position.Wide()
	w.offset = option(m.Offset, DefaultOffset)
	w.stepHeight, w.stepDepth = option(m.StepHeight, DefaultStepHeight), option(m.StepDepth, DefaultStepDepth)
	w.snapDistance = option(m.SnapDistance, DefaultSnapDistance)
	slope := option(m.MaxSlope, DefaultMaxSlope)
	w.leastUp = min(1/math.Sqrt(1+float64(slope*slope)), 0.9999) // with 1, rounding would leave nothing to stand on
	sum := w.offset + w.stepHeight + w.stepDepth + w.snapDistance + w.leastUp
	if sum-sum != 0 || w.up == (geom.DVec3{}) || !st.Transform.IsFinite() {
		return false
	}
	if !w.setShape(m.Shape, &st.Transform) {
		return false
	}
	// Four units in the last place of its position: the rounding of values in single precision.
	w.ulp = 0x1p-22 * (float64(3*w.size) + float64(placed.Largest(st.Transform.Position)))
	w.offset = max(w.offset, 64*w.ulp)
	w.size = max(w.size, w.offset)
	w.slop = w.offset / 16
	w.space, w.filter = s, *f
	w.planes, w.floors = w.planes[:0], w.floors[:0]
	w.contacts = w.contacts[:0]
	w.ground = support{}
	w.flat = geom.DVec3{}
	w.skip = 0
	w.steps = 0
	return true
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
