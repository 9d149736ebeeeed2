package wide

import (
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Which binary nodes become wide nodes is found by dynamic programming (after Wald, Benthin and
// Boulos 2008, and Ylitie, Karras and Laine 2017): for each binary node, bottom up, the least cost
// of its triangles as one child of a wide node, as two, and so on up to eight.

// The cost of a visit, in visits of a node.
const (
	nodeCost   = 1.0
	packedCost = 0.9
	looseCost  = 1.3
	// memoryCost is the cost of the memory of a whole tree at one unit per triangle: small enough
	// that rays are no slower, and large enough to fill the nodes that few rays visit.
	memoryCost = 6.0
)

// fit is the kind of leaf that triangles fit into.
type fit uint8

const (
	fitsNone fit = iota
	fitsLoose
	fitsPacked
)

// costs[k] is the least cost of a binary node as at most k+1 children of one wide node.
type costs [width]float32

// plan is how a binary node becomes at most k+1 children of one wide node at the least cost: for k
// > 0, how[k] is the number of them below the first child of the binary node, or 0 if fewer
// children are better. how[0] is the kind of leaf it becomes; 0: it becomes a node.
type plan struct{ how [width]uint8 }

// share is the probability that a ray that hits the bounds hits a box.
func (b *builder) share(c *box) float32 { return b.measure.area(c) / b.total }

func (b *builder) planLeaf(n *binary) (cost costs) {
	c := float32(packedCost*b.share(&n.box)) + float32(packedUnits*b.unitCost)
	for k := range cost {
		cost[k] = c
	}
	n.how = [width]uint8{uint8(fitsPacked)}
	return cost
}

func (b *builder) planNode(n *binary, l, r *costs, f fit) (cost costs) {
	n.how = [width]uint8{}
	for k := 1; k < width; k++ {
		best, how := inf32, 0
		for i := range k { // i+1 below the first child, k−i below the second
			if c := l[i] + r[k-1-i]; c < best {
				best, how = c, i+1
			}
		}
		cost[k], n.how[k] = best, uint8(how)
	}
	share := b.share(&n.box)
	cost[0] = float32(share*nodeCost) + float32(nodeUnits*b.unitCost) + cost[width-1]
	if c := float32(share*looseCost) + float32(looseUnits*b.unitCost); f == fitsLoose && c < cost[0] {
		cost[0], n.how[0] = c, uint8(f)
	}
	for k := 1; k < width; k++ {
		if cost[k] >= cost[k-1] {
			cost[k], n.how[k] = cost[k-1], 0
		}
	}
	return cost
}

// emit writes the tree.
func (b *builder) emit(bounds geom.AABB) Tree {
	if b.watch.stop() {
		return Tree{}
	}
	t := Tree{units: aligned(b.count(0)), ids: make([]int32, 0, len(b.prims))}
	t.setBounds(bounds)
	e := emitter{builder: b, Tree: &t}
	t.root, t.need = e.put(0)
	return t
}

// count returns the number of units of what a binary node becomes.
func (b *builder) count(i int) int {
	switch fit(b.nodes[i].how[0]) {
	case fitsPacked:
		return packedUnits
	case fitsLoose:
		return looseUnits
	}
	var list [width]int
	n := nodeUnits
	for _, c := range b.top(list[:0], i) {
		n += b.count(c)
	}
	return n
}

type emitter struct {
	*builder
	*Tree
	end  int // of the units so far
	seen int // number of triangles reported to the watch
}

func (e *emitter) extend(n int) int {
	e.end += n
	return e.end - n
}

// put writes what a binary node becomes, and returns its ref and the number of stack entries of a
// traversal below it.
func (e *emitter) put(i int) (ref, int) {
	if n := &e.nodes[i]; n.how[0] != 0 {
		return e.leaf(n), 1
	}
	return e.node(i)
}

func (e *emitter) node(i int) (ref, int) {
	if n := len(e.ids); n-e.seen >= watchSize {
		if e.watch.stop() {
			return 0, 0 // all goroutines stop
		}
		e.watch.did(n-e.seen, writeShare)
		e.seen = n
	}
	var list [width]int
	children := e.top(list[:0], i)
	// Traversals of casts for any hit visit children in this order.
	var areas [width]float32
	for k, c := range children {
		area := e.measure.area(&e.nodes[c].box)
		j := k
		for ; j > 0 && areas[j-1] < area; j-- {
			areas[j], children[j] = areas[j-1], children[j-1]
		}
		areas[j], children[j] = area, c
	}
	at := e.extend(nodeUnits)
	r := newRef(at, kindNode)
	n := e.Tree.node(r)
	for k := len(children); k < width; k++ {
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
	return r, need + len(children) - 1
}

// children appends the binary nodes that represent node i as at most k children.
func (b *builder) children(list []int, i, k int) []int {
	n := &b.nodes[i]
	for k > 1 && n.how[k-1] == 0 {
		k--
	}
	if k == 1 {
		return append(list, i)
	}
	first := int(n.how[k-1])
	list = b.children(list, i+1, first)
	return b.children(list, int(n.second), k-first)
}

// top appends the children of the wide node that binary node i becomes: at least two, even if
// rounding makes one look cheaper.
func (b *builder) top(list []int, i int) []int {
	n := &b.nodes[i]
	k := width
	for k > 2 && n.how[k-1] == 0 {
		k--
	}
	first := max(int(n.how[k-1]), 1)
	list = b.children(list, i+1, first)
	return b.children(list, int(n.second), k-first)
}

func (e *emitter) leaf(b *binary) ref {
	first, count := len(e.ids), int(b.count)
	prims := e.prims[b.first : b.first+b.count]
	for i := range prims {
		e.ids = append(e.ids, prims[i].index)
	}
	if fit(b.how[0]) == fitsLoose {
		r := newRef(e.extend(looseUnits), kindLoose)
		l := e.Tree.loose(r)
		l.leafInfo = newLeafInfo(first, count, 0)
		for lane := range width {
			at := 3 * int(prims[min(lane, count-1)].index)
			for corner, c := range e.indices[at : at+3] {
				v := &e.vertices[c]
				l.corner[corner][0][lane], l.corner[corner][1][lane], l.corner[corner][2][lane] = v.X, v.Y, v.Z
			}
		}
		return r
	}
	r := newRef(e.extend(packedUnits), kindPacked)
	l := e.Tree.packed(r)
	var seen [width]uint32
	n := 0
	for lane := range prims {
		at := 3 * int(prims[lane].index)
		for corner, c := range e.indices[at : at+3] {
			v := e.weld[c]
			k := 0
			for k < n && seen[k] != v {
				k++
			}
			if k == n {
				seen[k] = v
				n++
			}
			l.corner[corner][lane&(width-1)] = uint8(k)
		}
	}
	for lane := count; lane < width; lane++ {
		for corner := range 3 {
			l.corner[corner][lane] = l.corner[corner][count-1]
		}
	}
	for i := range width {
		v := &e.vertices[seen[min(i, n-1)]]
		l.vertex[0][i], l.vertex[1][i], l.vertex[2][i] = v.X, v.Y, v.Z
	}
	l.leafInfo = newLeafInfo(first, count, n)
	return r
}
