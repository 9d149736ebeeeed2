package broad

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// branch is a child to be inserted into a node of the level.
type branch struct {
	box   geom.AABB
	child ref
	level uint8
}

// takeOut removes the box in a slot of a leaf.
func (t *tree) takeOut(i int32, slot int) {
	t.drop(i, slot)
	t.count--
	t.wear(i)
}

// drop empties a slot. The node may have fewer than minFill children then.
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

// dissolveThin removes nodes that have lost children and have fewer than minFill left, and makes
// their children pending or loose (Guttman 1984). A node that was built with so few stays.
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
		t.release(i)
	}
	t.thin = t.thin[:0]
}

// insertLoose inserts loose branches, the highest first, and then pending boxes. It returns false
// if some are left because the tree is too high. The highest come first since an empty root takes
// the level of the first branch.
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
		t.root = t.alloc(0)
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

// tooHigh reports whether insertions might exceed maxLevels.
func (t *tree) tooHigh() bool { return t.nodes[t.root].level >= maxLevels-2 }

// shrink removes roots with one child or none.
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
		t.release(old)
	}
}

// insert inserts a branch: it descends into the child that grows least, and splits the nodes that
// are full (Guttman 1984). The boxes of the nodes on the way are updated.
func (p *Phase) insert(half int, b branch) {
	t := &p.trees[half]
	i := t.root
	for n := &t.nodes[i]; n.level > b.level; n = &t.nodes[i] {
		n.fat = union(&n.fat, &b.box) // without a margin: that would add up
		slot, grown := n.choose(&b.box)
		n.setBounds(slot, grown)
		t.touch(i)
		i = n.child[slot].node()
	}
	if n := &t.nodes[i]; n.count < width {
		p.fill(half, i, n.freeSlot(), b)
		n.count++
		n.fat = union(&n.fat, &b.box)
	} else {
		p.split(half, i, b)
	}
	if b.level == 0 {
		t.wear(i)
	}
}

// fitFat recomputes the fat AABB of a node from its children.
func (t *tree) fitFat(i int32) {
	n := &t.nodes[i]
	box := n.union()
	n.fat = fatAABB(&box, n.level, nil)
	if n.parent != 0 {
		n.fat = fatAABB(&box, n.level, &t.nodes[n.parent].fat)
	}
}

// fill writes a branch into an empty slot.
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

// choose returns the slot of the child whose area grows least when it includes the box, of equals
// the smallest, and its enlarged box.
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

// split divides the children of a full node and one more between it and a new node, at the axis and
// place with the least sum of area × children: the surface-area heuristic (Goldsmith and Salmon
// 1987).
func (p *Phase) split(half int, i int32, b branch) {
	t := &p.trees[half]
	level := t.nodes[i].level
	if i == t.root {
		t.root = t.alloc(level + 1)
		p.fill(half, t.root, 0, branch{t.nodes[i].union(), nodeRef(i), level + 1})
		t.nodes[t.root].count = 1
		t.fitFat(t.root)
		if level == 3 {
			t.nodes[t.root].worn = wornTops // built, the same boxes would make a lower tree
			t.due = append(t.due, t.root)
		}
	}
	j := t.alloc(level)
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
	t.fitFat(i)
	up := &t.nodes[parent]
	up.setBounds(int(slot), n.union())
	t.dirty[level+1].add(parent) // its box may have shrunk
	other := branch{m.union(), nodeRef(j), level + 1}
	if up.count < width {
		p.fill(half, parent, up.freeSlot(), other)
		if up.count++; up.count == width {
			t.queueRebuild(parent) // before it is split in turn
		}
	} else {
		p.split(half, parent, other)
	}
	t.fitFat(j)
}

// bestSplit returns an order of the branches and where to cut it, see split. Each side has minFill
// branches or more.
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

// sortedAlong returns the order of the branches by their centres along an axis.
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
