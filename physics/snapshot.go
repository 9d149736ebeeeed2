package physics

import (
	"slices"
	"sync"
)

// Snapshot returns a space that holds what this one holds now and never changes: goroutines may ask
// it while the game goes on to change the space it was taken of. Colliders have the same IDs in
// both. One may be taken of a snapshot, too.
//
// It is a copy. Call [Space.Release] when nobody reads it any more, and its memory serves the next
// one, which then costs no more than copying what has changed between the two. A snapshot that is
// only dropped is left to the garbage collector.
//
// Calls that would change a snapshot panic. Snapshot may be called while others query the space,
// but not while one changes it; Release at any time.
func (s *Space) Snapshot() *Space {
	s.settle()
	c := s.spare.take()
	c.base, c.root = s, s.lineage()
	c.copyFrom(s)
	return c
}

// Release gives the memory of a snapshot back to the space it was taken of. The snapshot must not
// be used afterwards: it may hold something else. Panics if the space is no snapshot, or was
// released already.
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

// released stands for what a released snapshot was taken of.
var released = new(Space)

// spare holds released snapshots.
type spare struct {
	mutex  sync.Mutex
	spaces []*Space
}

func (p *spare) take() *Space {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	n := len(p.spaces)
	if n == 0 {
		return &Space{}
	}
	// The one released last has most in common with what is to be copied.
	s := p.spaces[n-1]
	p.spaces[n-1] = nil
	p.spaces = p.spaces[:n-1]
	return s
}

func (p *spare) give(s *Space) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.spaces = append(p.spaces, s)
}

// Records are copied by pages of which something has changed.
const (
	pageBits = 6
	pageSize = 1 << pageBits
)

// touch notes that a record changes.
func (s *Space) touch(i int) {
	page := i >> pageBits
	if page >= len(s.pages) {
		s.pages = append(s.pages, 0)
	}
	s.pages[page] = s.version
	s.details[i].changed = s.version
	if s.records[i].static {
		s.still = s.version
	}
}

// lineage returns the space that s is, or that it is a snapshot of, or a snapshot of a snapshot.
// What has the same lineage and the same version holds the same.
func (s *Space) lineage() *Space {
	if s.root != nil {
		return s.root
	}
	return s
}

// copyFrom makes s what o is. If s was that before, s.version tells when.
func (s *Space) copyFrom(o *Space) {
	s.records = extend(s.records, len(o.records))
	s.details = extend(s.details, len(o.details))
	for page, changed := range o.pages {
		if changed <= s.version {
			continue
		}
		start, end := page<<pageBits, min((page+1)<<pageBits, len(o.records))
		for i := start; i < end; i++ {
			s.records[i].copyFrom(&o.records[i])
		}
		copy(s.details[start:end], o.details[start:end])
	}
	if s.version == o.version {
		return
	}
	s.version, s.still, s.count = o.version, o.still, o.count
	s.pages = append(s.pages[:0], o.pages...)
	s.planes = append(s.planes[:0], o.planes...)
	s.origins = append(s.origins[:0], o.origins...)
	s.boxes.CopyFrom(&o.boxes)
}

// extend returns a slice of n elements, of which those that s has are the first. The others are
// zero.
func extend[T any](s []T, n int) []T {
	old := len(s)
	s = slices.Grow(s, n-old)[:n]
	return s
}

// changing panics if the space is a snapshot. Whatever changes a space calls it first.
func (s *Space) changing(call string) {
	if s.base != nil {
		panic("physics: Space." + call + ": a snapshot can't be changed")
	}
	s.version++
}
