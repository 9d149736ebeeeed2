package mesh

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// A ray's walk hands out the leaves whose boxes it crosses, the nearer ones first where that is cheap to know.
//
// No hit is lost, and the order of the walk and the shape of the tree never show in an answer. Both rest on three things:
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

// slabs is a ray made ready for boxes. Along each axis the near side of a box is compared with one origin and the far side
// with another, apart by the widening.
type slabs struct {
	x, y, z slab
}

type slab struct {
	near, far         float32 // origins
	inverse           float32 // of the direction; finite and not zero
	nearSide, farSide uint8   // places in node.box
}

// newSlabs prepares a valid ray for boxes that lie within bounds.
func newSlabs(r geom.Ray, bounds geom.AABB) slabs {
	o, d := r.Origin, r.Dir
	reach := bounds.Min.Sub(o).Abs().Max(bounds.Max.Sub(o).Abs())
	pad := max(max(reach.X, reach.Y, reach.Z)*slack, 0x1p-126)
	// A direction that is nearly parallel to a slab is bent by a billionth of its length, far less than the widening, so that
	// there is neither an infinite inverse nor 0·∞ for a ray that lies in a face.
	long := d.Abs()
	least := max(long.X, long.Y, long.Z) * 1e-9
	if least < 4e-39 {
		// The inverse overflows, so this ray, of a length below 4e-30, has to ask every triangle.
		least, pad = 4e-39, inf32
	}
	return slabs{newSlab(o.X, d.X, pad, least, 0), newSlab(o.Y, d.Y, pad, least, 2), newSlab(o.Z, d.Z, pad, least, 4)}
}

func newSlab(origin, dir, pad, least float32, lowSide uint8) slab {
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
	if dir < 0 {
		return slab{below, above, 1 / dir, lowSide + 1, lowSide}
	}
	return slab{above, below, 1 / dir, lowSide, lowSide + 1}
}

// interval returns from which T to which the ray crosses a box, no less than low and no more than high; from > to if it
// doesn't.
//
// Everything is the bits of a float32 as an integer. These order like the numbers where none is negative, as low is not,
// and where one is negative it loses against low or makes the interval empty; so there is no branch, and nothing can be
// NaN: a coordinate less an origin may overflow, but the inverse is finite and not zero.
func (s *slabs) interval(box *[6]float32, low, high int32) (from, to int32) {
	from = max(low,
		bitsOf((box[s.x.nearSide]-s.x.near)*s.x.inverse),
		bitsOf((box[s.y.nearSide]-s.y.near)*s.y.inverse),
		bitsOf((box[s.z.nearSide]-s.z.near)*s.z.inverse))
	to = min(high,
		bitsOf((box[s.x.farSide]-s.x.far)*s.x.inverse),
		bitsOf((box[s.y.farSide]-s.y.far)*s.y.inverse),
		bitsOf((box[s.z.farSide]-s.z.far)*s.z.inverse))
	return from, to
}

// settle moves the T at which the triangle test says that a triangle is hit into the triangle's own box; false if the ray
// misses that box.
func (s *slabs) settle(tri *triangle, t float32) (float32, bool) {
	from, to := s.interval(boxOf(tri.bounds()), 0, infBits)
	return min(max(t, math.Float32frombits(uint32(from))), math.Float32frombits(uint32(to))), from <= to
}

func bitsOf(x float32) int32 { return int32(math.Float32bits(x)) }

const infBits = 0x7f800000

// rayWalk is the state of a walk. It lives on the stack of the query.
type rayWalk struct {
	slabs
	tree  *tree
	low   int32 // the bits of the T before which nothing is wanted
	count int
	stack [maxDepth + 1]waiting
}

// waiting is a child that was put off for a nearer one, and from where the ray crosses it.
type waiting struct {
	ref  ref
	from int32
}

// start begins the walk; slabs and tree must be set. Leaves that the ray crosses only before low are left out.
func (w *rayWalk) start(low float32) {
	w.low = bitsOf(low)
	w.count = 0
	if from, to := w.interval(boxOf(w.tree.bounds), w.low, infBits); from <= to {
		w.stack[0] = waiting{w.tree.root, from}
		w.count = 1
	}
}

// next returns the triangles of the next leaf that the ray crosses at best or before, and nil after the last.
func (w *rayWalk) next(best float32) []triangle {
	high := bitsOf(best)
	for w.count > 0 {
		w.count--
		top := w.stack[w.count]
		if top.from > high {
			continue
		}
		r := top.ref
		for !r.isLeaf() {
			n := &w.tree.nodes[r]
			from0, to0 := w.interval(&n.box[0], w.low, high)
			from1, to1 := w.interval(&n.box[1], w.low, high)
			first, second := n.child[0], n.child[1]
			if from0 > to0 {
				if from1 > to1 {
					goto pop
				}
				r = second
				continue
			}
			if from1 <= to1 {
				if from1 < from0 {
					first, second, from1 = second, first, from0
				}
				w.stack[w.count] = waiting{second, from1}
				w.count++
			}
			r = first
		}
		return w.tree.leaf(r)
	pop:
	}
	return nil
}
