package broad

import (
	"math"
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The traversal of a ray. The Go code is the specification of the assembly.

// Walk is a traversal that returns the boxes that a ray crosses, one at a time. It is meant to be
// kept and used again; then it allocates nothing. The phase must not change before the traversal
// ends.
type Walk struct {
	ray
	nodes         *node // of the tree that is traversed
	count         int   // entries on the stack
	stack         [1 + stackSize + boxesAtOnce + spare]waiting
	after, before uint32 // in the ring of Walks. The assembly uses the fields up to here
	simd          bool
	unordered     bool
	apart         bool  // leaves are opened one at a time, as those of Walks are
	next          *tree // the tree that comes next, or nil
}

// waiting is a child on the stack: the bits of the T at which the ray enters it, above its ref. As
// integers, they order like the T.
type waiting int64

func newWaiting(from int32, r ref) waiting { return waiting(uint32(from))<<32 | waiting(r) }

func (w waiting) from() int32 { return int32(w >> 32) }
func (w waiting) ref() ref    { return ref(uint32(w)) }

// boxesAtOnce is the number of entries by which boxes of all leaves of a node, width², may exceed
// the children of that node and of one leaf.
const boxesAtOnce = width*width - width

// spare is the number of entries above the top that the assembly may overwrite.
const spare = 4

// bottom is the lowest entry of every stack. It counts as a box, entered before all T.
const bottom waiting = -1

// Start begins a traversal of a phase, which must be settled; false if the ray is invalid or there
// is no box. Static boxes come before those that move: where most of a world is static, most rays
// end there.
func (w *Walk) Start(p *Phase, r geom.Ray) bool { return w.StartRay(p, &r, false) }

// StartRay is Start for a ray given by reference. In an unordered traversal, which a search for any
// hit may use, the order of boxes is arbitrary, and after SetEnd boxes beyond the end may be
// returned. It is a little faster.
func (w *Walk) StartRay(p *Phase, r *geom.Ray, unordered bool) bool {
	w.unordered = unordered
	if !w.begin(p) || !w.prepare(&p.bounds, r) {
		w.Stop()
		return false
	}
	w.ready()
	return true
}

// begin chooses the first tree; false if there is no box.
func (w *Walk) begin(p *Phase) bool {
	first, second := &p.trees[still], &p.trees[moving]
	if first.root == 0 {
		first, second = second, first
	}
	w.stack[0], w.count, w.next = bottom, 1, nil
	if first.root == 0 {
		return false
	}
	if second.root != 0 {
		w.next = second
	}
	w.enter(first)
	return true
}

// ready chooses between assembly and Go. Must be called once the ray is prepared.
func (w *Walk) ready() { w.simd = useSIMD && !w.all }

// enter pushes the root of a tree onto an empty stack.
func (w *Walk) enter(t *tree) {
	w.nodes = &t.nodes[0]
	w.stack[0], w.stack[1] = bottom, newWaiting(0, nodeRef(t.root))
	w.count = 2
}

// Stop ends a traversal early and drops the reference to the phase. It need not be called.
func (w *Walk) Stop() {
	w.stack[0], w.count = bottom, 1
	w.nodes, w.next = nil, nil
}

// SetEnd excludes hits beyond t; hits at t are still returned. The range only gets shorter: a t
// beyond an earlier one changes nothing.
func (w *Walk) SetEnd(t float32) { w.high = max(min(w.high, asInt(t+0)), -1) }

// Next returns the number of the next box that the ray crosses within its range, roughly front to
// back, and false after the last. Since boxes are widened (see slack) it may return boxes that the
// ray narrowly misses.
func (w *Walk) Next() (number uint32, ok bool) {
	for {
		top := w.stack[w.count-1]
		if !top.ref().isBox() {
			w.open(math.MaxInt)
			continue
		}
		if top == bottom {
			if w.next == nil {
				return 0, false
			}
			w.enter(w.next)
			w.next = nil
			continue
		}
		w.count--
		if top.from() <= w.high {
			return top.ref().number(), true
		}
	}
}

// Ahead opens up to so many nodes and returns the number of the box that Next returns then, unless
// SetEnd excludes it before; false if it is not found yet.
func (w *Walk) Ahead(nodes int) (number uint32, ok bool) {
	if !w.stack[w.count-1].ref().isBox() {
		w.open(nodes)
	}
	top := w.stack[w.count-1]
	return top.ref().number(), top.ref().isBox() && top != bottom && top.from() <= w.high
}

// open opens nodes until a box or the bottom is on top, but no more than so many.
func (w *Walk) open(nodes int) {
	if w.simd {
		if w.unordered {
			openAnySIMD(w, nodes)
		} else {
			openSIMD(w, nodes)
		}
		return
	}
	for ; nodes > 0; nodes-- {
		top := w.stack[w.count-1]
		for top.from() > w.high {
			w.count--
			top = w.stack[w.count-1]
		}
		if top.ref().isBox() {
			return
		}
		w.count--
		w.openNode(w.at(top.ref()))
	}
}

func (w *Walk) at(r ref) *node {
	return (*node)(unsafe.Add(unsafe.Pointer(w.nodes), uintptr(r)*refBytes))
}

// openNode pushes the children of a node that are crossed. Leaves are opened with the node above,
// so that none waits until another has come from memory.
func (w *Walk) openNode(n *node) {
	var c, boxes crossing
	crossed := w.crossed(n, w.high, &c)
	switch bottom := w.count; {
	case n.level == 1 && !w.apart:
		for _, leaf := range c[:crossed] {
			w.push(bottom, boxes[:w.crossed(w.at(leaf.ref()), w.high, &boxes)])
		}
	case n.level > 0 && w.unordered:
		w.count += c.pushAny(w.stack[:], w.count, crossed)
	default:
		w.push(bottom, c[:crossed])
	}
}

func (w *Walk) crossed(n *node, high int32, c *crossing) int {
	if w.all {
		return c.all(n, w.low)
	}
	return w.cross(n, w.low, high, c)
}

// push pushes children that are crossed, the nearest on top of those down to an index of the stack.
func (w *Walk) push(bottom int, crossed []waiting) {
	for _, one := range crossed {
		i := w.count
		for ; i > bottom && w.stack[i-1] < one; i-- {
			w.stack[i] = w.stack[i-1]
		}
		w.stack[i] = one
		w.count++
	}
}

// refBytes times the ref of a node is its offset in bytes.
const refBytes = 8
