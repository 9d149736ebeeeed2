package wide

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// No hit is lost, and the order of a walk and the shape of the tree never show in an answer. Both rest on three things:
//
//   - Boxes are widened by more than all that rounding can do in the triangle test (after Woop, Benthin and Wald 2013,
//     section 4, and Ize 2013). That test shears each corner into the space of the ray with an error of a few units in the
//     last place of its distance to the ray's origin; so the widening is slack times the largest such distance.
//   - The interval of T in which the ray crosses a box is computed by subtractions and multiplications by one factor, which
//     rounding leaves monotone: the interval of a box holds the intervals of all boxes within it, exactly.
//   - A hit counts only where the ray crosses the triangle's own box, and its T is moved into that interval. It lies there
//     already unless the triangle, seen along the ray, is thinner than float32 can tell: then T is noise, and this bounds it.
//
// So T is always in the intervals of all boxes above the triangle, and a box is passed over only if its interval starts
// after the best hit; at the best hit itself a lower triangle index may still wait.

// slack is the widening of boxes, in parts of the largest distance: sixteen roundings. The triangle test needs nine.
const slack = 16.0 / (1 << 24)

// Ray is a ray made ready for one tree: for its boxes, and, as in geom.TriangleCaster, for its triangles. The assembly knows
// its layout.
type Ray struct {
	// Along each axis the near side of a box is taken from one origin and the far side from another, apart by the widening;
	// the differences are multiplied by −1/direction, which is finite and not zero.
	near, far, inverse [3]float32
	// The origin with its axes rotated so that the one along which the ray goes fastest comes last, and the shear that
	// makes the ray run along that axis.
	origin     [3]float32
	sx, sy, dz float32
	low, high  int32 // the bits of the range of T that is wanted
	// Which hits are wanted by the sign of their determinant: wanted = positive & turn ^ flip, in each of eight bits.
	turn, flip uint32
	// The place in node.box of the side of a box that is near along each axis; the far one is next to it.
	side [3]uint32
	// The rotation: which axis comes first, second and last.
	axis [3]uint32

	all bool // the inverse overflows, so that no box says anything
}

// Init prepares a ray for a tree with the given bounds; false if it can hit nothing.
func (q *Ray) Init(r geom.Ray, cull geom.Cull, bounds geom.AABB) bool {
	if !r.IsValid() || bounds.IsEmpty() {
		return false
	}
	low, high := r.Range()
	q.low, q.high = bitsOf(low), bitsOf(min(high, math.MaxFloat32)) // a T that overflows names no point
	o, d := r.Origin, r.Dir

	reach := bounds.Min.Sub(o).Abs().Max(bounds.Max.Sub(o).Abs())
	pad := max(max(reach.X, reach.Y, reach.Z)*slack, 0x1p-126)
	// A direction that is nearly parallel to a slab is bent by a billionth of its length, far less than the widening, so that
	// there is neither an infinite inverse nor 0·∞ for a ray that lies in a face.
	long := d.Abs()
	longest := max(long.X, long.Y, long.Z)
	least := longest * 1e-9
	if q.all = least < 4e-39; q.all {
		// The inverse overflows, so this ray, of a length below 4e-30, has to ask every triangle.
		least, pad = 4e-39, inf32
	}
	q.slab(0, o.X, d.X, pad, least)
	q.slab(1, o.Y, d.Y, pad, least)
	q.slab(2, o.Z, d.Z, pad, least)

	switch longest {
	case long.X:
		q.axis = [3]uint32{1, 2, 0}
		q.origin = [3]float32{o.Y, o.Z, o.X}
		q.sx, q.sy, q.dz = d.Y/d.X, d.Z/d.X, d.X
	case long.Y:
		q.axis = [3]uint32{2, 0, 1}
		q.origin = [3]float32{o.Z, o.X, o.Y}
		q.sx, q.sy, q.dz = d.Z/d.Y, d.X/d.Y, d.Y
	default:
		q.axis = [3]uint32{0, 1, 2}
		q.origin = [3]float32{o.X, o.Y, o.Z}
		q.sx, q.sy, q.dz = d.X/d.Z, d.Y/d.Z, d.Z
	}
	// A hit has the back face before it if its determinant and dz differ in sign.
	switch {
	case cull != geom.CullBack && cull != geom.CullFront:
		q.turn, q.flip = 0, 0xff
	case (cull == geom.CullBack) == (q.dz > 0):
		q.turn, q.flip = 0xff, 0
	default:
		q.turn, q.flip = 0xff, 0xff
	}
	return true
}

