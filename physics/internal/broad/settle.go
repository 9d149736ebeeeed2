package broad

import (
	"math/bits"

	"github.com/hitscan-go/hitscan/physics/geom"
)

const (
	// margin is how far beyond a node of level 0 its boxes may stray before they are put elsewhere,
	// as a part of the longest side of what was the node's box.
	margin = 0.25
	// insertionCost is how many boxes a build takes in while one is inserted.
	insertionCost = 48
	// calm is the part of the nodes of level 0 that must change at once for a tree to be built anew
	// because it is not as good any more: from then on this takes less than ten times as long as
	// what is to be done anyway.
	calm = 4
	// decay is by how much nodes may fill their homes more, by area, until the tree is not as good
	// any more.
	decay = 1.1
	// spoiling is how many times as long as a node of level 0 would be, about, a box must be to be
	// kept apart from others.
	spoiling = 4
	// sharedNodes is the least number of dirty nodes that several goroutines refit.
	sharedNodes = 2048
)

// homeOf returns the home of a node that has a box: that and a margin, about as wide on each level,
// but nothing that is not within another. The homes of nodes above bound those below so that boxes
// which stray a little further each time that the nodes around them are built anew don't take these
// with them.
func homeOf(box *geom.AABB, level uint8, within *geom.AABB) geom.AABB {
	d := box.Max.Sub(box.Min)
	home := box.Grow(float32(max(d.X, d.Y, d.Z) * (margin / float32(int(1)<<level))))
	if within != nil {
		home = intersection(&home, within)
		home = union(&home, box)
	}
	return home
}

// Settle brings the trees in order after changes; visits need it. It uses up to so many goroutines.
// What visits find does not depend on the number, nor does the shape of the trees.
//
// What it does for a change costs little and about the same each time: boxes of nodes are brought
// up to date, boxes that have left the place their node was made for are put elsewhere. If so many
// have left that it is cheaper to build a tree anew, that is done.
func (p *Phase) Settle(workers int) {
	if !p.stale {
		return
	}
	p.change()
	p.copied = origin{}
	workers = max(workers, 1)
	for half := range p.trees {
		p.trees[half].version = p.version
		if !p.trees[half].dirty[0].empty() || len(p.pending[half]) > 0 {
			p.settle(half, workers)
		}
	}
	p.version++
	p.stale = false
}

func (p *Phase) settle(half, workers int) {
	t := &p.trees[half]
	inMotion := t.dirty[0].count()*width > t.count/calm
	old := t.fill > t.fresh*decay || t.changes > t.count/2
	switch {
	case t.root == 0 || t.tooHigh(),
		len(p.pending[half])*insertionCost > t.count,
		t.count > 2*t.built, // mostly inserted one by one
		t.changes > 2*t.count,
		inMotion && old:
		p.build(half, workers)
		return
	}
	p.refit(half, workers)
	if t.fresh == 0 {
		t.fresh = t.fill
	}
	if (t.notAtHome()+len(p.pending[half]))*insertionCost > t.count {
		p.build(half, workers)
		return
	}
	p.moveOut(half)
	p.dissolveThin(half)
	changes := len(p.pending[half])
	t.changes += changes
	if !p.insertLoose(half) {
		p.build(half, workers)
		return
	}
	p.repair(half, changes, workers)
	f := t.fill
	p.refit(half, 1)
	t.fill = f
	t.left = t.left[:0] // what was refitted again was at home already, and has only lost boxes or got new ones
}

// refit brings the boxes of all nodes up to date that are above something that has changed, from
// the lowest level up.
func (p *Phase) refit(half, workers int) {
	t := &p.trees[half]
	t.left = t.left[:0]
	if t.root == 0 {
		return
	}
	for level := range t.nodes[t.root].level + 1 {
		p.refitLevel(half, int(level), workers)
	}
}

// fill is how much of their homes some nodes fill.
type fill struct {
	sum   float64
	nodes int
}

// refitLevel refits the dirty nodes of a level. Sums are made in the order of the nodes and in
// parts that have nothing to do with the workers, so that rounding is always the same.
func (p *Phase) refitLevel(half, level, workers int) {
	t, b := &p.trees[half], &p.builder
	m := &t.dirty[level]
	if workers > 1 && m.count() < sharedNodes {
		workers = 1
	}
	for len(b.left) < workers {
		b.left = append(b.left, nil)
	}
	b.half, b.level, b.parts = half, level, workers
	b.fills = sized(b.fills, len(m.summary))
	p.loop.Run(p, workers, workers, 1, (*Phase).refitPart)
	if level == 0 {
		var all fill
		for _, f := range b.fills {
			all.sum += f.sum
			all.nodes += f.nodes
		}
		t.fill = all.sum / float64(max(all.nodes, 1))
	}
	for w := range workers {
		t.left = append(t.left, b.left[w]...)
	}
}

func (p *Phase) refitPart(_, part, _ int) {
	b := &p.builder
	t, left := &p.trees[b.half], b.left[part][:0]
	m := &t.dirty[b.level]
	from, to := partOf(len(m.summary), part, b.parts)
	for i := from; i < to; i++ {
		var f fill
		for s := m.summary[i]; s != 0; s &= s - 1 {
			w := i*wordsPerSum + bits.TrailingZeros64(s)
			word := m.words[w]
			m.words[w] = 0
			if word != 0 {
				t.stamps[w] = t.version
			}
			for ; word != 0; word &= word - 1 {
				i := int32(w*64 + bits.TrailingZeros64(word))
				box := t.refitNode(i, b.parts > 1)
				if b.level > 0 {
					continue
				}
				home := &t.nodes[i].home
				if !contains(home, &box) {
					left = append(left, i)
				} else if a := area(home); a > 0 {
					f.sum += area(&box) / a
					f.nodes++
				}
			}
		}
		m.summary[i] = 0
		b.fills[i] = f
	}
	b.left[part] = left
}

// refitNode works out the box of a node anew, and gives it to the parent.
func (t *tree) refitNode(i int32, shared bool) geom.AABB {
	n := &t.nodes[i]
	box := n.union()
	if n.parent == 0 {
		return box
	}
	up := &t.nodes[n.parent]
	if up.bounds(int(n.slot)) != box {
		up.setBounds(int(n.slot), box)
		if m := &t.dirty[n.level+1]; shared {
			m.addShared(n.parent)
		} else {
			m.add(n.parent)
		}
	}
	return box
}

// notAtHome returns how many boxes have left their homes.
func (t *tree) notAtHome() int {
	out := 0
	for _, i := range t.left {
		n := &t.nodes[i]
		for s, c := range n.child {
			if box := n.bounds(s); c != 0 && !contains(&n.home, &box) {
				out++
			}
		}
	}
	return out
}

// moveOut takes boxes that have left their homes out of the tree and lets them wait to be put
// elsewhere.
func (p *Phase) moveOut(half int) {
	t := &p.trees[half]
	for _, i := range t.left {
		n := &t.nodes[i]
		for s, c := range n.child {
			if box := n.bounds(s); c != 0 && !contains(&n.home, &box) {
				p.unlink(c.number())
				p.link(half, item{box, c.number()})
			}
		}
	}
	t.left = t.left[:0]
}
