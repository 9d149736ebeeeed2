package physics

import "github.com/hitscan-go/hitscan/physics/geom"

// Origin returns where the zero of the space's coordinates lies in the world at large, in metres: 0 until [Space.Rebase].
func (s *Space) Origin() geom.DVec3 { return s.origin }

// Rebase moves the zero of the coordinates to another place of the world at large, in metres, and gives every collider the
// transform it has as seen from there. Nothing moves in the world at large; what is near the new origin has small
// coordinates, which single precision tells apart by fractions of a millimetre, though the world is 100 km wide.
//
// A collider keeps the transform it was last given and the origin of that time, so that no rounding adds up, however often
// the space is rebased: one that is placed near the origin is where it was to the last bit when the origin comes back.
// Points, rays and transforms that the caller holds are the caller's to move, by the difference of the origins.
//
// The cost is that of moving every collider. Panics if origin is NaN or infinite.
func (s *Space) Rebase(origin geom.DVec3) {
	s.changing("Rebase")
	if sum := origin.X + origin.Y + origin.Z; sum-sum != 0 {
		panic("physics: Space.Rebase: the origin is NaN or infinite")
	}
	s.origin = origin
	for i := range s.records {
		if r := &s.records[i]; r.alive {
			r.collider.Transform.Position = r.given.Add(r.since.Sub(origin)).Narrow()
			s.place(i)
		}
	}
}
