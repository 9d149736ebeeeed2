package broad

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// No box that a ray touches may be lost, nor one that it misses by so little that the rounding of
// an exact test may report a hit. So boxes are widened by slack times the distance from the ray's
// origin to what it may meet.

// ray is a ray prepared for the slab test with boxes within some bounds. The assembly depends on
// its layout.
//
// The slab test is that of Ize (2013), with subtractions and multiplications by one factor. Minima
// and maxima are taken of the bits of float32 as integers, which order like the floats where none
// is negative. low is not, so a negative bound of entry loses against it, and a negative bound of
// exit makes the interval empty. So there is no branch, and no value is NaN.
type ray struct {
	// Along each axis the near side of a box is subtracted from near and the far side from far,
	// which are the origin moved by the widening to either side; the differences are multiplied by
	// inverse, −1/direction, which is finite and not zero.
	near, far, inverse [3]float32
	low, high          int32 // the bits of the range of T
	// The byte offset in node.box of the near side along each axis; the far side is at the offset ^
	// row.
	side [3]uint32

	all bool // the inverse or a distance would overflow: every box counts as crossed
}

const (
	infBits       = 0x7f800000
	leastInverted = 4e-39      // a number whose inverse doesn't overflow
	farBits       = 0x7e967699 // the bits of 1e38, from where on distances may overflow
)

// prepare prepares a ray for boxes within bounds; false if it is invalid. It has few branches,
// since it is a good part of a short cast.
func (q *ray) prepare(bounds *geom.AABB, r *geom.Ray) bool {
	low, high := r.Range()
	high = min(high, math.MaxFloat32) // a greater T is not a point
	if !(low <= high) {
		return false
	}
	q.low, q.high = asInt(low), asInt(high)
	if useSIMD {
		return prepareSIMD(q, bounds, r)
	}
	return q.prepareGo(bounds, r)
}

// prepareGo is the specification of prepareSIMD.
func (q *ray) prepareGo(bounds *geom.AABB, r *geom.Ray) bool {
	o, d, high := r.Origin, r.Dir, asFloat(q.high)
	longest := max(magnitude(d.X), magnitude(d.Y), magnitude(d.Z))
	away := max(magnitude(o.X), magnitude(o.Y), magnitude(o.Z))
	if max(away, longest) >= infBits || longest == 0 {
		return false
	}
	lo, hi := bounds.Min, bounds.Max
	reach := max(
		magnitude(o.X-lo.X), magnitude(hi.X-o.X),
		magnitude(o.Y-lo.Y), magnitude(hi.Y-o.Y),
		magnitude(o.Z-lo.Z), magnitude(hi.Z-o.Z))
	long := asFloat(longest)
	travel := asInt(2 * long * high) // at least the length; may overflow to +Inf
	// The floors exceed the rounding errors of numbers near the least float32, which are absolute:
	// of a T, times the length of the direction, and of a distance. originRounding is for the sum
	// of origin and pad.
	pad := asFloat(max(asInt(asFloat(min(reach, travel))*slack), asInt(long*0x1p-110), asInt(0x1p-126)))
	pad += float32(asFloat(away) * originRounding)
	// A direction nearly parallel to a slab is turned by leastSlope, so that no inverse is infinite
	// and 0·∞ does not occur for a ray in a face.
	least := long * leastSlope
	q.slab(0, o.X, d.X, pad, least)
	q.slab(1, o.Y, d.Y, pad, least)
	q.slab(2, o.Z, d.Z, pad, least)
	q.all = least < leastInverted || max(reach, away) >= farBits
	return true
}

// slab prepares the ray along one axis.
func (q *ray) slab(axis int, origin, dir, pad, least float32) {
	sign := asInt(dir) & math.MinInt32
	pad = asFloat(asInt(pad) | sign)
	q.near[axis], q.far[axis] = origin+pad, origin-pad // neither is −0
	q.side[axis] = row * (uint32(2*axis) + uint32(sign)>>31)
	q.inverse[axis] = -1 / asFloat(max(magnitude(dir), asInt(least))|sign)
}

func magnitude(x float32) int32 { return asInt(x) & math.MaxInt32 }

func asFloat(bits int32) float32 { return math.Float32frombits(uint32(bits)) }
