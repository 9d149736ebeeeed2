package broad

import "github.com/hitscan-go/hitscan/physics/geom"

// A tree is built from the bottom up, out of blocks of up to 512 boxes that lie together (grid.go). Each becomes a node of level
// 2 and all below it (block.go); what is above is cut out of the blocks in the same way. The nodes lie in memory level after
// level, so that bringing boxes up to date goes straight through it.

// builder is what a build needs, kept for the next.
type builder struct {
	points  []point
	other   []point
	items   []item // of a part that is built anew
	blocks  []block
	grids   []*grid
	benches []*bench
	nodes   []node // where the next tree is built; the memory of the last one
	half    int
	workers int
	used    int32 // nodes
	cuts    []int32
}

// pendingSource marks the source of a point as one of the boxes that wait.
const pendingSource = 1 << 31

// build makes a tree anew out of its boxes and of those that wait to be put into it.
func (p *Phase) build(half, workers int) {
	t, b := &p.trees[half], &p.builder
	n := t.count + len(p.pending[half])
	b.half, b.workers = half, workers
	if n == 0 {
		t.clear()
		return
	}
	b.points = sized(b.points, n)
	b.other = sized(b.other, n)
	p.gather()
	b.blocks = b.blocks[:0]
	b.spread(0, n, true, 0, 1)
	leafs, forks := int32(1), int32(0)
	for i := range b.blocks {
		bl := &b.blocks[i]
		bl.firstLeaf, bl.firstFork = leafs, forks
		l := leafsOf(int(bl.to - bl.from))
		leafs += int32(l)
		forks += int32(leafsOf(l))
	}
	for i := range b.blocks {
		b.blocks[i].firstFork += leafs
	}
	// level 0, level 1, level 2, and above that a seventh at most, rounded up on each level
	most := int(leafs) + int(forks) + len(b.blocks) + len(b.blocks) + maxLevels
	if most > maxNodes {
		panic("broad: Phase.Settle: too many boxes")
	}
	if cap(b.nodes) < most {
		b.nodes = alignedNodes(most + most/8)
	}
	b.nodes = b.nodes[:cap(b.nodes)]
	b.nodes[0] = node{}
	for len(b.benches) < workers {
		b.benches = append(b.benches, new(bench))
	}
	b.used = leafs + forks + int32(len(b.blocks))
	p.crew.do(workers, p, (*Phase).packShare)
	root := b.roots(leafs + forks)
	b.nodes[root].parent, b.nodes[root].slot = 0, 0

	old := t.nodes
	t.clear()
	t.nodes, b.nodes = b.nodes[:b.used], old[:0]
	t.root, t.count = root, n
	for i := range b.blocks {
		t.area += b.blocks[i].area
	}
	for i := leafs + forks; i < b.used; i++ {
		if i != root {
			box := t.nodes[i].union()
			t.area += area(&box)
		}
	}
	t.fresh = t.area
	t.reserve(len(t.nodes))
	for i := range t.stamps {
		t.stamps[i] = t.version
	}
	for i := range p.stamps {
		p.stamps[i] = p.version
	}
	p.pending[half] = p.pending[half][:0]
}

// sized returns a slice of n values, in the memory of s if there is room.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		s = make([]T, n+n/8)
	}
	return s[:n]
}

// gather makes points of all boxes.
func (p *Phase) gather() {
	t, b := &p.trees[p.builder.half], &p.builder
	at := 0
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.level != 0 || i == 0 {
			continue
		}
		for s, c := range n.child {
			if c != 0 {
				box := n.bounds(s)
				b.points[at] = pointOf(&box, uint32(i)<<3|uint32(s))
				at++
			}
		}
	}
	for i := range p.pending[b.half] {
		b.points[at] = pointOf(&p.pending[b.half][i].box, pendingSource|uint32(i))
		at++
	}
}

// packShare makes the nodes of a worker's blocks.
func (p *Phase) packShare(worker int) {
	b := &p.builder
	from, to := share(len(b.blocks), worker, b.workers)
	for i := from; i < to; i++ {
		p.pack(b.benches[worker], i)
	}
}

// pack makes the nodes of a block.
func (p *Phase) pack(w *bench, i int) {
	b, bl := &p.builder, &p.builder.blocks[i]
	k := packing{p: p, nodes: b.nodes, old: p.trees[b.half].nodes, items: p.pending[b.half], half: b.half}
	for f := range w.forkAt {
		w.forkAt[f] = bl.firstFork + int32(f)
	}
	for l := range w.leafAt {
		w.leafAt[l] = bl.firstLeaf + int32(l)
	}
	bl.area = k.pack(w, b.points[bl.from:bl.to], b.used-int32(len(b.blocks))+int32(i))
}

