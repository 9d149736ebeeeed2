package wide

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// No hit is lost, and neither the order of traversal nor the shape of the tree shows in an answer.
// Both rest on three facts:
//
//   - Boxes are widened by more than all that rounding can do in the triangle test (after Woop,
//     Benthin and Wald 2013, section 4, and Ize 2013). That test shears each corner into the space
//     of the ray with an error of a few units in the last place of its distance to the ray's
//     origin; so the widening is slack times the largest such distance.
//   - The interval of T in which the ray crosses a box is computed by subtractions and
//     multiplications by one factor, which rounding leaves monotone: the interval of a box holds
//     the intervals of all boxes within it, exactly.
//   - A hit counts only where the ray crosses the triangle's own box, and its T is clamped to that
//     interval. It lies there already unless the triangle, seen along the ray, is thinner than
//     float32 resolves: then T is noise, and this bounds it.
//
// So T is always in the intervals of all boxes above the triangle, and a box is skipped only if its
// interval starts after the best hit; a box that starts exactly there may still hold a lower
// triangle index.

// slack is the widening of boxes, as a fraction of the largest distance: sixteen roundings of 2⁻²⁴.
// The triangle test needs nine; with fewer, hits are lost.
const slack = 16.0 / (1 << 24)

// Ray is a ray prepared for one tree: for its boxes and, as in geom.TriangleCaster, for its
// triangles. The assembly depends on its layout.
type Ray struct {
	// Along each axis the near side of a box is measured from one origin and the far side from
	// another, apart by the widening; the differences are multiplied by −1/direction, which is
	// finite and not zero.
	near, far, inverse [3]float32
	// The origin with its axes rotated so that the one along which the ray goes fastest comes last,
	// and the shear that makes the ray run along that axis.
	origin     [3]float32
	sx, sy, dz float32
	low, high  int32 // the bits of the range of T in which hits count
	// Culling by the sign of the determinant: wanted = positive & turn ^ flip, in each of eight
	// bits.
	turn, flip uint32
	// The byte offset in node.box of the near side of a box along each axis, index times row; the
	// far side is next to it.
	side [3]uint32
	// The rotation: which axis comes first, second and last, index times row.
	axis [3]uint32

	all bool // the inverse overflows: every box counts as crossed
}

// row is the length in bytes of one row of a node or leaf: eight float32.
const row = 4 * width

// Ray prepares a ray; false if it can hit nothing.
func (t *Tree) Ray(r geom.Ray, cull geom.Cull) (q Ray, ok bool) {
	ok = q.prepare(t, &r, cull)
	return q, ok
}

func (w *walk) prepare(t *Tree, r *geom.Ray, cull geom.Cull) bool {
	w.tree = t
	return w.Ray.prepare(t, r, cull)
}

// prepare prepares a ray for a tree; it returns false if the ray can hit nothing. It does what geom
// does with fewer branches, as it is a good part of the time of a short cast: the bits of numbers
// that are not negative order like the numbers.
func (q *Ray) prepare(t *Tree, r *geom.Ray, cull geom.Cull) bool {
	o, d := r.Origin, r.Dir
	dx, dy, dz := magnitude(d.X), magnitude(d.Y), magnitude(d.Z)
	longest := max(dx, dy, dz)
	low, high := limits(r)
	far := max(magnitude(o.X), magnitude(o.Y), magnitude(o.Z))
	if max(far, longest) >= infBits || longest == 0 || !(low <= high) || t.IsEmpty() {
		return false
	}
	q.low, q.high = bitsOf(low), bitsOf(high)

	reach := max(bitsOf(abs(o.X-t.center.X)+t.half.X), bitsOf(abs(o.Y-t.center.Y)+t.half.Y), bitsOf(abs(o.Z-t.center.Z)+t.half.Z))
	pad := math.Float32frombits(uint32(max(bitsOf(math.Float32frombits(uint32(reach))*slack), bitsOf(0x1p-126))))
	// A direction nearly parallel to a slab is bent by 10⁻⁹ of its length, far less than the
	// widening. So there is neither an infinite inverse nor 0·∞ for a ray that lies in a face.
	least := math.Float32frombits(uint32(longest)) * 1e-9
	q.slab(0, o.X, d.X, pad, least)
	q.slab(1, o.Y, d.Y, pad, least)
	q.slab(2, o.Z, d.Z, pad, least)
	if q.all = least < leastInverted || max(reach, far) >= farBits; q.all {
		q.crossAll(d)
	}

	last := uint32(0)
	if dy > dx {
		last = 1
	}
	if dz > max(dx, dy) {
		last = 2
	}
	first := uint32(0x021) >> (4 * last) & 15 // the axis after
	second := 3 - last - first
	// Element by element: copying the whole array would stall on store forwarding.
	q.axis[0], q.axis[1], q.axis[2] = row*first, row*second, row*last
	var origin, dir [4]float32
	origin[0], origin[1], origin[2] = o.X, o.Y, o.Z
	dir[0], dir[1], dir[2] = d.X, d.Y, d.Z
	q.origin[0], q.origin[1], q.origin[2] = origin[first&3], origin[second&3], origin[last&3]
	q.dz = dir[last&3]
	q.sx, q.sy = dir[first&3]/q.dz, dir[second&3]/q.dz
	q.turn, q.flip = facing(cull)
	if q.dz < 0 {
		q.flip ^= q.turn
	}
	return true
}

