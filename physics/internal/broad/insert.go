package broad

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// branch is a child on its way into a node of a level.
type branch struct {
	box   geom.AABB
	child ref
	level uint8
}

// takeOut empties a slot of a node of level 0.
func (t *tree) takeOut(i int32, slot int) {
	t.drop(i, slot)
	t.count--
	t.wear(i)
}

// drop empties a slot. The node may have too few children then.
func (t *tree) drop(i int32, slot int) {
	n := &t.nodes[i]
	n.child[slot] = 0
	n.setBounds(slot, nowhere)
	n.count--
	t.dirty[n.level].add(i)
	if n.count < minFill {
		t.thin = append(t.thin, i)
	}
}

// wear notes at the node of level 2 above a node of level 0 that a box has come or gone.
func (t *tree) wear(i int32) {
	if i = t.nodes[t.nodes[i].parent].parent; i == 0 {
		return
	}
	n := &t.nodes[i]
	if n.worn < 255 {
		n.worn++
	}
	if n.worn == wornOut {
		t.tired = append(t.tired, i)
	}
}

// dissolveThin takes nodes with too few children out of the tree. Their boxes and branches are to be put elsewhere. What is
// thin without having lost children stays, as a tree that is built may have such nodes.
func (p *Phase) dissolveThin(half int) {
	t := &p.trees[half]
	for k := 0; k < len(t.thin); k++ {
		i := t.thin[k]
		n := &t.nodes[i]
		if n.level == unused || n.count >= minFill || i == t.root {
			continue
		}
		for s, c := range n.child {
			switch {
			case c == 0:
			case c.isBox():
				t.count--
				p.count--
				t.wear(i)
				p.link(half, item{n.bounds(s), c.number()})
			default:
				t.loose = append(t.loose, branch{n.bounds(s), c, n.level})
			}
		}
		t.drop(n.parent, int(n.slot))
		t.give(i)
	}
	t.thin = t.thin[:0]
}

// insertLoose puts branches and the boxes that wait into the tree, the highest first, since there is a place for them as long
// as nothing of their height was put below them.
func (p *Phase) insertLoose(half int) {
	t := &p.trees[half]
	if t.root != 0 && t.nodes[t.root].count == 0 {
		t.dirty[t.nodes[t.root].level].remove(t.root)
		level := uint8(0)
		for _, b := range t.loose {
			level = max(level, b.level)
		}
		t.nodes[t.root].level = level
		t.dirty[level].add(t.root)
	}
	for level := maxLevels - 1; len(t.loose) > 0 && level > 0; level-- {
		for _, b := range t.loose {
			if int(b.level) == level {
				p.insert(half, b)
			}
		}
	}
	t.loose = t.loose[:0]
	if len(p.pending[half]) > 0 && t.root == 0 {
		t.root = t.take(0)
	}
	for _, it := range p.pending[half] {
		p.insert(half, branch{it.box, boxRef(it.number), 0})
	}
	t.count += len(p.pending[half])
	p.pending[half] = p.pending[half][:0]
	t.shrink()
}

// shrink takes roots away that have a single child or none.
func (t *tree) shrink() {
	for t.root != 0 {
		n := &t.nodes[t.root]
		old := t.root
		switch {
		case n.count == 0:
			t.root = 0
		case n.level > 0 && n.count == 1:
			for _, c := range n.child {
				if c != 0 {
					t.root = c.node()
				}
			}
			t.nodes[t.root].parent, t.nodes[t.root].slot = 0, 0
			t.touch(t.root)
		default:
			return
		}
		t.give(old)
	}
}

// insert puts a branch into the tree: downward into the child that grows least, and there it splits what has no room
// (Guttman 1984).
func (p *Phase) insert(half int, b branch) {
	t := &p.trees[half]
	i := t.root
	for n := &t.nodes[i]; n.level > b.level; n = &t.nodes[i] {
		slot, grown := n.choose(&b.box)
		n.setBounds(slot, grown)
		t.dirty[n.level].add(i) // boxes that are too large are cut back later
		i = n.child[slot].node()
	}
	if n := &t.nodes[i]; n.count < width {
		p.fill(half, i, n.room(), b)
		n.count++
	} else {
		p.split(half, i, b)
		if b.level > 0 {
			return
		}
		i = p.at[b.child.number()].node()
	}
	if b.level == 0 {
		t.nodes[i].settleDown()
		t.wear(i)
	}
}

