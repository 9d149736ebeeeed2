package broad

import "fmt"

// Validate checks all invariants of the phase, which must be settled, and returns the first that is
// violated, or nil. It takes time in proportion to the number of boxes.
func (p *Phase) Validate() error {
	if p.stale {
		return fmt.Errorf("broad: not settled")
	}
	boxes := 0
	for half := range p.trees {
		n, err := p.validate(half)
		if err != nil {
			return fmt.Errorf("broad: tree %d: %w", half, err)
		}
		boxes += n
	}
	if boxes != p.count {
		return fmt.Errorf("broad: %d boxes, count is %d", boxes, p.count)
	}
	if all := p.union(); boxes > 0 && p.bounds != all {
		return fmt.Errorf("broad: bounds %v, of the trees %v", p.bounds, all)
	}
	places := 0
	for number, at := range p.at {
		if at == 0 {
			continue
		}
		places++
		t := &p.trees[at.half()]
		if at&pendingPlace != 0 || int(at.node()) >= len(t.nodes) {
			return fmt.Errorf("broad: number %d has place %x", number, at)
		}
		if n := &t.nodes[at.node()]; n.level != 0 || n.child[at.slot()] != boxRef(uint32(number)) {
			return fmt.Errorf("broad: number %d is not in slot %d of node %d", number, at.slot(), at.node())
		}
	}
	if places != boxes {
		return fmt.Errorf("broad: %d numbers with a place, %d boxes", places, boxes)
	}
	if need := (len(p.at) + numbersPerStamp - 1) / numbersPerStamp; len(p.stamps) < need {
		return fmt.Errorf("broad: %d stamps for %d numbers", len(p.stamps), len(p.at))
	}
	return nil
}

func (p *Phase) validate(half int) (boxes int, err error) {
	t := &p.trees[half]
	nodes := 0
	if t.root != 0 {
		r := &t.nodes[t.root]
		switch {
		case r.parent != 0 || r.slot != 0:
			return 0, fmt.Errorf("root %d has parent %d", t.root, r.parent)
		case r.level >= maxLevels:
			return 0, fmt.Errorf("root %d is at level %d", t.root, r.level)
		case r.level > 0 && r.count < 2:
			return 0, fmt.Errorf("root %d has %d children", t.root, r.count)
		}
		if boxes, nodes, err = t.validate(t.root); err != nil {
			return 0, err
		}
	}
	switch {
	case boxes != t.count:
		return 0, fmt.Errorf("%d boxes, count is %d", boxes, t.count)
	case len(p.pending[half]) > 0 || len(t.loose) > 0 || len(t.thin) > 0 || len(t.strayed) > 0:
		return 0, fmt.Errorf("boxes or branches are not inserted yet")
	case len(t.stamps)*64 < len(t.nodes):
		return 0, fmt.Errorf("%d stamps for %d nodes", len(t.stamps), len(t.nodes))
	}
	for l := range t.dirty {
		if n := t.dirty[l].count(); n != 0 {
			return 0, fmt.Errorf("%d nodes of level %d are dirty", n, l)
		}
	}
	free := 0
	for i := t.free; i != 0; i = t.nodes[i].parent {
		n := t.nodes[i]
		n.parent = 0
		if free++; n != emptyNode || free > len(t.nodes) {
			return 0, fmt.Errorf("node %d in the free list is in use", i)
		}
	}
	if n := max(len(t.nodes), 1); 1+nodes+free != n {
		return 0, fmt.Errorf("%d nodes, of which %d are in use and %d free", n-1, nodes, free)
	}
	return boxes, nil
}

func (t *tree) validate(i int32) (boxes, nodes int, err error) {
	n := &t.nodes[i]
	count := 0
	nodes = 1
	for s, c := range n.child {
		box := n.bounds(s)
		if c == 0 {
			if box != nowhere {
				return 0, 0, fmt.Errorf("slot %d of node %d is empty and has the box %v", s, i, box)
			}
			continue
		}
		count++
		switch {
		case box.IsEmpty() || !box.Min.IsFinite() || !box.Max.IsFinite():
			return 0, 0, fmt.Errorf("slot %d of node %d has the box %v", s, i, box)
		case c.isBox() != (n.level == 0):
			return 0, 0, fmt.Errorf("node %d of level %d has the child %x", i, n.level, c)
		case c.isBox():
			boxes++
			if !contains(&n.fat, &box) {
				return 0, 0, fmt.Errorf("box %d is outside the fat AABB of node %d", c.number(), i)
			}
			continue
		}
		m := &t.nodes[c.node()]
		switch {
		case c != nodeRef(c.node()) || int(c.node()) >= len(t.nodes):
			return 0, 0, fmt.Errorf("node %d has the child %x", i, c)
		case m.parent != i || int(m.slot) != s:
			return 0, 0, fmt.Errorf("node %d is in slot %d of node %d, but has slot %d of %d", c.node(), s, i, m.slot, m.parent)
		case m.level+1 != n.level:
			return 0, 0, fmt.Errorf("node %d of level %d is below one of level %d", c.node(), m.level, n.level)
		case m.count == 0:
			return 0, 0, fmt.Errorf("node %d is empty", c.node())
		case m.union() != box:
			return 0, 0, fmt.Errorf("node %d: its parent has another box than the union of its children", c.node())
		}
		b, k, err := t.validate(c.node())
		if err != nil {
			return 0, 0, err
		}
		boxes += b
		nodes += k
	}
	if count != int(n.count) {
		return 0, 0, fmt.Errorf("node %d has %d children, count is %d", i, count, n.count)
	}
	return boxes, nodes, nil
}
