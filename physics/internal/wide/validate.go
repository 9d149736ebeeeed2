package wide

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Node is one box of the tree, for drawing and for statistics.
type Node struct {
	Bounds geom.AABB // of all triangles below
	Level  int       // 0 for the root
	Leaf   bool      // has triangles rather than child nodes
	// In a leaf; with High a triangle may be in several leaves. 0 in inner nodes.
	Triangles int
}

// Nodes calls yield with all boxes of the tree, each before its children, until yield returns
// false.
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

// Validate returns an error if an invariant that queries rely on is broken: each of the mesh's
// triangles is in one leaf, unchanged; each box is the smallest around its content; no unit is used
// twice or out of range; no traversal needs more stack than it has.
//
// Of triangles in several leaves, the box of a leaf may be smaller; but the boxes of all leaves
// with a triangle cover it together, no leaf has it twice, and each has a place of its own for it.
func (t *Tree) Validate(triangles int, triangle func(int) geom.Triangle) error {
	if t.NumTriangles() != triangles {
		return fmt.Errorf("%d triangles in the tree, %d in the mesh", t.NumTriangles(), triangles)
	}
	if triangles == 0 {
		return nil
	}
	v := validator{t: t, triangle: triangle, leaves: make([][]geom.AABB, triangles), used: make([]bool, len(t.units)), taken: make([]bool, len(t.ids)), boxes: make([]geom.AABB, len(t.ids)), all: geom.EmptyAABB()}
	_, need, err := v.subtree(t.root, t.bounds)
	switch {
	case err != nil:
		return err
	case v.all != t.bounds:
		return fmt.Errorf("bounds %v of the root, should be %v", t.bounds, v.all)
	case need > t.need || t.need >= stackSize:
		return fmt.Errorf("%d entries on the stack of a walk, %d of %d are foreseen", need, t.need, stackSize)
	}
	for i, used := range v.used {
		if !used {
			return fmt.Errorf("unit %d is not reached", i)
		}
	}
	for i, boxes := range v.leaves {
		if len(boxes) == 0 {
			return fmt.Errorf("triangle %d is in no leaf", i)
		}
		if tri := triangle(i); t.duplicates != nil && !covered(tri, boxes) {
			return fmt.Errorf("triangle %d is not covered by the leaves that it is in", i)
		}
	}
	return v.duplicates()
}

type validator struct {
	t        *Tree
	triangle func(int) geom.Triangle
	leaves   [][]geom.AABB // the boxes of the leaves of each triangle
	used     []bool        // units
	taken    []bool        // places
	boxes    []geom.AABB   // of the leaves of the places
	all      geom.AABB     // of all triangles
}

// duplicates checks that the places of each triangle form a ring.
func (v *validator) duplicates() error {
	d := v.t.duplicates
	if d == nil {
		return nil
	}
	owner := make([]int32, len(d.list)) // the triangle of each duplicate, from 1
	for place, id := range v.t.ids {
		i, leaves := d.at[place], len(v.leaves[id])
		switch {
		case (i < 0) != (leaves == 1):
			return fmt.Errorf("triangle %d is in %d leaves, not so by place %d", id, leaves, place)
		case i < 0:
			continue
		case owner[i] != 0:
			return fmt.Errorf("place %d has the duplicate %d of triangle %d", place, i, owner[i]-1)
		case v.t.duplicateBox(i) != v.boxes[place]:
			return fmt.Errorf("place %d has box %v, and in its ring %v", place, v.boxes[place], v.t.duplicateBox(i))
		}
		owner[i] = id + 1
	}
	round := make([]bool, len(d.list))
	for i, id := range owner {
		if id == 0 {
			return fmt.Errorf("duplicate %d has no place", i)
		}
		if round[i] {
			continue
		}
		j, n := int32(i), 0
		for ; !round[j] && owner[j] == id; j = d.list[j].next {
			round[j] = true
			n++
		}
		if leaves := len(v.leaves[id-1]); n != leaves || j != int32(i) {
			return fmt.Errorf("triangle %d has a ring of %d places of %d", id-1, n, leaves)
		}
	}
	return nil
}

