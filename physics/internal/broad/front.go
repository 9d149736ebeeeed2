package broad

import (
	"math"
	"math/bits"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/heap"
)

// Front is a best-first traversal: it returns the boxes of both trees that a ray touches in the
// order in which the ray enters them, and opens no more nodes than the next box needs. It keeps a
// heap of nodes and boxes; used again, it allocates nothing once the heap has grown.
type Front struct {
	phase *Phase
	q     query
	heap  heap.Heap[entry] // by the T of entry
}

type entry struct {
	child ref
	half  uint32
}

// Start begins a traversal. The phase must be settled, and must not change until the traversal
// ends.
func (f *Front) Start(p *Phase, r geom.Ray) {
	f.phase = p
	f.heap.Clear()
	bounds := nowhere
	for half := range p.trees {
		if t := &p.trees[half]; t.root != 0 {
			box := t.nodes[t.root].union()
			bounds = union(&bounds, &box)
		}
	}
	if bounds == nowhere || !f.q.prepare(r, &bounds) {
		return
	}
	for half := range p.trees {
		if t := &p.trees[half]; t.root != 0 {
			f.heap.Push(f.q.tMin, entry{nodeRef(t.root), uint32(half)})
		}
	}
}

// Stop drops the reference to the phase.
func (f *Front) Stop() {
	f.phase = nil
	f.heap.Clear()
}

// Next returns the number of the next box that the ray enters at T = limit or before, and false if
// all others are entered later.
func (f *Front) Next(limit float64) (number uint32, ok bool) {
	for len(f.heap.Items) > 0 && f.heap.Items[0].Key <= limit {
		e := f.heap.Pop().Value
		if e.child.isBox() {
			return e.child.number(), true
		}
		n := &f.phase.trees[e.half].nodes[e.child.node()]
		var enters [width]float64
		for mask := f.q.meet(n, &enters); mask != 0; mask &= mask - 1 {
			s := bits.TrailingZeros32(mask) % width
			f.heap.Push(enters[s], entry{n.child[s], e.half})
		}
	}
	return 0, false
}

// query is a ray prepared for the slab test, in double precision.
type query struct {
	axes       [3]slab
	tMin, tMax float64
}

// slab is a query along one axis.
type slab struct {
	// The origin, moved by the pad so that boxes are entered earlier and left later.
	near, far float64
	inv       float64 // 1/Dir, never infinite, since 0·∞ is NaN
	in        uint8   // the side by which the ray enters a box: 0 low, 1 high
}

// prepare prepares the query for boxes within bounds; false if the ray is invalid.
func (q *query) prepare(r geom.Ray, bounds *geom.AABB) bool {
	if !r.IsValid() {
		return false
	}
	tMin, tMax := r.Range()
	o, d := r.Origin.Wide(), r.Dir.Wide()
	q.tMin, q.tMax = float64(tMin), min(float64(tMax), math.MaxFloat64)
	reach := max(
		math.Abs(float64(bounds.Min.X)-o.X), math.Abs(float64(bounds.Max.X)-o.X),
		math.Abs(float64(bounds.Min.Y)-o.Y), math.Abs(float64(bounds.Max.Y)-o.Y),
		math.Abs(float64(bounds.Min.Z)-o.Z), math.Abs(float64(bounds.Max.Z)-o.Z))
	pad := float64(min(reach, q.tMax*d.Len()) * relativePad)
	axis := func(o, d float64) slab {
		switch {
		case d < 0:
			return slab{o - pad, o + pad, 1 / d, 1}
		case d > 0:
			return slab{o + pad, o - pad, 1 / d, 0}
		}
		// The ray is parallel to the slab: it is in the slab at all T or at none. The origins are
		// moved by at least an ulp, and 1e-150, so that the least difference times MaxFloat64 is a
		// T beyond every range, never 0.
		const least = 1e-150
		return slab{
			max(o+pad, math.Nextafter(o, math.Inf(1)), o+least), min(o-pad, math.Nextafter(o, math.Inf(-1)), o-least),
			math.MaxFloat64, 0,
		}
	}
	q.axes = [3]slab{axis(o.X, d.X), axis(o.Y, d.Y), axis(o.Z, d.Z)}
	return true
}

// meet returns the children of a node that the ray enters, a bit for each, and the T of entry. A
// box that the ray touches is entered.
//
// It has no branches. The bits of floats that are not negative, as integers, order like the floats,
// and negative floats are below them. Adding 0 removes −0, whose bits would be negative.
func (q *query) meet(n *node, enters *[width]float64) (mask uint32) {
	x, y, z := q.axes[0], q.axes[1], q.axes[2]
	inX, inY, inZ := &n.box[x.in&1], &n.box[2+y.in&1], &n.box[4+z.in&1]
	outX, outY, outZ := &n.box[x.in&1^1], &n.box[2+y.in&1^1], &n.box[4+z.in&1^1]
	tMin, tMax := int64(math.Float64bits(q.tMin)), int64(math.Float64bits(q.tMax))
	at := func(side float32, from, inv float64) int64 {
		return int64(math.Float64bits(float64((float64(side)-from)*inv) + 0))
	}
	for s := range width {
		enter := max(tMin, at(inX[s], x.near, x.inv), at(inY[s], y.near, y.inv), at(inZ[s], z.near, z.inv))
		exit := min(tMax, at(outX[s], x.far, x.inv), at(outY[s], y.far, y.inv), at(outZ[s], z.far, z.inv))
		enters[s] = math.Float64frombits(uint64(enter))
		mask |= uint32(uint64(exit-enter|exit)>>63) << s // overflows only if exit is negative
	}
	return mask ^ (1<<width - 1)
}
