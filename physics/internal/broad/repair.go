package broad

// What is inserted one by one makes a worse tree than what is built, and what is taken out leaves nodes that are half empty. So
// when a quarter of the boxes below a node of level 2 have come or gone, all below it is built anew: a few hundred boxes at a
// time, and no more nodes at once than their wear can have brought, so that the cost is spread over the changes.

// repair builds anew what is worn out, after so many boxes came or went.
func (p *Phase) repair(half, changes int) {
	t := &p.trees[half]
	b := &p.builder
	if len(b.benches) == 0 {
		b.benches = append(b.benches, new(bench))
	}
	done, k := 0, 0
	for ; k < len(t.tired) && done <= changes/repairShare; k++ {
		i := t.tired[k]
		if n := &t.nodes[i]; n.level > 2 || n.worn < wornOut || n.level < 2 && i != t.root {
			continue // it is not the node that it was, or was built anew already
		}
		done++
		if t.nodes[i].level == 2 {
			p.rebuild(half, i)
		} else {
			p.build(half, 1) // forgets who else is tired
			return
		}
	}
	t.tired = t.tired[:copy(t.tired, t.tired[k:])]
}

// rebuild builds what is below a node of level 2 anew, in the places of the old nodes.
func (p *Phase) rebuild(half int, top int32) {
	t, b := &p.trees[half], &p.builder
	w := b.benches[0]
	b.items = b.items[:0]
	forks, leafs := 0, 0
	for _, f := range t.nodes[top].child {
		if f == 0 {
			continue
		}
		w.forkAt[forks] = f.node()
		forks++
		for _, l := range t.nodes[f.node()].child {
			if l == 0 {
				continue
			}
			w.leafAt[leafs] = l.node()
			leafs++
			n := &t.nodes[l.node()]
			box := n.union()
			t.area -= area(&box)
			for s, c := range n.child {
				if c != 0 {
					b.items = append(b.items, item{n.bounds(s), c.number()})
				}
			}
		}
		box := t.nodes[f.node()].union()
		t.area -= area(&box)
	}
	b.points = sized(b.points, max(len(b.items), cap(b.points)))
	points := b.points[:len(b.items)]
	for i := range points {
		points[i] = pointOf(&b.items[i].box, pendingSource|uint32(i))
	}
	n := &t.nodes[top]
	parent, slot, home := n.parent, n.slot, n.home
	k := packing{p: p, nodes: t.nodes, items: b.items, half: half, within: &home}
	t.area += k.pack(w, points, top)
	n.parent, n.slot, n.home = parent, slot, home
	for _, i := range w.forkAt[w.forks:forks] {
		t.give(i)
	}
	for _, i := range w.leafAt[w.leafs:leafs] {
		t.give(i)
	}
	t.dirty[2].add(top) // of what was taken out, nothing may be left to say so
	for _, i := range w.forkAt[:w.forks] {
		t.touch(i)
	}
	for _, i := range w.leafAt[:w.leafs] {
		t.touch(i)
	}
	for i := range b.items {
		p.stamps[b.items[i].number/numbersPerStamp] = p.version
	}
}
