package broad

import "slices"

// What is inserted one by one makes a worse tree than what is built, and what is taken out leaves
// nodes that are half empty. So when about a quarter of the boxes below a node of level 2 have come
// or gone, all below it is built anew, and when that has happened to its children often enough, so
// is what is below a node of level 3: some hundred or thousand boxes at a time, and no more at once
// than the changes can have worn out, so that the cost is spread over them.

const (
	// wornOut is how many boxes may come and go below a node of level 2 until what is below it is
	// built anew.
	wornOut = 96
	// wornTops is how often that may happen below a node of level 3 until all below it is built
	// anew.
	wornTops = 6
	// highestRepaired is up to which level that goes on.
	highestRepaired = 4
	// repairShare is after how many changes one more node of level 2 is built anew: fewer than wear
	// one out.
	repairShare = 32
)

// wear notes at the node of level 2 above a node of level 0, or at the root if that is lower, that
// a box has come or gone.
func (t *tree) wear(i int32) {
	n := &t.nodes[i]
	for n.level < 2 && n.parent != 0 {
		i = n.parent
		n = &t.nodes[i]
	}
	if n.worn++; n.worn == wornOut {
		t.tired = append(t.tired, i)
	}
	n.worn = min(n.worn, 254)
}

// limit returns how much a node must be worn to be built anew.
func (n *node) limit() uint8 {
	if n.level > 2 {
		return wornTops
	}
	return wornOut
}

// tire has what is below a node of level 3 built anew, however little it is worn.
func (t *tree) tire(i int32) {
	if n := &t.nodes[i]; n.level == 3 && n.worn < wornTops {
		n.worn = wornTops
		t.tired = append(t.tired, i)
	}
}

// repair builds anew what is worn out, after so many boxes came or went.
func (p *Phase) repair(half, changes, workers int) {
	t := &p.trees[half]
	done, k := 0, 0
	for ; k < len(t.tired) && done <= changes/repairShare; k++ {
		i := t.tired[k]
		n := &t.nodes[i]
		switch {
		case n.level > highestRepaired || n.worn < n.limit(): // not the node that it was, or built anew already
			continue
		case i == t.root && t.count <= width*blockSize:
			p.build(half, workers) // forgets who else is tired
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
				t.tired = append(t.tired, parent)
			}
		}
	}
	t.tired = t.tired[:copy(t.tired, t.tired[k:])]
}

// rebuild builds what is below a node of level 2 or more anew. The node keeps its index; if there
// are more like it now, these are inserted beside it.
func (p *Phase) rebuild(half int, top int32) {
	t, b := &p.trees[half], &p.builder
	b.half, b.workers = half, 1
	n := &t.nodes[top]
	level, parent, slot := n.level, n.parent, n.slot
	b.home = n.home
	b.points, b.gone = b.points[:0], b.gone[:0]
	p.lookThrough(half, top)
	p.construct(&b.home, len(b.points), level)

	tops := 1
	for b.nodes[b.used-1-int32(tops)].level == level {
		tops++
	}
	// The new nodes take the places of the old, but for the first that is as high as the top, which
	// takes its place.
	first := b.used - int32(tops)
	for _, i := range b.gone {
		t.dirty[t.nodes[i].level].remove(i)
	}
	for len(b.gone) < int(b.used)-2 {
		b.gone = append(b.gone, t.take(0))
	}
	place := func(i int32) int32 {
		switch {
		case i == 0:
			return 0
		case i < first:
			return b.gone[i-1]
		case i == first:
			return top
		default:
			return b.gone[i-2]
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
	t.nodes[top].parent, t.nodes[top].slot, t.nodes[top].home = parent, slot, b.home
	t.dirty[level].add(top) // its box may be smaller, as may have been boxes in it
	for _, i := range b.gone[b.used-2:] {
		t.give(i)
	}
	for i := first + 1; i < b.used; i++ {
		p.insert(half, branch{t.nodes[place(i)].union(), nodeRef(place(i)), level + 1})
	}
}

// lookThrough makes points of all boxes below a node, and notes which nodes there are.
func (p *Phase) lookThrough(half int, i int32) {
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
			b.gone = append(b.gone, c.node())
			p.lookThrough(half, c.node())
		}
	}
}