// covered reports whether boxes together cover a triangle: whether nothing is left after cutting
// off the part in each, up to the rounding of this test.
func covered(t geom.Triangle, boxes []geom.AABB) bool {
	far := t.A.Abs().Max(t.B.Abs()).Max(t.C.Abs())
	return coveredPart([][3]float64{wideOf(t.A), wideOf(t.B), wideOf(t.C)}, boxes, 0x1p-48*float64(max(far.X, far.Y, far.Z)))
}

func coveredPart(part [][3]float64, boxes []geom.AABB, rounding float64) bool {
	if len(boxes) == 0 {
		return false
	}
	low, high := wideOf(boxes[0].Min), wideOf(boxes[0].Max)
	for axis := range 3 {
		for _, side := range [2]struct{ sign, at float64 }{{1, high[axis]}, {-1, low[axis]}} {
			within, beyond := cutPart(part, axis, side.sign, side.at, rounding)
			if len(beyond) > 0 && !coveredPart(beyond, boxes[1:], rounding) {
				return false
			}
			if part = within; len(part) == 0 {
				return true
			}
		}
	}
	return true
}

// cutPart cuts a convex polygon at a plane. A strip beyond the plane, as wide as rounding, belongs
// to neither part: rounding moves a corner there along a steep side by far more than across it.
func cutPart(part [][3]float64, axis int, sign, at, rounding float64) (within, beyond [][3]float64) {
	if !slices.ContainsFunc(part, func(p [3]float64) bool { return float64(sign*(p[axis]-at)) > rounding }) {
		return part, nil
	}
	return clipPart(part, axis, sign, at), clipPart(part, axis, -sign, at+float64(sign*rounding))
}

// clipPart returns the part of a convex polygon behind a plane.
func clipPart(part [][3]float64, axis int, sign, at float64) (behind [][3]float64) {
	for i, to := range part {
		from := part[(i+len(part)-1)%len(part)]
		f, t := float64(sign*(from[axis]-at)), float64(sign*(to[axis]-at)) // how far beyond
		if f < 0 && t > 0 || f > 0 && t < 0 {
			var on [3]float64
			for k := range on {
				on[k] = from[k] + float64(f/(f-t)*(to[k]-from[k]))
			}
			on[axis] = at
			behind = append(behind, on)
		}
		if t <= 0 {
			behind = append(behind, to)
		}
	}
	return behind
}

// take marks the units of a node or leaf as used.
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

// subtree returns the smallest box around everything below r, whose box in its parent is given, and
// the number of stack entries of a traversal there.
func (v *validator) subtree(r ref, given geom.AABB) (geom.AABB, int, error) {
	all := geom.EmptyAABB()
	if err := v.take(r); err != nil {
		return all, 0, err
	}
	if r.isLeaf() {
		box, err := v.leaf(r, given)
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
		box, below, err := v.subtree(child, n.bounds(i))
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

func (v *validator) leaf(r ref, given geom.AABB) (geom.AABB, error) {
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
		if id < 0 || int(id) >= len(v.leaves) {
			return all, errors.New("triangle out of range")
		}
		if lane < count {
			place := int(info.first) + lane
			if v.taken[place] {
				return all, fmt.Errorf("place %d is in two leaves", place)
			}
			v.taken[place], v.boxes[place] = true, given
			if len(v.leaves[id]) > 0 && v.t.duplicates == nil {
				return all, fmt.Errorf("triangle %d is in two leaves", id)
			}
			if slices.Contains(v.t.ids[info.first:int(info.first)+lane], id) {
				return all, fmt.Errorf("triangle %d is in a leaf twice", id)
			}
			v.leaves[id] = append(v.leaves[id], given)
		}
		tri := v.t.triangle(r, lane)
		if want := v.triangle(int(id)); tri != want {
			return all, fmt.Errorf("triangle %d is %v, should be %v", id, tri, want)
		}
		all = all.Union(boundsOf(tri))
	}
	v.all = v.all.Union(all)
	if v.t.duplicates != nil && all.Union(given) == all {
		return given, nil
	}
	return all, nil
}
