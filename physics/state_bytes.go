package physics

import (
	"slices"

	"github.com/hitscan-go/hitscan/internal/wire"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A state in bytes holds what answers and later updates depend on, and nothing else: colliders with
// their IDs, and contacts with what was found of them. Trees, fat AABBs and pairs that do not touch
// are found again. So few invariants have to be checked of bytes that come from outside.

// colliderState is a record of a space. A free one has an ID alone.
type colliderState struct {
	id                      ColliderID
	alive, sensor, static   bool
	noLayer, noMask, shared bool
	moved, reset            bool // since the last update of the tracker
	layer, mask             Layers
	user                    uint64
	transform               geom.Transform
	since                   int32
	shape                   int32 // index in the list of shapes, if shared; else a kind
	numbers                 [10]float32
}

// spaceHead is what of a state is of the space at large.
type spaceHead struct {
	planar bool
	last   ColliderID
}

// trackerState is what a tracker needs besides its contacts.
type trackerState struct {
	known    bool // it was updated with this space, and follows its changes since
	margin   float32
	layers   Layers
	origin   geom.DVec3
	contacts uint32
}

// contactState is a contact of a tracker.
type contactState struct {
	Contact
	age    uint32
	found  bool // its finding is valid
	copied bool // its manifolds are not those of the finding
	poses  [2]pose
	margin float32 // of the finding
}

var (
	headLayout     = wire.LayoutOf[spaceHead]()
	colliderLayout = wire.LayoutOf[colliderState]()
	trackerLayout  = wire.LayoutOf[trackerState]()
	contactLayout  = wire.LayoutOf[contactState]()
	manifoldLayout = wire.LayoutOf[Manifold]()
	shapeLayout    = wire.LayoutOf[sharedShape]()
	originLayout   = wire.LayoutOf[geom.DVec3]()
	stateFormat    = wire.Format("hitscan space 3", headLayout, colliderLayout, trackerLayout, contactLayout, manifoldLayout, shapeLayout, originLayout)
)

// AppendState appends the state of the space and of a tracker that was last updated with it, so
// that [Space.LoadState] can bring it back in another process, on any machine. The tracker may be
// nil. Equal states have equal bytes. The time is in proportion to all colliders, contacts, and the
// triangles of meshes, which are not written: they are identified by a hash.
func (s *Space) AppendState(b []byte, t *ContactTracker) []byte {
	if t == nil {
		t = new(ContactTracker)
	}
	t.checks.complete()
	table := &t.table
	p := headLayout.Append(nil, &spaceHead{s.planar, s.last})
	p = originLayout.AppendList(p, s.origins)
	known := table.margin >= 0 && table.root == s.lineage() && s.follows(table.version)
	shapes, list := map[Shape]int32{}, []Shape{}
	states := make([]colliderState, len(s.records))
	for i := range s.records {
		r, d := &s.records[i], &s.details[i]
		c := &states[i]
		*c = colliderState{id: r.id, alive: r.alive, moved: !known || s.each[i] > table.version, reset: known && d.reset > table.version}
		if !r.alive {
			continue
		}
		c.sensor, c.static, c.layer, c.mask, c.user = r.sensor, r.static, r.layer, r.mask, r.user
		c.noLayer, c.noMask, c.transform, c.since = d.noLayer, d.noMask, d.transform, d.since
		if !c.setShape(d.shape) {
			k, ok := shapes[d.shape]
			if !ok {
				k = int32(len(list))
				shapes[d.shape], list = k, append(list, d.shape)
			}
			c.shared, c.shape = true, k
		}
	}
	p = wire.AppendLen(p, len(list))
	for _, shape := range list {
		f := shareShape(shape)
		p = shapeLayout.Append(p, &f)
	}
	p = colliderLayout.AppendList(p, states)
	free := 0
	for at := s.free; at != 0; at = s.records[at-1].at {
		free++
	}
	p = wire.AppendLen(p, free)
	for at := s.free; at != 0; at = s.records[at-1].at {
		p = wire.AppendLen(p, int(at-1))
	}
	tracker := trackerState{known: known, layers: table.layers, origin: table.origin}
	if known { // else the margin of the last update does not matter
		tracker.margin = table.margin
	}
	var contacts []*Contact
	if table.root == s.lineage() {
		contacts = t.All
	}
	if !known { // after a Restore of the space alone, it may have no record of their colliders
		contacts = slices.DeleteFunc(slices.Clone(contacts), func(x *Contact) bool {
			return max(x.A.index(), x.B.index()) >= len(s.records)
		})
	}
	tracker.contacts = uint32(len(contacts))
	p = trackerLayout.Append(p, &tracker)
	for _, x := range contacts {
		p = t.appendContact(p, x.Slot)
	}
	return wire.Seal(b, stateFormat, p)
}

// appendContact appends the contact of a slot.
func (t *ContactTracker) appendContact(b []byte, slot int32) []byte {
	x := t.checks.contact(slot)
	c := contactState{Contact: x.Contact, age: uint32(t.Age(&x.Contact)), copied: x.copied || x.Sensor}
	c.since, c.Slot = 0, 0
	a, o := &t.table.proxies[x.A.index()], &t.table.proxies[x.B.index()]
	if c.found = x.found >= max(t.table.epoch, a.reset, o.reset, 1); c.found {
		c.poses, c.margin = x.finding.poses, x.margin
	} else {
		c.copied = true
	}
	b = contactLayout.Append(b, &c)
	if c.found {
		b = manifoldLayout.AppendList(b, x.finding.manifolds.list())
	}
	if c.copied {
		b = manifoldLayout.AppendList(b, x.Manifolds)
	}
	return b
}
