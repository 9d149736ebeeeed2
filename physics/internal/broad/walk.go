package broad

import (
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The walk of a ray. What is written here in Go is the specification of the assembly.

// Walk finds the boxes that a ray crosses, one at a time. It is made to be kept and used again:
// then it allocates nothing. The phase must not be changed before the last box was asked for.
type Walk struct {
	ray
	nodes         *node // of the half that is walked
	count         int   // entries on the stack
	stack         [1 + stackSize + spare]waiting
	after, before uint32 // of Walks: the places of its neighbours in the ring. The assembly knows the layout to here
	simd          bool
	unordered     bool
	next          *tree // the half that comes next, or nil
}

// waiting is a child that was put off for a nearer one: above, the bits of the T from which the ray
// crosses it; below, what it is. As numbers, they order like the T.
type waiting int64

func newWaiting(from int32, r ref) waiting { return waiting(uint32(from))<<32 | waiting(r) }

func (w waiting) from() int32 { return int32(w >> 32) }
func (w waiting) ref() ref    { return ref(uint32(w)) }

// spare is how many entries above the top are written without meaning.
const spare = 4

// bottom is what lies under everything on a stack. It counts as a box, before all T.
const bottom waiting = -1

// Start begins a walk through the boxes of a phase, which must be settled; false if the ray can hit
// nothing, as it is not valid or there is no box. What stands still comes before what moves: where
// that is most of a world, it ends most rays.
func (w *Walk) Start(p *Phase, r geom.Ray) bool {
	w.unordered = false
	return w.start(p, &r)
}

// StartAny is Start for a walk of which the order doesn't matter, as any hit will do. It is a
// little faster. SetEnd may leave boxes that are beyond.
func (w *Walk) StartAny(p *Phase, r geom.Ray) bool {
	w.unordered = true
	return w.start(p, &r)
}

func (w *Walk) start(p *Phase, r *geom.Ray) bool {
	bounds, ok := w.begin(p)
	if !ok || !w.prepare(&bounds, r) {
		w.Stop()
		return false
	}
	w.ready()
	return true
}

// begin finds the first tree and the bounds of all; false if there is no box.
func (w *Walk) begin(p *Phase) (bounds geom.AABB, ok bool) {
	first, second := &p.trees[still], &p.trees[moving]
	if first.root == 0 {
		first, second = second, first
	}
	w.stack[0], w.count, w.next = bottom, 1, nil
	if first.root == 0 {
		return bounds, false
	}
	bounds = first.nodes[first.root].union()
	if second.root != 0 {
		more := second.nodes[second.root].union()
		bounds = union(&bounds, &more)
		w.next = second
	}
	w.enter(first)
	return bounds, true
}

// ready decides, once the ray is prepared, how it is walked.
func (w *Walk) ready() { w.simd = useAVX2 && !w.all }

// enter puts the root of a tree on an empty stack.
func (w *Walk) enter(t *tree) {
	w.nodes = &t.nodes[0]
	w.stack[0], w.stack[1] = bottom, newWaiting(0, nodeRef(t.root))
	w.count = 2
}

// Stop ends a walk early, and lets go of the phase. It need not be called.
func (w *Walk) Stop() {
	w.stack[0], w.count = bottom, 1
	w.nodes, w.next = nil, nil
}

// SetEnd says that hits beyond t are no longer wanted; at t itself they still are. The range of a
// ray only gets shorter: a t beyond what was said before changes nothing.
func (w *Walk) SetEnd(t float32) { w.high = max(min(w.high, asInt(t+0)), -1) }

// Next returns the number of the next box that the ray crosses within its range, and false after
// the last. Roughly, they come front to back. It may return boxes that the ray passes nearby, as
// boxes are widened; see ray.
func (w *Walk) Next() (number uint32, ok bool) {
	for {
		top := w.stack[w.count-1]
		if !top.ref().isBox() {
			w.open()
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

// Peek returns the number of the box that is n places below the one that was returned last, if
// there is one and no node lies between: what Next is likely to return soon, and may be asked of
// memory before.
func (w *Walk) Peek(n int) (number uint32, ok bool) {
	i := w.count - 1 - n
	if i <= 0 {
		return 0, false
	}
	one := w.stack[i]
	return one.ref().number(), one.ref().isBox() && one.from() <= w.high
}

// open opens nodes until a box is on top, or the bottom.
func (w *Walk) open() {
	if w.simd {
		if w.unordered {
			openAnyAVX2(w)
		} else {
			openAVX2(w)
		}
		return
	}
	for {
		top := w.stack[w.count-1]
		if top.from() > w.high {
			w.count--
			continue
		}
		if top.ref().isBox() {
			return
		}
		w.count--
		n := (*node)(unsafe.Add(unsafe.Pointer(w.nodes), uintptr(top.ref())*refBytes))
		var c crossing
		crossed := 0
		if w.all {
			crossed = c.all(n, w.low)
		} else {
			crossed = w.cross(n, w.low, w.high, &c)
		}
		if w.unordered {
			c.pushAny(w.stack[:], w.count, crossed)
		} else {
			c.push(w.stack[:], w.count, crossed)
		}
		w.count += crossed
	}
}

// refBytes times the ref of a node is its place in bytes.
const refBytes = 8
