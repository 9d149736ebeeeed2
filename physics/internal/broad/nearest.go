package broad

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// VisitNearest calls visit with the number of each box that comes within a distance of a point, roughly from near to far. What
// visit returns is the new distance, in metres; a negative number ends the visit.
func (p *Phase) VisitNearest(at geom.Vec3, distance float64, visit func(number uint32) (distance float64)) {
	if !at.IsFinite() {
		return
	}
	q := nearest{at.Wide(), distance}
	var stack [stackSize + 1]nearEntry // the roots of both trees are put off at first
	top := 0
	for half := range p.trees {
		t := &p.trees[half]
		if t.root == 0 {
			continue
		}
		box := t.nodes[t.root].union()
		if d := q.to(&box); d <= q.limit {
			top = pushNear(stack[:], 0, top, nearEntry{d, nodeRef(t.root), uint32(half)})
		}
	}
	for top > 0 {
		top--
		e := stack[top]
		if e.distance > q.limit {
			continue
		}
		if e.child.isBox() {
			if q.limit = visit(e.child.number()); q.limit < 0 {
				return
			}
			continue
		}
		n := &p.trees[e.half].nodes[e.child.node()]
		first := top
		for s, c := range n.child {
			if c == 0 {
				continue
			}
			box := n.bounds(s)
			if d := q.to(&box); d <= q.limit {
				top = pushNear(stack[:], first, top, nearEntry{d, c, e.half})
			}
		}
	}
}

type nearEntry struct {
	distance float64
	child    ref
	half     uint32
}

// pushNear puts an entry among those from first on, the nearest last.
func pushNear(stack []nearEntry, first, top int, e nearEntry) int {
	at := top
	for ; at > first && stack[at-1].distance < e.distance; at-- {
		stack[at] = stack[at-1]
	}
	stack[at] = e
	return top + 1
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
