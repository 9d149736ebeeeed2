package wide

import "github.com/hitscan-go/hitscan/physics/geom"

// The portable walk: the specification of the assembly. It hands out leaves in which something is
// hit, the nearer ones first where that is cheap to know.

// walk is the state of a query of a ray. Its stack is the caller's, so that it is no longer than
// the tree needs. The assembly knows its layout down to block.
type walk struct {
	Ray
	tree  *Tree
	count int
	block block

	simd bool
	ray  geom.Ray
	work Work // of the portable walk
}

// Work tells what a cast did.
type Work struct {
	Nodes     int // whose children's boxes were looked at
	Leaves    int // whose triangles were
	Triangles int // in those
}

// found is a hit as walks compare it.
type found struct {
	t        int32 // bits
	u, v     float32
	triangle int32
	leaf     ref
	lane     uint8
	back     bool
}

// waiting is a child that was put off for a nearer one: above, the bits of the T from which the ray
// crosses it; below, what it is. As numbers, they order like the T.
type stackEntry int64

func newStackEntry(from int32, r ref) stackEntry { return stackEntry(uint32(from))<<32 | stackEntry(r) }

func (w stackEntry) from() int32 { return int32(w >> 32) }
func (w stackEntry) ref() ref    { return ref(uint32(w)) }

// block is a leaf in which something may be hit, and in which lanes, one bit each.
type block struct {
	leaf  ref
	lanes uint32
}

// bottom is what lies under everything on a stack.
const bottom stackEntry = -1

// start begins a walk on a ray that is prepared. The same stack goes to next.
func (w *walk) start(stack []stackEntry) {
	stack[0], stack[1] = bottom, newStackEntry(0, w.tree.root)
	w.count = 2
}

// next finds the next block that may have hits from low to high; false after the last. The caller
// may lower high in between.
func (w *walk) next(stack []stackEntry) bool {
	if w.simd {
		return nextAVX2(w, &stack[0])
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
				// No box says anything, and those of empty slots give NaN.
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

// push puts the n children that are crossed on a stack that has count entries, the nearest on top.
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

// take finds the hit in a lane of the block at hand; false if it is none in the range after all.
func (w *walk) take(f *found, lane int) bool {
	r := w.block.leaf
	f.leaf, f.lane, f.triangle = r, uint8(lane), w.tree.ids[int(w.tree.info(r).first)+lane]
	return w.meet(f, &w.ray, w.tree.corners(r, lane), w.high)
}
