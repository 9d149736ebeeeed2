package broad

import "github.com/hitscan-go/hitscan/physics/geom"

// packing makes nodes of sorted boxes.
type packing struct {
	phase  *Phase
	half   int
	nodes  []node     // the result
	old    []node     // the boxes come from here
	items  []item     // or are pending
	within *geom.AABB // bounds all fat AABBs, unless nil
}

// construct makes nodes of the builder's points, as builder.nodes[1:used] by rising level, up to
// the level highest. The first small points are those of boxes that are not large; they share no
// node of level 2 or below with large ones.
func (p *Phase) construct(within *geom.AABB, small int, highest uint8) {
	b := &p.builder
	b.other = sized(b.other, len(b.points))
	b.blocks = b.blocks[:0]
	p.partition(0, small, true, 0, 1)
	p.partition(small, len(b.points), true, 0, 1)
	leaves, forks := int32(1), int32(0)
	for i := range b.blocks {
		bl := &b.blocks[i]
		bl.firstLeaf, bl.firstFork = leaves, forks
		l := leavesFor(int(bl.to - bl.from))
		leaves += int32(l)
		forks += int32(leavesFor(l))
	}
	for i := range b.blocks {
		b.blocks[i].firstFork += leaves
	}
	b.used = leaves + forks + int32(len(b.blocks))
	// Above the blocks a node has two children or more, or is the only one of its level.
	most := int(b.used) + len(b.blocks) + maxLevels
	if most > maxNodes {
		panic("broad: Phase.Settle: too many boxes")
	}
	if cap(b.nodes) < most {
		b.nodes = alignedNodes(most + most/8)
	}
	b.nodes = b.nodes[:cap(b.nodes)]
	b.nodes[0] = emptyNode
	for len(b.sorters) < b.workers {
		b.sorters = append(b.sorters, new(blockSorter))
	}
	b.pack = packing{phase: p, half: b.half, nodes: b.nodes, old: p.trees[b.half].nodes, items: p.pending[b.half], within: within}
	b.parts = min(b.workers, len(b.blocks))
	p.loop.Run(p, b.parts, b.parts, 1, (*Phase).packPart)
	b.raiseAll(leaves+forks, highest)
}

// packPart makes the nodes of a part of the blocks.
func (p *Phase) packPart(_, part, _ int) {
	b := &p.builder
	from, to := partOf(len(b.blocks), part, b.parts)
	top := b.used - int32(len(b.blocks))
	for i := from; i < to; i++ {
		bl := &b.blocks[i]
		b.pack.block(b.sorters[part], b.points[bl.from:bl.to], bl.firstLeaf, bl.firstFork, top+int32(i))
	}
}

// block makes a node of level 2 and its subtree.
func (k *packing) block(w *blockSorter, points []point, firstLeaf, firstFork, top int32) {
	w.arrange(points)
	up := &k.nodes[top]
	*up = emptyNode
	up.level, up.count = 2, uint8(w.forks)
	for f := range w.forks {
		first, end := w.leaf(f), w.leaf(f+1)
		fork := firstFork + int32(f)
		mid := &k.nodes[fork]
		*mid = emptyNode
		mid.level, mid.parent, mid.slot, mid.count = 1, top, uint8(f), uint8(end-first)
		for s := range end - first {
			leaf := firstLeaf + int32(first+s)
			n := &k.nodes[leaf]
			k.leaf(n, leaf, w, points, first+s)
			n.parent, n.slot = fork, uint8(s)
			box := n.union()
			n.fat = fatAABB(&box, 0, k.within)
			mid.child[s] = nodeRef(leaf)
			mid.setBounds(s, box)
		}
		box := mid.union()
		mid.fat = fatAABB(&box, 1, k.within)
		up.child[f] = nodeRef(fork)
		up.setBounds(f, box)
	}
	box := up.union()
	up.fat = fatAABB(&box, 2, k.within)
}

// leaf makes a node of level 0.
func (k *packing) leaf(n *node, at int32, w *blockSorter, points []point, leaf int) {
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
		k.phase.at[c.number()] = placeOf(k.half, at, s)
	}
}

// raiseAll makes the levels above the blocks, whose first node is given, up to the level highest or
// to a single root.
func (b *builder) raiseAll(first int32, highest uint8) {
	b.cuts = b.cuts[:0]
	for i := range b.blocks {
		b.cuts = append(b.cuts, b.blocks[i].cut)
	}
	from := 0 // the cuts of the current level; those of the next are appended
	for level := uint8(3); level <= highest && (len(b.cuts)-from > 1 || highest < maxLevels); level++ {
		to, above := len(b.cuts), b.used
		b.raise(first-int32(from), from, to, level)
		from, first = to, above
	}
}

// raise makes the nodes of a level above the nodes offset+from to offset+to of the level below, and
// appends their cuts. Where there are too many for one parent they are separated at the first cut,
// so that siblings are those that were cut from each other last.
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
	box := n.union()
	n.fat = fatAABB(&box, level, b.pack.within)
	b.cuts = append(b.cuts, b.cuts[from])
}
