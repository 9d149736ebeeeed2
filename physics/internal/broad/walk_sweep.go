package broad

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Sweep is a box on a straight way: the bounds of a shape that moves and does not turn.
type Sweep struct {
	Low, High  geom.Vec3 // where the box is while T is 0
	Dir        geom.Vec3 // the way that it has gone when T is 1; not zero
	MinT, MaxT float32   // the range of T; MaxT may be +Inf, and 0 is no more than 0
}

// touch is how near, in parts of the farthest distance, a thing may be to another and still be
// taken for touching it, by a test in double precision that is told far from exactly where it is
// round.
const touch = 0x1p-28

// StartSweep begins a walk through the boxes that one on its way touches; false if there is none.
// Next and SetEnd are as for a ray: of the way of a point, at boxes that are grown by what moves.
// If the order does not matter, unordered makes it a little faster, as StartAny is. No box is lost
// within which something is touched, however the exact test rounds.
func (w *Walk) StartSweep(p *Phase, s *Sweep, unordered bool) bool {
	w.unordered = unordered
	bounds, ok := w.begin(p)
	if !ok || !w.prepareSweep(&bounds, s) {
		w.Stop()
		return false
	}
	w.ready()
	return true
}

// prepareSweep is prepare for a box that moves. What is added to the widening of boxes is what a
// test may call touching. That depends on the sizes of both, and those of all that is there are in
// its bounds.
func (q *ray) prepareSweep(bounds *geom.AABB, s *Sweep) bool {
	lo, hi, d := s.Low, s.High, s.Dir
	longest := max(magnitude(d.X), magnitude(d.Y), magnitude(d.Z))
	away := max(magnitude(lo.X), magnitude(lo.Y), magnitude(lo.Z), magnitude(hi.X), magnitude(hi.Y), magnitude(hi.Z))
	high := min(s.MaxT, math.MaxFloat32)
	if max(away, longest) >= infBits || longest == 0 || !(s.MinT >= 0 && s.MinT <= high) {
		return false
	}
	q.low, q.high = asInt(s.MinT+0), asInt(high+0)
	reach := max(
		magnitude(hi.X-bounds.Min.X), magnitude(bounds.Max.X-lo.X),
		magnitude(hi.Y-bounds.Min.Y), magnitude(bounds.Max.Y-lo.Y),
		magnitude(hi.Z-bounds.Min.Z), magnitude(bounds.Max.Z-lo.Z),
		asInt(hi.X-lo.X), asInt(hi.Y-lo.Y), asInt(hi.Z-lo.Z))
	long := asFloat(longest)
	travel := asInt(2 * long * high) // more than the length; it may overflow
	pad := asFloat(max(asInt(asFloat(min(reach, travel))*slack), asInt(long*0x1p-110), asInt(0x1p-126)))
	pad += float32(asFloat(away)*0x1p-23) + float32(asFloat(reach)*touch)
	least := long * 1e-9
	q.grownSlab(0, lo.X, hi.X, d.X, pad, least)
	q.grownSlab(1, lo.Y, hi.Y, d.Y, pad, least)
	q.grownSlab(2, lo.Z, hi.Z, d.Z, pad, least)
	q.all = least < leastInverted || max(reach, away) >= farBits
	return true
}

// grownSlab is slab for what reaches from lo to hi: it comes to a box by the side that goes ahead,
// and leaves it by the other one.
func (q *ray) grownSlab(axis int, lo, hi, dir, pad, least float32) {
	sign := asInt(dir) & math.MinInt32
	lo, hi = lo-pad, hi+pad
	q.near[axis], q.far[axis] = hi+0, lo+0
	if sign != 0 {
		q.near[axis], q.far[axis] = lo+0, hi+0
	}
	q.side[axis] = row * (uint32(2*axis) + uint32(sign)>>31)
	q.inverse[axis] = -1 / asFloat(max(magnitude(dir), asInt(least))|sign)
}
