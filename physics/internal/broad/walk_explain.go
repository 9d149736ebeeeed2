package broad

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// A slow traversal that records every step, and everything it skips. It has the same order as
// [Walk].

// Step is a node or a box in a traversal, and what became of it.
type Step struct {
	Bounds geom.AABB
	// Index of the step of its parent, or of the skipped node that it is in; −1 of a root.
	Parent int
	Level  int // depth, 0 of a root
	Number int // of the box; −1 of a node
	Fate   Fate
	Enter  float32 // a T not after the ray enters the box; 0 unless Fate is Entered or Behind
}

// Fate is what a traversal did with a node or a box.
type Fate uint8

const (
	Entered Fate = iota // a node was opened, or a box returned
	Passed              // the ray misses the box, or its range ends before
	Behind              // the ray enters the box beyond the closest hit so far
	Skipped             // a box in a node that was not opened
)

// Explain traverses a phase, which must be settled, in the order of [Walk] after Start. It calls
// meet for each box that Walk would return, and shortens the ray to the T that meet returns, as
// SetEnd does. Every box of the phase is in one step; nodes within a node that was not opened are
// in none. If the ray was shortened before, whole is its end before that, or more.
func (p *Phase) Explain(r geom.Ray, whole float32, meet func(number uint32) (end float32)) []Step {
	var e explaining
	if !e.begin(p) {
		return nil
	}
	prepared := e.prepare(&p.bounds, &r)
	e.whole = max(e.high, asInt(min(whole, math.MaxFloat32)))
	for _, t := range [...]*tree{&p.trees[still], &p.trees[moving]} {
		if t.root == 0 {
			continue
		}
		root := e.add(nodeRef(t.root), t.nodes[t.root].union(), -1)
		if !prepared {
			e.leave(t, root, nodeRef(t.root), Passed)
			continue
		}
		e.walk(t, root, meet)
	}
	return e.steps
}

// explaining is a Walk that records its steps.
type explaining struct {
	Walk
	whole int32 // the end of the ray before any hit
	steps []Step
}

func (e *explaining) add(r ref, bounds geom.AABB, parent int) int {
	s := Step{Bounds: bounds, Parent: parent, Number: -1}
	if r.isBox() {
		s.Number = int(r.number())
	}
	if parent >= 0 {
		s.Level = e.steps[parent].Level + 1
	}
	e.steps = append(e.steps, s)
	return len(e.steps) - 1
}

// walk does what Next and open do.
func (e *explaining) walk(t *tree, root int, meet func(number uint32) (end float32)) {
	steps := map[ref]int{nodeRef(t.root): root}
	e.enter(t)
	for {
		top := e.stack[e.count-1]
		if top == bottom {
			return
		}
		e.count--
		r := top.ref()
		i := steps[r]
		e.steps[i].Enter = math.Float32frombits(uint32(top.from()))
		switch {
		case top.from() > e.high:
			e.leave(t, i, r, Behind)
		case r.isBox():
			e.SetEnd(meet(r.number()))
		default:
			e.open(t, i, r, steps)
		}
	}
}

// open does what openNode does, and records the children that are not crossed.
func (e *explaining) open(t *tree, parent int, r ref, steps map[ref]int) {
	n, bottom := &t.nodes[r.node()], e.count
	c, crossed := e.children(n, parent, t, steps)
	if n.level != 1 {
		e.push(bottom, c[:crossed])
		return
	}
	for _, leaf := range c[:crossed] {
		i := steps[leaf.ref()]
		e.steps[i].Enter = asFloat(leaf.from())
		boxes, crossed := e.children(&t.nodes[leaf.ref().node()], i, t, steps)
		e.push(bottom, boxes[:crossed])
	}
}

// children returns the children of a node that are crossed, and records all.
func (e *explaining) children(n *node, parent int, t *tree, steps map[ref]int) (c crossing, crossed int) {
	var all crossing
	crossed, reached := e.crossed(n, e.high, &c), e.crossed(n, e.whole, &all)
	for s, child := range n.child {
		if child == 0 {
			continue
		}
		i := e.add(child, n.bounds(s), parent)
		steps[child] = i
		if _, ok := find(c[:crossed], child); ok {
			continue
		}
		if from, ok := find(all[:reached], child); ok {
			e.steps[i].Enter = asFloat(from)
			e.leave(t, i, child, Behind)
		} else {
			e.leave(t, i, child, Passed)
		}
	}
	return c, crossed
}

func find(c []waiting, r ref) (from int32, ok bool) {
	for _, w := range c {
		if w.ref() == r {
			return w.from(), true
		}
	}
	return 0, false
}

// leave records why a box or a node was skipped, and all boxes in a node.
func (e *explaining) leave(t *tree, i int, r ref, why Fate) {
	e.steps[i].Fate = why
	if !r.isBox() {
		e.leaveBelow(t, i, r)
	}
}

func (e *explaining) leaveBelow(t *tree, parent int, r ref) {
	n := &t.nodes[r.node()]
	for s, child := range n.child {
		switch {
		case child == 0:
		case child.isBox():
			e.steps[e.add(child, n.bounds(s), parent)].Fate = Skipped
		default:
			e.leaveBelow(t, parent, child)
		}
	}
}
