package physics

import (
	"fmt"

	"github.com/hitscan-go/hitscan/internal/wire"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// spaceState is what was read from bytes, and checked.
type spaceState struct {
	spaceHead
	origins   []geom.DVec3
	shapes    []Shape // by collider
	colliders []colliderState
	free      []int32
	tracker   trackerState
	contacts  []contactState
	manifolds [][2][]Manifold // of contacts: found, and copied
}

// LoadState makes the space, and a tracker of it unless that is nil, what they were when
// [Space.AppendState] was called, perhaps of another space in another process: the colliders, their
// IDs, the origin, and the contacts. All that follows is the same, to the bit. Began holds the
// contacts of age 0, and Ended none.
//
// Hulls, meshes and compounds are not in the bytes. They are those of colliders that the space has
// now, or of a list, with the same content.
//
// It returns an error, and changes nothing, if the bytes are damaged or of another version, if a
// shape is missing, or if one of the two spaces is planar and the other is not. Panics if the space
// is a snapshot.
func (s *Space) LoadState(b []byte, t *ContactTracker, shapes ...Shape) error {
	if t == nil {
		t = new(ContactTracker)
	}
	r, err := wire.Open(b, stateFormat)
	if err != nil {
		return fmt.Errorf("physics: Space.LoadState: %w", err)
	}
	var in spaceState
	in.read(r, s, shapes)
	if err := r.Err(); err != nil {
		return fmt.Errorf("physics: Space.LoadState: %w", err)
	}
	s.changing("LoadState")
	s.load(&in)
	t.load(&in, s)
	return nil
}

// read reads a state. What it holds after an error is not valid.
func (in *spaceState) read(r *wire.Reader, s *Space, shapes []Shape) {
	headLayout.Read(r, &in.spaceHead)
	if !r.Failed() && in.planar != s.planar {
		of := map[bool]string{false: "of three dimensions", true: "planar"}
		r.Fail("it is the state of a space that is %s, and this one is %s", of[in.planar], of[s.planar])
	}
	in.origins = originLayout.ReadList(r)
	for i := range in.origins {
		if o := in.origins[i]; o.X-o.X+o.Y-o.Y+o.Z-o.Z != 0 {
			r.Fail("origin %d is %v", i, o)
		}
	}
	list := in.readShapes(r, s, shapes)
	n := r.Len(colliderLayout.Size())
	in.colliders, in.shapes = make([]colliderState, n), make([]Shape, n)
	for i := range in.colliders {
		c := &in.colliders[i]
		colliderLayout.Read(r, c)
		switch {
		case r.Failed():
			return
		case c.id.index() != i || c.alive && c.id.generation() == 0:
			r.Fail("%v has the index %d", c.id, i)
		case !c.alive:
		case c.layer == 0 || c.mask == 0 || c.since < 0 || int(c.since) >= max(1, len(in.origins)):
			r.Fail("%v is on layers %#x, with mask %#x, of origin %d", c.id, c.layer, c.mask, c.since)
		case !c.shared:
			if in.shapes[i] = c.ownShape(); in.shapes[i] == nil {
				r.Fail("%v has a shape of an unknown kind", c.id)
			}
		case c.shape < 0 || int(c.shape) >= len(list):
			r.Fail("%v has shape %d of %d", c.id, c.shape, len(list))
		default:
			in.shapes[i] = list[c.shape]
		}
		if c.alive && !r.Failed() {
			if why := refusedIn(in.shapes[i], s.planar); why != "" {
				r.Fail("%v has %s", c.id, why)
			}
			s.lay(&c.transform)
		}
	}
	in.free = make([]int32, r.Len(4))
	seen := make([]bool, n)
	for i := range in.free {
		k := r.Len(0)
		if k >= n || in.colliders[k].alive || seen[k] || in.colliders[k].id.generation() == 0 {
			r.Fail("the free record %d is none", k)
			return
		}
		in.free[i], seen[k] = int32(k), true
	}
	for i := range in.colliders {
		if c := &in.colliders[i]; c.alive && c.id > in.last {
			r.Fail("%v is beyond the last, %v", c.id, in.last)
		}
	}
	if in.last.index() >= max(n, 1) {
		r.Fail("the last, %v, is none of %d", in.last, n)
	}
	in.readContacts(r)
}

// readShapes reads the shared shapes, and finds them.
func (in *spaceState) readShapes(r *wire.Reader, s *Space, more []Shape) []Shape {
	n := r.Len(shapeLayout.Size())
	if n == 0 {
		return nil
	}
	known, seen := map[sharedShape]Shape{}, map[Shape]bool{}
	know := func(shape Shape) {
		switch shape.(type) {
		case *hull.Hull, *mesh.Mesh, *Compound:
			if refused(shape) == "" && !seen[shape] {
				seen[shape] = true
				if f := shareShape(shape); known[f] == nil {
					known[f] = shape
				}
			}
		}
	}
	for i := range s.details {
		know(s.details[i].shape)
	}
	for _, shape := range more {
		know(shape)
	}
	list := make([]Shape, n)
	for i := range list {
		var f sharedShape
		shapeLayout.Read(r, &f)
		if list[i] = known[f]; list[i] == nil {
			r.Fail("it has a %v that %w", f, wire.ErrNoShape)
		}
	}
	return list
}

func (in *spaceState) readContacts(r *wire.Reader) {
	t := &in.tracker
	if trackerLayout.Read(r, t); r.Failed() {
		return
	}
	if o := t.origin; o.X-o.X+o.Y-o.Y+o.Z-o.Z != 0 || !(t.margin >= 0) || t.margin-t.margin != 0 {
		r.Fail("the tracker has the origin %v and the margin %g", o, t.margin)
		return
	}
	var last Pair
	for i := range t.contacts {
		var c contactState
		contactLayout.Read(r, &c)
		p := c.Pair()
		switch {
		case r.Failed():
			return
		case p.A == 0 || p.A >= p.B || p.A.index() == p.B.index() || p.A.index() >= len(in.colliders) || p.B.index() >= len(in.colliders):
			r.Fail("contact %d is of %v and %v", i, p.A, p.B)
			return
		case i > 0 && last.Compare(p) >= 0:
			r.Fail("contact %d is not in order", i)
			return
		}
		last = p
		var found, copied []Manifold
		if c.found {
			found = readManifolds(r)
		}
		if c.copied {
			copied = readManifolds(r)
		} else {
			copied = found
		}
		if (len(copied) == 0) != c.Sensor {
			r.Fail("the contact of %v and %v has %d manifolds", p.A, p.B, len(copied))
			return
		}
		in.contacts = append(in.contacts, c)
		in.manifolds = append(in.manifolds, [2][]Manifold{found, copied})
	}
}

func readManifolds(r *wire.Reader) []Manifold {
	list := manifoldLayout.ReadList(r)
	for i := range list {
		if list[i].N < 1 || list[i].N > MaxContactPoints {
			r.Fail("a manifold has %d points", list[i].N)
			return nil
		}
	}
	return list
}

// load makes the space that of a state.
func (s *Space) load(in *spaceState) {
	s.removed++
	n := len(in.colliders)
	for i := range s.records {
		if s.records[i].alive && (i >= n || !in.colliders[i].alive) {
			s.remove(i)
		}
	}
	old := len(s.records)
	s.resize(n)
	for i := old; i < n; i++ {
		s.records[i], s.details[i] = record{}, detail{}
	}
	same := len(s.origins) == len(in.origins)
	for i := range s.origins {
		same = same && s.origins[i] == in.origins[i]
	}
	s.origins = append(s.origins[:0], in.origins...)
	s.count, s.free, s.last = 0, 0, in.last
	for i := range in.colliders {
		c, r, d := &in.colliders[i], &s.records[i], &s.details[i]
		s.touch(i) // while it is static, if it was
		known := detail{
			shape: in.shapes[i], transform: c.transform, since: c.since, noLayer: c.noLayer, noMask: c.noMask, reset: d.reset,
		}
		stays := same && c.alive && r.alive && *d == known && r.layer == c.layer && r.mask == c.mask &&
			r.sensor == c.sensor && r.static == c.static && r.user == c.user
		r.id, r.alive = c.id, c.alive
		if !c.alive {
			continue
		}
		s.count++
		if stays {
			continue
		}
		s.setRecord(i, &Collider{Shape: in.shapes[i], Layer: c.layer, Mask: c.mask, Sensor: c.sensor, Static: c.static, User: c.user})
		known.reset = s.version
		*d = known
		t := s.transform(i)
		s.place(i, &t)
	}
	for k := len(in.free) - 1; k >= 0; k-- {
		i := in.free[k]
		s.records[i].at, s.free = s.free, i+1
	}
}

// load makes the tracker that of a state, which the space is that of. It notes in the space what
// had changed since the last update.
func (t *ContactTracker) load(in *spaceState, s *Space) {
	table, c := &t.table, &t.checks
	t.updates++
	t.Began, t.Ended, t.gone = t.Began[:0], t.Ended[:0], t.gone[:0]
	c.beginUpdate()
	table.root, table.motion = nil, nil
	table.update(s, in.tracker.margin, in.tracker.layers)
	t.endAll()
	t.gone = t.gone[:0]

	// Pairs that are no longer near each other, since one has moved, end at the next update.
	table.found = table.found[:0]
	stale := make([]bool, len(in.colliders))
	for i := range in.colliders {
		stale[i] = in.colliders[i].moved
	}
	for i := range in.contacts {
		if p := in.contacts[i].Pair(); table.set.slot(table.slots, p) < 0 {
			table.found = append(table.found, p)
			if !stale[p.A.index()] && !stale[p.B.index()] { // else it would never end
				stale[p.A.index()] = true
			}
		}
	}
	table.begin()
	t.changed = table.clock
	for i := range in.contacts {
		t.loadContact(&in.contacts[i], &in.manifolds[i])
	}
	if table.origin = in.tracker.origin; !in.tracker.known {
		table.margin = -1 // which no update has
	}
	s.change()
	for i := range stale {
		if !stale[i] {
			continue
		}
		s.touch(i)
		if in.colliders[i].reset {
			s.details[i].reset = s.version
		}
		table.proxies[i].where = unknown
	}
}

// loadContact sets the contact of a pair in the table.
func (t *ContactTracker) loadContact(c *contactState, m *[2][]Manifold) {
	pair := t.table.set.slot(t.table.slots, c.Pair())
	x := t.checks.begin(&tracked{Contact: c.Contact, settled: c.Still, copied: c.copied && !c.Sensor}, pair)
	x.since = t.updates - uint64(c.age)
	t.table.slots[pair].contact = x.Slot + 1
	k := t.checks.resting(x, t.table.clock)
	if c.found {
		k.poses = c.poses
		k.finding.manifolds.set(m[0])
		x.finding, x.found, x.margin = &k.finding, t.table.clock, c.margin
		x.Manifolds = k.finding.manifolds.list()
	}
	switch {
	case !x.copied:
	case x.settled:
		k.now.set(m[1])
		x.Manifolds = k.now.list()
	default:
		mem := t.checks.part(0)
		mem.room(len(m[1]))
		x.Manifolds = extended(&mem.manifolds, m[1])
		t.checks.keepUsed()
	}
	if !x.settled {
		t.checks.queue = append(t.checks.queue, x.Slot)
	}
	t.All = append(t.All, &x.Contact)
	if x.since == t.updates {
		t.Began = append(t.Began, &x.Contact)
	}
}
