package physecs

import (
	"iter"
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
)

// Contact is two entities that touch, the one with the lower entity ID first.
type Contact struct {
	A, B ecs.Entity
	// UserA and UserB are User of their [Collider].
	UserA, UserB uint64
	// Sensor says that one of them is a sensor, or both are: they overlap, and there are no
	// manifolds.
	Sensor bool
	// Age counts the updates before this one in which they touched without a break: 0 of those that
	// began.
	Age int
	// Manifolds is where they touch, in world space. One that ended has those that were last found,
	// with the coordinates of that time. They are valid until the next update.
	Manifolds []physics.Manifold
}

// Pair returns the two entities.
func (c *Contact) Pair() Pair { return Pair{c.A, c.B} }

// Other returns the entity of the two that is not e.
func (c *Contact) Other(e ecs.Entity) ecs.Entity {
	if c.A == e {
		return c.B
	}
	return c.A
}

// Depth returns how deep, in metres, the two are in each other at most; −Inf if there are no
// manifolds.
func (c *Contact) Depth() float32 {
	t := physics.Contact{Manifolds: c.Manifolds}
	return t.Depth()
}

// compare orders contacts by their pair. Of the same pair, those of a sensor and of none are
// different contacts.
func (c *Contact) compare(o *Contact) int {
	if n := c.Pair().Compare(o.Pair()); n != 0 || c.Sensor == o.Sensor {
		return n
	}
	if o.Sensor {
		return -1
	}
	return 1
}

// Contacts is the resource that holds the entities that touch. [ContactSystem] writes it. Whatever
// becomes of two entities between two updates, a contact begins once, is there at every update for
// as long as it lasts, and ends once: also where an entity dies, loses a component, is changed or
// moved far away. Who can touch whom is said by [physics.ContactTracker].
//
// All slices are in the order of [Pair.Compare] and valid until the next update.
type Contacts struct {
	// All is all contacts of entities that were alive at the last update.
	All []Contact
	// Began is those of them that were none at the update before, with Age 0.
	Began []Contact
	// Ended is those that were contacts at the update before and are none now, as they were then.
	// An entity that died is named as it was; its ID may belong to another by now.
	Ended []Contact

	tracker   physics.ContactTracker
	before    []Contact
	manifolds [2][]physics.Manifold // that were turned round, now and before
	turn      int
	order     []contactKey

	// Contacts of an entity: head is the first by entity ID and next the next, each twice the place
	// in Touching, and one more of B; plus 1, as 0 is the end.
	head []int32
	next []int32
}

// contactKey sorts faster than what it stands for.
type contactKey struct {
	ids   uint64
	touch int32
}

// ContactSystem finds out which entities touch, which began to and which ceased to since its last
// update, and writes it to [Contacts]. Let it run after [SyncSystem]; Contacts are those of the
// world as it was then, without what has gone since. A world has one: a second with other settings
// would end at each update what the first began. For more, use a [physics.ContactTracker] on the
// space beneath.
type ContactSystem struct {
	// Margin is how far apart, in metres, two entities may be and still touch. See
	// [physics.ContactTracker]. A [Mover] stays its Offset, 0.02 m, away from what it stands on and
	// walks into: with a Margin of 0.03 it touches that.
	Margin float32
	// Mask, unless 0, leaves out all pairs but those of which both entities are on one of these
	// layers.
	Mask physics.Layers
}

// Initialize adds [Space], [Meshes] and [Contacts] unless the world has them, and registers the
// components. Panics in a locked world.
func (s *ContactSystem) Initialize(w *ecs.World) {
	initialize(w)
	resourceOf(w, zero[Contacts])
}

// Update writes [Contacts]. It allocates nothing once there is room for as many as there are.
func (s *ContactSystem) Update(w *ecs.World) {
	space, c := initialize(w), resourceOf(w, zero[Contacts])
	c.tracker.Margin, c.tracker.Mask = s.Margin, s.Mask
	c.tracker.Update(space.physics)
	c.sort(space)
	c.compare(space)
	c.link()
}

