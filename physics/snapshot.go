package physics

import "github.com/hitscan-go/hitscan/physics/internal/placed"

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
	c.users.Store(1)
	c.copyFrom(s)
	return c
}

// Release gives the memory of a snapshot back to the space that it was taken of. The snapshot must
// not be used afterwards. One that a [History] has returned several times is released as often.
// Panics if the space is no snapshot, or was released already.
func (s *Space) Release() {
	switch s.base {
	case nil:
		panic("physics: Space.Release: not a snapshot")
	case released:
		panic("physics: Space.Release: released already")
	}
	if s.users.Add(-1) == 0 {
		base := s.base
		s.base = released
		base.spare.give(s)
	}
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
	s.planar = o.planar
	if s.version == o.version {
		return
	}
	s.resize(len(o.records))
	o.pages.visitSince(s.taken, len(o.records), func(start, end int) { s.copyRecords(o, start, end) })
	s.pages.copyFrom(&o.pages)
	s.newest, s.taken = o.newest, o.newest
	s.copyRest(o)
	s.boxes.CopyFrom(&o.boxes)
}

func (s *Space) copyRecords(o *Space, start, end int) {
	if isPlain(s.records[start:end]) && isPlain(o.records[start:end]) {
		copy(s.records[start:end], o.records[start:end])
	} else {
		for i := start; i < end; i++ {
			s.copyRecord(o, i)
		}
	}
	copy(s.details[start:end], o.details[start:end])
	copy(s.each[start:end], o.each[start:end])
}

// isPlain reports whether no record refers to memory of its own.
func isPlain(records []record) bool {
	for i := range records {
		if r := &records[i]; r.group != nil || r.single[0].Local != nil {
			return false
		}
	}
	return true
}

func (s *Space) copyRecord(o *Space, i int) {
	r, from := &s.records[i], &o.records[i]
	if from.single[0].Kind == placed.KindMesh {
		r.single[0].Local = s.locals.of(i)
	}
	r.copyFrom(from)
}

func (s *Space) copyRest(o *Space) {
	s.changes.copyFrom(&o.changes)
	s.count, s.free, s.last = o.count, o.free, o.last
	s.planes = append(s.planes[:0], o.planes...)
	s.origins = append(s.origins[:0], o.origins...)
}

func (s *Space) resize(n int) {
	s.records, s.details, s.each = resized(s.records, n), resized(s.details, n), resized(s.each, n)
}

// resized returns a slice of length n that begins with the elements of s, as far as they go. What
// follows them is what the memory held. A game keeps dozens of states, so there is room for a
// sixteenth more, where append would have room for as much again.
func resized[T any](s []T, n int) []T {
	if n > cap(s) {
		s = append(make([]T, 0, n+n/16), s...)
	}
	return s[:n]
}

// Restore gives a space the state of a snapshot of it: the colliders, their IDs and the origin.
// Everything that follows goes as it did then, to the bit: a collider that is added gets the ID
// that it got then. IDs given out since the snapshot are given out again.
//
// The snapshot stays as it is, and may be restored any number of times. It costs in proportion to
// what has changed since. It allocates nothing for shapes other than compounds once the memory has
// grown.
//
// A tracker that was not restored too, see [ContactTracker.Restore], finds all its pairs again at
// its next update. Panics unless snapshot is a snapshot of this space, or of a snapshot of it, and
// not released.
func (s *Space) Restore(snapshot *Space) {
	switch {
	case s.base != nil:
		panic("physics: Space.Restore: a snapshot can't be changed")
	case snapshot.base == nil || snapshot.base == released || snapshot.root != s:
		panic("physics: Space.Restore: not a snapshot of this space")
	case s.version == snapshot.version:
		return
	}
	s.newest++
	s.removed++
	n := len(snapshot.records)
	s.resize(n)
	from := len(s.pages.each)
	s.pages.resize(len(snapshot.pages.each))
	for page := from; page < len(s.pages.each); page++ {
		s.pages.touch(page<<pageBits, s.newest)
	}
	s.pages.visitSince(snapshot.taken, n, func(start, end int) {
		s.copyRecords(snapshot, start, end)
		s.pages.touch(start, s.newest)
	})
	s.copyRest(snapshot)
	s.boxes.Restore(&snapshot.boxes)
	s.stale.Store(false)
	snapshot.taken = s.newest
}
