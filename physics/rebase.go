package physics

import "github.com/hitscan-go/hitscan/physics/geom"

// Rebase moves the zero of the coordinates to another position in the world at large, in metres,
// and gives every collider its transform relative to it. Nothing moves in the world at large.
// Colliders near the new origin have small coordinates, which single precision resolves to
// fractions of a millimetre even if the world is 100 km wide.
//
// A collider keeps the transform that it was last given and the origin of that time, so rounding
// errors do not add up, however often the space is rebased: when the origin returns, so does the
// transform, to the bit. Points, rays and transforms that the caller holds are the caller's to
// move, by the difference of the origins.
//
// The cost is that of moving every collider. A planar space ignores Z. Panics if origin is NaN or
// infinite.
func (s *Space) Rebase(origin geom.DVec3) {
	s.changing("Rebase")
	if sum := origin.X + origin.Y + origin.Z; sum-sum != 0 {
		panic("physics: Space.Rebase: the origin is NaN or infinite")
	}
	if s.planar {
		origin.Z = s.Origin().Z
	}
	s.addOrigin(origin)
	for i := range s.records {
		if s.records[i].alive {
			t := s.transform(i)
			s.place(i, &t)
		}
	}
}

// addOrigin makes origin the present one, and drops those that no collider refers to.
func (s *Space) addOrigin(origin geom.DVec3) {
	if len(s.origins) == 0 {
		s.origins = append(s.origins, geom.DVec3{})
	}
	used := make([]bool, len(s.origins))
	for i := range s.details {
		used[s.details[i].since] = true
	}
	place := make([]int32, len(s.origins))
	kept := s.origins[:0]
	for i, o := range s.origins {
		if used[i] {
			place[i] = int32(len(kept))
			kept = append(kept, o)
		}
	}
	s.origins = append(kept, origin)
	for i := range s.details {
		s.details[i].since = place[s.details[i].since]
	}
}
