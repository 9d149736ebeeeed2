package broad

import (
	"math"
	"math/bits"
	"sync"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// probe is a box to be compared with the boxes of nodes by the sign of differences: lo is
// subtracted from the high side of a child, and the low side from hi. The sign bit of a difference
// is set if and only if the two do not touch along that side; the sign of zeros is chosen
// accordingly.
type probe struct{ lo, hi geom.Vec3 }

// probeOf returns the probe of a box. An infinite side becomes ±MaxFloat32, which every finite box
// reaches as well: the sides of empty slots are infinite, and ∞ − ∞ is NaN.
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

// touched returns the children of a node that touch a box, a bit for each. It has no branches: the
// signs of six differences are collected.
func (n *node) touched(p *probe) (mask uint32) {
	if useSIMD {
		return touchedSIMD(n, p)
	}
	return n.touchedGo(p)
}

// touchedGo is the specification of touchedSIMD.
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

// VisitAABB calls visit with the number of each box that touches the given one, until visit returns
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

// VisitHalf is VisitAABB of static boxes only, or of those that move.
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

// visit is VisitAABB of one tree; false if visit returned false.
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

// boxes holds boxes for callbacks that take a pointer: a local variable would escape to the heap.
var boxes = sync.Pool{New: func() any { return new(geom.AABB) }}

// VisitWhere calls visit with the number of each box for which enters returns true, until visit
// returns false. It calls enters for the boxes of nodes first, and skips nodes for which that
// returns false. The box is valid until enters returns.
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

// VisitNodes calls visit with the bounds of every node and every box, parents before children,
// until visit returns false. level is the depth, 0 for the root of each tree; leaf is true for the
// box of a number.
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
