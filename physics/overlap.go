package physics

import (
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// OverlapAABB appends the colliders that an axis-aligned box in world space touches to dst, lowest
// ID first, and returns the longer slice. Surfaces are closed: a common face is enough. Planes and
// meshes are surfaces, so a box within a closed mesh does not touch it. An empty, NaN or infinite
// box touches nothing.
func (s *Space) OverlapAABB(dst []ColliderID, b geom.AABB, f Filter) []ColliderID {
	return s.overlap(dst, placed.AABBVolume(b), f)
}

// OverlapSphere appends the colliders that a sphere in world space touches to dst. See
// [Space.OverlapAABB].
func (s *Space) OverlapSphere(dst []ColliderID, ball geom.Sphere, f Filter) []ColliderID {
	return s.overlap(dst, placed.SphereVolume(ball), f)
}

// OverlapBox appends the colliders that a rotated box in world space touches to dst. See
// [Space.OverlapAABB].
func (s *Space) OverlapBox(dst []ColliderID, b geom.Box, f Filter) []ColliderID {
	return s.overlap(dst, placed.BoxVolume(b), f)
}

// OverlapPoint appends the colliders that contain a point in world space to dst; their surfaces
// belong to them. A plane or a mesh contains the point only if it is exactly on the surface. See
// [Space.OverlapAABB].
func (s *Space) OverlapPoint(dst []ColliderID, p geom.Vec3, f Filter) []ColliderID {
	return s.overlap(dst, placed.SphereVolume(geom.Sphere{Center: p}), f)
}

func (s *Space) overlap(dst []ColliderID, v placed.Volume, f Filter) []ColliderID {
	if v.IsNowhere() {
		return dst
	}
	start := len(dst)
	s.visitAABB(v.Bounds.Grow(placed.Touching(v.Bounds)), func(i uint32) bool {
		if r := &s.records[i]; f.sees(r) && r.overlaps(&v) && f.accepts(r.id) {
			dst = append(dst, r.id)
		}
		return true
	})
	slices.Sort(dst[start:])
	return dst
}

func (r *record) overlaps(v *placed.Volume) bool {
	subshapes := r.subshapes()
	for i := range subshapes {
		if subshapes[i].Overlaps(v) {
			return true
		}
	}
	return false
}
