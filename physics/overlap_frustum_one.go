package physics

import "github.com/hitscan-go/hitscan/physics/geom"

// OverlapsFrustum reports whether one collider touches a frustum in world space, as
// [Space.OverlapFrustum] has it of all of them. It is for who has several frusta and few colliders
// to ask about. It is false if there is no such collider, or it is nowhere.
func (s *Space) OverlapsFrustum(id ColliderID, f *geom.Frustum) bool {
	r := s.lookup(id)
	return r != nil && r.where != nowhere && inFrustum(r.pieces(), f, false)
}
