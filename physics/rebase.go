package physics

import "github.com/hitscan-go/hitscan/physics/geom"

// Origin returns where the zero of the space's coordinates lies in the world at large, in metres: 0
// until [Space.Rebase].
func (s *Space) Origin() geom.DVec3 {
	if len(s.origins) == 0 {
		return geom.DVec3{}
	}
	return s.origins[s.present()]
}

// present returns the number of the present origin.
func (s *Space) present() int32 { return int32(max(len(s.origins)-1, 0)) }

// Rebase moves the zero of the coordinates to another place of the world at large, in metres, and
// gives every collider the transform it has as seen from there. Nothing moves in the world at
// large; what is near the new origin has small coordinates, which single precision tells apart by
// fractions of a millimetre, though the world is 100 km wide.
//
// A collider keeps the transform it was last given and the origin of that time, so that no rounding
// adds up, however often the space is rebased: one that is placed near the origin is where it was
// to the last bit when the origin comes back. Points, rays and transforms that the caller holds are
// the caller's to move, by the difference of the origins.
//
// The cost is that of moving every collider. Panics if origin is NaN or infinite.
func (s *Space) Rebase(origin geom.DVec3) {
	s.changing("Rebase")
	if sum := origin.X + origin.Y + origin.Z; sum-sum != 0 {
		panic("physics: Space.Rebase: the origin is NaN or infinite")
	}
	s.addOrigin(origin)
	for i := range s.records {
		if s.records[i].alive {
			t := s.transform(i)
			s.place(i, &t)
		}
	}
}

// addOrigin makes origin the present one, and forgets those that no collider was placed at.
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

// transform returns where a collider is as seen from the present origin.
func (s *Space) transform(i int) geom.Transform {
	d := &s.details[i]
	t := d.transform
	if d.since != s.present() {
		t.Position = t.Position.Wide().Add(s.origins[d.since].Sub(s.Origin())).Narrow()
	}
	return t
}

// collider returns a collider as it was given, with its present transform.
func (s *Space) collider(i int) Collider {
	r, d := &s.records[i], &s.details[i]
	c := Collider{Shape: d.shape, Transform: s.transform(i), Layer: r.layer, Mask: r.mask, Sensor: r.sensor, Static: r.static, User: r.user}
	if d.noLayer {
		c.Layer = 0
	}
	if d.noMask {
		c.Mask = 0
	}
	return c
}
