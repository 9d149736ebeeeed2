package physics

import "github.com/hitscan-go/hitscan/physics/internal/narrow"

// TrackerState is the state of a [ContactTracker] after an update: see [ContactTracker.Save]. It
// keeps its memory for the next Save. The zero TrackerState is ready for use. It must not be
// copied.
type TrackerState struct {
	owner   *ContactTracker
	clock   uint64 // of the tracker, when the two were the same
	updates uint64
	lists   tableLists
	table   tableState

	n, free  int32
	contacts []*keptPage[tracked]
	rest     []*resting // by slot
	queue    []int32
	arena    *arena

	all, began []*Contact
	gone       []Contact
	manifolds  []Manifold // of gone
}

// Save copies the state of the tracker, so that [ContactTracker.Restore] can put it back.
// What follows is the same with and without Save. It copies what has changed since the tracker was
// saved to the same state, or restored from it, except the manifolds of contacts that move, and
// allocates nothing once the memory has grown.
//
// Margin, Mask, Excludes and RecycleDistance are the caller's, and are not saved.
func (t *ContactTracker) Save(to *TrackerState) {
	c, p := &t.checks, &t.table
	c.complete()
	if to.owner != t {
		*to = TrackerState{owner: t}
	}
	pairs, n := len(p.slots), int(c.n)
	to.lists.resize(len(p.proxies), pairs)
	for i := n; i < len(to.rest); i++ {
		c.share(&to.rest[i], nil)
	}
	to.n, to.free, to.rest = c.n, c.free, resized(to.rest, n)
	p.colliders.visitSince(to.clock, len(p.proxies), func(start, end int) { to.lists.copyColliders(&p.tableLists, start, end) })
	p.pairPages.visitSince(to.clock, pairs, func(start, end int) { copy(to.lists.slots[start:end], p.slots[start:end]) })
	to.contacts = c.kept.save(to.contacts, (n+pageSize-1)/pageSize)
	c.rested.visitSince(to.clock, n, func(start, end int) {
		for i := start; i < end; i++ {
			c.share(&to.rest[i], c.rest.of[i])
		}
	})
	to.table, to.updates = p.tableState, t.updates
	to.queue = append(to.queue[:0], c.queue...)
	if t.changed > to.clock {
		to.all = resized(to.all, len(t.All))
		copy(to.all, t.All)
	}
	to.began = append(to.began[:0], t.Began...)
	to.gone, to.manifolds = copyContacts(to.gone[:0], to.manifolds[:0], t.gone)
	c.release(to.arena)
	if to.arena = c.now; to.arena != nil {
		to.arena.users++
	}
	to.clock = p.clock
}

// Restore gives the tracker the state that it had when it was saved, All, Began and Ended included.
// If the space is restored to that time too, see [Space.Restore], or is the snapshot of that time,
// the updates that follow are the same as then, to the bit. The state stays as it is, and may be
// restored any number of times.
//
// It costs in proportion to what has changed since. Contacts and manifolds that the caller refers
// to are no longer valid. Panics unless the tracker was saved to the state.
func (t *ContactTracker) Restore(from *TrackerState) {
	if from.owner != t {
		panic("physics: ContactTracker.Restore: not a state of this tracker")
	}
	c, p := &t.checks, &t.table
	p.restore(&from.lists, &from.table, from.clock)
	n := int(from.n)
	c.forget(from.n, p.clock)
	c.grow(from.n)
	c.free = from.free
	c.rested.visitSince(from.clock, n, func(start, end int) {
		for i := start; i < end; i++ {
			c.share(&c.rest.of[i], from.rest[i])
		}
		c.rested.touch(start, p.clock)
	})
	for i, k := range from.contacts {
		c.kept.restore(i, k, c.contacts[i])
	}
	if t.changed > from.clock {
		clear(t.All)
		t.All, t.changed = append(t.All[:0], from.all...), p.clock
	}
	t.updates = from.updates
	c.queue = append(c.queue[:0], from.queue...)
	t.Began, t.Ended = append(t.Began[:0], from.began...), t.Ended[:0]
	t.gone, t.manifolds = copyContacts(t.gone[:0], t.manifolds[:0], from.gone)
	for i := range t.gone {
		t.Ended = append(t.Ended, &t.gone[i])
	}
	c.round++ // nothing waits to be written
	c.release(c.last)
	c.release(c.now)
	if c.now, c.last = from.arena, nil; c.now != nil {
		c.now.users++
	}
	from.clock = p.clock
}

