package broad

import (
	"math"
	"math/bits"
	"sync"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// probe is a box that nodes are asked for, as the negative of how far a child must reach at least
// on each side. A difference has the sign bit set if and only if it does not reach that far; of the
// two zeros, the one that makes it so is chosen.
type probe struct{ lo, hi geom.Vec3 }

// probeOf returns the probe of a box. An end of it at infinity is put at the last number before
// that, which all boxes reach as well: empty slots are at infinity, and the difference of two
// infinities is no number. An end at infinity is put at the last number before it, which all boxes
// reach as well: empty slots are at infinity, and the difference of two of them is no number.
func probeOf(box *geom.AABB) probe {
	below := func(v float32) float32 { // v − v is 0, and so is 0 − −0
		if v == 0 {
			return float32(math.Copysign(0, -1))
		}
		return max(v, -math.MaxFloat32)
	}
	above := func(v float32) float32 { return min(v, math.MaxFloat32) + 0 } // −0 + 0 is 0
	return probe{
		geom.Vec3{X: below(box.Min.X), Y: below(box.Min.Y), Z: below(box.Min.Z)},
		geom.Vec3{X: above(box.Max.X), Y: above(box.Max.Y), Z: above(box.Max.Z)},
	}
}

// touched returns the children of a node that touch a box, a bit for each. It has no branches: each
// of the six comparisons is a difference, of which the signs are gathered.
func (n *node) touched(p *probe) (mask uint32) {
	if useAVX2 {
		return touchedAVX2(n, p)
	}
	return n.touchedGo(p)
}

// touchedGo is touched in Go.
func (n *node) touchedGo(p *probe) (mask uint32) {
	x0, y0, z0, x1, y1, z1 := p.lo.X, p.lo.Y, p.lo.Z, p.hi.X, p.hi.Y, p.hi.Z
	for s := range width {
		apart := math.Float32bits(n.box[1][s]-x0) | math.Float32bits(x1-n.box[0][s]) |
			math.Float32bits(n.box[3][s]-y0) | math.Float32bits(y1-n.box[2][s]) |
			math.Float32bits(n.box[5][s]-z0) | math.Float32bits(z1-n.box[4][s])
		mask |= apart >> 31 << s
	}
	return mask ^ (1<<width - 1)
}

// VisitAABB calls visit with the number of each box that touches another, until visit returns
// false.
func (p *Phase) VisitAABB(box geom.AABB, visit func(number uint32) bool) {
	if box.IsEmpty() {
		return
	}
	q := probeOf(&box)
	for half := range p.trees {
		if !p.trees[half].visit(&q, visit) {
			return
		}
	}
}

// VisitHalf is VisitAABB of only those boxes that stand still, or only those that do not.
func (p *Phase) VisitHalf(box geom.AABB, standing bool, visit func(number uint32) bool) {
	if box.IsEmpty() {
		return
	}
	half := moving
	if standing {
		half = still
	}
	q := probeOf(&box)
	p.trees[half].visit(&q, visit)
}

// visit returns false if visit did.
func (t *tree) visit(q *probe, visit func(number uint32) bool) bool {
	if t.root == 0 {
		return true
	}
	var stack [stackSize]ref
	stack[0] = nodeRef(t.root)
	for top := 1; top > 0; {
		top--
		n := &t.nodes[stack[top].node()]
		mask := n.touched(q)
		if n.level == 0 {
			for ; mask != 0; mask &= mask - 1 {
				if !visit(n.child[bits.TrailingZeros32(mask)&7].number()) {
					return false
				}
			}
			continue
		}
		for ; mask != 0; mask &= mask - 1 {
			stack[top] = n.child[bits.TrailingZeros32(mask)&7]
			top++
		}
	}
	return true
}

// boxes are for calls of functions that are handed a pointer, which would let a box of the caller's
// escape.
var boxes = sync.Pool{New: func() any { return new(geom.AABB) }}

// VisitWhere calls visit with the number of each box of which enters says so, until visit returns
// false. It asks for the boxes of nodes first, and for nothing within those that are not to be
// entered. The box that enters is handed is its to read, until it returns.
func (p *Phase) VisitWhere(enters func(box *geom.AABB) bool, visit func(number uint32) bool) {
	box := boxes.Get().(*geom.AABB)
	defer boxes.Put(box)
	var stack [stackSize]ref
	for half := range p.trees {
		t := &p.trees[half]
		if t.root == 0 {
			continue
		}
		stack[0] = nodeRef(t.root)
		for top := 1; top > 0; {
			top--
			n := &t.nodes[stack[top].node()]
			for s, c := range n.child {
				if c == 0 {
					continue
				}
				if *box = n.bounds(s); !enters(box) {
					continue
				}
				if !c.isBox() {
					stack[top] = c
					top++
				} else if !visit(c.number()) {
					return
				}
			}
		}
	}
}

// VisitNodes calls visit with the bounds of every node and every box, parents before their
// children, until visit returns false. The level is 0 at the root of either tree, and leaf says
// that it is the box of one number.
func (p *Phase) VisitNodes(visit func(bounds geom.AABB, level int, leaf bool) bool) {
	for half := range p.trees {
		t := &p.trees[half]
		if t.root != 0 && (!visit(t.nodes[t.root].union(), 0, false) || !t.visitNodes(t.root, 1, visit)) {
			return
		}
	}
}

func (t *tree) visitNodes(i int32, level int, visit func(bounds geom.AABB, level int, leaf bool) bool) bool {
	n := &t.nodes[i]
	for s, c := range n.child {
		if c == 0 {
			continue
		}
		if !visit(n.bounds(s), level, c.isBox()) || !c.isBox() && !t.visitNodes(c.node(), level+1, visit) {
			return false
		}
	}
	return true
}
