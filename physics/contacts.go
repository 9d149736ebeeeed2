package physics

import (
	"iter"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// A pair of colliders that are near each other is a contact if their shapes touch. Pairs are kept
// in a table from update to update, with what was found of them, so that those that have not moved
// cost nothing.

// Contact is two colliders that touch, the lower ID first.
type Contact struct {
	A, B ColliderID
	// UserA and UserB are the colliders' User.
	UserA, UserB uint64
	// Sensor is set if at least one of them is a sensor: they overlap, and there are no manifolds.
	Sensor bool
	// Still is set if neither collider has changed since the update before.
	Still bool
	// Slot is the number of the contact in its tracker, for data that a solver keeps by contact. It
	// is the same from the update at which the contact begins to that at which it ends. Other
	// contacts use it later, from the update after the end on. So it is lower than the greatest
	// number of contacts at an update together with those that began at the next. A pair whose
	// collider becomes a sensor, or ceases to be one, ends a contact and begins another at the same
	// update with the same slot, and so may any pair at the first update of another space: a solver
	// handles Ended before Began.
	Slot int32
	// Manifolds are those of [Space.Collide] of A and B, or are recycled: see
	// [ContactTracker.RecycleDistance]. A contact that ended has the last ones, in the coordinates
	// of that time. They are valid until the next update.
	Manifolds []Manifold

	since uint64 // the update at which it began
}

// Pair returns the two colliders.
func (t *Contact) Pair() Pair { return Pair{t.A, t.B} }

func (t *Contact) compare(o *Contact) int { return t.Pair().Compare(o.Pair()) }

// Depth returns the largest Depth of any contact point, in metres; −Inf if there is none, as for
// sensors.
func (t *Contact) Depth() float32 {
	deepest := float32(math.Inf(-1))
	for i := range t.Manifolds {
		deepest = max(deepest, t.Manifolds[i].Depth())
	}
	return deepest
}

// SamePlace reports whether two contact points of different ticks are at the same place: the same
// features of the same triangles touch. Their manifolds must be of the same colliders and children.
func (c *ContactPoint) SamePlace(o *ContactPoint) bool {
	return c.FeatureA == o.FeatureA && c.FeatureB == o.FeatureB && c.TriangleA == o.TriangleA && c.TriangleB == o.TriangleB
}

// ContactTracker finds, from tick to tick, which colliders touch, which contacts began and which
// ended. Whatever happens to two colliders between two updates, a contact begins once, is in All at
// every update while it lasts, and ends once.
//
// Two colliders can touch if they can pair: see [Space.Pairs] for layers, masks and Static; sensors
// touch sensors. They touch if [Space.Collide] finds contact points within Margin, or, if either is
// a sensor, if [Overlaps] is true, whatever the Margin. Contacts of colliders that have hardly
// moved against each other are recycled.
//
// A contact also ends if a collider is removed, becomes nowhere, or changes so that the two cannot
// touch any more. A new collider that reuses the memory of a removed one is another collider. A
// collider that becomes a sensor, or ceases to be one, ends its contacts and begins others. A new
// shape that still touches does not end a contact; nor does [Space.Rebase], after which manifolds
// are in the new coordinates.
//
// The zero ContactTracker is ready for use. Its slices are in the order of [Pair.Compare], whatever
// the number of processors, and valid until the next update. It must not be copied. An update costs
// in proportion to the colliders that move, and to the contacts that begin and end.
type ContactTracker struct {
	// Margin is the distance, in metres, up to which two colliders touch, so that a solver gets a
	// contact ahead of the impact, and contacts at rest do not begin and end. Contact points of
	// surfaces that are apart have a negative Depth. A negative value, NaN and infinity count as 0.
	Margin float32
	// Motion, unless nil, returns how a collider that has changed will move until the next update,
	// as far as is known: the displacement of its position in metres, and the rotation as axis
	// times angle in radians. Two colliders, one of which moves by more than half of Margin, touch
	// if they are within Margin plus the distance by which they will move against each other, at
	// most Ahead. Sensors do not. It is called in the order of colliders, on one goroutine.
	Motion func(ColliderID) (shift, turn geom.Vec3)
	// Ahead limits by how much Motion increases the margin of bounds, in metres; contact points may
	// be a few times as far apart. Greater: contacts of what is faster begin before the impact, and
	// more pairs are compared.
	Ahead float32
	// AheadOf, unless nil, returns the limit of a collider that moves. It counts if it is finite
	// and greater than Ahead; of two that move so fast, the lower one does. It is called as Motion,
	// of colliders that move by more than half of Margin.
	AheadOf func(ColliderID) float32
	// Mask, unless 0, selects the pairs whose colliders are both on one of these layers. It
	// saves the time for contacts that the game does not use, such as those of characters with the
	// ground.
	Mask Layers
	// Excludes, unless nil, reports whether two colliders have no contact whatever their shapes, as
	// the parts of one body. It is called whenever one of them has changed and their bounds are
	// about within the margin, on several goroutines at once.
	Excludes func(a, b ColliderID) bool
	// RecycleDistance is how far, in metres, two colliders may move against each other before their
	// contacts are found again: until then, contact points move with the colliders. 0 means
	// [DefaultRecycleDistance]; if it is negative or NaN, contacts are found at each update.
	//
	// A recycled manifold has the features that touched when it was found. Its depths, and the
	// places of its points, are wrong by no more than twice the distance, and much less between
	// faces. Colliders of a radius r less than half a metre are recycled up to r/512.
	RecycleDistance float32
	// All is all contacts at the last update.
	All []*Contact
	// Began is those of them that were none at the update before.
	Began []*Contact
	// Ended is the contacts of the update before that are none any more, as they were then.
	Ended []*Contact

	updates   uint64
	manifolds []Manifold // of gone, after Restore
	changed   uint64     // the clock of the table when All changed last
	gone      []Contact  // what Ended points to
	added     []*Contact
	removed   []*Contact
	table     pairTable
	checks    checks
}

// Update finds the contacts in a space. It computes only pairs with a collider that has moved since
// their contacts were found, on all processors, and allocates nothing once its memory has grown.
//
// The space may be a snapshot of the one before, or the other way round. Any other space ends all
// contacts.
func (t *ContactTracker) Update(s *Space) {
	margin := t.Margin
	if !(margin >= 0) || math.IsInf(float64(margin), 0) {
		margin = 0
	}
	layers := t.Mask
	if layers == 0 {
		layers = AllLayers
	}
	distance := float64(t.RecycleDistance)
	if distance == 0 {
		distance = DefaultRecycleDistance
	}
	t.table.motion, t.table.limit, t.table.limitOf = t.Motion, t.Ahead, t.AheadOf
	if !(t.Ahead > 0) || math.IsInf(float64(t.Ahead), 0) {
		t.table.motion = nil
	}
	t.updates++
	t.Began, t.Ended, t.gone = t.Began[:0], t.Ended[:0], t.gone[:0]
	t.checks.beginUpdate()
	if !t.table.update(s, margin, layers) {
		t.endAll()
	}
	t.checks.excludes = t.Excludes
	t.checks.run(&t.table, s, distance)
	t.apply()
	for i := range t.gone {
		t.Ended = append(t.Ended, &t.gone[i])
	}
}

// endAll ends all contacts, of a table that has been emptied.
func (t *ContactTracker) endAll() {
	t.checks.completeAll(t.checks.round - 1)
	for _, x := range t.All {
		t.gone = append(t.gone, *x)
	}
	clear(t.All)
	t.All, t.changed = t.All[:0], t.table.clock
	t.checks.forget(0, t.table.clock)
	t.checks.free, t.checks.queue = 0, t.checks.queue[:0]
}

// apply begins and ends the contacts that the checks have found to.
func (t *ContactTracker) apply() {
	c, p := &t.checks, &t.table
	t.added, t.removed = t.added[:0], t.removed[:0]
	for _, e := range c.events {
		var x *tracked
		if e.ends {
			x = c.contact(e.was.Slot)
			t.gone = append(t.gone, e.was)
		}
		switch {
		case !e.begins && e.ends:
			t.removed = append(t.removed, &x.Contact)
		case e.begins && !e.ends:
			x = c.begin(&e.is, e.slot)
			p.slots[e.slot].contact = x.Slot + 1
			p.pairPages.touch(int(e.slot), p.clock)
			t.added = append(t.added, &x.Contact)
		}
		if e.begins {
			x.since = t.updates
			t.Began = append(t.Began, &x.Contact)
		}
	}
	if len(t.gone)+len(t.Began) > 0 {
		t.changed = p.clock
		t.All = with(without(t.All, t.removed, (*Contact).compare), t.added, (*Contact).compare)
	}
	for _, e := range c.events {
		if e.ends && !e.begins {
			c.end(e.was.Slot)
			p.slots[e.slot].contact = 0
			p.pairPages.touch(int(e.slot), p.clock)
		}
		if e.over {
			p.end(e.slot)
			c.nears.end(e.slot)
		}
	}
	c.queue = c.queue[:0]
	for _, slot := range p.queue {
		if i := p.slots[slot].contact; i > 0 {
			c.queue = append(c.queue, i-1)
		}
	}
}

// Age returns the number of updates since a contact began: 0 for those of Began. For those of Ended
// it is the number of updates at which they touched. The contact must be of this tracker.
func (t *ContactTracker) Age(c *Contact) int { return int(t.updates - c.since) }

// Contact returns the contact of a slot, see [Contact.Slot]; nil if there is none.
func (t *ContactTracker) Contact(slot int32) *Contact {
	if slot < t.checks.n {
		if x := t.checks.contact(slot); x.A != 0 {
			return &x.Contact
		}
	}
	return nil
}

// Moved returns the contacts of All that are not Still: those with a collider that has changed
// since the update before. They are in no particular order.
func (t *ContactTracker) Moved() iter.Seq[*Contact] {
	return func(yield func(*Contact) bool) {
		for _, slot := range t.checks.queue {
			if x := t.checks.contact(slot); x.A != 0 && !x.Still && !yield(&x.Contact) {
				return
			}
		}
	}
}

// Persisted returns the contacts that there were at the update before too: those of All that are
// not in Began.
func (t *ContactTracker) Persisted() iter.Seq[*Contact] {
	return func(yield func(*Contact) bool) {
		for _, x := range t.All {
			if x.since != t.updates && !yield(x) {
				return
			}
		}
	}
}