// copyContacts appends contacts, and their manifolds to memory of their own.
func copyContacts(to []Contact, memory []Manifold, from []Contact) ([]Contact, []Manifold) {
	for i := range from {
		x := from[i]
		if len(x.Manifolds) > 0 {
			x.Manifolds = extended(&memory, x.Manifolds)
		}
		to = append(to, x)
	}
	return to, memory
}

// extended appends to a list and returns what was appended.
func extended(to *[]Manifold, m []Manifold) []Manifold {
	n := len(*to)
	*to = append(*to, m...)
	return (*to)[n:len(*to):len(*to)]
}

func (l *tableLists) resize(colliders, pairs int) {
	l.proxies, l.fats, l.slots = resized(l.proxies, colliders), resized(l.fats, colliders), resized(l.slots, pairs)
}

func (l *tableLists) copyColliders(o *tableLists, start, end int) {
	copy(l.proxies[start:end], o.proxies[start:end])
	copy(l.fats[start:end], o.fats[start:end])
}

// restore makes the table what it was at a clock, when it was copied.
func (t *pairTable) restore(lists *tableLists, state *tableState, clock uint64) {
	t.clock++
	colliders, pairs := len(lists.proxies), len(lists.slots)
	// What a page beyond the end holds is not what any copy has.
	for i := colliders &^ (pageSize - 1); i < len(t.proxies); i += pageSize {
		t.colliders.touch(i, t.clock)
	}
	for i := pairs &^ (pageSize - 1); i < len(t.slots); i += pageSize {
		t.pairPages.touch(i, t.clock)
	}
	before := len(t.slots)
	t.resize(colliders, max(before, pairs))
	for i := before; i < pairs; i++ {
		t.slots[i].A = 0
	}
	t.colliders.visitSince(clock, colliders, func(start, end int) {
		for i := start; i < end; i++ {
			p, o := &t.proxies[i], &lists.proxies[i]
			travel, at := &t.travels[i], p.pose.position
			if travel.radiusSq == 0 || travel.off { // its fat AABB holds the collider
				at = pivot(&t.fats[i].AABB, &p.pose)
				travel.radiusSq = radiusSq(&t.fats[i].AABB, at)
			}
			travel.move(&p.pose, &o.pose, at, travel.radiusSq, p.id != o.id || p.reset != o.reset || p.where != o.where)
			travel.radiusSq = 0
			if i < len(t.flats) {
				t.flats[i] = narrow.FlatBox{}
			}
		}
		t.copyColliders(lists, start, end)
		t.colliders.touch(start, t.clock)
	})
	t.queue = t.queue[:0]
	t.pairPages.visitSince(clock, len(t.slots), func(start, end int) {
		for i := start; i < end; i++ {
			is := Pair{}
			if i < pairs {
				is = lists.slots[i].Pair
			}
			if was := t.slots[i].Pair; was != is {
				if was.A != 0 {
					t.set.remove(t.slots, int32(i))
				}
				if is.A != 0 {
					t.queue = append(t.queue, int32(i))
				}
			}
		}
		if start < pairs {
			copy(t.slots[start:min(end, pairs)], lists.slots[start:])
			t.pairPages.touch(start, t.clock)
		}
	})
	t.slots = t.slots[:pairs]
	for _, slot := range t.queue {
		t.set.add(t.slots, slot)
	}
	t.tableState = *state
}
