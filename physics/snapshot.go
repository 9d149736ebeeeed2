package physics

import "slices"

// Snapshot returns a space that holds what this one holds now and never changes: goroutines may ask it while the game
// goes on to change the space it was taken of. Colliders have the same IDs in both. Snapshots of snapshots are fine.
//
// Calls that would change a snapshot panic. Call [Space.Release] when nobody reads it any more, and its memory serves
// the next; a snapshot that is only dropped is left to the garbage collector.
func (s *Space) Snapshot() *Space {
	c := &Space{
		records: slices.Clone(s.records), count: s.count, planes: slices.Clone(s.planes), tree: s.tree.Clone(),
		origin: s.origin, frozen: true,
	}
	for i := range c.records {
		c.records[i].own()
	}
	return c
}

// Release gives the memory of a snapshot back to the space it was taken of. The snapshot must not be used afterwards: it
// is empty. Panics if the space is no snapshot.
func (s *Space) Release() {
	if !s.frozen {
		panic("physics: Space.Release: not a snapshot")
	}
	*s = Space{frozen: true}
}

// own makes copies of what the record shares with that which it was copied from.
func (r *record) own() {
	r.single[0].own()
	r.children = slices.Clone(r.children)
	for i := range r.children {
		r.children[i].own()
	}
}

func (p *piece) own() {
	if p.local != nil {
		l := *p.local
		p.local = &l
	}
}

// changing panics if the space is a snapshot. Whatever changes a space calls it first.
func (s *Space) changing(call string) {
	if s.frozen {
		panic("physics: Space." + call + ": a snapshot can't be changed")
	}
	s.version++
}
