package bvh

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// VisitAABB calls visit with the value of each leaf whose box touches another, until visit returns false.
func (t *Tree) VisitAABB(box geom.AABB, visit func(value uint32) bool) {
	if t.root != 0 && !box.IsEmpty() && touch(&t.nodes[t.root].box, &box) {
		t.overlapFrom(t.root, &box, visit)
	}
}

func (t *Tree) overlapFrom(i int32, box *geom.AABB, visit func(value uint32) bool) (goOn bool) {
	var stack [stackSize]int32
	n := 0
	for {
		node := &t.nodes[i]
		if node.isLeaf() {
			if !visit(uint32(node.right)) {
				return false
			}
		} else {
			left, right := touch(&t.nodes[node.left].box, box), touch(&t.nodes[node.right].box, box)
			switch {
			case left && right && n == len(stack):
				if !t.overlapFrom(node.left, box, visit) {
					return false
				}
				i = node.right
				continue
			case left && right:
				stack[n] = node.right
				n++
				i = node.left
				continue
			case left:
				i = node.left
				continue
			case right:
				i = node.right
				continue
			}
		}
		if n == 0 {
			return true
		}
		n--
		i = stack[n]
	}
}

// VisitNearest calls visit with the value of each leaf whose box comes within a distance of p, roughly from near to
// far. What visit returns is the new distance, in metres; a negative number ends the visit.
func (t *Tree) VisitNearest(p geom.Vec3, distance float64, visit func(value uint32) (distance float64)) {
	if t.root == 0 || !p.IsFinite() {
		return
	}
	q := nearest{p.Wide(), distance}
	if q.to(&t.nodes[t.root].box) <= q.limit {
		t.nearestFrom(t.root, &q, visit)
	}
}

type nearest struct {
	p     geom.DVec3
	limit float64
}

// to returns the distance to a box, a little less so that rounding in an exact test does not matter.
func (q *nearest) to(b *geom.AABB) float64 {
	d := geom.DVec3{
		X: max(float64(b.Min.X)-q.p.X, 0, q.p.X-float64(b.Max.X)),
		Y: max(float64(b.Min.Y)-q.p.Y, 0, q.p.Y-float64(b.Max.Y)),
		Z: max(float64(b.Min.Z)-q.p.Z, 0, q.p.Z-float64(b.Max.Z)),
	}
	return math.Sqrt(d.Dot(d)) * (1 - relativePad)
}

func (t *Tree) nearestFrom(i int32, q *nearest, visit func(value uint32) (distance float64)) (goOn bool) {
	var stack [stackSize]entry
	n := 0
	for {
		node := &t.nodes[i]
		if node.isLeaf() {
			if q.limit = visit(uint32(node.right)); q.limit < 0 {
				return false
			}
		} else {
			near, far := node.left, node.right
			dNear, dFar := q.to(&t.nodes[near].box), q.to(&t.nodes[far].box)
			if dFar < dNear {
				near, far, dNear, dFar = far, near, dFar, dNear
			}
			if dNear <= q.limit {
				if n == len(stack) {
					if !t.nearestFrom(near, q, visit) {
						return false
					}
					near, dFar = far, math.Inf(1)
				}
				if dFar <= q.limit {
					stack[n] = entry{dFar, far}
					n++
				}
				i = near
				continue
			}
		}
		for {
			if n == 0 {
				return true
			}
			n--
			if stack[n].enter <= q.limit {
				break
			}
		}
		i = stack[n].node
	}
}
