package broad

// A tree is built from the bottom up, out of blocks of up to 512 boxes that lie together (grid.go). Each becomes a node of level
// 2 and all below it (block.go); what is above is cut out of the blocks in the same way. The nodes lie in memory level after
// level, so that bringing boxes up to date goes straight through it.

// builder is what a build needs, kept for the next.
type builder struct {
	points  []point
	other   []point
	blocks  []block
	grids   []*grid
	benches []*bench
	nodes   []node // where the next tree is built; the memory of the last one
	overdue bool   // a tree has grown too high
	half    int
	workers int
	used    int32 // nodes
}

// pendingSource marks the source of a point as one of the boxes that wait.
const pendingSource = 1 << 31

// build makes a tree anew out of its boxes and of those that wait to be put into it.
func (p *Phase) build(half, workers int) {
	t, b := &p.trees[half], &p.builder
	n := t.count + len(p.pending[half])
	b.half, b.workers, b.overdue = half, workers, false
	if n == 0 {
		t.clear()
		return
	}
	b.points = sized(b.points, n)
	b.other = sized(b.other, n)
	p.gather()
	b.blocks = b.blocks[:0]
	b.spread(0, n, true)
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
	most := int(leafs) + int(forks) + len(b.blocks) + len(b.blocks)/4 + maxLevels
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
	points := b.points[bl.from:bl.to]
	w.arrange(points)
	top := b.used - int32(len(b.blocks)) + int32(i)
	up := &b.nodes[top]
	*up = emptyNode
	up.level = 2
	up.count = uint8(w.forks)
	for f := range w.forks {
		fork := bl.firstFork + int32(f)
		first, end := w.leaf(f), w.leaf(f+1)
		mid := &b.nodes[fork]
		*mid = emptyNode
		mid.level, mid.parent, mid.slot, mid.count = 1, top, uint8(f), uint8(end-first)
		for s := range end - first {
			leaf := bl.firstLeaf + int32(first+s)
			n := &b.nodes[leaf]
			p.packLeaf(n, leaf, w, points, first+s)
			n.parent, n.slot = fork, uint8(s)
			box := n.union()
			n.home = homeOf(box)
			mid.child[s] = nodeRef(leaf)
			mid.setBounds(s, box)
		}
		up.child[f] = nodeRef(fork)
		up.setBounds(f, mid.union())
	}
}

func (p *Phase) packLeaf(n *node, at int32, w *bench, points []point, leaf int) {
	half := p.builder.half
	t := &p.trees[half]
	*n = emptyNode
	n.level = 0
	from, to := w.box(leaf), w.box(leaf+1)
	n.count = uint8(to - from)
	for s := range to - from {
		source := points[w.index(from+s)].source
		if source&pendingSource != 0 {
			it := &p.pending[half][source&^pendingSource]
			n.setBounds(s, it.box)
			n.child[s] = boxRef(it.number)
			p.at[it.number] = placeOf(half, at, s)
			continue
		}
		from, slot := &t.nodes[source>>3], source&7
		for row := range n.box {
			n.box[row][s] = from.box[row][slot]
		}
		c := from.child[slot]
		n.child[s] = c
		p.at[c.number()] = placeOf(half, at, s)
	}
}

// roots makes the nodes above those of the blocks, and returns the root.
func (b *builder) roots(first int32) int32 {
	if len(b.blocks) == 1 { // may be lower than a block
		root := first
		for b.nodes[root].level > 0 && b.nodes[root].count == 1 {
			root = b.nodes[root].child[0].node()
		}
		if root != first {
			// the nodes that are not needed are the last
			b.used = root + 1
		}
		return root
	}
	points := b.points[:len(b.blocks)]
	for i := range points {
		box := b.nodes[first+int32(i)].union()
		points[i] = pointOf(&box, uint32(first)+uint32(i))
	}
	level := uint8(2)
	for room := 1; room < len(points); room *= width {
		level++
	}
	return b.raise(points, level)
}

// raise makes a node of a level above nodes of level 2, and returns it.
func (b *builder) raise(points []point, level uint8) int32 {
	if level == 2 {
		return int32(points[0].source)
	}
	room := 1 << (3 * (level - 3)) // of a child
	i := b.used
	b.used++
	b.nodes[i] = emptyNode
	b.nodes[i].level = level
	b.raiseChildren(i, points, (len(points)+room-1)/room)
	return i
}

// raiseChildren makes children of a node.
func (b *builder) raiseChildren(i int32, points []point, children int) {
	n := &b.nodes[i]
	if children == 1 {
		c := b.raise(points, n.level-1)
		child, s := &b.nodes[c], int(n.count)
		n.count++
		n.child[s] = nodeRef(c)
		n.setBounds(s, child.union())
		child.parent, child.slot = i, uint8(s)
		return
	}
	mid := len(points) * (children / 2) / children
	cutPoints(points, mid)
	b.raiseChildren(i, points[:mid], children/2)
	b.raiseChildren(i, points[mid:], children-children/2)
}
