package wide

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Which binary nodes become wide ones is found by dynamic programming (after Wald, Benthin and Boulos 2008, and Ylitie,
// Karras and Laine 2017): for each binary node, from the bottom up, what its triangles cost at least as one child of a wide
// node, as two, and so on up to eight.

// What a visit costs, in visits of a node.
const (
	nodeCost   = 1.0
	packedCost = 0.9
	looseCost  = 1.3
)

// plan is the best for a binary node: the cost of it as at most k+1 children of one wide node, and how.
type plan struct {
	cost [width]float32
	// how[k] is, for more than one child, how many of them lie below the first child of the binary node; 0 if fewer are
	// better. how[0] says in which kind of leaf it goes; 0: it becomes a node.
	how [width]uint8
}

func (b *builder) planLeaf(n *binary) {
	cost := float32(packedCost * b.weight(&n.box) / b.total)
	for k := range n.cost {
		n.cost[k] = cost
	}
	n.how = [width]uint8{uint8(fitsPacked)}
}

func (b *builder) planNode(n, l, r *binary, f fit) {
	n.how = [width]uint8{}
	for k := 1; k < width; k++ {
		best, how := float32(math.Inf(1)), 0
		for i := range k { // i+1 below the first child, k−i below the second
			if c := l.cost[i] + r.cost[k-1-i]; c < best {
				best, how = c, i+1
			}
		}
		n.cost[k], n.how[k] = best, uint8(how)
	}
	w := float32(b.weight(&n.box) / b.total)
	n.cost[0] = float32(w*nodeCost) + n.cost[width-1]
	if c := float32(w * looseCost); f == fitsLoose && c < n.cost[0] {
		n.cost[0], n.how[0] = c, uint8(f)
	}
	for k := 1; k < width; k++ {
		if n.cost[k] >= n.cost[k-1] {
			n.cost[k], n.how[k] = n.cost[k-1], 0
		}
	}
}

// emit writes the tree.
func (b *builder) emit(bounds geom.AABB) Tree {
	if b.watch.stop() {
		return Tree{}
	}
	e := emitter{builder: b, units: make([]unit, 0, len(b.prims)/2+8), ids: make([]int32, 0, len(b.prims))}
	var t Tree
	t.root, t.need = e.put(0)
	t.units = aligned(len(e.units))
	copy(t.units, e.units)
	t.ids = e.ids
	t.setBounds(bounds)
	return t
}

type emitter struct {
	*builder
	units []unit
	ids   []int32
	seen  int // triangles that the watch knows of
}

func (e *emitter) extend(n int) int {
	at := len(e.units)
	e.units = slices.Grow(e.units, n)[:at+n]
	clear(e.units[at:])
	return at
}

// put writes what a binary node became and returns it, and how many entries a walk below it has on its stack.
func (e *emitter) put(i int) (ref, int) {
	if n := &e.nodes[i]; n.how[0] != 0 {
		return e.leaf(n), 1
	}
	return e.node(i)
}

func (e *emitter) node(i int) (ref, int) {
	if n := len(e.ids); n-e.seen >= watchSize {
		if e.watch.stop() {
			return 0, 0 // and so do all others
		}
		e.watch.did(n-e.seen, writeShare)
		e.seen = n
	}
	var list [width]int
	children := e.top(list[:0], i)
	// A ray that only asks whether it hits anything visits them in this order.
	slices.SortStableFunc(children, func(a, b int) int {
		return cmp.Compare(e.weight(&e.nodes[b].box), e.weight(&e.nodes[a].box))
	})
	at := e.extend(nodeUnits)
	var n node
	for k := range width {
		n.setBounds(k, geom.AABB{Min: geom.V(inf32, inf32, inf32), Max: geom.V(-inf32, -inf32, -inf32)})
	}
	need := 1
	for k, c := range children {
		n.setBounds(k, e.nodes[c].box.aabb())
		if e.nodes[c].how[0] != 0 {
			n.child[k] = e.leaf(&e.nodes[c])
		}
	}
	for k, c := range children {
		if n.child[k] == 0 {
			var below int
			n.child[k], below = e.node(c)
			need = max(need, below)
		}
	}
	t := Tree{units: e.units}
	*t.node(ref(at << 2)) = n
	return ref(at<<2) | kindNode, need + len(children) - 1
}

// children appends the binary nodes that stand for node i as at most k children.
func (e *emitter) children(list []int, i, k int) []int {
	n := &e.nodes[i]
	for k > 1 && n.how[k-1] == 0 {
		k--
	}
	if k == 1 {
		return append(list, i)
	}
	first := int(n.how[k-1])
	list = e.children(list, i+1, first)
	return e.children(list, int(n.second), k-first)
}

// top appends the children of the wide node that binary node i becomes: at least two, though rounding may have it that one
// costs no more.
func (e *emitter) top(list []int, i int) []int {
	n := &e.nodes[i]
	k := width
	for k > 2 && n.how[k-1] == 0 {
		k--
	}
	first := max(int(n.how[k-1]), 1)
	list = e.children(list, i+1, first)
	return e.children(list, int(n.second), k-first)
}

func (e *emitter) leaf(b *binary) ref {
	first, count := len(e.ids), int(b.count)
	prims := e.prims[b.first : b.first+b.count]
	for i := range prims {
		e.ids = append(e.ids, prims[i].index)
	}
	if fit(b.how[0]) == fitsLoose {
		at := e.extend(looseUnits)
		t := Tree{units: e.units}
		l := t.loose(ref(at << 2))
		l.leafInfo = newLeafInfo(first, count, 0)
		for lane := range width {
			for corner, c := range e.corners(prims, lane) {
				for axis, x := range e.vertices[c].Array() {
					l.corner[corner][axis][lane] = x
				}
			}
		}
		return ref(at<<2) | kindLoose
	}
	at := e.extend(packedUnits)
	t := Tree{units: e.units}
	l := t.packed(ref(at << 2))
	var seen [width]uint32
	n := 0
	for lane := range width {
		for corner, c := range e.corners(prims, lane) {
			v := e.weld[c]
			at := slices.Index(seen[:n], v)
			if at < 0 {
				at = n
				seen[n] = v
				n++
			}
			l.corner[corner][lane] = uint8(at)
		}
	}
	for i := range width {
		for axis, x := range e.vertices[seen[min(i, n-1)]].Array() {
			l.vertex[axis][i] = x
		}
	}
	l.leafInfo = newLeafInfo(first, count, n)
	return ref(at<<2) | kindPacked
}

// corners returns the corners of the triangle in a lane; lanes beyond the last repeat it.
func (e *emitter) corners(prims []prim, lane int) []uint32 {
	at := 3 * int(prims[min(lane, len(prims)-1)].index)
	return e.indices[at : at+3]
}
