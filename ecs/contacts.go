package physecs

import (
	"iter"
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
)

// Contact is a pair of entities that touch, the one with the lower entity ID first.
type Contact struct {
	A, B ecs.Entity
	// UserA and UserB are the User fields of their Colliders.
	UserA, UserB uint64
	// Sensor is set if one of them is a sensor, or both are: they overlap, and there are no
	// manifolds.
	Sensor bool
	// Age counts the updates before this one in which they touched without a break: 0 if the
	// contact began in this one.
	Age int
	// Manifolds is where they touch, in world space. A contact that ended has the last manifolds,
	// in the coordinates of that update. They are valid until the next update.
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

// Depth returns the largest penetration depth of the manifolds, in metres; −Inf if there are none.
func (c *Contact) Depth() float32 {
	t := physics.Contact{Manifolds: c.Manifolds}
	return t.Depth()
}

// compare orders contacts by their pair. A contact with a sensor and one without are different,
// also of the same pair.
func (c *Contact) compare(o *Contact) int {
	if n := c.Pair().Compare(o.Pair()); n != 0 || c.Sensor == o.Sensor {
		return n
	}
	if o.Sensor {
		return -1
	}
	return 1
}

// Contacts is the resource that holds the entities that touch. [ContactSystem] writes it. Each
// contact begins once, is in All at every update while it lasts, and ends once: even if an entity
// dies, loses a component, changes its layers or is moved far away. For which entities can touch
// see [physics.ContactTracker].
//
// All slices are sorted by [Pair.Compare] and valid until the next update.
type Contacts struct {
	// All has all contacts between entities that were alive at the last update.
	All []Contact
	// Began has those of All that were not in the All before, with Age 0.
	Began []Contact
	// Ended has those of the All before that are not in All, as they were then. The ID of an entity
	// that died may belong to another one by now.
	Ended []Contact

	tracker   physics.ContactTracker
	before    []Contact
	manifolds [2][]physics.Manifold // that were flipped, in this update and the one before
	turn      int
	order     []contactKey

	// The contacts of an entity form a chain: head has its first link by entity ID, next the link
	// after a link. A link is 2·(index in All) + 1, plus 1 if the entity is B; 0 ends the chain.
	head []int32
	next []int32
}

// contactKey stands for a contact in sorting: two words sort faster than contacts.
type contactKey struct {
	ids   uint64
	index int32
}

// ContactSystem finds the entities that touch, and those that began or ceased to since its last
// update, and writes them to [Contacts]. Run it after [SyncSystem]: contacts are those of the last
// [Sync], without entities that have gone since. Run one in a world: a second with other settings
// would end at each update what the first began. For more, use a [physics.ContactTracker] on
// [Queries.Physics].
type ContactSystem struct {
	// Margin is the distance, in metres, up to which two entities touch. See
	// [physics.ContactTracker]. A [Mover] keeps its Offset, 0.02 m, from what it stands on and
	// walks into: with a Margin of 0.03 m it touches that.
	Margin float32
	// Mask, unless 0, leaves out all pairs except those whose entities are both on one of these
	// layers.
	Mask physics.Layers
	// RecycleDistance is how far, in metres, two entities may move against each other before their
	// contacts are found again. 0 means [physics.DefaultRecycleDistance]; a negative one finds them
	// at each update. See [physics.ContactTracker].
	RecycleDistance float32
}

// Initialize adds [Space], [Meshes] and [Contacts] unless the world has them, and registers the
// components. Panics in a locked world.
func (s *ContactSystem) Initialize(w *ecs.World) {
	initialize(w)
	resourceOf[Contacts](w)
}

// Update writes [Contacts]. It allocates nothing once the buffers have grown to the number of
// contacts.
func (s *ContactSystem) Update(w *ecs.World) {
	space, c := initialize(w), resourceOf[Contacts](w)
	space.updates(s, "ContactSystem", 0, nil)
	c.tracker.Margin, c.tracker.Mask, c.tracker.RecycleDistance = s.Margin, s.Mask, s.RecycleDistance
	c.tracker.Update(space.physics)
	c.sort(space)
	c.compare(space)
	c.link()
}

// Finalize does nothing. The resource stays, to be read.
func (s *ContactSystem) Finalize(*ecs.World) {}

// sort finds the contacts of entities and their order.
func (c *Contacts) sort(space *Space) {
	c.order = c.order[:0]
	sorted := true
	for i := range c.tracker.All {
		t := c.tracker.All[i]
		a, b := space.owner(t.A), space.owner(t.B)
		if !space.has(a) || !space.has(b) { // gone since the last sync, or no entity's collider
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

// compare makes All, Began and Ended.
func (c *Contacts) compare(space *Space) {
	c.turn ^= 1
	flipped := c.manifolds[c.turn][:0]
	now, old := c.before[:0], c.All
	c.Began, c.Ended = c.Began[:0], c.Ended[:0]
	for _, k := range c.order {
		t := c.tracker.All[k.index]
		n := Contact{space.owner(t.A), space.owner(t.B), t.UserA, t.UserB, t.Sensor, 0, t.Manifolds}
		if n.A.ID() > n.B.ID() {
			n.A, n.B, n.UserA, n.UserB = n.B, n.A, n.UserB, n.UserA
			start := len(flipped)
			for i := range t.Manifolds {
				flipped = append(flipped, t.Manifolds[i].Flipped())
			}
			n.Manifolds = flipped[start:len(flipped):len(flipped)]
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
	c.before, c.All, c.manifolds[c.turn] = c.All, now, flipped
}

// link makes the chains of contacts by entity.
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

// Of returns the entities that touch an entity, with the contacts, in the order of All. It visits
// only those.
func (c *Contacts) Of(e ecs.Entity) iter.Seq2[ecs.Entity, *Contact] {
	return func(yield func(ecs.Entity, *Contact) bool) {
		if int(e.ID()) >= len(c.head) {
			return
		}
		for at := c.head[e.ID()]; at != 0; at = c.next[at-1] {
			t := &c.All[(at-1)/2]
			if t.A != e && t.B != e { // the ID belongs, or belonged, to another entity
				return
			}
			if !yield(t.Other(e), t) {
				return
			}
		}
	}
}

// Persisted returns the contacts that were there at the update before too: those of All that are
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
