package wide

import "github.com/hitscan-go/hitscan/physics/geom"

// The portable traversal: the specification of the assembly. It yields leaves with possible hits,
// nearer ones first where that order is cheap.

// walk is the state of a ray query. The caller owns the stack, so that it is no longer than the
// tree needs. The assembly depends on the layout up to block.
type walk struct {
	Ray
	tree  *Tree
	count int
	block block

	simd bool
	ray  geom.Ray
	work Work // of the portable traversal
}

// Work counts what a cast visited.
type Work struct {
	Nodes     int // whose child boxes were tested
	Leaves    int // whose triangles were tested
	Triangles int // in those leaves
}

// found is a hit in the form in which traversals compare hits.
type found struct {
	t        int32 // bits
	u, v     float32
	triangle int32
	leaf     ref
	lane     uint8
	back     bool
}

// stackEntry is a child that was deferred for a nearer one: in the upper half the bits of the T at
// which the ray enters it, in the lower half its ref. As integers, entries order by T.
type stackEntry int64

func newStackEntry(from int32, r ref) stackEntry { return stackEntry(uint32(from))<<32 | stackEntry(r) }

func (w stackEntry) from() int32 { return int32(w >> 32) }
func (w stackEntry) ref() ref    { return ref(uint32(w)) }

// block is a leaf with possible hits, and a bit mask of their lanes.
type block struct {
	leaf  ref
	lanes uint32
}

// bottom is the sentinel at the bottom of every stack.
const bottom stackEntry = -1

// start begins a traversal for a prepared ray. The same stack is passed to next.
func (w *walk) start(stack []stackEntry) {
	stack[0], stack[1] = bottom, newStackEntry(0, w.tree.root)
	w.count = 2
}

// next finds the next block that may have hits from low to high; false after the last. The caller
// may lower high between calls.
func (w *walk) next(stack []stackEntry) bool {
	if w.simd {
		return nextSIMD(w, &stack[0])
	}
	for w.count > 1 {
		w.count--
		top := stack[w.count]
		if top.from() > w.high {
			continue
		}
		r := top.ref()
		if !r.isLeaf() {
			w.work.Nodes++
			var crossed crossing
			n := w.cross(w.tree.node(r), w.low, w.high, &crossed)
			if w.all {
				// Every box counts as crossed, and those of empty slots would give NaN.
				n = 0
				for _, child := range w.tree.node(r).child {
					if child != 0 {
						crossed[n] = newStackEntry(w.low, child)
						n++
					}
				}
			}
			crossed.push(stack, w.count, n)
			w.count += n
			continue
		}
		w.work.Leaves++
		w.work.Triangles += w.tree.info(r).count()
		w.block.leaf, w.block.lanes = r, w.lanes(w.tree, r)
		if w.block.lanes != 0 {
			return true
		}
	}
	return false
}

// push pushes the n crossed children onto a stack of count entries, the nearest on top.
func (c *crossing) push(stack []stackEntry, count, n int) {
	stack = stack[count : count+n]
	for i := range stack {
		one := c[i&(width-1)]
		j := i
		for ; j > 0 && stack[j-1] < one; j-- {
			stack[j] = stack[j-1]
		}
		stack[j] = one
	}
}

// take computes the hit in a lane of the current block; false if there is none in the range.
func (w *walk) take(f *found, lane int) bool {
	r := w.block.leaf
	f.leaf, f.lane, f.triangle = r, uint8(lane), w.tree.ids[int(w.tree.info(r).first)+lane]
	return w.meet(f, &w.ray, w.tree.corners(r, lane), w.high)
}
