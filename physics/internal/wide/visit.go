package wide

import "github.com/hitscan-go/hitscan/physics/geom"

// The walks of boxes and of distances.

// VisitAABB calls visit once for each triangle whose own bounds touch a box, in no particular order, until visit returns false. It
// returns false if it was stopped so. An empty box touches nothing. Of triangles that are in several leaves, those are left out
// of which no part comes near the box, though their own bounds may touch it.
func (t *Tree) VisitAABB(box geom.AABB, visit func(triangle int) bool) bool {
	if t.IsEmpty() || box.IsEmpty() || !touch(&box, &t.bounds) {
		return true
	}
	var stack [stackSize]ref
	stack[0] = t.root
	for count := 1; count > 0; {
		count--
		r := stack[count]
		if r.isLeaf() {
			info := t.info(r)
			for lane := range info.count() {
				place := int(info.first) + lane
				if b := boundsOf(t.triangle(r, lane)); !touch(&box, &b) || t.doubles != nil && !t.isFirst(place, &box) {
					continue
				}
				if !visit(int(t.ids[place])) {
					return false
				}
			}
			continue
		}
		n := t.node(r)
		for i, child := range &n.child {
			if box.Min.X <= n.box[1][i] && n.box[0][i] <= box.Max.X &&
				box.Min.Y <= n.box[3][i] && n.box[2][i] <= box.Max.Y &&
				box.Min.Z <= n.box[5][i] && n.box[4][i] <= box.Max.Z && child != 0 {
				stack[count] = child
				count++
			}
		}
	}
	return true
}

// touch reports whether two boxes touch that are not empty.
func touch(a, b *geom.AABB) bool {
	return a.Min.X <= b.Max.X && b.Min.X <= a.Max.X &&
		a.Min.Y <= b.Max.Y && b.Min.Y <= a.Max.Y &&
		a.Min.Z <= b.Max.Z && b.Min.Z <= a.Max.Z
}

// VisitNearest calls visit once for every triangle that may be within the limit, the nearer ones first where that is cheap to know;
// visit returns the limit from then on. bound returns a distance that no triangle within the box is nearer than; what it puts
// exactly at the limit is visited, NaN leaves out.
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
				if t.doubles == nil || t.isNearest(place, top.bound, bound) {
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