// Finalize does nothing. The resource stays, to be read.
func (s *ContactSystem) Finalize(*ecs.World) {}

// sort puts the touches of entities into their order.
func (c *Contacts) sort(space *Space) {
	c.order = c.order[:0]
	sorted := true
	for i := range c.tracker.All {
		t := &c.tracker.All[i]
		a, b := space.owner(t.A), space.owner(t.B)
		if !space.has(a) || !space.has(b) { // gone since the last sync, or not ours
			continue
		}
		k := contactKey{uint64(min(a.ID(), b.ID()))<<32 | uint64(max(a.ID(), b.ID())), int32(i)}
		sorted = sorted && (len(c.order) == 0 || c.order[len(c.order)-1].ids < k.ids)
		c.order = append(c.order, k)
	}
	if !sorted {
		slices.SortFunc(c.order, func(a, b contactKey) int {
			if a.ids < b.ids {
				return -1
			}
			return 1
		})
	}
}

// compare makes the contacts, and finds out what began and what ended.
func (c *Contacts) compare(space *Space) {
	c.turn ^= 1
	turned := c.manifolds[c.turn][:0]
	now, old := c.before[:0], c.All
	c.Began, c.Ended = c.Began[:0], c.Ended[:0]
	for _, k := range c.order {
		t := &c.tracker.All[k.touch]
		n := Contact{space.owner(t.A), space.owner(t.B), t.UserA, t.UserB, t.Sensor, 0, t.Manifolds}
		if n.A.ID() > n.B.ID() {
			n.A, n.B, n.UserA, n.UserB = n.B, n.A, n.UserB, n.UserA
			start := len(turned)
			for i := range t.Manifolds {
				turned = append(turned, t.Manifolds[i].Flipped())
			}
			n.Manifolds = turned[start:len(turned):len(turned)]
		}
		for len(old) > 0 && old[0].compare(&n) < 0 {
			c.Ended, old = append(c.Ended, old[0]), old[1:]
		}
		if len(old) > 0 && old[0].compare(&n) == 0 {
			n.Age, old = old[0].Age+1, old[1:]
		} else {
			c.Began = append(c.Began, n)
		}
		now = append(now, n)
	}
	c.Ended = append(c.Ended, old...)
	c.before, c.All, c.manifolds[c.turn] = c.All, now, turned
}

// link makes the lists of contacts by entity.
func (c *Contacts) link() {
	for i := range c.before {
		c.head[c.before[i].A.ID()], c.head[c.before[i].B.ID()] = 0, 0
	}
	c.next = append(c.next[:0], make([]int32, 2*len(c.All))...)
	for i := len(c.All) - 1; i >= 0; i-- { // so that the first comes first
		for side, e := range [2]ecs.Entity{c.All[i].A, c.All[i].B} {
			id, at := int(e.ID()), 2*i+side
			if id >= len(c.head) {
				c.head = append(c.head, make([]int32, id+1-len(c.head))...)
			}
			c.next[at], c.head[id] = c.head[id], int32(at+1)
		}
	}
}

// Of returns all that touches an entity, with the contact, in the order of Touching. It takes time
// for those alone.
func (c *Contacts) Of(e ecs.Entity) iter.Seq2[ecs.Entity, *Contact] {
	return func(yield func(ecs.Entity, *Contact) bool) {
		if int(e.ID()) >= len(c.head) {
			return
		}
		for at := c.head[e.ID()]; at != 0; at = c.next[at-1] {
			t := &c.All[(at-1)/2]
			if t.A != e && t.B != e { // the ID belonged to another, or does now
				return
			}
			if !yield(t.Other(e), t) {
				return
			}
		}
	}
}

// Persisted returns those that touch now and did so at the update before: all of Touching that are
// not in Began.
func (c *Contacts) Persisted() iter.Seq[*Contact] {
	return func(yield func(*Contact) bool) {
		for i := range c.All {
			if t := &c.All[i]; t.Age > 0 && !yield(t) {
				return
			}
		}
	}
}
