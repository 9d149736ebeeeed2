package physics

import "github.com/hitscan-go/hitscan/physics/internal/narrow"

// Nearly all contacts of a 2D game are those of two boxes that touched at the update before too.
// They are checked here without what other pairs need, eight at a time.

// flatChecks is contacts that are to be checked at once.
type flatChecks struct {
	narrow.FlatPairs
	n     int
	fast  uint32   // set of those with a fast collider: see contacts_ahead.go
	slots [8]int32 // of the pairs
	place int32    // where the contacts wait to be written
}

// someFlat is some of a planar space.
func (c *checks) someFlat(worker int, w *scratch, from, to int) {
	f, t := &w.flats, c.table
	f.n, f.fast, f.place = 0, 0, int32(from/len(f.slots))
	// At an update that does not know what has changed, resets are not known either.
	slow := c.excludes != nil || t.epoch == t.clock
	for l := range f.Margin {
		f.Margin[l] = float64(t.margin)
	}
	for _, slot := range t.queue[from:to] {
		if slow || !c.add(f, slot) {
			c.check(worker, w, slot)
		} else if f.n == len(f.slots) {
			c.checkFlats(worker, w)
		}
	}
	c.checkFlats(worker, w)
}

// add adds a contact of two boxes. It reports false if check has to decide.
func (c *checks) add(f *flatChecks, slot int32) bool {
	t := c.table
	k := &t.slots[slot]
	if k.contact == 0 {
		return false
	}
	i, j := k.A.index(), k.B.index()
	p, q := &t.flats[i], &t.flats[j]
	marks := p.Mark | q.Mark
	switch {
	case p.Mark>>clockMark != t.clock || q.Mark>>clockMark != t.clock:
		if !c.isPlain(slot) {
			return false
		}
		if marks = 0; t.isFast(i) || t.isFast(j) {
			marks = fastMark
		}
	case t.joins > 0:
		if t.marks[slot] != t.clock {
			return false
		}
	case marks&leftMark != 0:
		if !t.near(c.space, i, j) {
			return false
		}
	}
	l := f.n & 7
	f.n++
	f.fast |= uint32(marks&fastMark) << l
	f.A[l], f.B[l], f.slots[l] = p, q, slot
	return true
}

// isPlain reports whether a contact is one of two boxes that touches on if it has contact points.
func (c *checks) isPlain(slot int32) bool {
	t := c.table
	k := &t.slots[slot]
	i, j := k.A.index(), k.B.index()
	a, b := &t.proxies[i], &t.proxies[j]
	// What is no sensor becomes one by a reset, and so do the values of the user change.
	x := c.contact(k.contact - 1)
	return x.found == 0 && !x.Sensor && a.reset != t.clock && b.reset != t.clock && (a.moved == t.clock || b.moved == t.clock) &&
		!t.isOver(c.space, slot) && t.flats[i].IsSet() && t.flats[j].IsSet()
}

// checkFlats checks the contacts that were added.
func (c *checks) checkFlats(worker int, w *scratch) {
	f := &w.flats
	if f.n == 0 {
		return
	}
	for l := f.n; l < len(f.slots); l++ {
		f.A[l], f.B[l] = f.A[0], f.B[0]
	}
	all := f.CollideFlats()
	if c.defers {
		c.waiting[0][f.place] = f.FlatContacts
	}
	for l := range f.n {
		// With one of two points, the greater margin of a fast collider may find the other.
		if all>>l&1 == 0 || f.fast>>l&1 != 0 && f.N(l) < 2 {
			c.check(worker, w, f.slots[l])
		} else {
			c.stay(f, l, &c.parts[worker])
		}
	}
	f.n, f.fast = 0, 0
	f.place++
}

// stay notes what was found of a contact.
func (c *checks) stay(f *flatChecks, l int, mem *arenaPart) {
	l &= 7
	slot := c.table.slots[f.slots[l]].contact - 1
	b := &c.briefs[slot]
	known := b.Update == c.round-1 // else the contact was not one of these at the update before
	b.X, b.Y, _ = f.Normal(l)
	b.Depth, b.Update, b.At = f.Depth(l), c.round, 8*f.place+int32(l)
	if known && c.defers {
		return
	}
	x := c.contact(slot)
	x.Still, x.settled, x.copied = false, false, true
	if !c.defers {
		b.At, x.Manifolds = -1, mem.flat(&f.FlatContacts, l)
	}
}
