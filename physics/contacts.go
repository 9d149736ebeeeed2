package physics

import (
	"iter"
	"math"
)

// A pair of bounds that touch becomes a touch if the shapes within do. What was found is compared
// with what was found before: both are in the same order, so that one walk along both tells what
// began and what ended.

// Contact is two colliders that touch, the lower ID first.
type Contact struct {
	A, B ColliderID
	// UserA and UserB are the colliders' own.
	UserA, UserB uint64
	// Sensor says that one of them is a sensor, or both are: they overlap, and there are no
	// manifolds.
	Sensor bool
	// Age counts the updates before this one in which they touched without a break: 0 of those that
	// began.
	Age int
	// Manifolds is where they touch, as [Space.Collide] tells of A and B. One that ended has those
	// that were last found, with the coordinates of that time. They are valid until the next
	// update.
	Manifolds []Manifold
}

// Pair returns the two colliders.
func (t *Contact) Pair() Pair { return Pair{t.A, t.B} }

// Depth returns the largest Depth of any contact, in metres; −Inf if there is none, as of sensors.
func (t *Contact) Depth() float32 {
	deepest := float32(math.Inf(-1))
	for i := range t.Manifolds {
		deepest = max(deepest, t.Manifolds[i].Depth())
	}
	return deepest
}

// compare orders touches by their pair. Of the same pair, those that do not touch alike are
// different touches.
func (t *Contact) compare(o *Contact) int {
	if c := t.Pair().Compare(o.Pair()); c != 0 || t.Sensor == o.Sensor {
		return c
	}
	if o.Sensor {
		return -1
	}
	return 1
}

// SamePlace reports whether two contacts, of which one was found later than the other, are at the
// same place: the same features of the same triangles touch. The manifolds that they are in must be
// of the same colliders and of the same children.
func (c *ContactPoint) SamePlace(o *ContactPoint) bool {
	return c.FeatureA == o.FeatureA && c.FeatureB == o.FeatureB && c.TriangleA == o.TriangleA && c.TriangleB == o.TriangleB
}

// ContactTracker tells from one tick to the next which colliders touch, which began to and which
// ceased to. Whatever becomes of two colliders between two updates, a touch begins once, is there
// at every update for as long as it lasts, and ends once.
//
// Two colliders can touch if they can pair: see [Space.Pairs] for layers, masks and Static; sensors
// touch sensors. They do if [Space.Collide] finds contacts within Margin; if either is a sensor, if
// they overlap as [Overlaps] says, whatever the Margin.
//
// A touch ends also because a collider is removed, becomes nowhere, or changes so that the two
// cannot touch any more. A collider that takes the place of a removed one is another. One that
// becomes a sensor, or ceases to be one, ends its touches and begins others. One that gets another
// shape does not, if it touches still; nor does [Space.Rebase], after which manifolds are in the
// new coordinates.
//
// The zero ContactTracker has seen nothing. All its slices are in the order of [Pair.Compare],
// whatever the number of processors, and valid until the next update. It must not be copied.
type ContactTracker struct {
	// Margin is how far apart, in metres, two colliders may be and still touch, so that a solver
	// learns of a contact before there is one, and what rests does not begin and end. Contacts
	// between surfaces that are apart have a negative Depth. What is negative, NaN or infinite
	// counts as 0.
	Margin float32
	// Mask, unless 0, leaves out all pairs but those of which both colliders are on one of these
	// layers. It saves the time for what nobody asks about, such as how each character stands on
	// the ground.
	Mask Layers
	// All is all that touch at the last update.
	All []Contact
	// Began is those of them that did not touch at the update before, with Age 0.
	Began []Contact
	// Ended is those that touched at the update before and do no more, as they were then.
	Ended []Contact

	before []Contact
	search search
}

// Update finds out what touches in a space now. It looks at those pairs alone of which a collider
// was changed since the last update, on all processors, and allocates nothing once its slices have
// grown.
//
// The space may be a snapshot of that before, or the other way round. Any other space ends all that
// was.
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

// Persisted returns those that touch now and did so at the update before: all of Touching that are
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
