package physics

import (
	"iter"
	"math"
)

// A pair of colliders whose bounds touch is a contact if the shapes within do. Contacts are
// compared with those of the update before: both lists have the same order, so that one pass over
// both finds what began and what ended.

// Contact is two colliders that touch, the lower ID first.
type Contact struct {
	A, B ColliderID
	// UserA and UserB are the colliders' User.
	UserA, UserB uint64
	// Sensor is set if at least one of them is a sensor: they overlap, and there are no manifolds.
	Sensor bool
	// Age is the number of updates before this one in which they touched without a break: 0 for
	// those that began.
	Age int
	// Manifolds are those of [Space.Collide] of A and B. A contact that ended has the last ones, in
	// the coordinates of that time. They are valid until the next update.
	Manifolds []Manifold
}

// Pair returns the two colliders.
func (t *Contact) Pair() Pair { return Pair{t.A, t.B} }

// Depth returns the largest Depth of any contact point, in metres; −Inf if there is none, as for
// sensors.
func (t *Contact) Depth() float32 {
	deepest := float32(math.Inf(-1))
	for i := range t.Manifolds {
		deepest = max(deepest, t.Manifolds[i].Depth())
	}
	return deepest
}

// compare orders contacts by their pair. With a sensor and without, a pair has two different
// contacts.
func (t *Contact) compare(o *Contact) int {
	if c := t.Pair().Compare(o.Pair()); c != 0 || t.Sensor == o.Sensor {
		return c
	}
	if o.Sensor {
		return -1
	}
	return 1
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
// a sensor, if [Overlaps] is true, whatever the Margin.
//
// A contact also ends if a collider is removed, becomes nowhere, or changes so that the two cannot
// touch any more. A new collider that reuses the memory of a removed one is another collider. A
// collider that becomes a sensor, or ceases to be one, ends its contacts and begins others. A new
// shape that still touches does not end a contact; nor does [Space.Rebase], after which manifolds
// are in the new coordinates.
//
// The zero ContactTracker is ready for use. Its slices are in the order of [Pair.Compare], whatever
// the number of processors, and valid until the next update. It must not be copied.
type ContactTracker struct {
	// Margin is the distance, in metres, up to which two colliders touch, so that a solver gets a
	// contact ahead of the impact, and contacts at rest do not begin and end. Contact points of
	// surfaces that are apart have a negative Depth. A negative value, NaN and infinity count as 0.
	Margin float32
	// Mask, unless 0, selects the pairs of which both colliders are on one of these layers. It
	// saves the time for contacts that the game does not use, such as those of characters with the
	// ground.
	Mask Layers
	// All is all contacts at the last update.
	All []Contact
	// Began is those of them that were none at the update before; their Age is 0.
	Began []Contact
	// Ended is the contacts of the update before that are none any more, as they were then.
	Ended []Contact

	before []Contact
	search search
}

// Update finds the contacts in a space. It computes only pairs of which a collider has changed
// since the last update, on all processors, and allocates nothing once its slices have grown.
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
	same := t.search.update(s, margin, layers)
	now := t.before[:0]
	t.Began, t.Ended = t.Began[:0], t.Ended[:0]
	old := t.All
	if !same {
		t.Ended, old = append(t.Ended, old...), nil
	}
	for i := range t.search.checks {
		c := &t.search.checks[i]
		if !c.touching {
			continue
		}
		a, b := &s.records[c.A.index()], &s.records[c.B.index()]
		now = append(now, Contact{A: c.A, B: c.B, UserA: a.user, UserB: b.user, Sensor: c.sensor, Manifolds: c.manifolds})
		n := &now[len(now)-1]
		for len(old) > 0 && old[0].compare(n) < 0 {
			t.Ended, old = append(t.Ended, old[0]), old[1:]
		}
		if len(old) > 0 && old[0].compare(n) == 0 {
			n.Age, old = old[0].Age+1, old[1:]
		} else {
			t.Began = append(t.Began, *n)
		}
	}
	t.Ended = append(t.Ended, old...)
	t.before, t.All = t.All, now
}

// Persisted returns the contacts that there were at the update before too: those of All that are
// not in Began.
func (t *ContactTracker) Persisted() iter.Seq[*Contact] {
	return func(yield func(*Contact) bool) {
		for i := range t.All {
			if n := &t.All[i]; n.Age > 0 && !yield(n) {
				return
			}
		}
	}
}
