package wide

import "github.com/hitscan-go/hitscan/physics/geom"

// In a tree of high quality a triangle may be in several leaves. Ray casts need no care: the hit is
// the same in each. Visits of volumes must visit each triangle once, without remembering which were
// visited. That is possible because all boxes above a leaf contain the leaf's box: whether a leaf
// is visited follows from its own box, so each leaf can determine whether another one reports the
// triangle.

// duplicates lists the places of the triangles that are in several leaves.
type duplicates struct {
	extra int // number of places beyond the number of triangles
	pairs int // of leaves with the same triangle, each with itself and both ways
	// For each place in Tree.ids the index in list; −1 for a triangle in one leaf only.
	at   []int32
	list []duplicate // in the order of the places
}

// duplicate is one of the places of a triangle that is in several leaves.
type duplicate struct {
	next  int32 // duplicate of the same triangle, in a ring
	child uint8 // slot of the leaf in node
	node  ref
}

// tooMany reports whether visits may take too long: of k leaves with a triangle, each may have to
// ask all others. Trees are built with about as many pairs as places; far more are in a file that
// was made to take time.
func (d *duplicates) tooMany() bool {
	const (
		each = 64      // pairs for each place
		some = 1 << 20 // 5 ms, for small meshes
	)
	return d != nil && d.pairs > each*len(d.at)+some
}

// findDuplicates finds the triangles that are in several leaves, if there are more places than
// triangles.
func (t *Tree) findDuplicates(triangles int) {
	t.duplicates = nil
	if len(t.ids) <= triangles {
		return
	}
	d := &duplicates{extra: len(t.ids) - triangles, at: make([]int32, len(t.ids))}
	count := make([]int32, triangles) // of the places
	for _, id := range t.ids {
		count[id]++
	}
	for _, n := range count {
		if n > 1 {
			d.pairs += int(n) * int(n)
		}
	}
	first, last := make(map[int32]int32, d.extra), make(map[int32]int32, d.extra)
	t.eachLeaf(t.root, 0, 0, func(leaf, node ref, child int) {
		info := t.info(leaf)
		for place := int(info.first); place < int(info.first)+info.count(); place++ {
			id := t.ids[place]
			if d.at[place] = -1; count[id] < 2 {
				continue
			}
			i := int32(len(d.list))
			d.at[place] = i
			if before, ok := last[id]; ok {
				d.list[before].next = i
			} else {
				first[id] = i
			}
			last[id] = i
			d.list = append(d.list, duplicate{next: first[id], node: node, child: uint8(child)})
		}
	})
	t.duplicates = d
}

// eachLeaf calls visit for each leaf in the order of their places, with its parent node and slot.
func (t *Tree) eachLeaf(r, parent ref, child int, visit func(leaf, node ref, child int)) {
	if r.isLeaf() {
		visit(r, parent, child)
		return
	}
	n := t.node(r)
	for _, leaves := range [2]bool{true, false} {
		for i, c := range &n.child {
			if c != 0 && c.isLeaf() == leaves {
				t.eachLeaf(c, r, i, visit)
			}
		}
	}
}

func (t *Tree) duplicateBox(i int32) geom.AABB {
	d := &t.duplicates.list[i]
	return t.node(d.node).bounds(int(d.child))
}

// isFirst reports whether, of all leaves with the triangle of a place that a visit of a box
// reaches, the place is in the first.
func (t *Tree) isFirst(place int, box *geom.AABB) bool {
	i := t.duplicates.at[place]
	if i < 0 {
		return true
	}
	for j := t.duplicates.list[i].next; j != i; j = t.duplicates.list[j].next {
		if other := t.duplicateBox(j); j < i && touch(box, &other) {
			return false
		}
	}
	return true
}

// isNearest reports whether, of all leaves with the triangle of a place, the place is in the one
// with the least bound, which is given. If any of them is visited before the limit falls below that
// bound, this one is.
func (t *Tree) isNearest(place int, least float64, bound func(geom.AABB) float64) bool {
	i := t.duplicates.at[place]
	if i < 0 {
		return true
	}
	for j := t.duplicates.list[i].next; j != i; j = t.duplicates.list[j].next {
		if other := bound(t.duplicateBox(j)); other < least || other == least && j < i {
			return false
		}
	}
	return true
}
