package wide

import (
	"math/bits"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Visits of the triangles in a box, and of the nearest ones.

// query is a box as low x, high x, low y, high y, low z, high z.
type query [6]float32

// touch returns a bit mask of the children whose boxes touch a box. If the box is infinite, the
// bits of empty slots are set too.
func (n *node) touch(q *query) (mask uint32) {
	for i := range width {
		if q[0] <= n.box[1][i] && n.box[0][i] <= q[1] &&
			q[2] <= n.box[3][i] && n.box[2][i] <= q[3] &&
			q[4] <= n.box[5][i] && n.box[4][i] <= q[5] {
			mask |= 1 << i
		}
	}
	return mask
}

// touch returns a bit mask of the triangles whose bounds touch a box.
func (p *packed) touch(q *query) (mask uint32) {
	for i := range width {
		a, b, c := p.corner[0][i]&(width-1), p.corner[1][i]&(width-1), p.corner[2][i]&(width-1)
		x, y, z := &p.vertex[0], &p.vertex[1], &p.vertex[2]
		if q[0] <= max(x[a], x[b], x[c]) && min(x[a], x[b], x[c]) <= q[1] &&
			q[2] <= max(y[a], y[b], y[c]) && min(y[a], y[b], y[c]) <= q[3] &&
			q[4] <= max(z[a], z[b], z[c]) && min(z[a], z[b], z[c]) <= q[5] {
			mask |= 1 << i
		}
	}
	return mask
}

// touch returns a bit mask of the triangles whose bounds touch a box.
func (l *loose) touch(q *query) (mask uint32) {
	a, b, c := &l.corner[0], &l.corner[1], &l.corner[2]
	for i := range width {
		if q[0] <= max(a[0][i], b[0][i], c[0][i]) && min(a[0][i], b[0][i], c[0][i]) <= q[1] &&
			q[2] <= max(a[1][i], b[1][i], c[1][i]) && min(a[1][i], b[1][i], c[1][i]) <= q[3] &&
			q[4] <= max(a[2][i], b[2][i], c[2][i]) && min(a[2][i], b[2][i], c[2][i]) <= q[5] {
			mask |= 1 << i
		}
	}
	return mask
}

// nodeTouch is node.touch by the assembly where there is one.
func nodeTouch(n *node, q *query) uint32 {
	if assembly && useSIMD {
		return nodeTouchSIMD(n, q)
	}
	return n.touch(q)
}

// leafTouch returns a bit mask of the triangles of a leaf whose bounds touch a box.
func (t *Tree) leafTouch(r ref, q *query) (mask uint32, info *leafInfo) {
	switch {
	case r.kind() == kindLoose:
		l := t.loose(r)
		if info = &l.leafInfo; assembly && useSIMD {
			mask = looseTouchSIMD(l, q)
		} else {
			mask = l.touch(q)
		}
	default:
		p := t.packed(r)
		if info = &p.leafInfo; assembly && useSIMD {
			mask = packedTouchSIMD(p, q)
		} else {
			mask = p.touch(q)
		}
	}
	return mask & info.lanes & (1<<width - 1), info
}

// VisitAABB calls visit once for each triangle whose bounds touch a box, in no particular order,
// until visit returns false. It returns false if visit did. An empty box touches nothing. Of
// triangles in several leaves, those without a part near the box are omitted, even if their bounds
// touch it.
func (t *Tree) VisitAABB(box geom.AABB, visit func(triangle int) bool) bool {
	return t.visit(box, nil, nil, visit)
}

// visit is VisitAABB, or VisitBody where s is not nil.
func (t *Tree) visit(box geom.AABB, s *still, body func(b *Body) bool, visit func(triangle int) bool) bool {
	if t.IsEmpty() || box.IsEmpty() || !touch(&box, &t.bounds) {
		return true
	}
	q := query{box.Min.X, box.Max.X, box.Min.Y, box.Max.Y, box.Min.Z, box.Max.Z}
	var stack [stackSize]ref
	stack[0] = t.root
	for count := 1; count > 0; {
		count--
		r := stack[count]
		if r.isLeaf() {
			mask, info := t.leafTouch(r, &q)
			if s != nil && mask != 0 {
				mask = s.near(t, r, mask, body)
			}
			for ; mask != 0; mask &= mask - 1 {
				place := int(info.first) + bits.TrailingZeros32(mask)
				if (t.duplicates == nil || t.isFirst(place, &box)) && !visit(int(t.ids[place])) {
					return false
				}
			}
			continue
		}
		n := t.node(r)
		for mask := nodeTouch(n, &q); mask != 0; mask &= mask - 1 {
			i := bits.TrailingZeros32(mask) & (width - 1)
			if child := n.child[i]; child != 0 && (s == nil || !s.leaves(t, n, i)) {
				stack[count] = child
				count++
			}
		}
	}
	return true
}

// touch reports whether two boxes that are not empty touch.
func touch(a, b *geom.AABB) bool {
	return a.Min.X <= b.Max.X && b.Min.X <= a.Max.X &&
		a.Min.Y <= b.Max.Y && b.Min.Y <= a.Max.Y &&
		a.Min.Z <= b.Max.Z && b.Min.Z <= a.Max.Z
}

// VisitNearest calls visit once for every triangle that may be within the limit, nearer ones first
// where that order is cheap; visit returns the new limit. bound returns a lower bound of the
// distance of all triangles within a box; a bound equal to the limit is visited, NaN is skipped.
func (t *Tree) VisitNearest(limit float64, bound func(box geom.AABB) float64, visit func(triangle int) float64) {
	if t.IsEmpty() {
		return
	}
	type far struct {
		bound float64
		ref   ref
	}
	var stack [stackSize]far
	stack[0] = far{bound(t.bounds), t.root}
	for count := 1; count > 0; {
		count--
		top := stack[count]
		if !(top.bound <= limit) {
			continue
		}
		if top.ref.isLeaf() {
			info := t.info(top.ref)
			for place := int(info.first); place < int(info.first)+info.count(); place++ {
				if t.duplicates == nil || t.isNearest(place, top.bound, bound) {
					limit = visit(int(t.ids[place]))
				}
			}
			continue
		}
		n := t.node(top.ref)
		bottom := count
		for i, child := range &n.child {
			if child == 0 {
				break
			}
			one := far{bound(n.bounds(i)), child}
			if !(one.bound <= limit) {
				continue
			}
			j := count
			for ; j > bottom && stack[j-1].bound < one.bound; j-- {
				stack[j] = stack[j-1]
			}
			stack[j] = one
			count++
		}
	}
}
