package physics

import (
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// OverlapAABB appends the colliders that an axis-aligned box in world space touches to dst, lowest
// ID first, and returns the longer slice. Surfaces are closed: a face in common is enough. Planes
// and meshes are surfaces, so what lies within a closed mesh does not touch it. An empty, NaN or
// infinite box touches nothing.
func (s *Space) OverlapAABB(dst []ColliderID, b geom.AABB, f Filter) []ColliderID {
	return s.overlap(dst, aabbVolume(b), f)
}

// OverlapSphere appends the colliders that a ball in world space touches to dst. See
// [Space.OverlapAABB].
func (s *Space) OverlapSphere(dst []ColliderID, ball geom.Sphere, f Filter) []ColliderID {
	return s.overlap(dst, sphereVolume(ball), f)
}

// OverlapBox appends the colliders that a turned box in world space touches to dst. See
// [Space.OverlapAABB].
func (s *Space) OverlapBox(dst []ColliderID, b geom.Box, f Filter) []ColliderID {
	return s.overlap(dst, boxVolume(b), f)
}

// OverlapPoint appends the colliders that contain a point in world space to dst; their surfaces
// belong to them. Of a plane or a mesh the point must be on the surface, to the last bit. See
// [Space.OverlapAABB].
func (s *Space) OverlapPoint(dst []ColliderID, p geom.Vec3, f Filter) []ColliderID {
	return s.overlap(dst, sphereVolume(geom.Sphere{Center: p}), f)
}

func (s *Space) overlap(dst []ColliderID, v volume, f Filter) []ColliderID {
	if v.isNowhere() {
		return dst
	}
	s.settle()
	start := len(dst)
	visit := func(i uint32) bool {
		if r := &s.records[i]; f.sees(r) && r.overlaps(&v) && f.accepts(r.id) {
			dst = append(dst, r.id)
		}
		return true
	}
	for _, i := range s.planes {
		visit(uint32(i))
	}
	s.boxes.VisitAABB(v.bounds.Grow(touching(v.bounds)), visit)
	slices.Sort(dst[start:])
	return dst
}

func (r *record) overlaps(v *volume) bool {
	pieces := r.pieces()
	for i := range pieces {
		if pieces[i].overlaps(v) {
			return true
		}
	}
	return false
}
