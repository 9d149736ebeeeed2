package physics

import "slices"

// Snapshot returns a space that holds what this space holds now and never changes: goroutines may
// query it while the game changes the space that it was taken of. Colliders have the same IDs in
// both. A snapshot may be taken of a snapshot, too.
//
// A snapshot is a copy. Call [Space.Release] when it is no longer used: its memory then serves the
// next snapshot, which costs only the time to copy what has changed between the two. A snapshot
// that is dropped without Release is left to the garbage collector.
//
// Calls that would change a snapshot panic. Snapshot may be called while other goroutines query the
// space, but not while one changes it; Release may be called at any time.
func (s *Space) Snapshot() *Space {
	s.settle()
	// The snapshot released last has most in common with the space.
	c := s.spare.take()
	c.base, c.root = s, s.lineage()
	c.copyFrom(s)
	return c
}

// Release gives the memory of a snapshot back to the space that it was taken of. The snapshot must
// not be used afterwards. Panics if the space is no snapshot, or was released already.
func (s *Space) Release() {
	switch s.base {
	case nil:
		panic("physics: Space.Release: not a snapshot")
	case released:
		panic("physics: Space.Release: released already")
	}
	base := s.base
	s.base = released
	base.spare.give(s)
}

// released is the base of a released snapshot.
var released = new(Space)

// lineage returns the space at the root of a chain of snapshots. Two spaces of the same lineage and
// the same version hold the same colliders.
func (s *Space) lineage() *Space {
	if s.root != nil {
		return s.root
	}
	return s
}

// copyFrom makes s a copy of o. If s held an older version of o, it copies only what has changed
// since.
func (s *Space) copyFrom(o *Space) {
	s.records = extend(s.records, len(o.records))
	s.details = extend(s.details, len(o.details))
	o.visitSince(s.version, len(o.records), func(start, end int) {
		for i := start; i < end; i++ {
			s.records[i].copyFrom(&o.records[i])
		}
		copy(s.details[start:end], o.details[start:end])
	})
	if s.version == o.version {
		return
	}
	s.version, s.still, s.count = o.version, o.still, o.count
	s.pages = append(s.pages[:0], o.pages...)
	s.planes = append(s.planes[:0], o.planes...)
	s.origins = append(s.origins[:0], o.origins...)
	s.boxes.CopyFrom(&o.boxes)
}

// extend returns a slice of length n that begins with the elements of s.
func extend[T any](s []T, n int) []T {
	old := len(s)
	s = slices.Grow(s, n-old)[:n]
	return s
}
