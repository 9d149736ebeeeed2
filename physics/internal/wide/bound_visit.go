package wide

import (
	"math/bits"
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// leafLanes is a leaf with some of its lanes.
type leafLanes struct {
	leaf ref
	mask uint32
}

// maxFew is the largest value of few for [Tree.VisitBound].
const maxFew = 16

// VisitBound is [Tree.VisitAABB] without the triangles that a bound misses, of a tree that has no
// triangle in several leaves. It calls bound once, if at least few triangles touch the box, 16 at
// most, of which a bound that is nil misses none.
func (t *Tree) VisitBound(box geom.AABB, few int, bound func() *Bound, visit func(triangle int)) {
	if t.IsEmpty() || box.IsEmpty() || !touch(&box, &t.bounds) {
		return
	}
	q := query{box.Min.X, box.Max.X, box.Min.Y, box.Max.Y, box.Min.Z, box.Max.Z}
	var stack [stackSize]ref
	var found [maxFew]leafLanes
	var b *Bound
	n, touched, asked := 0, 0, false
	stack[0] = t.root
	for count := 1; count > 0 || n > 0; {
		if n == len(found) || count == 0 {
			if !asked && touched >= few {
				b, asked = bound(), true
			}
			for _, l := range found[:n] {
				t.visitLanes(l, b, visit)
			}
			n = 0
			continue
		}
		count--
		r := stack[count]
		if r.isLeaf() {
			if mask, _ := t.leafTouch(r, &q); mask != 0 {
				found[n] = leafLanes{r, mask}
				n++
				touched += bits.OnesCount32(mask)
			}
			continue
		}
		node := t.node(r)
		for mask := nodeTouch(node, &q); mask != 0; mask &= mask - 1 {
			if child := node.child[bits.TrailingZeros32(mask)&(width-1)]; child != 0 {
				stack[count] = child
				count++
			}
		}
	}
}

// visitLanes visits the triangles in the lanes of a leaf that a bound does not miss.
func (t *Tree) visitLanes(l leafLanes, b *Bound, visit func(triangle int)) {
	mask := l.mask
	if b != nil {
		mask &^= t.missed(l.leaf, b)
	}
	for first := int(t.info(l.leaf).first); mask != 0; mask &= mask - 1 {
		visit(int(t.ids[first+bits.TrailingZeros32(mask)]))
	}
}

// missed returns a bit mask of the lanes of a leaf that a bound misses.
func (t *Tree) missed(r ref, b *Bound) uint32 {
	if r.kind() == kindLoose {
		return b.Misses((*Eight)(unsafe.Pointer(t.loose(r))))
	}
	var e Eight
	if p := t.packed(r); assembly && useSIMD {
		unpackSIMD(p, &e.corners)
	} else {
		p.unpack(&e.corners)
	}
	return b.Misses(&e)
}

// unpack sets the corners of l to those of the triangles.
func (p *packed) unpack(l *loose) {
	for c := range p.corner {
		for i, v := range p.corner[c] {
			v &= width - 1
			l.corner[c][0][i], l.corner[c][1][i], l.corner[c][2][i] = p.vertex[0][v], p.vertex[1][v], p.vertex[2][v]
		}
	}
}
