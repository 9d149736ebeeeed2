package physics

import (
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// OverlapFrustum appends the colliders that a frustum in world space touches to dst, lowest ID
// first, and returns the longer slice: what a camera may see, what a marquee catches or what is in
// a cone of view. It is exact for large colliders near an edge too, where a test of one plane after
// the other is not. Surfaces are closed, and planes and meshes are surfaces; see
// [Space.OverlapAABB]. A collider touches the frustum if it is nearer than 2·10⁻⁷ of the
// coordinates, which is the resolution of single precision.
//
// The frustum may be any six half-spaces, also such as leave it unbounded. A frustum with a NaN
// touches nothing.
func (s *Space) OverlapFrustum(dst []ColliderID, f *geom.Frustum, filter Filter) []ColliderID {
	return s.overlapFrustum(dst, f, false, filter)
}

// ContainedInFrustum appends the colliders that a frustum contains as a whole, of a compound every
// child, to dst, lowest ID first, and returns the longer slice: what a marquee selects that has to
// enclose colliders. Touching the surface from within counts as contained. No frustum contains a
// plane. See [Space.OverlapFrustum].
func (s *Space) ContainedInFrustum(dst []ColliderID, f *geom.Frustum, filter Filter) []ColliderID {
	return s.overlapFrustum(dst, f, true, filter)
}

// OverlapsFrustum reports whether one collider touches a frustum in world space, as
// [Space.OverlapFrustum] does for all colliders. It serves a query with several frusta and few
// colliders. It is false if there is no such collider, or if it is nowhere.
func (s *Space) OverlapsFrustum(id ColliderID, f *geom.Frustum) bool {
	r := s.lookup(id)
	return r != nil && r.where != nowhere && isInFrustum(r.subshapes(), f, false)
}

func (s *Space) overlapFrustum(dst []ColliderID, f *geom.Frustum, contained bool, filter Filter) []ColliderID {
	start := len(dst)
	s.visitWhere(func(box *geom.AABB) bool { return f.OverlapsAABB(*box) }, func(i uint32) bool {
		if r := &s.records[i]; filter.sees(r) && isInFrustum(r.subshapes(), f, contained) && filter.accepts(r.id) {
			dst = append(dst, r.id)
		}
		return true
	})
	slices.Sort(dst[start:])
	return dst
}

// isInFrustum reports whether a frustum contains every subshape or, unless contained is set,
// whether any touches it.
func isInFrustum(subshapes []placed.Subshape, f *geom.Frustum, contained bool) bool {
	for i := range subshapes {
		if contained && !subshapes[i].IsInFrustum(f) {
			return false
		}
		if !contained && subshapes[i].OverlapsFrustum(f) {
			return true
		}
	}
	return contained
}
