package broad

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// VisitNearest calls visit with the number of each box within a distance of a point, roughly from
// near to far. visit returns the distance from then on, in metres; a negative one ends the
// traversal. Boxes for which sees returns false are left out at once, before they are ordered by
// their distances; a nil sees lets all through.
func (p *Phase) VisitNearest(at geom.Vec3, distance float64, sees func(number uint32) bool, visit func(number uint32) (distance float64)) {
	if !at.IsFinite() {
		return
	}
	q := nearest{p: at.Wide()}
	if !q.setLimit(distance) {
		return
	}
	var stack [stackSize + 1]nearEntry // the roots of both trees wait at first
	top := 0
	for half := range p.trees {
		if t := &p.trees[half]; t.root != 0 {
			stack[top] = nearEntry{0, nodeRef(t.root), uint32(half)}
			top++
		}
	}
	for top > 0 {
		top--
		e := stack[top]
		if e.distance > q.limit {
			continue
		}
		if e.child.isBox() {
			if !q.setLimit(visit(e.child.number())) {
				return
			}
			continue
		}
		n := &p.trees[e.half].nodes[e.child.node()]
		var to [width]float64
		q.to(n, &to)
		first := top
		for s, c := range n.child {
			if d := to[s]; d <= q.limit && c != 0 && (sees == nil || !c.isBox() || sees(c.number())) {
				top = pushNear(stack[:], first, top, nearEntry{d, c, e.half})
			}
		}
	}
}

type nearEntry struct {
	distance float64 // squared
	child    ref
	half     uint32
}

// pushNear inserts an entry among those from first on, the nearest last.
func pushNear(stack []nearEntry, first, top int, e nearEntry) int {
	at := top
	for ; at > first && stack[at-1].distance < e.distance; at-- {
		stack[at] = stack[at-1]
	}
	stack[at] = e
	return top + 1
}

// nearest is a point and a distance around it.
type nearest struct {
	p     geom.DVec3
	limit float64 // squared
}

// setLimit sets the distance; false if it is negative. The squared limit is three times relativePad
// greater: a distance is rounded like a ray, and a square has twice the relative error.
func (q *nearest) setLimit(distance float64) bool {
	q.limit = distance * distance * (1 + 3*relativePad)
	return distance >= 0
}

// to computes the squared distances to the children of a node.
func (q *nearest) to(n *node, squared *[width]float64) {
	if useSIMD {
		squaresSIMD(n, &q.p, squared)
		return
	}
	q.toGo(n, squared)
}

// toGo is the specification of squaresSIMD. It has no branches; see [query.meet].
func (q *nearest) toGo(n *node, squared *[width]float64) {
	x, y, z := q.p.X, q.p.Y, q.p.Z
	outside := func(lo, hi float32, v float64) float64 {
		below, above := int64(math.Float64bits(float64(lo)-v)), int64(math.Float64bits(v-float64(hi)))
		return math.Float64frombits(uint64(max(below, above, 0)))
	}
	for s := range width {
		dx := outside(n.box[0][s], n.box[1][s], x)
		dy := outside(n.box[2][s], n.box[3][s], y)
		dz := outside(n.box[4][s], n.box[5][s], z)
		squared[s] = float64(dx*dx) + float64(dy*dy) + float64(dz*dz)
	}
}
