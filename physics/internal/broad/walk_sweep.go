package broad

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Sweep is a box that moves along a straight path: the bounds of a shape that is cast.
type Sweep struct {
	Low, High  geom.Vec3 // the box at T = 0
	Dir        geom.Vec3 // its motion from T = 0 to 1; not zero
	MinT, MaxT float32   // the range of T; MaxT may be +Inf, and 0 means 0
}

// StartSweep begins a traversal of the boxes that a moving box touches; false if the sweep is
// invalid or there is no box. It is the traversal of a ray through boxes that are grown by the
// moving one (Minkowski sum); Next and SetEnd are as for a ray, and so is unordered. Boxes
// are widened such that no shape is lost that an exact test may report as touched.
func (w *Walk) StartSweep(p *Phase, s *Sweep, unordered bool) bool {
	w.unordered = unordered
	if !w.begin(p) || !w.prepareSweep(&p.bounds, s) {
		w.Stop()
		return false
	}
	w.ready()
	return true
}

// prepareSweep is prepare for a moving box. The widening has sweepTouch times the reach in
// addition, which is at least the size of the moving box and the distance to the bounds of all
// others.
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
	travel := asInt(2 * long * high) // at least the length; may overflow to +Inf
	pad := asFloat(max(asInt(asFloat(min(reach, travel))*slack), asInt(long*0x1p-110), asInt(0x1p-126)))
	pad += float32(asFloat(away)*originRounding) + float32(asFloat(reach)*sweepTouch)
	least := long * leastSlope
	q.grownSlab(0, lo.X, hi.X, d.X, pad, least)
	q.grownSlab(1, lo.Y, hi.Y, d.Y, pad, least)
	q.grownSlab(2, lo.Z, hi.Z, d.Z, pad, least)
	q.all = least < leastInverted || max(reach, away) >= farBits
	return true
}

// grownSlab is slab for a box from lo to hi: it enters by its leading side and exits by its
// trailing side.
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