// settleDown makes the home of a node of level 0 fit its boxes.
func (n *node) settleDown() {
	if n.level == 0 {
		n.home = homeOf(n.union())
	}
}

// fill puts a branch into an empty slot.
func (p *Phase) fill(half int, i int32, slot int, b branch) {
	t := &p.trees[half]
	n := &t.nodes[i]
	n.child[slot] = b.child
	n.setBounds(slot, b.box)
	if b.child.isBox() {
		p.setPlace(b.child.number(), placeOf(half, i, slot))
	} else {
		c := &t.nodes[b.child.node()]
		c.parent, c.slot = i, uint8(slot)
		t.touch(b.child.node())
	}
	t.dirty[n.level].add(i)
}

// choose returns the child whose area grows least around a box, the smallest of equals, and its box then.
func (n *node) choose(box *geom.AABB) (slot int, grown geom.AABB) {
	slot = -1
	least, smallest := math.Inf(1), math.Inf(1)
	for s, c := range n.child {
		if c == 0 {
			continue
		}
		old := n.bounds(s)
		with := union(&old, box)
		a := area(&old)
		if growth := area(&with) - a; slot < 0 || growth < least || growth == least && a < smallest {
			slot, least, smallest, grown = s, growth, a, with
		}
	}
	return slot, grown
}

// split parts the children of a full node and one more between it and a new one, along the axis and at the place where the
// areas of the two, each times its children, are the least in sum.
func (p *Phase) split(half int, i int32, b branch) {
	t := &p.trees[half]
	level := t.nodes[i].level
	if i == t.root {
		if level+1 == maxLevels {
			p.builder.overdue = true
		}
		t.root = t.take(level + 1)
		r := &t.nodes[t.root]
		p.fill(half, t.root, 0, branch{t.nodes[i].union(), nodeRef(i), level + 1})
		r.count = 1
	}
	j := t.take(level)
	n := &t.nodes[i]
	var all [width + 1]branch
	for s, c := range n.child {
		all[s] = branch{n.bounds(s), c, level}
	}
	all[width] = b
	cut := bestSplit(&all)
	parent, slot, worn := n.parent, n.slot, n.worn
	*n = emptyNode
	n.parent, n.slot, n.level, n.worn = parent, slot, level, worn
	for k, b := range all[:cut] {
		p.fill(half, i, k, b)
	}
	for k, b := range all[cut:] {
		p.fill(half, j, k, b)
	}
	m := &t.nodes[j]
	n.count, m.count, m.worn = uint8(cut), uint8(len(all)-cut), worn
	n.settleDown()
	m.settleDown()
	up := &t.nodes[parent]
	up.setBounds(int(slot), n.union())
	other := branch{m.union(), nodeRef(j), level + 1}
	if up.count < width {
		p.fill(half, parent, up.room(), other)
		up.count++
		return
	}
	p.split(half, parent, other)
}

// bestSplit sorts the branches so that those before cut belong together, and those after.
func bestSplit(all *[width + 1]branch) (cut int) {
	least := math.Inf(1)
	var best [width + 1]branch
	for axis := range geom.Axis(3) {
		sortAlong(all, axis)
		var after [width + 1]float64
		box := nowhere
		for k := width; k > 0; k-- {
			box = union(&box, &all[k].box)
			after[k] = area(&box)
		}
		box = nowhere
		for k := range width {
			box = union(&box, &all[k].box)
			first := k + 1
			if first < minFill || len(all)-first < minFill {
				continue
			}
			cost := float64(area(&box)*float64(first)) + float64(after[first]*float64(len(all)-first))
			if cost < least || cut == 0 {
				least, cut, best = cost, first, *all
			}
		}
	}
	*all = best
	return cut
}

func sortAlong(all *[width + 1]branch, axis geom.Axis) {
	var keys [width + 1]float64
	for k := range all {
		b := &all[k].box
		keys[k] = float64(b.Min.Axis(axis)) + float64(b.Max.Axis(axis))
	}
	for k := 1; k < len(all); k++ {
		b, key := all[k], keys[k]
		at := k
		for ; at > 0 && keys[at-1] > key; at-- {
			all[at], keys[at] = all[at-1], keys[at-1]
		}
		all[at], keys[at] = b, key
	}
}
