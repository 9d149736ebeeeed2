package broad

import (
	"math/bits"

	"github.com/hitscan-go/hitscan/physics/geom"
)

const (
	// margin is how far beyond a node of level 0 its boxes may stray before they are put elsewhere, as a part of the longest side
	// of what was the node's box.
	margin = 0.25
	// insertionCost is how many boxes a build takes in while one is inserted.
	insertionCost = 28
	// wornOut is how many boxes may come and go below a node of level 2 until what is below it is built anew.
	wornOut = 96
	// sharedNodes is the least number of dirty nodes that several goroutines refit.
	sharedNodes = 1024
)

// homeOf returns the home of a node of level 0 that has a box.
func homeOf(box geom.AABB) geom.AABB {
	d := box.Max.Sub(box.Min)
	return box.Grow(max(d.X, d.Y, d.Z) * margin)
}

// Settle brings the trees in order after changes; visits need it. It uses up to so many goroutines. What visits find does not
// depend on the number, nor does the shape of the trees.
//
// What it does for a change costs little and about the same each time: boxes of nodes are brought up to date, boxes that have
// left the place their node was made for are put elsewhere. If so many have left that it is cheaper to build a tree anew,
// that is done.
func (p *Phase) Settle(workers int) {
	if !p.stale {
		return
	}
	p.change()
	p.copied = origin{}
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
	if n := t.count + len(p.pending[half]); len(p.pending[half])*insertionCost > n {
		p.build(half, workers)
		return
	}
	p.refit(half, workers)
	out := t.notAtHome()
	if (out+len(p.pending[half]))*insertionCost > t.count {
		p.build(half, workers)
		return
	}
	statOut += out
	p.moveOut(half)
	p.dissolveThin(half)
	p.insertLoose(half)
	if p.builder.overdue {
		p.build(half, workers)
		return
	}
	p.refit(half, 1)
	for _, i := range t.left { // those that were refitted again
		_ = i
	}
	t.left = t.left[:0]
}

// refit brings the boxes of all nodes up to date that are above something that has changed, from the lowest level up.
func (p *Phase) refit(half, workers int) {
	t := &p.trees[half]
	t.left = t.left[:0]
	top := int(t.nodes[t.root].level)
	for level := range top + 1 {
		m := &t.dirty[level]
		for si, s := range m.summary {
			for ; s != 0; s &= s - 1 {
				w := si*64 + bits.TrailingZeros64(s)
				word := m.words[w]
				m.words[w] = 0
				if word != 0 {
					t.stamps[w] = t.version
				}
				for ; word != 0; word &= word - 1 {
					t.refitNode(int32(w*64 + bits.TrailingZeros64(word)))
				}
			}
			m.summary[si] = 0
		}
	}
}

// refitNode works out the box of a node anew, and gives it to the parent. Of level 0, it also looks whether all boxes are at
// home.
func (t *tree) refitNode(i int32) {
	n := &t.nodes[i]
	box := n.union()
	if n.level == 0 && !contains(&n.home, &box) {
		t.left = append(t.left, i)
	}
	if n.parent == 0 {
		return
	}
	up := &t.nodes[n.parent]
	if up.bounds(int(n.slot)) != box {
		up.setBounds(int(n.slot), box)
		t.dirty[n.level+1].add(n.parent)
	}
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

// moveOut takes boxes that have left their homes out of the tree and lets them wait to be put elsewhere.
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
