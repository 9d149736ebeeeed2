package broad

import (
	"math/bits"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// fatAABB returns the fat AABB of a node with a box: the box with a margin that is about as wide at
// each level, cut to the fat AABB of the parent unless within is nil. Without the cut, boxes that
// drift slowly would enlarge the nodes around them at each rebuild.
func fatAABB(box *geom.AABB, level uint8, within *geom.AABB) geom.AABB {
	d := box.Max.Sub(box.Min)
	fat := box.Grow(float32(max(d.X, d.Y, d.Z) * (fatMargin / float32(int(1)<<level))))
	if within != nil {
		fat = intersection(&fat, within)
		fat = union(&fat, box)
	}
	return fat
}

// Settle updates the trees after changes; queries need it. It uses up to so many workers; neither
// the trees nor the results of queries depend on the number.
//
// The cost of a change is small and nearly constant: the boxes of nodes are refitted, and a box
// that has left the fat AABB of its node is inserted again. A tree is rebuilt when so many boxes
// have left that this is cheaper.
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
	p.settled()
}

// settled ends a change of the trees.
func (p *Phase) settled() {
	p.bounds = p.union()
	p.version++
	p.stale = false
}

// union returns the box around all boxes in the trees; empty if there is none.
func (p *Phase) union() geom.AABB {
	all := nowhere
	for half := range p.trees {
		if t := &p.trees[half]; t.root != 0 {
			of := t.nodes[t.root].union()
			all = union(&all, &of)
		}
	}
	return all
}

func (p *Phase) settle(half, workers int) {
	t := &p.trees[half]
	inMotion := t.dirty[0].count()*width > t.count/rebuildMotion
	old := t.fill > t.fresh*rebuildGrowth || t.changes > t.count/2
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
	if (t.strayedCount()+len(p.pending[half]))*insertionCost > t.count {
		p.build(half, workers)
		return
	}
	p.removeStrayed(half)
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
	// Boxes in these leaves were removed or inserted just now: none is outside.
	t.strayed = t.strayed[:0]
}

// refit updates the boxes of all nodes above a changed box, level by level from the leaves.
func (p *Phase) refit(half, workers int) {
	t := &p.trees[half]
	t.strayed = t.strayed[:0]
	if t.root == 0 {
		return
	}
	for level := range t.nodes[t.root].level + 1 {
		p.refitLevel(half, int(level), workers)
	}
}

// fill is a sum over leaves of area of box ÷ area of fat AABB.
type fill struct {
	sum   float64
	nodes int
}

// refitLevel refits the dirty nodes of a level. The order of summation depends on the nodes alone,
// not on the workers, so that rounding is the same for any number of them.
func (p *Phase) refitLevel(half, level, workers int) {
	t, b := &p.trees[half], &p.builder
	m := &t.dirty[level]
	if workers > 1 && m.count() < sharedNodes {
		workers = 1
	}
	for len(b.strayed) < workers {
		b.strayed = append(b.strayed, nil)
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
		t.strayed = append(t.strayed, b.strayed[w]...)
	}
}

// refitPart refits one part of the dirty nodes of a level.
func (p *Phase) refitPart(_, part, _ int) {
	b := &p.builder
	t, strayed := &p.trees[b.half], b.strayed[part][:0]
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
				fat := &t.nodes[i].fat
				if !contains(fat, &box) {
					strayed = append(strayed, i)
				} else if a := area(fat); a > 0 {
					f.sum += area(&box) / a
					f.nodes++
				}
			}
		}
		m.summary[i] = 0
		b.fills[i] = f
	}
	b.strayed[part] = strayed
}

// refitNode recomputes the box of a node from its children and writes it to the parent. In a refit
// by several workers, shared makes the mark of the parent atomic.
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

// strayedCount returns the number of boxes outside the fat AABB of their leaf.
func (t *tree) strayedCount() int {
	out := 0
	for _, i := range t.strayed {
		n := &t.nodes[i]
		for s, c := range n.child {
			if box := n.bounds(s); c != 0 && !contains(&n.fat, &box) {
				out++
			}
		}
	}
	return out
}

// removeStrayed removes the boxes outside the fat AABB of their leaf and makes them pending.
func (p *Phase) removeStrayed(half int) {
	t := &p.trees[half]
	for _, i := range t.strayed {
		n := &t.nodes[i]
		for s, c := range n.child {
			if box := n.bounds(s); c != 0 && !contains(&n.fat, &box) {
				p.unlink(c.number())
				p.link(half, item{box, c.number()})
			}
		}
	}
	t.strayed = t.strayed[:0]
}
