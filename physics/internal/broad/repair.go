package broad

import "slices"

// Insertions make a worse tree than a build, and removals leave nodes half empty. So a subtree
// below a node of level 2 is rebuilt when about a quarter of its boxes have come or gone, and one
// below a node of level 3 when that has happened to its children often enough. At most as much is
// rebuilt in one Settle as its changes can have worn out, so that the cost is spread over the
// changes.

// wear counts a box that has come to or gone from a leaf, at the node of level 2 above it, or at
// the root if that is lower.
func (t *tree) wear(i int32) {
	n := &t.nodes[i]
	for n.level < 2 && n.parent != 0 {
		i = n.parent
		n = &t.nodes[i]
	}
	if n.worn++; n.worn == wornOut {
		t.due = append(t.due, i)
	}
	n.worn = min(n.worn, 254)
}

// limit returns the wear from which on a subtree is rebuilt.
func (n *node) limit() uint8 {
	if n.level > 2 {
		return wornTops
	}
	return wornOut
}

// queueRebuild makes the subtree below a node of level 3 due for a rebuild.
func (t *tree) queueRebuild(i int32) {
	if n := &t.nodes[i]; n.level == 3 && n.worn < wornTops {
		n.worn = wornTops
		t.due = append(t.due, i)
	}
}

// repair rebuilds worn subtrees, as many as so many changes pay for.
func (p *Phase) repair(half, changes, workers int) {
	t := &p.trees[half]
	done, k := 0, 0
	for ; k < len(t.due) && done <= changes/repairShare; k++ {
		i := t.due[k]
		n := &t.nodes[i]
		switch {
		case n.level > highestRepaired || n.worn < n.limit(): // another node, or rebuilt since
			continue
		case i == t.root && t.count <= width*blockSize:
			p.build(half, workers) // empties the list
			return
		case i == t.root || n.level < 2:
			n.worn = 0
			continue
		}
		level, parent := n.level, n.parent
		p.rebuild(half, i)
		done += 1 << (3 * (level - 2))
		if up := &t.nodes[parent]; level < highestRepaired && up.worn < wornTops {
			if up.worn++; up.worn == wornTops {
				t.due = append(t.due, parent)
			}
		}
	}
	t.due = t.due[:copy(t.due, t.due[k:])]
}

// rebuild rebuilds the subtree below a node of level 2 or more. The node keeps its index. If the
// boxes need more than one node of its level, the others are inserted.
func (p *Phase) rebuild(half int, top int32) {
	t, b := &p.trees[half], &p.builder
	b.half, b.workers = half, 1
	n := &t.nodes[top]
	level, parent, slot := n.level, n.parent, n.slot
	b.fat = n.fat
	b.points, b.oldNodes = b.points[:0], b.oldNodes[:0]
	p.collectPoints(half, top)
	p.construct(&b.fat, len(b.points), level)

	tops := 1
	for b.nodes[b.used-1-int32(tops)].level == level {
		tops++
	}
	// The new nodes take the indices of the old; the first of the highest level takes that of top.
	first := b.used - int32(tops)
	for _, i := range b.oldNodes {
		t.dirty[t.nodes[i].level].remove(i)
	}
	for len(b.oldNodes) < int(b.used)-2 {
		b.oldNodes = append(b.oldNodes, t.alloc(0))
	}
	place := func(i int32) int32 {
		switch {
		case i == 0:
			return 0
		case i < first:
			return b.oldNodes[i-1]
		case i == first:
			return top
		default:
			return b.oldNodes[i-2]
		}
	}
	for i := int32(1); i < b.used; i++ {
		n, at := &b.nodes[i], place(i)
		n.parent = place(n.parent)
		for s, c := range n.child {
			switch {
			case c == 0:
			case c.isBox():
				p.setPlace(c.number(), placeOf(half, at, s))
			default:
				n.child[s] = nodeRef(place(c.node()))
			}
		}
		t.nodes[at] = *n
		t.touch(at)
	}
	t.nodes[top].parent, t.nodes[top].slot, t.nodes[top].fat = parent, slot, b.fat
	t.dirty[level].add(top) // its box may have shrunk
	for _, i := range b.oldNodes[b.used-2:] {
		t.release(i)
	}
	for i := first + 1; i < b.used; i++ {
		p.insert(half, branch{t.nodes[place(i)].union(), nodeRef(place(i)), level + 1})
	}
}

// collectPoints makes points of all boxes below a node, and lists the nodes below it.
func (p *Phase) collectPoints(half int, i int32) {
	t, b := &p.trees[half], &p.builder
	n := &t.nodes[i]
	if n.level == 0 {
		at := len(b.points)
		b.points = slices.Grow(b.points, width)[:at+int(n.count)]
		n.points(b.points[at:], i, inf32)
		return
	}
	for _, c := range n.child {
		if c != 0 {
			b.oldNodes = append(b.oldNodes, c.node())
			p.collectPoints(half, c.node())
		}
	}
}
