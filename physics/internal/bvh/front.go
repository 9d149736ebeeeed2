package bvh

import "github.com/hitscan-go/hitscan/physics/geom"

// Front walks the leaves that a ray touches in the order in which the ray enters their boxes, and looks at no more of
// the tree than it needs to know the next. It keeps a heap of what it has met and not yet opened; used again, it does
// not allocate once the heap has grown.
type Front struct {
	tree *Tree
	q    query
	heap []entry
}

type entry struct {
	enter float64
	node  int32
}

// Start begins a walk. The tree must not be changed until it ends.
func (f *Front) Start(t *Tree, r geom.Ray) {
	f.tree, f.heap = t, f.heap[:0]
	q, ok := t.prepare(r)
	if !ok {
		return
	}
	f.q = q
	f.push(t.root)
}

// Stop lets go of the tree.
func (f *Front) Stop() { f.tree, f.heap = nil, f.heap[:0] }

// Next returns the value of the next leaf that the ray enters at limit or before, and false if there is none: all leaves
// still to come are entered later.
func (f *Front) Next(limit float64) (value uint32, ok bool) {
	for len(f.heap) > 0 && f.heap[0].enter <= limit {
		node := &f.tree.nodes[f.pop()]
		if node.isLeaf() {
			return uint32(node.right), true
		}
		f.push(node.left)
		f.push(node.right)
	}
	return 0, false
}

func (f *Front) push(i int32) {
	t, ok := f.q.enter(&f.tree.nodes[i].box)
	if !ok {
		return
	}
	h := append(f.heap, entry{})
	at := len(h) - 1
	for at > 0 {
		parent := (at - 1) / 2
		if h[parent].enter <= t {
			break
		}
		h[at] = h[parent]
		at = parent
	}
	h[at] = entry{t, i}
	f.heap = h
}

func (f *Front) pop() int32 {
	h := f.heap
	top, last := h[0].node, h[len(h)-1]
	h = h[:len(h)-1]
	at := 0
	for {
		child := 2*at + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1].enter < h[child].enter {
			child++
		}
		if last.enter <= h[child].enter {
			break
		}
		h[at] = h[child]
		at = child
	}
	if len(h) > 0 {
		h[at] = last
	}
	f.heap = h
	return top
}
