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
