package physics

import (
	"cmp"
	"slices"
)

// OverlapShape appends the colliders that a shape touches to dst, lowest ID first, and returns the
// longer slice. See [Overlaps] for what counts as touching, and [Space.OverlapAABB],
// [Space.OverlapSphere] and [Space.OverlapBox] for faster queries.
//
// Panics if the shape is nil, or not one of those that [Shape] lists.
func (s *Space) OverlapShape(dst []ColliderID, p Placed, f Filter) []ColliderID {
	w := takeScratch()
	defer w.give()
	if !w.a.place(&p, "Space.OverlapShape", s.planar) {
		return dst
	}
	start := len(dst)
	s.visitNear(&w.a, 0, func(i uint32) bool {
		r := &s.records[i]
		if f.sees(r) && w.overlaps(r.subshapes(), w.a.subshapes) && f.accepts(r.id) {
			dst = append(dst, r.id)
		}
		return true
	})
	slices.Sort(dst[start:])
	return dst
}

// ShapeManifold is a manifold between a collider and a shape. A is the collider and B the shape, so
// Normal points from the collider to the shape.
type ShapeManifold struct {
	Manifold
	Collider ColliderID
	User     uint64 // of the collider
}

// CollideShape appends the manifolds between a shape and the colliders that it touches, or that are
// no further from it than margin, in metres, and returns the longer slice. They come in the order
// of the colliders, and those of one collider in the order of [Collide].
//
// Panics if the shape is nil, or not one of those that [Shape] lists.
func (s *Space) CollideShape(dst []ShapeManifold, p Placed, margin float32, f Filter) []ShapeManifold {
	w := takeScratch()
	defer w.give()
	if !(margin >= 0) || !w.a.place(&p, "Space.CollideShape", s.planar) {
		return dst
	}
	w.near = w.near[:0]
	s.visitNear(&w.a, margin, func(i uint32) bool {
		if f.sees(&s.records[i]) {
			w.near = append(w.near, i)
		}
		return true
	})
	slices.SortFunc(w.near, func(i, j uint32) int { return cmp.Compare(s.records[i].id, s.records[j].id) })
	for _, i := range w.near {
		r := &s.records[i]
		w.manifolds = w.collide(w.manifolds[:0], r.subshapes(), w.a.subshapes, margin)
		if len(w.manifolds) == 0 || !f.accepts(r.id) {
			continue
		}
		for j := range w.manifolds {
			dst = append(dst, ShapeManifold{w.manifolds[j], r.id, r.user})
		}
	}
	return dst
}