func (q *Ray) slab(axis int, origin, dir, pad, least float32) {
	origin += 0 // turns −0 into 0, so that no difference with it is −0
	above, below := origin+pad, origin-pad
	// Far from zero the padding may be lost in rounding; the next number will do, as no coordinate lies between.
	if above-origin < pad {
		above = math.Nextafter32(above, inf32)
	}
	if origin-below < pad {
		below = math.Nextafter32(below, -inf32)
	}
	if -least < dir && dir < least {
		dir = float32(math.Copysign(float64(least), float64(dir)))
	}
	q.near[axis], q.far[axis], q.side[axis] = above, below, uint32(2*axis)
	if dir < 0 {
		q.near[axis], q.far[axis], q.side[axis] = below, above, uint32(2*axis+1)
	}
	q.inverse[axis] = -1 / dir
}

// interval returns from which T to which the ray crosses a box, given by its near and far sides, no less than low and no more
// than high; from > to if it doesn't.
//
// Everything is the bits of a float32 as an integer. These order like the numbers where none is negative, as low is not,
// and where one is negative it loses against low or makes the interval empty; so there is no branch, and nothing can be
// NaN: a coordinate and an origin may be so far apart that it overflows, but the inverse is finite and not zero.
func (q *Ray) interval(nearX, farX, nearY, farY, nearZ, farZ float32, low, high int32) (from, to int32) {
	from = max(low,
		bitsOf((q.near[0]-nearX)*q.inverse[0]),
		bitsOf((q.near[1]-nearY)*q.inverse[1]),
		bitsOf((q.near[2]-nearZ)*q.inverse[2]))
	to = min(high,
		bitsOf((q.far[0]-farX)*q.inverse[0]),
		bitsOf((q.far[1]-farY)*q.inverse[1]),
		bitsOf((q.far[2]-farZ)*q.inverse[2]))
	return from, to
}

// own returns from which T to which the ray crosses the own box of a triangle.
func (q *Ray) own(a, b, c geom.Vec3) (from, to int32) {
	lo, hi := a.Min(b).Min(c), a.Max(b).Max(c)
	if q.side[0]&1 != 0 {
		lo.X, hi.X = hi.X, lo.X
	}
	if q.side[1]&1 != 0 {
		lo.Y, hi.Y = hi.Y, lo.Y
	}
	if q.side[2]&1 != 0 {
		lo.Z, hi.Z = hi.Z, lo.Z
	}
	return q.interval(lo.X, hi.X, lo.Y, hi.Y, lo.Z, hi.Z, 0, infBits)
}

func bitsOf(x float32) int32 { return int32(math.Float32bits(x)) }

const infBits = 0x7f800000

// Impact is a hit in the form in which hits are compared.
type Impact struct {
	T, U, V  float32
	Triangle int32
	BackFace bool
}

// Before reports whether a hit comes before another: by T and then by triangle.
func (h *Impact) Before(o *Impact) bool {
	return h.T < o.T || h.T == o.T && h.Triangle < o.Triangle
}

// Cast returns where a ray, which q was made from, hits one triangle, with no regard to its range: what a walk over any tree
// says of it. It is built on geom's own test and serves to check the walks.
func (q *Ray) Cast(r geom.Ray, cull geom.Cull, triangle geom.Triangle, index int32) (Impact, bool) {
	r.MinT = 0
	k := geom.NewTriangleCaster(r)
	t, u, v, back, ok := k.Cast(triangle.A, triangle.B, triangle.C, inf32, cull)
	if !ok {
		return Impact{}, false
	}
	from, to := q.own(triangle.A, triangle.B, triangle.C)
	at := min(max(bitsOf(t), from), to)
	return Impact{math.Float32frombits(uint32(at)), u, v, index, back}, from <= to
}

// Range returns the T between which hits are wanted.
func (q *Ray) Range() (low, high float32) {
	return math.Float32frombits(uint32(q.low)), math.Float32frombits(uint32(q.high))
}
