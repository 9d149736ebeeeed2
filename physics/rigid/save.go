package rigid

import (
	"slices"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// State is a copy of a [Dynamics] and its space between two steps: see [Dynamics.Save]. The zero
// State is empty. It must not be copied.
type State struct {
	of      *Dynamics
	version uint64 // of the Dynamics, that the copy is equal to
	space   *physics.Space
	tracker physics.TrackerState
	saved
	settings Settings
}

// copyPages copies the pages of src that have changed since a version, and changes dst to the
// length of src.
func copyPages[T any](dst, src []T, pages []uint64, since uint64) []T {
	if n := len(src); n > cap(dst) {
		dst = slices.Grow(dst, n-len(dst))
	}
	old := len(dst)
	dst = dst[:len(src)]
	for page, changed := range pages {
		from := page << pageBits
		to := min(from+pageSize, len(src))
		if from < to && (changed > since || to > old) {
			copy(dst[from:to], src[from:to])
		}
	}
	return dst
}

// restorePages copies the pages of src that have changed in dst since a version, notes that they
// have changed now, and changes dst to the length of src.
func restorePages[T any](dst, src []T, pages []uint64, since, now uint64) []T {
	old := len(dst)
	dst = copyPages(dst, src, pages, since)
	for page := range pages {
		if pages[page] > since || (page+1)<<pageBits > old {
			pages[page] = now
		}
	}
	return dst
}

// Save copies the whole state to s: bodies, joints, colliders, contacts, materials, settings, and
// which IDs are given out next. It replaces what s held. If that was a state of the same Dynamics,
// only what has changed since is copied, and nothing is allocated once the memory has grown. Save
// changes nothing in later steps.
func (d *Dynamics) Save(s *State) {
	d.mustBeWhole("Save")
	d.writeBack()
	if s.of != d {
		s.Release()
		s.of = d
	}
	if s.space != nil {
		s.space.Release()
	}
	s.space = d.space.Snapshot()
	d.tracker.Save(&s.tracker)
	since := s.version
	s.motions = copyPages(s.motions, d.motions, d.changes.bodies, since)
	s.bodies = copyPages(s.bodies, d.bodies, d.changes.bodies, since)
	s.joints = copyPages(s.joints, d.joints, d.changes.joints, since)
	s.contacts.share(&d.contacts, &d.contacts.spare)
	s.memories.share(&d.memories, &d.memories.spare)
	s.owners.share(&d.owners, &d.owners.spare)
	s.copyRest(&d.saved)
	s.settings = d.Settings
	s.version = d.version
	d.version++
}

// Restore brings back a state that was saved of the same Dynamics: bodies, joints, colliders and
// contacts that were added, changed or removed since are as they were then, and so are the IDs. The
// same calls and steps then give the same bits as the first time. A state may be restored any
// number of times. All lists of events are empty.
//
// That holds for the whole space, also for colliders that the game itself adds, changes or removes.
//
// Panics if s was not saved of d.
func (d *Dynamics) Restore(s *State) {
	d.mustBeWhole("Restore")
	if s.of != d {
		panic("rigid: Dynamics.Restore: the state was not saved of this Dynamics")
	}
	d.space.Restore(s.space)
	d.tracker.Restore(&s.tracker)
	since, now := s.version, d.version
	d.motions = copyPages(d.motions, s.motions, d.changes.bodies, since)
	d.bodies = restorePages(d.bodies, s.bodies, d.changes.bodies, since, now)
	d.joints = restorePages(d.joints, s.joints, d.changes.joints, since, now)
	d.contacts.share(&s.contacts, &d.contacts.spare)
	d.memories.share(&s.memories, &d.memories.spare)
	d.owners.share(&s.owners, &d.owners.spare)
	d.copyRest(&s.saved)
	d.Settings = s.settings
	s.version = d.version
	d.version++
	d.resume(since)
}

// resume prepares for the first step from another state, in which the pages of bodies that changed
// after a version differ.
func (d *Dynamics) resume(since uint64) {
	d.persistent.clear()
	d.jobs = d.jobs[:0]
	d.inertias = slices.Grow(d.inertias[:0], len(d.bodies))[:len(d.bodies)]
	for page, changed := range d.changes.bodies {
		from := page << pageBits
		for i := from; changed > since && i < min(from+pageSize, len(d.bodies)); i++ {
			if !d.bodies[i].awake { // else the step does it
				d.weigh(int32(i))
			}
		}
	}
	d.Hits, d.Slept, d.Woken, d.Lost = d.Hits[:0], d.Slept[:0], d.Woken[:0], d.Lost[:0]
	d.Broken, d.Outside, d.ungrouped = d.Broken[:0], d.Outside[:0], true
	d.shifts++
	d.pruned = 0
}

// copyRest copies all but what is copied by pages.
func (s *saved) copyRest(from *saved) {
	s.free, s.freeMemories = append(s.free[:0], from.free...), append(s.freeMemories[:0], from.freeMemories...)
	s.woken, s.orders = append(s.woken[:0], from.woken...), append(s.orders[:0], from.orders...)
	s.freeJoints = append(s.freeJoints[:0], from.freeJoints...)
	s.count, s.jointCount = from.count, from.jointCount
	s.unbound, s.origin, s.rebased = from.unbound, from.origin, from.rebased
}

// Release empties a state and gives its memory back to the space that it was saved of.
func (s *State) Release() {
	if s.space != nil {
		s.space.Release()
		s.contacts.release(&s.of.contacts.spare)
		s.memories.release(&s.of.memories.spare)
		s.owners.release(&s.of.owners.spare)
	}
	*s = State{}
}

// Origin returns the origin of the space at the time of the state.
func (s *State) Origin() geom.DVec3 { return s.space.Origin() }
