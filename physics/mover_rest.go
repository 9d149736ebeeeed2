package physics

import (
	"slices"

	"github.com/hitscan-go/hitscan/internal/wire"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A mover at rest makes the same move again and again: one that changes nothing. A cache keeps the
// last such move, and a move with the same numbers, among the same obstacles, is not computed.

// rest is a move that changed nothing and met nothing. Only static colliders were in its reach that
// the filter selects. What [MoverCache.Rests] reads comes last, beside what a caller keeps of the
// mover: thousands at rest wait for memory alone.
type rest struct {
	reach    geom.AABB // all obstacles that the move looked at touch it
	dt       float32
	velocity geom.Vec3
	mover    Mover
	state    MoverState   // after the move
	near     []ColliderID // those that move, and touch reach
	version  uint64       // of the space, at which those were looked for last
	still    uint64       // of the space
	space    *Space       // nil: there is none
}

// rests reports whether a move is the one that was kept, and writes its result.
func (c *MoverCache) rests(m *Mover, s *Space, st *MoverState, velocity geom.Vec3, dt float32, f *Filter) bool {
	r := &c.rest
	if r.space != s || r.dt != dt || !wire.SameBits(&r.velocity, &velocity) || !wire.SameBits(&r.mover, m) {
		return false
	}
	before := *st
	before.Depth = r.state.Depth // which a move only writes
	if !wire.SameBits(&r.state, &before) || !c.Rests(s, f) {
		return false
	}
	st.Depth = r.state.Depth
	return true
}

// Rests reports whether the last move of the mover changed nothing and met nothing, and would do so
// again: with another filter, perhaps, and if the colliders around the mover have changed since. A
// caller that would make the same move may then skip it.
func (c *MoverCache) Rests(s *Space, f *Filter) bool {
	r := &c.rest
	if r.space != s || r.still != s.still {
		return false
	}
	for i := range c.around.owners {
		o := &c.around.owners[i]
		if record := &s.records[o.record]; o.seen != (f.sees(record) && f.accepts(o.id)) {
			return false
		}
	}
	if r.version != s.version || s.blend != nil {
		r.near = r.near[:0]
		s.visitHalf(r.reach, false, func(i uint32) bool {
			if !s.records[i].sensor {
				r.near = append(r.near, s.records[i].id)
			}
			return true
		})
		r.version = s.version
	}
	for _, id := range r.near {
		if slices.Contains(f.Exclude, id) { // as itself is: its record need not be read
			continue
		}
		if f.sees(&s.records[id.index()]) && f.accepts(id) {
			return false
		}
	}
	return true
}

// keep keeps a move of the walker from one state to another that met nothing, if it changed
// nothing.
func (c *MoverCache) keep(w *walker, m *Mover, before, after *MoverState, velocity geom.Vec3, dt float32) {
	r := &c.rest
	r.space = nil
	before.Depth = after.Depth
	if !w.done || w.gatheredMoving || !wire.SameBits(before, after) || !c.around.holds(&w.reached) {
		return
	}
	if after.GroundCollider != 0 {
		if ground := w.space.lookup(after.GroundCollider); ground == nil || !ground.static {
			return
		}
	}
	*r = rest{
		space: w.space, still: w.space.still, mover: *m, state: *after, velocity: velocity, dt: dt, reach: w.reached, near: r.near,
	}
}
