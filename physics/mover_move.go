package physics

import (
	"math"
	"sync"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

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
// most moves need not query the space for them while none of them changes. A mover at rest on
// those, or in the air, costs next to nothing. A cache changes no result. Use one for each
// character: one that serves several in turn saves less.
//
// The first move allocates 7 KB: buffers for 32 convex obstacles, up to 8 of which are not
// triangles. Where there is more around a character, its cache borrows buffers that all caches
// share, of 40 KB and more. Once as many of those exist as are in use at a time, moves allocate
// nothing.
//
// The zero MoverCache is ready for use. It must not be used by two goroutines at once, and must not
// be copied.
type MoverCache struct {
	around surroundings
	rest   rest
}

// Move is [Mover.Move] with a cache. If the filter's Predicate panics, the cache is cleared.
func (c *MoverCache) Move(m *Mover, s *Space, st *MoverState, velocity geom.Vec3, dt float32, f Filter, hits []MoverHit) []MoverHit {
	if c.rests(m, s, st, velocity, dt, &f) {
		return hits
	}
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
	before, met := *st, len(hits)
	hits = w.move(m, s, st, velocity, dt, &f, hits)
	if whole = true; len(hits) == met {
		c.keep(w, m, &before, st, velocity, dt)
	}
	w.release()
	return hits
}

// Clear empties the cache and releases its memory.
func (c *MoverCache) Clear() { c.around, c.rest = surroundings{}, rest{} }

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
	w.done = false
	if !(dt > 0) || !placed.Finite(dt) || !velocity.Mul(dt).IsFinite() || !w.start(m, s, st, f) {
		return hits
	}
	w.hits = hits
	seconds := float64(dt)
	if s.planar {
		velocity.Z = 0
	}
	v := velocity.Wide()
	start := w.at
	grounded := st.Ground == OnGround
	var under platform
	if grounded && !m.Unmoved {
		under = w.platform(st, seconds)
	}
	walks := grounded && !(v.Dot(w.up) > 1e-4*v.Len())
	motion := v.Mul(seconds)
	if grounded && !walks {
		v = v.Add(under.velocity) // by which the ground carries it in this move
	}
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
	stand := w.stayOnGround(walks)
	stop := w.at
	if len(w.hits) > len(hits) && w.isNegligible(stop.Sub(start)) {
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
	w.done = true
	return w.hits
}

// writeGround writes the ground that the mover stands on.
func (w *walker) writeGround(st *MoverState, p *platform) {
	g := &w.ground
	st.Depth = float32(w.deepest())
	if g.state == InAir {
		st.Ground, st.GroundPoint, st.GroundNormal, st.GroundVelocity = InAir, geom.Vec3{}, geom.Vec3{}, geom.Vec3{}
		st.GroundCollider, st.GroundChild, st.GroundTriangle, st.GroundUser = 0, 0, 0, 0
		st.GroundTransform, st.SurfaceVelocity = geom.Transform{}, geom.Vec3{}
		return
	}
	r := &w.space.records[g.record]
	st.Ground, st.GroundPoint, st.GroundNormal = g.state, g.point.Narrow(), unsigned(g.normal).Narrow()
	if st.GroundVelocity = p.velocity.Narrow(); r.id != p.id {
		st.GroundVelocity, st.SurfaceVelocity = geom.Vec3{}, geom.Vec3{}
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
	s.lay(&st.Transform)
	w.at = st.Transform.Position.Wide()
	w.offset = option(m.Offset, DefaultOffset)
	w.stepHeight, w.stepDepth = option(m.StepHeight, DefaultStepHeight), option(m.StepDepth, DefaultStepDepth)
	w.snapDistance = option(m.SnapDistance, DefaultSnapDistance)
	slope := option(m.MaxSlope, DefaultMaxSlope)
	// With 1, rounding leaves no ground.
	w.leastUp = min(1/math.Sqrt(1+float64(slope*slope)), 0.9999)
	sum := w.offset + w.stepHeight + w.stepDepth + w.snapDistance + w.leastUp
	if sum-sum != 0 || w.up == (geom.DVec3{}) || !st.Transform.IsFinite() || !st.SurfaceVelocity.IsFinite() {
		return false
	}
	if !w.setShape(m.Shape, &st.Transform, s.planar) {
		return false
	}
	// Four units in the last place of its position: the rounding of values in single precision.
	w.ulp = 0x1p-22 * (float64(3*w.size) + float64(placed.Largest(st.Transform.Position)))
	w.offset = max(w.offset, 64*w.ulp)
	w.size = max(w.size, w.offset)
	w.slop = w.offset / 16
	w.space, w.filter = s, *f
	w.began, w.oneWay, w.stoodOn = w.at, m.OneWay, st.GroundCollider
	r := s.lookup(st.GroundCollider)
	w.firm = r != nil && s.transform(r.id.index()) == st.GroundTransform
	w.planes, w.floors = w.planes[:0], w.floors[:0]
	w.contacts = w.contacts[:0]
	w.ground = support{}
	w.flat = geom.DVec3{}
	w.skip = 0
	w.reached, w.gatheredMoving = geom.EmptyAABB(), false
	return true
}
