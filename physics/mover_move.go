package physics

import (
	"math"
	"sync"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// Move moves a character for dt seconds with a velocity in metres a second, writes to st where it
// comes and what it stands on, and appends to hits what stood in its way, in the order in which it
// was met; it returns the longer slice. It is safe to call from many goroutines at once, while
// nobody changes the space, and allocates nothing.
//
// While the mover is on the ground it is carried along with that first. Then a velocity that does
// not lead upward makes it walk: its part along Up counts for nothing, and the mover stays on the
// ground where that goes down by no more than SnapDistance. A velocity that leads upward makes it
// jump, with the ground's velocity added. In the air the velocity is all that counts, so that the
// caller adds gravity:
//
//	v := wish
//	if st.Ground != physics.OnGround {
//		v = st.Velocity.Add(gravity.Mul(dt))
//	} else if jump {
//		v.Y = 5
//	}
//	hits = m.Move(space, &st, v, dt, filter, hits[:0])
//
// The filter says what is in the way. Sensors never are, and Inside and Cull are not heeded;
// Predicate is asked of all that is near, touched or not. A mover whose own collider is in the
// space leaves it out by Exclude, or by layers.
//
// If a number in the mover, the state, velocity or dt is NaN or infinite, dt is not positive, or
// the shape is nowhere, nothing happens. Panics if the shape is none of those that Mover lists.
func (m *Mover) Move(s *Space, st *MoverState, velocity geom.Vec3, dt float32, f Filter, hits []MoverHit) []MoverHit {
	w := movers.Get().(*walker)
	w.static = &w.own
	w.own.forget()
	hits = w.move(m, s, st, velocity, dt, &f, hits)
	w.release()
	return hits
}

// MoverCache remembers what static colliders are around one character, those with
// [Collider.Static], so that as long as none of the space changes most moves need not look for
// them. It changes no result. Use one for each character: one that serves several in turn only
// helps less.
//
// The first move makes room for 32 triangles, in place of which there may be up to 8 solids, in 7
// KB. Where there is more around a character, its cache borrows lists that all caches share, of 40
// KB and more. So once as many of those are made as are in use at a time, moves allocate nothing.
//
// The zero MoverCache is ready. It must not be used by two goroutines at once, and must not be
// copied.
type MoverCache struct{ around surroundings }

// Move is [Mover.Move] with a cache. If the filter's Predicate panics, the cache is cleared.
func (c *MoverCache) Move(m *Mover, s *Space, st *MoverState, velocity geom.Vec3, dt float32, f Filter, hits []MoverHit) []MoverHit {
	w := movers.Get().(*walker)
	if c.around.boxes == nil {
		c.around.reserve()
	}
	w.static = &c.around
	whole := false // otherwise colliders that are near may be missing
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

// Clear forgets all and lets go of the memory.
func (c *MoverCache) Clear() { c.around = surroundings{} }

var movers = sync.Pool{New: func() any { return new(walker) }}

// release puts a walker back. Contacts may still point to a cache; the pool lets go of them in
// time.
func (w *walker) release() {
	w.space, w.filter, w.static = nil, Filter{}, nil
	w.own.space = nil
	w.hits = nil
	movers.Put(w)
}

// move is Move, with all that is needed at hand.
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
	w.look(motion, under.way)
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
		stop = start // a hair's breadth of rounding to and fro is no motion
	}
	if !stop.Narrow().IsFinite() {
		return hits // beyond where numbers end
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
	w.tell(st, &under)
	return w.hits
}

// tell writes what the mover stands on.
func (w *walker) tell(st *MoverState, p *platform) {
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

// start makes the walker ready; false if the mover is nowhere.
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
	w.leastUp = min(1/math.Sqrt(1+float64(slope*slope)), 0.9999) // rounding must leave something to stand on
	sum := w.offset + w.stepHeight + w.stepDepth + w.snapDistance + w.leastUp
	if sum-sum != 0 || w.up == (geom.DVec3{}) || !st.Transform.IsFinite() {
		return false
	}
	if !w.setShape(m.Shape, &st.Transform) {
		return false
	}
	// A unit in the last place of where it is, some of which what is narrowed to single precision
	// may be off.
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
