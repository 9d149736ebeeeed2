package broad

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// No box that a ray touches is lost, nor one that it passes by so closely that the rounding of an
// exact test may take it for touched. Such a test takes the ray into the space of a shape in single
// precision. Boxes are therefore widened by slack times how far the ray's origin is from what it
// may meet.

// slack is the widening in parts of that distance: twenty-four roundings. Sixteen are for exact
// tests and for a T that is rounded, so that of boxes at one T none is passed over for another;
// three happen here.
const slack = 24.0 / (1 << 24)

// ray is a ray made ready for boxes in certain bounds. The assembly knows its layout.
//
// The interval of T in which it crosses a box is that of Ize (2013), by subtractions and
// multiplications by one factor. All is done on the bits of a float32 as an integer. These order
// like the numbers where none is negative, as low is not, and one that is negative loses against
// low or makes the interval empty; so there is no branch, and nothing can be NaN.
type ray struct {
	// Along each axis the near side of a box is taken from one origin and the far side from
	// another, apart by the widening; the differences are multiplied by −1/direction, which is
	// finite and not zero.
	near, far, inverse [3]float32
	low, high          int32 // the bits of the range of T that is wanted
	// The place in node.box of the side of a box that is near along each axis, times row; the far
	// one is next to it.
	side [3]uint32

	all bool // no box says anything, as the inverse or a distance overflows: the ray crosses them all
}

const (
	infBits       = 0x7f800000
	leastInverted = 4e-39      // a number whose inverse doesn't overflow
	farBits       = 0x7e967699 // the bits of 1e38, from where on distances may overflow
)

// prepare makes a ray ready; false if it can hit nothing. Most of it is said without branches, as
// it takes a good part of a short cast: the bits of numbers that are not negative order like these.
func (q *ray) prepare(bounds *geom.AABB, r *geom.Ray) bool {
	o, d := r.Origin, r.Dir
	longest := max(magnitude(d.X), magnitude(d.Y), magnitude(d.Z))
	away := max(magnitude(o.X), magnitude(o.Y), magnitude(o.Z))
	low, high := r.Range()
	high = min(high, math.MaxFloat32) // a T that overflows names no point
	if max(away, longest) >= infBits || longest == 0 || !(low <= high) {
		return false
	}
	q.low, q.high = asInt(low), asInt(high)

	lo, hi := bounds.Min, bounds.Max
	reach := max(
		magnitude(o.X-lo.X), magnitude(hi.X-o.X),
		magnitude(o.Y-lo.Y), magnitude(hi.Y-o.Y),
		magnitude(o.Z-lo.Z), magnitude(hi.Z-o.Z))
	long := asFloat(longest)
	travel := asInt(2 * long * high) // more than the length; it may overflow
	// A T has an absolute error too where it is next to nothing, as it is along a direction that is
	// immense. Then there is the rounding of the origin itself, where it is moved.
	pad := asFloat(max(asInt(asFloat(min(reach, travel))*slack), asInt(long*0x1p-110), asInt(0x1p-126)))
	pad += float32(asFloat(away) * 0x1p-23)
	// A direction that is nearly parallel to a slab is bent by a billionth of its length, far less
	// than the widening, so that there is neither an infinite inverse nor 0·∞ for a ray that lies
	// in a face.
	least := long * 1e-9
	q.slab(0, o.X, d.X, pad, least)
	q.slab(1, o.Y, d.Y, pad, least)
	q.slab(2, o.Z, d.Z, pad, least)
	q.all = least < leastInverted || max(reach, away) >= farBits
	return true
}

// slab prepares the two sides of boxes that are perpendicular to an axis.
func (q *ray) slab(axis int, origin, dir, pad, least float32) {
	sign := asInt(dir) & math.MinInt32
	pad = asFloat(asInt(pad) | sign)
	q.near[axis], q.far[axis] = origin+pad, origin-pad // neither is −0
	q.side[axis] = row * (uint32(2*axis) + uint32(sign)>>31)
	q.inverse[axis] = -1 / asFloat(max(magnitude(dir), asInt(least))|sign)
}

func magnitude(x float32) int32 { return asInt(x) & math.MaxInt32 }

func asFloat(bits int32) float32 { return math.Float32frombits(uint32(bits)) }
