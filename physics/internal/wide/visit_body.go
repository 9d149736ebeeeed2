package wide

import (
	"math/bits"
	"sync"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// visitAlone is the number of triangles that VisitBody visits before it tests leaves with the body.
// Greater: more triangles are visited that the body does not touch. Smaller: queries that end
// sooner, as most do that find something, prepare a body in vain.
const visitAlone = 4

// still is a body at rest, with which the triangles of leaves are tested. It is large, and used
// again.
type still struct {
	visited int  // triangles
	asked   bool // for the body
	path    ShapePath
	body    Body
	sweep   sweep
}

var stills = sync.Pool{New: func() any { return new(still) }}

// VisitBody is [Tree.VisitAABB] without most triangles that a body at rest does not touch, once
// some have been visited. It then calls body once, which sets all of the body except its motion, or
// returns false: then it leaves out none.
func (t *Tree) VisitBody(box geom.AABB, body func(b *Body) bool, visit func(triangle int) bool) bool {
	if !assembly || !useSIMD {
		return t.VisitAABB(box, visit)
	}
	s := stills.Get().(*still)
	s.visited, s.asked, s.sweep.body = 0, false, nil
	ok := t.visit(box, s, body, visit)
	s.sweep.leaf = nil
	stills.Put(s)
	return ok
}

// near returns the lanes of a leaf, of those in a mask, that are to be visited.
func (s *still) near(t *Tree, r ref, mask uint32, body func(b *Body) bool) uint32 {
	if s.visited >= visitAlone && !s.asked {
		s.asked = true
		b := &s.body
		if b.Motion, b.Normal, b.Beside = (geom.DVec3{}), (geom.DVec3{}), [2]geom.DVec3{}; body(b) {
			s.path.Body = b
			s.sweep.start(&s.path, t.bounds.Min.Abs().Max(t.bounds.Max.Abs()).Wide())
		}
	}
	if s.sweep.body != nil {
		s.sweep.setLeaf(t, r)
		mask = nearSIMD(s.sweep.leaf, &s.sweep, mask)
	}
	s.visited += bits.OnesCount32(mask)
	return mask
}

// leaves reports whether no triangle in a child of a node is to be visited. Of a tree with
// triangles in several leaves it leaves out no child: isFirst gives a triangle to the first leaf
// whose box the visit touches, and that one may be beyond the body where another is not.
func (s *still) leaves(t *Tree, n *node, child int) bool {
	return s.sweep.body != nil && t.duplicates == nil && s.sweep.leavesBox(n, child)
}

// leavesBox reports whether a body at rest certainly does not touch box i of a node: by the axis
// from the point of a box or a capsule that is nearest to the middle of that box.
//
// Rounding loses none. Let u be 2⁻²⁴, e the sum of the magnitudes of v, m that of the mapped
// coordinates and of the origin, r the size of the body: m + r is at most the far of start. Then
// v·middle is off by at most 9·u·e·m (narrowed factors, the middle, products, sums), the reach of
// the box by 8·u·e·m, that of the body by 14·u·e·r (the half axes are together at most √3·r), and
// the difference by u·e·far: 18·u·e·far in all, where reach adds 64 (sweepWiden). How v itself was
// rounded does not matter, as any v is an axis.
func (s *sweep) leavesBox(n *node, i int) bool {
	var c, h [3]float32
	for axis := range c {
		low, high := n.box[2*axis][i], n.box[2*axis+1][i]
		c[axis], h[axis] = (low+high)*0.5, (high-low)*0.5
	}
	middle := s.x.Mul(c[0]).Add(s.y.Mul(c[1])).Add(s.z.Mul(c[2])).Add(s.origin)
	v := middle
	for k := range s.half[:s.counts[0]] {
		half := s.half[k]
		v = v.Sub(half.Mul(lower(higher(middle.Dot(half)/half.Dot(half), -1), 1)))
	}
	box := float32(abs(v.Dot(s.x))*h[0]) + float32(abs(v.Dot(s.y))*h[1]) + float32(abs(v.Dot(s.z))*h[2])
	return v.Dot(middle)-box > s.reach(v)
}