// limits returns the range of T in which hits count; it is empty if a limit is NaN.
func limits(r *geom.Ray) (low, high float32) {
	low, high = r.MinT, r.MaxT
	if low <= 0 {
		low = 0
	}
	if high == 0 || high > math.MaxFloat32 {
		high = math.MaxFloat32 // at a T that overflows there is no point
	}
	return low, high
}

// facing returns turn and flip for a ray that runs upward along its fastest axis, for which a
// positive determinant is a front face. For a ray that runs downward it is a back face, and the
// caller adds turn to flip.
func facing(cull geom.Cull) (turn, flip uint32) {
	switch cull {
	case geom.CullBack:
		return 0xff, 0
	case geom.CullFront:
		return 0xff, 0xff
	}
	return 0, 0xff
}

const (
	leastInverted = 4e-39      // no smaller number has a finite inverse in float32
	farBits       = 0x7e967699 // the bits of 1e38, above which distances may overflow
)

// slab prepares the two sides of boxes perpendicular to an axis. The origins are rounded outward.
func (q *Ray) slab(axis int, origin, dir, pad, least float32) {
	// The lower origin is rounded with its sign flipped, so that both are rounded upward: for
	// negative numbers, the next bits are the next lower number.
	above, below := bitsOf(origin+pad), bitsOf(pad-origin)
	above += 1 | above>>31
	below += 1 | below>>31
	below ^= math.MinInt32
	d := bitsOf(dir)
	negative := d >> 31
	d = max(d&math.MaxInt32, bitsOf(least)) | d&math.MinInt32
	swap := (above ^ below) & negative
	// Adding 0 turns −0 into 0, so that no difference with it is −0.
	q.near[axis] = math.Float32frombits(uint32(above^swap)) + 0
	q.far[axis] = math.Float32frombits(uint32(below^swap)) + 0
	q.side[axis] = row * (uint32(2*axis) - uint32(negative))
	q.inverse[axis] = -1 / math.Float32frombits(uint32(d))
}

// crossAll makes a ray cross every box, since an inverse or a distance would overflow: the ray is
// shorter than 4e-30 or far away.
func (q *Ray) crossAll(d geom.Vec3) {
	for axis, d := range d.Array() {
		sign := math.Copysign(1, float64(d))
		q.near[axis], q.far[axis], q.inverse[axis] = float32(math.Inf(int(sign))), float32(math.Inf(int(-sign))), float32(-sign)
	}
}

func magnitude(x float32) int32 { return bitsOf(x) & math.MaxInt32 }

func abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// interval returns the T at which the ray enters and leaves a box, given by its near and far sides,
// clamped to low and high; from > to if it misses.
//
// All values are the bits of a float32 as an integer. These order like the numbers where none is
// negative, as low is not, and a negative one loses against low or makes the interval empty. So
// there is no branch, and nothing can be NaN: a coordinate and an origin may be so far apart that
// the difference overflows, but the inverse is finite and not zero.
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

// own returns the T at which the ray enters and leaves the triangle's own box. A negative T is only
// known to be negative: as integers, negative numbers are in the wrong order.
func (q *Ray) own(a, b, c geom.Vec3) (from, to int32) {
	lo, hi := a.Min(b).Min(c), a.Max(b).Max(c)
	if q.side[0]&row != 0 {
		lo.X, hi.X = hi.X, lo.X
	}
	if q.side[1]&row != 0 {
		lo.Y, hi.Y = hi.Y, lo.Y
	}
	if q.side[2]&row != 0 {
		lo.Z, hi.Z = hi.Z, lo.Z
	}
	return q.interval(lo.X, hi.X, lo.Y, hi.Y, lo.Z, hi.Z, math.MinInt32, infBits)
}

func bitsOf(x float32) int32 { return int32(math.Float32bits(x)) }

const infBits = 0x7f800000

// Impact is a hit before it has a point and a normal: the result of [Ray.Cast].
type Impact struct {
	T, U, V  float32
	Triangle int32
	BackFace bool
}

// Cast returns where a ray, from which q was made, hits one triangle, whatever the range of the
// ray: the result that a traversal of any tree must have. It is built on geom's own test and is the
// brute-force reference of the tests.
func (q *Ray) Cast(r geom.Ray, cull geom.Cull, triangle geom.Triangle, index int32) (Impact, bool) {
	r.MinT = 0
	k := geom.NewTriangleCaster(r)
	t, u, v, back, ok := k.Line(triangle.A, triangle.B, triangle.C)
	if !ok || cull.Culls(back) {
		return Impact{}, false
	}
	from, to := q.own(triangle.A, triangle.B, triangle.C)
	at := min(max(bitsOf(t), from), to)
	return Impact{T: math.Float32frombits(uint32(at)), U: u, V: v, Triangle: index, BackFace: back}, from <= to && at >= 0
}

// Range returns the range of T in which hits count.
func (q *Ray) Range() (low, high float32) {
	return math.Float32frombits(uint32(q.low)), math.Float32frombits(uint32(q.high))
}
