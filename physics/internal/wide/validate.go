package wide

import (
	"errors"
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Node is a box of the tree, for drawing and for statistics.
type Node struct {
	Bounds    geom.AABB // around all triangles below
	Level     int       // 0 for the root
	Leaf      bool      // holds triangles, not nodes
	Triangles int       // in a leaf; 0 in others
}

// Nodes calls yield with all boxes of the tree, each before those within it, until it returns false.
func (t *Tree) Nodes(yield func(Node) bool) {
	if !t.IsEmpty() {
		t.eachNode(t.root, t.bounds, 0, yield)
	}
}

func (t *Tree) eachNode(r ref, box geom.AABB, level int, yield func(Node) bool) bool {
	if r.isLeaf() {
		return yield(Node{box, level, true, t.info(r).count()})
	}
	if !yield(Node{box, level, false, 0}) {
		return false
	}
	n := t.node(r)
	for i, child := range &n.child {
		if child != 0 && !t.eachNode(child, n.bounds(i), level+1, yield) {
			return false
		}
	}
	return true
}

// Validate returns an error if the tree is not what queries rely on: each of the mesh's triangles is in one leaf, unchanged;
// each box is the smallest around what is below; nothing overlaps or is out of range; no walk needs more stack than it has.
func (t *Tree) Validate(triangles int, triangle func(int) geom.Triangle) error {
	if len(t.ids) != triangles {
		return fmt.Errorf("%d triangles in the tree, %d in the mesh", len(t.ids), triangles)
	}
	if triangles == 0 {
		return nil
	}
	v := validator{t: t, triangle: triangle, seen: make([]bool, triangles), used: make([]bool, len(t.units))}
	box, need, err := v.subtree(t.root)
	switch {
	case err != nil:
		return err
	case box != t.bounds:
		return fmt.Errorf("bounds %v of the root, should be %v", t.bounds, box)
	case need > t.need || t.need >= stackSize:
		return fmt.Errorf("%d entries on the stack of a walk, %d of %d are foreseen", need, t.need, stackSize)
	}
	for i, seen := range v.seen {
		if !seen {
			return fmt.Errorf("triangle %d is in no leaf", i)
		}
	}
	for i, used := range v.used {
		if !used {
			return fmt.Errorf("unit %d is not reached", i)
		}
	}
	return nil
}

type validator struct {
	t        *Tree
	triangle func(int) geom.Triangle
	seen     []bool
	used     []bool // units
}

// take marks the units of what a ref names.
func (v *validator) take(r ref) error {
	n := nodeUnits
	switch r.kind() {
	case kindNode:
	case kindPacked:
		n = packedUnits
	case kindLoose:
		n = looseUnits
	default:
		return fmt.Errorf("reference %#x is of no kind", r)
	}
	if r.unit()+n > len(v.used) {
		return fmt.Errorf("unit %d out of range", r.unit())
	}
	for i := r.unit(); i < r.unit()+n; i++ {
		if v.used[i] {
			return fmt.Errorf("unit %d is reached twice", i)
		}
		v.used[i] = true
	}
	return nil
}

// subtree returns the smallest box around everything below r, and how many entries a walk has on its stack there.
func (v *validator) subtree(r ref) (geom.AABB, int, error) {
	all := geom.EmptyAABB()
	if err := v.take(r); err != nil {
		return all, 0, err
	}
	if r.isLeaf() {
		box, err := v.leaf(r)
		return box, 1, err
	}
	n, need, children := v.t.node(r), 1, 0
	for i, child := range &n.child {
		if child == 0 {
			if !n.bounds(i).IsEmpty() {
				return all, 0, fmt.Errorf("empty slot %d of node %#x has bounds", i, r)
			}
			continue
		}
		if children++; children <= i {
			return all, 0, fmt.Errorf("child %d of node %#x after an empty slot", i, r)
		}
		box, below, err := v.subtree(child)
		if err != nil {
			return box, 0, err
		}
		if n.bounds(i) != box {
			return box, 0, fmt.Errorf("bounds %v of child %d of node %#x, should be %v", n.bounds(i), i, r, box)
		}
		all, need = all.Union(box), max(need, below)
	}
	if children < 2 {
		return all, 0, fmt.Errorf("node %#x has %d children", r, children)
	}
	return all, need + children - 1, nil
}

func (v *validator) leaf(r ref) (geom.AABB, error) {
	all, info := geom.EmptyAABB(), v.t.info(r)
	count := info.count()
	switch {
	case count < 1 || count > width || info.vertices() > width || info.lanes&0xff != 1<<count-1:
		return all, fmt.Errorf("leaf %#x: lanes %#x", r, info.lanes)
	case int(info.first)+count > len(v.t.ids):
		return all, fmt.Errorf("leaf %#x up to triangle %d of %d", r, int(info.first)+count, len(v.t.ids))
	}
	for lane := range width {
		if r.kind() == kindPacked {
			p := v.t.packed(r)
			if c := max(p.corner[0][lane], p.corner[1][lane], p.corner[2][lane]); int(c) >= p.vertices() {
				return all, fmt.Errorf("leaf %#x: corner %d of %d", r, c, p.vertices())
			}
		}
		id := v.t.ids[int(info.first)+min(lane, count-1)]
		if id < 0 || int(id) >= len(v.seen) {
			return all, errors.New("triangle out of range")
		}
		if lane < count {
			if v.seen[id] {
				return all, fmt.Errorf("triangle %d is in two leaves", id)
			}
			v.seen[id] = true
		}
		tri := v.t.triangle(r, lane)
		if want := v.triangle(int(id)); tri != want {
			return all, fmt.Errorf("triangle %d is %v, should be %v", id, tri, want)
		}
		all = all.Union(boundsOf(tri))
	}
	return all, nil
}
