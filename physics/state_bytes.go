package physics

import (
	"fmt"
	"math/bits"

	"github.com/hitscan-go/hitscan/internal/wire"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
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
	known    bool // it was updated with this space, and knows what has changed since
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

// sharedShape identifies a shape that colliders share, by its content.
type sharedShape struct {
	kind  uint8
	count uint64
	print uint64
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

// The shapes that are written as numbers.
const (
	aabbShape = iota
	boxShape
	sphereShape
	capsuleShape
	planeShape
	coneShape
	taperedShape
)

// setShape sets the numbers of a shape; false if it is shared.
func (c *colliderState) setShape(s Shape) bool {
	set := func(kind int32, numbers ...float32) bool {
		c.shape = kind
		copy(c.numbers[:], numbers)
		return true
	}
	switch s := s.(type) {
	case geom.AABB:
		return set(aabbShape, s.Min.X, s.Min.Y, s.Min.Z, s.Max.X, s.Max.Y, s.Max.Z)
	case geom.Box:
		p, h, q := s.Center, s.HalfExtents, s.Rotation
		return set(boxShape, p.X, p.Y, p.Z, h.X, h.Y, h.Z, q.X, q.Y, q.Z, q.W)
	case geom.Sphere:
		return set(sphereShape, s.Center.X, s.Center.Y, s.Center.Z, s.Radius)
	case geom.Capsule:
		return set(capsuleShape, s.A.X, s.A.Y, s.A.Z, s.B.X, s.B.Y, s.B.Z, s.Radius)
	case geom.Cone:
		return set(coneShape, s.A.X, s.A.Y, s.A.Z, s.B.X, s.B.Y, s.B.Z, s.RadiusA, s.RadiusB)
	case geom.TaperedCapsule:
		return set(taperedShape, s.A.X, s.A.Y, s.A.Z, s.B.X, s.B.Y, s.B.Z, s.RadiusA, s.RadiusB)
	case geom.Plane:
		return set(planeShape, s.Normal.X, s.Normal.Y, s.Normal.Z, s.D)
	}
	return false
}

// ownShape returns a shape that is not shared; nil if there is none of its kind.
func (c *colliderState) ownShape() Shape {
	n := &c.numbers
	p, q := geom.V(n[0], n[1], n[2]), geom.V(n[3], n[4], n[5])
	switch c.shape {
	case aabbShape:
		return geom.AABB{Min: p, Max: q}
	case boxShape:
		return geom.Box{Center: p, HalfExtents: q, Rotation: geom.Quat{X: n[6], Y: n[7], Z: n[8], W: n[9]}}
	case sphereShape:
		return geom.Sphere{Center: p, Radius: n[3]}
	case capsuleShape:
		return geom.Capsule{A: p, B: q, Radius: n[6]}
	case coneShape:
		return geom.Cone{A: p, B: q, RadiusA: n[6], RadiusB: n[7]}
	case taperedShape:
		return geom.TaperedCapsule{A: p, B: q, RadiusA: n[6], RadiusB: n[7]}
	case planeShape:
		return geom.Plane{Normal: p, D: n[3]}
	}
	return nil
}

// shareShape returns what identifies a hull, mesh or compound.
func shareShape(s Shape) sharedShape {
	var h contentHash
	switch s := s.(type) {
	case *hull.Hull:
		h.vectors(s.Vertices())
		for i := range s.NumFaces() {
			for _, v := range s.Face(i) {
				h.add(uint64(v))
			}
		}
		return sharedShape{0, uint64(s.NumVertices()), h.sum}
	case *mesh.Mesh:
		h.vectors(s.Vertices())
		for _, v := range s.Indices() {
			h.add(uint64(v))
		}
		return sharedShape{1, uint64(s.NumTriangles()), h.sum}
	}
	c := s.(*Compound)
	for i := range c.children {
		child := colliderState{transform: c.children[i].Transform}
		if !child.setShape(c.children[i].Shape) {
			f := shareShape(c.children[i].Shape)
			h.add(uint64(f.kind))
			h.add(f.print)
		}
		for _, b := range colliderLayout.Append(nil, &child) {
			h.add(uint64(b))
		}
	}
	for _, sides := range c.hidden {
		h.add(uint64(sides))
	}
	return sharedShape{2, uint64(len(c.children)), h.sum}
}

// contentHash is a hash of numbers that does not depend on the machine.
type contentHash struct{ sum uint64 }

func (h *contentHash) add(x uint64) {
	const golden = 0x9e3779b97f4a7c15
	high, low := bits.Mul64(h.sum^x^golden, golden)
	h.sum = bits.RotateLeft64(h.sum, 23) + high ^ low
}

func (h *contentHash) vectors(list []geom.Vec3) {
	layout := wire.LayoutOf[geom.Vec3]()
	var b []byte
	for i := range list {
		b = layout.Append(b[:0], &list[i])
		for k := 0; k < len(b); k += 4 {
			h.add(uint64(b[k]) | uint64(b[k+1])<<8 | uint64(b[k+2])<<16 | uint64(b[k+3])<<24)
		}
	}
}

// String returns the kind and size in words.
func (s sharedShape) String() string {
	switch s.kind {
	case 0:
		return fmt.Sprintf("hull of %d vertices", s.count)
	case 1:
		return fmt.Sprintf("mesh of %d triangles", s.count)
	}
	return fmt.Sprintf("compound of %d children", s.count)
}

// AppendState appends the state of the space and of a tracker that was last updated with it, so
// that [Space.LoadState] can bring it back in another process, on any machine. The tracker may be
// nil. Equal states have equal bytes. The time is in proportion to all colliders, contacts, and the
// triangles of meshes, which are not written: they are identified by a hash.
func (s *Space) AppendState(b []byte, t *ContactTracker) []byte {
	if t == nil {
		t = new(ContactTracker)
	}
	table := &t.table
	p := headLayout.Append(nil, &spaceHead{s.planar, s.last})
	p = wire.AppendLen(p, len(s.origins))
	for i := range s.origins {
		p = originLayout.Append(p, &s.origins[i])
	}
	known := table.root == s.lineage() && s.follows(table.version)
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
	p = wire.AppendLen(p, len(states))
	for i := range states {
		p = colliderLayout.Append(p, &states[i])
	}
	free := 0
	for at := s.free; at != 0; at = s.records[at-1].at {
		free++
	}
	p = wire.AppendLen(p, free)
	for at := s.free; at != 0; at = s.records[at-1].at {
		p = wire.AppendLen(p, int(at-1))
	}
	tracker := trackerState{known: known, margin: table.margin, layers: table.layers, origin: table.origin}
	if table.root == s.lineage() {
		tracker.contacts = uint32(len(t.All))
	}
	p = trackerLayout.Append(p, &tracker)
	for _, x := range t.All[:tracker.contacts] {
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
		b = appendManifolds(b, x.finding.manifolds.list())
	}
	if c.copied {
		b = appendManifolds(b, x.Manifolds)
	}
	return b
}

func appendManifolds(b []byte, list []Manifold) []byte {
	b = wire.AppendLen(b, len(list))
	for i := range list {
		b = manifoldLayout.Append(b, &list[i])
	}
	return b
}

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
	in.origins = make([]geom.DVec3, r.Len(originLayout.Size()))
	for i := range in.origins {
		originLayout.Read(r, &in.origins[i])
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
			if why := s.refuses(in.shapes[i]); why != "" {
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
			r.Fail("it has a %v that no collider of the space has", f)
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
	list := make([]Manifold, r.Len(manifoldLayout.Size()))
	for i := range list {
		if manifoldLayout.Read(r, &list[i]); list[i].N < 1 || list[i].N > MaxContactPoints {
			r.Fail("a manifold has %d points", list[i].N)
			return nil
		}
	}
	return list
}

// load makes the space that of a state.
func (s *Space) load(in *spaceState) {
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
		r.set(&Collider{Shape: in.shapes[i], Layer: c.layer, Mask: c.mask, Sensor: c.sensor, Static: c.static, User: c.user}, s.planar)
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
	c.turn()
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
	if len(c.now.workers) == 0 {
		c.now.workers = append(c.now.workers, arenaPart{})
	}
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
	k := t.checks.resting(x.Slot, t.table.clock)
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
		x.Manifolds = extended(&t.checks.now.workers[0].manifolds, m[1])
	}
	if !x.settled {
		t.checks.queue = append(t.checks.queue, x.Slot)
	}
	t.All = append(t.All, &x.Contact)
	if x.since == t.updates {
		t.Began = append(t.Began, &x.Contact)
	}
}
