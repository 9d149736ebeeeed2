package bvh

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// VisitNodes calls visit with every box of the tree, parents before their children, until visit returns false.
func (t *Tree) VisitNodes(visit func(box geom.AABB, level int, leaf bool) bool) {
	if t.root != 0 {
		t.visitNodes(t.root, 0, visit)
	}
}

func (t *Tree) visitNodes(i int32, level int, visit func(box geom.AABB, level int, leaf bool) bool) bool {
	n := &t.nodes[i]
	if !visit(n.box, level, n.isLeaf()) {
		return false
	}
	return n.isLeaf() || t.visitNodes(n.left, level+1, visit) && t.visitNodes(n.right, level+1, visit)
}

// Height returns the number of steps from the root to the deepest leaf.
func (t *Tree) Height() int {
	if t.root == 0 {
		return 0
	}
	return int(t.nodes[t.root].height)
}

// Validate walks the tree and returns what is out of order, or nil.
func (t *Tree) Validate() error {
	leaves, inner := 0, 0
	if t.root != 0 {
		if p := t.nodes[t.root].parent; p != 0 {
			return fmt.Errorf("bvh: root %d has parent %d", t.root, p)
		}
		if err := t.validate(t.root, &leaves, &inner); err != nil {
			return err
		}
	}
	if leaves != t.count {
		return fmt.Errorf("bvh: %d leaves, kept as %d", leaves, t.count)
	}
	unused := 0
	for i := t.free; i != 0; i = t.nodes[i].parent {
		if unused++; t.nodes[i].height != -1 || unused > len(t.nodes) {
			return fmt.Errorf("bvh: node %d is in use and free", i)
		}
	}
	if n := max(len(t.nodes), 1); 1+leaves+inner+unused != n {
		return fmt.Errorf("bvh: %d nodes, of which %d leaves, %d branches, %d free", n-1, leaves, inner, unused)
	}
	return nil
}

func (t *Tree) validate(i int32, leaves, inner *int) error {
	n := &t.nodes[i]
	if n.box.IsEmpty() || !n.box.Min.IsFinite() || !n.box.Max.IsFinite() {
		return fmt.Errorf("bvh: node %d has the box %v", i, n.box)
	}
	if n.isLeaf() {
		*leaves++
		if n.height != 0 {
			return fmt.Errorf("bvh: leaf %d has height %d", i, n.height)
		}
		return nil
	}
	*inner++
	l, r := &t.nodes[n.left], &t.nodes[n.right]
	switch {
	case n.left == n.right || l.parent != i || r.parent != i:
		return fmt.Errorf("bvh: node %d is not the parent of its children %d and %d", i, n.left, n.right)
	case n.height != 1+max(l.height, r.height):
		return fmt.Errorf("bvh: node %d has height %d over %d and %d", i, n.height, l.height, r.height)
	case n.box != union(&l.box, &r.box):
		return fmt.Errorf("bvh: node %d has not the box of its children", i)
	}
	if err := t.validate(n.left, leaves, inner); err != nil {
		return err
	}
	return t.validate(n.right, leaves, inner)
}