// packing is how boxes become the nodes of a block.
type packing struct {
	p      *Phase
	half   int
	nodes  []node     // where they are made
	old    []node     // where boxes come from
	items  []item     // or from here
	within *geom.AABB // where all homes are to be, if not nil
}

// pack makes nodes of the points, in the places that the bench has for them and for the top, and returns the area of those
// below the top.
func (k *packing) pack(w *bench, points []point, top int32) (sum float64) {
	w.arrange(points)
	up := &k.nodes[top]
	*up = emptyNode
	up.level, up.count = 2, uint8(w.forks)
	for f := range w.forks {
		first, end := w.leaf(f), w.leaf(f+1)
		fork := w.forkAt[f]
		mid := &k.nodes[fork]
		*mid = emptyNode
		mid.level, mid.parent, mid.slot, mid.count = 1, top, uint8(f), uint8(end-first)
		for s := range end - first {
			leaf := w.leafAt[first+s]
			n := &k.nodes[leaf]
			k.packLeaf(w, points, first+s)
			n.parent, n.slot = fork, uint8(s)
			box := n.union()
			n.home = homeOf(box)
			if k.within != nil {
				n.home = intersection(&n.home, k.within)
			}
			mid.child[s] = nodeRef(leaf)
			mid.setBounds(s, box)
			sum += area(&box)
		}
		box := mid.union()
		up.child[f] = nodeRef(fork)
		up.setBounds(f, box)
		sum += area(&box)
	}
	up.home = wideHomeOf(up.union())
	return sum
}

// packLeaf makes a node of level 0.
func (k *packing) packLeaf(w *bench, points []point, leaf int) {
	at := w.leafAt[leaf]
	n := &k.nodes[at]
	from, to := w.box(leaf), w.box(leaf+1)
	if to-from < width {
		*n = emptyNode
	}
	n.level, n.worn, n.count = 0, 0, uint8(to-from)
	for s := range to - from {
		source := points[w.index(from+s)].source
		var c ref
		if source&pendingSource == 0 {
			o, slot := &k.old[source>>3], source%width
			c = o.child[slot]
			n.setBounds(s, o.bounds(int(slot)))
		} else {
			it := &k.items[source&^pendingSource]
			c = boxRef(it.number)
			n.setBounds(s, it.box)
		}
		n.child[s%width] = c
		k.p.at[c.number()] = placeOf(k.half, at, s)
	}
}

// roots makes the nodes above those of the blocks, which are the last, and returns the root. Nodes that were cut from each
// other late come under one parent.
func (b *builder) roots(first int32) int32 {
	if len(b.blocks) == 1 { // may be lower than a block; what is not needed is at the end
		root := first
		for b.nodes[root].level > 0 && b.nodes[root].count == 1 {
			root = b.nodes[root].child[0].node()
		}
		b.blocks[0].area = 0
		for i := int32(1); i < root; i++ {
			box := b.nodes[i].union()
			b.blocks[0].area += area(&box)
		}
		b.used = root + 1
		return root
	}
	b.cuts = b.cuts[:0]
	for i := range b.blocks {
		b.cuts = append(b.cuts, b.blocks[i].cut)
	}
	from := 0 // of cuts, which grow as they are read
	for level := uint8(3); len(b.cuts)-from > 1; level++ {
		to, above := len(b.cuts), b.used
		b.raise(first-int32(from), from, to, level)
		from, first = to, above
	}
	return first
}

// raise makes nodes of a level above some of those of the level below, and notes where they were cut from each other. The nodes
// below have the numbers of their cuts, plus offset.
func (b *builder) raise(offset int32, from, to int, level uint8) {
	if to-from > width {
		mid := from + 1
		for i := mid; i < to; i++ {
			if b.cuts[i] < b.cuts[mid] {
				mid = i
			}
		}
		b.raise(offset, from, mid, level)
		b.raise(offset, mid, to, level)
		return
	}
	i := b.used
	b.used++
	n := &b.nodes[i]
	*n = emptyNode
	n.level, n.count = level, uint8(to-from)
	for s := range to - from {
		c := offset + int32(from+s)
		child := &b.nodes[c]
		child.parent, child.slot = i, uint8(s)
		n.child[s] = nodeRef(c)
		n.setBounds(s, child.union())
	}
	b.cuts = append(b.cuts, b.cuts[from])
}
