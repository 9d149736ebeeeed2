package physecs

// Snapshot is what a [Space] held at one [Sync]. It never changes: any number of goroutines may
// query it while the game goes on to move, add and remove entities, sync and rebase.
// [Space.Snapshot] takes one.
//
// Its answers are about the entities and coordinates of that moment. An entity may have died since:
// check that it is alive, in the goroutine that owns the world, before acting on it. A snapshot
// does not read the world, so every method panics if With or Without of a [Filter] is set; layers
// do the same work. All other fields count. A Predicate is called in the goroutine of the query and
// must not read the world while another goroutine changes it.
type Snapshot struct{ Queries }

// Snapshot returns what the space holds now, for other goroutines to query. Call it in the
// goroutine that syncs; for its cost see [physics.Space.Snapshot]. Call Release when it is no
// longer read.
func (s *Space) Snapshot() *Snapshot {
	s.shared = true
	return &Snapshot{Queries{physics: s.physics.Snapshot(), owners: s.owners, colliders: s.colliders, scratches: s.scratches}}
}

// Release gives the memory of the snapshot back to the space that it was taken of. The snapshot
// must not be used afterwards.
func (s *Snapshot) Release() {
	s.physics.Release()
	s.owners, s.colliders = nil, nil
}
