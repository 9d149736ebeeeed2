package broad

import (
	"fmt"
	"unsafe"
)

// Validate walks the phase, which must be settled, and returns what is out of order, or nil. It
// takes time in proportion to what is in it.
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
		return fmt.Errorf("broad: %d boxes, kept as %d", boxes, p.count)
	}
	places := 0
	for number, at := range p.at {
		if at == 0 {
			continue
		}
		places++
		t := &p.trees[at.half()]
		if at&pendingPlace != 0 || int(at.node()) >= len(t.nodes) {
			return fmt.Errorf("broad: number %d is at %x", number, at)
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
			return 0, fmt.Errorf("root %d hangs below node %d", t.root, r.parent)
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
		return 0, fmt.Errorf("%d boxes, kept as %d", boxes, t.count)
	case len(p.pending[half]) > 0 || len(t.loose) > 0 || len(t.thin) > 0 || len(t.left) > 0:
		return 0, fmt.Errorf("something waits to be put into its place")
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
			return 0, fmt.Errorf("node %d is in use and free", i)
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
			if !contains(&n.home, &box) {
				return 0, 0, fmt.Errorf("box %d in node %d is not at home", c.number(), i)
			}
			continue
		}
		m := &t.nodes[c.node()]
		switch {
		case c != nodeRef(c.node()) || int(c.node()) >= len(t.nodes):
			return 0, 0, fmt.Errorf("node %d has the child %x", i, c)
		case m.parent != i || int(m.slot) != s:
			return 0, 0, fmt.Errorf("node %d is in slot %d of node %d, not %d of %d", c.node(), s, i, m.slot, m.parent)
		case m.level+1 != n.level:
			return 0, 0, fmt.Errorf("node %d of level %d is below one of level %d", c.node(), m.level, n.level)
		case m.count == 0:
			return 0, 0, fmt.Errorf("node %d is empty", c.node())
		case m.union() != box:
			return 0, 0, fmt.Errorf("node %d has not the box of its children", c.node())
		}
		b, k, err := t.validate(c.node())
		if err != nil {
			return 0, 0, err
		}
		boxes += b
		nodes += k
	}
	if count != int(n.count) {
		return 0, 0, fmt.Errorf("node %d has %d children, kept as %d", i, count, n.count)
	}
	return boxes, nodes, nil
}

// Bytes returns how much memory the phase holds.
func (p *Phase) Bytes() int {
	b := &p.builder
	sum := int(unsafe.Sizeof(*p)) + bytesOf(p.at) + bytesOf(p.stamps) + bytesOf(b.nodes) + bytesOf(b.points) + bytesOf(b.other) +
		bytesOf(b.cellOf) + bytesOf(b.blocks) + bytesOf(b.cuts) + bytesOf(b.gone) + len(b.benches)*int(unsafe.Sizeof(bench{}))
	for _, g := range b.grids {
		sum += bytesOf(g.cells) + bytesOf(g.sums) + bytesOf(g.stretches)
		for _, s := range g.shares {
			sum += bytesOf(s.counts) + bytesOf(s.next)
		}
	}
	for half := range p.trees {
		t := &p.trees[half]
		sum += bytesOf(p.pending[half]) + bytesOf(t.nodes) + bytesOf(t.stamps) + bytesOf(t.loose) + bytesOf(t.left) +
			bytesOf(t.thin) + bytesOf(t.tired)
		for l := range t.dirty {
			sum += bytesOf(t.dirty[l].words) + bytesOf(t.dirty[l].summary)
		}
	}
	return sum
}

func bytesOf[T any](s []T) int {
	var v T
	return cap(s) * int(unsafe.Sizeof(v))
}
