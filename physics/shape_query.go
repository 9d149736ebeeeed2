package physics

import (
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// OverlapShape appends the colliders that a shape touches to dst, lowest ID first, and returns the
// longer slice. See [Overlaps] for what touches, and [Space.OverlapAABB], [Space.OverlapSphere] and
// [Space.OverlapBox], which are faster.
//
// Panics if the shape is nil, or none of those that [Shape] lists.
func (s *Space) OverlapShape(dst []ColliderID, p Placed, f Filter) []ColliderID {
	w := takeScratch()
	defer w.give()
	if !w.a.place(&p, "Space.OverlapShape") {
		return dst
	}
	start := len(dst)
	s.visitNear(&w.a, 0, func(i uint32) bool {
		r := &s.records[i]
		if f.sees(r) && w.overlaps(r.pieces(), w.a.pieces) && f.accepts(r.id) {
			dst = append(dst, r.id)
		}
		return true
	})
	slices.Sort(dst[start:])
	return dst
}

// visitNear visits the colliders whose boxes are within a margin of a shape.
func (s *Space) visitNear(g *figure, margin float32, visit func(i uint32) bool) {
	s.settle()
	for _, i := range s.planes {
		if !visit(uint32(i)) {
			return
		}
	}
	if g.bounds.Min.IsFinite() && g.bounds.Max.IsFinite() {
		far := relativeSlack * max(largest(g.bounds.Min), largest(g.bounds.Max))
		s.boxes.VisitAABB(g.bounds.Grow(margin+float32(far)), visit)
		return
	}
	s.boxes.VisitWhere(func(b *geom.AABB) bool {
		slack := float32(relativeSlack * max(largest(b.Min), largest(b.Max)))
		for i := range g.pieces {
			if g.pieces[i].distanceTo(b) <= float64(margin+slack) {
				return true
			}
		}
		return false
	}, visit)
}

// ShapeManifold is where a collider and a shape touch; A is the collider and B the shape, so that
// Normal points from the collider to the shape.
type ShapeManifold struct {
	Manifold
	Collider ColliderID
	User     uint64 // the collider's own
}

// CollideShape appends to dst where a shape touches colliders, or is no further from them than
// margin, in metres, and returns the longer slice: manifolds in the order of their colliders, and
// those of one collider as [Collide] gives them.
//
// Panics if the shape is nil, or none of those that [Shape] lists.
func (s *Space) CollideShape(dst []ShapeManifold, p Placed, margin float32, f Filter) []ShapeManifold {
	w := takeScratch()
	defer w.give()
	if !(margin >= 0) || !w.a.place(&p, "Space.CollideShape") {
		return dst
	}
	w.near = w.near[:0]
	s.visitNear(&w.a, margin, func(i uint32) bool {
		if f.sees(&s.records[i]) {
			w.near = append(w.near, i)
		}
		return true
	})
	slices.SortFunc(w.near, func(i, j uint32) int { return order(s.records[i].id < s.records[j].id) })
	for _, i := range w.near {
		r := &s.records[i]
		w.manifolds = w.collide(w.manifolds[:0], r.pieces(), w.a.pieces, margin)
		if len(w.manifolds) == 0 || !f.accepts(r.id) {
			continue
		}
		for j := range w.manifolds {
			dst = append(dst, ShapeManifold{w.manifolds[j], r.id, r.user})
		}
	}
	return dst
}
