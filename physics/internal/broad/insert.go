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

// dissolveThin takes nodes with too few children out of the tree. Their boxes and branches are to
// be put elsewhere (Guttman 1984). What is thin and has lost no children stays, as a tree that is
// built may have such nodes.
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

// insertLoose puts branches and the boxes that wait into the tree, the highest first, since there
// is a place for them as long as nothing of their height was put below them. It reports false if
// boxes are left because the tree became too high.
func (p *Phase) insertLoose(half int) bool {
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
	for len(p.pending[half]) > 0 {
		if t.tooHigh() {
			return false
		}
		last := len(p.pending[half]) - 1
		it := p.pending[half][last]
		p.pending[half] = p.pending[half][:last]
		p.insert(half, branch{it.box, boxRef(it.number), 0})
		t.count++
	}
	t.shrink()
	return true
}

// tooHigh reports whether the tree might soon be higher than it may.
func (t *tree) tooHigh() bool { return t.nodes[t.root].level >= maxLevels-2 }

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

// insert puts a branch into the tree: downward into the child that grows least, and there it splits
// what has no room (Guttman 1984). Boxes of nodes above are right then if they were before.
func (p *Phase) insert(half int, b branch) {
	t := &p.trees[half]
	i := t.root
	for n := &t.nodes[i]; n.level > b.level; n = &t.nodes[i] {
		n.home = union(&n.home, &b.box) // and no more, or it would grow without end
		slot, grown := n.choose(&b.box)
		n.setBounds(slot, grown)
		t.touch(i)
		i = n.child[slot].node()
	}
	if n := &t.nodes[i]; n.count < width {
		p.fill(half, i, n.room(), b)
		n.count++
		n.home = union(&n.home, &b.box)
	} else {
		p.split(half, i, b)
	}
	if b.level == 0 {
		t.wear(i)
	}
}

// settleDown makes the home of a node fit what is below it.
func (t *tree) settleDown(i int32) {
	n := &t.nodes[i]
	box := n.union()
	n.home = homeOf(&box, n.level, nil)
	if n.parent != 0 {
		n.home = homeOf(&box, n.level, &t.nodes[n.parent].home)
	}
}

// fill puts a branch into an empty slot.
func (p *Phase) fill(half int, i int32, slot int, b branch) {
	t := &p.trees[half]
	n := &t.nodes[i]
	n.child[slot] = b.child
	n.setBounds(slot, b.box)
	t.touch(i)
	if b.child.isBox() {
		p.setPlace(b.child.number(), placeOf(half, i, slot))
		return
	}
	c := &t.nodes[b.child.node()]
	c.parent, c.slot = i, uint8(slot)
	t.touch(b.child.node())
}

// choose returns the child whose area grows least around a box, the smallest of equals, and its box
// then.
func (n *node) choose(box *geom.AABB) (slot int, grown geom.AABB) {
	slot = -1
	growth, smallest := 0.0, 0.0
	for s, c := range n.child {
		if c == 0 {
			continue
		}
		old := n.bounds(s)
		with := union(&old, box)
		a := area(&old)
		if g := area(&with) - a; slot < 0 || g < growth || g == growth && a < smallest {
			slot, growth, smallest, grown = s, g, a, with
		}
	}
	return slot, grown
}

// split parts the children of a full node and one more between it and a new one, along the axis and
// at the place where the areas of the two, each times its children, are the least in sum.
func (p *Phase) split(half int, i int32, b branch) {
	t := &p.trees[half]
	level := t.nodes[i].level
	if i == t.root {
		t.root = t.take(level + 1)
		p.fill(half, t.root, 0, branch{t.nodes[i].union(), nodeRef(i), level + 1})
		t.nodes[t.root].count = 1
		t.settleDown(t.root)
		if level == 3 {
			t.nodes[t.root].worn = wornTops // all this would go into a tree that is lower
			t.tired = append(t.tired, t.root)
		}
	}
	j := t.take(level)
	n := &t.nodes[i]
	var all [width + 1]branch
	for s, c := range n.child {
		all[s] = branch{n.bounds(s), c, level}
	}
	all[width] = b
	order, cut := bestSplit(&all)
	parent, slot, worn := n.parent, n.slot, n.worn
	*n = emptyNode
	n.parent, n.slot, n.level, n.worn = parent, slot, level, worn
	for k, o := range order[:cut] {
		p.fill(half, i, k, all[o])
	}
	for k, o := range order[cut:] {
		p.fill(half, j, k, all[o])
	}
	m := &t.nodes[j]
	n.count, m.count, m.worn = uint8(cut), uint8(len(all)-cut), worn
	t.settleDown(i)
	up := &t.nodes[parent]
	up.setBounds(int(slot), n.union())
	t.dirty[level+1].add(parent) // the box may be smaller than before
	other := branch{m.union(), nodeRef(j), level + 1}
	if up.count < width {
		p.fill(half, parent, up.room(), other)
		if up.count++; up.count == width {
			t.tire(parent) // in time, before it must be split in its turn
		}
	} else {
		p.split(half, parent, other)
	}
	t.settleDown(j)
}

// bestSplit returns an order of the branches such that those before cut belong together, and those
// after.
func bestSplit(all *[width + 1]branch) (best [width + 1]uint8, cut int) {
	least := math.Inf(1)
	for axis := range geom.Axis(3) {
		order := sortedAlong(all, axis)
		var after [width + 1]float64
		box := all[order[width]].box
		for k := width - 1; k >= minFill; k-- {
			after[k+1] = area(&box)
			box = union(&box, &all[order[k]].box)
		}
		after[minFill] = area(&box)
		box = all[order[0]].box
		for k := 1; k <= len(all)-minFill; k++ {
			if k >= minFill {
				cost := float64(area(&box)*float64(k)) + float64(after[k]*float64(len(all)-k))
				if cost < least || cut == 0 {
					least, cut, best = cost, k, order
				}
			}
			box = union(&box, &all[order[k]].box)
		}
	}
	return best, cut
}

func sortedAlong(all *[width + 1]branch, axis geom.Axis) (order [width + 1]uint8) {
	var keys [width + 1]float64
	for k := range all {
		b := &all[k].box
		key := float64(b.Min.Axis(axis)) + float64(b.Max.Axis(axis))
		at := k
		for ; at > 0 && keys[at-1] > key; at-- {
			order[at], keys[at] = order[at-1], keys[at-1]
		}
		order[at], keys[at] = uint8(k), key
	}
	return order
}
