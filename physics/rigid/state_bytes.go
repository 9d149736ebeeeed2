package rigid

import (
	"fmt"

	"github.com/hitscan-go/hitscan/internal/wire"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The layout of bytes follows from the types: a field of a number or a bool, added to one of these,
// is written and read. Lists, and what follows from other fields, are below.
var (
	settingsLayout = wire.LayoutOf[Settings]()
	worldLayout    = wire.LayoutOf[worldState]()
	bodyLayout     = wire.LayoutOf[body]()
	orderLayout    = wire.LayoutOf[order]()
	formLayout     = wire.LayoutOf[form]()
	partLayout     = wire.LayoutOf[part]()
	motionLayout   = wire.LayoutOf[motion]()
	contactLayout  = wire.LayoutOf[contact]()
	memoryLayout   = wire.LayoutOf[memory]()
	ownerLayout    = wire.LayoutOf[owner]()
	materialLayout = wire.LayoutOf[Material]()
	jointLayout    = wire.LayoutOf[joint]()
	stateFormat    = wire.Format("hitscan bodies 1", settingsLayout, worldLayout, bodyLayout, orderLayout, formLayout, partLayout,
		motionLayout, contactLayout, memoryLayout, ownerLayout, materialLayout, jointLayout)
)

// worldState is what of a state is neither a list nor a setting.
type worldState struct {
	unbound, rebased bool
	origin           geom.DVec3
}

// AppendState appends the whole state, with that of the space, to b: what [Dynamics.Save] copies,
// in bytes that do not depend on the machine. [Dynamics.LoadState] brings it back, also in another
// process. Equal states have equal bytes, so that peers can compare a hash of them.
//
// A body takes some 540 bytes with its collider, and a contact some 600.
func (d *Dynamics) AppendState(b []byte) []byte {
	d.mustBeWhole("AppendState")
	d.writeBack()
	space := d.space.AppendState(nil, &d.tracker)
	p := append(wire.AppendLen(nil, len(space)), space...)
	p = settingsLayout.Append(p, &d.Settings)
	p = worldLayout.Append(p, &worldState{d.unbound, d.rebased, d.origin})
	p = wire.AppendLen(p, len(d.bodies)-1)
	for i := range d.bodies[1:] {
		x := d.bodies[1+i]
		x.colors = 0 // which follow from the contacts
		p = bodyLayout.Append(p, &x)
		if !x.alive {
			continue
		}
		p = motionLayout.Append(p, &d.motions[1+i])
		p = formLayout.Append(p, x.form)
		p = wire.AppendLen(p, len(x.parts))
		for k := range x.parts {
			p = partLayout.Append(p, &x.parts[k])
		}
	}
	p = wire.AppendLen(p, len(d.free))
	for _, i := range d.free {
		p = wire.AppendLen(p, int(i))
	}
	p = wire.AppendLen(p, max(len(d.joints)-1, 0))
	for i := 1; i < len(d.joints); i++ {
		p = jointLayout.Append(p, &d.joints[i])
	}
	p = wire.AppendLen(p, len(d.freeJoints))
	for _, i := range d.freeJoints {
		p = wire.AppendLen(p, int(i))
	}
	p = wire.AppendLen(p, len(d.woken))
	for _, id := range d.woken {
		p = wire.AppendUint(p, uint64(id))
	}
	p = orderLayout.AppendList(p, d.orders)
	p = wire.AppendLen(p, int(d.owners.n))
	for i := range d.owners.n {
		p = d.owners.at(i).append(p)
	}
	p = wire.AppendLen(p, len(d.tracker.All))
	for _, t := range d.tracker.All {
		c := *d.contacts.at(t.Slot)
		c.first = 0
		p = contactLayout.Append(p, &c)
		for k := range max(c.held, c.colored) {
			m := *d.memory(d.contacts.at(t.Slot), k)
			m.next = 0
			p = memoryLayout.Append(p, &m)
		}
	}
	return wire.Seal(b, stateFormat, p)
}

func (o *owner) append(b []byte) []byte {
	b = ownerLayout.Append(b, o)
	if o.triangles == nil {
		return wire.AppendLen(b, 0)
	}
	b = wire.AppendLen(b, 1+len(o.triangles.materials))
	for i := range o.triangles.materials {
		b = materialLayout.Append(b, &o.triangles.materials[i])
	}
	return append(wire.AppendLen(b, len(o.triangles.of)), o.triangles.of...)
}

func (o *owner) read(r *wire.Reader) {
	ownerLayout.Read(r, o)
	if err := o.material.check(); err != nil {
		r.Fail("material of %v: %w", o.collider, err)
	}
	n := r.Len(0)
	if n == 0 || r.Failed() {
		return
	}
	o.triangles = new(triangleMaterials)
	for range n - 1 {
		var m Material
		if materialLayout.Read(r, &m); r.Failed() {
			return
		}
		if err := m.check(); err != nil {
			r.Fail("material of %v: %w", o.collider, err)
		}
		o.triangles.materials = append(o.triangles.materials, m)
	}
	o.triangles.of = append(o.triangles.of, r.Bytes(r.Len(1))...)
	for _, k := range o.triangles.of {
		if int(k) >= n-1 {
			r.Fail("a triangle of %v has material %d of %d", o.collider, k, n-1)
			return
		}
	}
}

// LoadState makes the Dynamics and its space what they were when [Dynamics.AppendState] was called,
// perhaps of another Dynamics in another process. The same calls and steps then give the same bits.
// All lists of events are empty. States that were saved before can still be restored.
//
// Hulls, meshes and compounds are not in the bytes: they are those with the same content that
// colliders of the space have now, or of the list. [Dynamics.Adjust] and other functions are the
// game's.
//
// It returns an error, and changes nothing but the lists of events, if the bytes are damaged or of
// another version, if a shape is missing, or if one of the two spaces is planar and the other is
// not.
func (d *Dynamics) LoadState(b []byte, shapes ...physics.Shape) error {
	d.mustBeWhole("LoadState")
	r, err := wire.Open(b, stateFormat)
	if err != nil {
		return fmt.Errorf("rigid: Dynamics.LoadState: %w", err)
	}
	space := r.Bytes(r.Len(1))
	var in loaded
	in.read(r)
	if err := r.Err(); err != nil {
		return fmt.Errorf("rigid: Dynamics.LoadState: %w", err)
	}
	var before State
	d.Save(&before)
	defer before.Release()
	if err := d.space.LoadState(space, &d.tracker, shapes...); err != nil {
		return fmt.Errorf("rigid: Dynamics.LoadState: %w", err)
	}
	if err := in.check(d); err != nil {
		d.Restore(&before)
		return fmt.Errorf("rigid: Dynamics.LoadState: %w", err)
	}
	d.load(&in)
	return nil
}

// loaded is a state that was read from bytes.
type loaded struct {
	saved
	settings Settings
	list     []contact  // in the order of pairs
	held     [][]memory // of each
	owned    []owner    // by index of the collider
}

// read reads all but the space. What it holds after an error is not valid.
func (in *loaded) read(r *wire.Reader) {
	settingsLayout.Read(r, &in.settings)
	var w worldState
	worldLayout.Read(r, &w)
	in.unbound, in.rebased, in.origin = w.unbound, w.rebased, w.origin
	n := 1 + r.Len(bodyLayout.Size())
	in.bodies, in.motions = make([]body, n), make([]motion, n)
	in.bodies[0].form = &noForm
	for i := 1; i < n && !r.Failed(); i++ {
		in.readBody(r, i)
	}
	in.free = make([]int32, r.Len(4))
	for k := range in.free {
		in.free[k] = int32(r.Len(0))
	}
	in.joints = make([]joint, 1+r.Len(jointLayout.Size()))
	for i := 1; i < len(in.joints) && !r.Failed(); i++ {
		jointLayout.Read(r, &in.joints[i])
	}
	in.freeJoints = make([]int32, r.Len(4))
	for k := range in.freeJoints {
		in.freeJoints[k] = int32(r.Len(0))
	}
	in.woken = make([]BodyID, r.Len(8))
	for k := range in.woken {
		in.woken[k] = BodyID(r.Uint())
	}
	in.orders = orderLayout.ReadList(r)
	in.owned = make([]owner, r.Len(ownerLayout.Size()))
	for i := range in.owned {
		if in.owned[i].read(r); r.Failed() {
			return
		}
	}
	in.list = make([]contact, r.Len(contactLayout.Size()))
	in.held = make([][]memory, len(in.list))
	for i := range in.list {
		c := &in.list[i]
		contactLayout.Read(r, c)
		most := max(c.held, c.colored)
		if c.held < 0 || c.colored < 0 {
			r.Fail("contact %d holds %d and %d manifolds", i, c.held, c.colored)
		}
		for range most {
			var m memory
			if memoryLayout.Read(r, &m); r.Failed() {
				return
			}
			in.held[i] = append(in.held[i], m)
		}
	}
	in.checkBodies(r)
	in.checkJoints(r)
	in.checkContacts(r)
}

func (in *loaded) readBody(r *wire.Reader, i int) {
	b := &in.bodies[i]
	b.form = &noForm
	bodyLayout.Read(r, b)
	b.colors = 0
	if b.id.index() != i {
		r.Fail("%v has the index %d", b.id, i)
	}
	if !b.alive {
		return
	}
	in.count++
	b.form = new(form)
	motionLayout.Read(r, &in.motions[i])
	formLayout.Read(r, b.form)
	b.parts = make([]part, r.Len(partLayout.Size()))
	for k := range b.parts {
		partLayout.Read(r, &b.parts[k])
	}
	if err := b.set.check(); err != nil {
		r.Fail("%v: %w", b.id, err)
	}
	if len(b.parts) == 0 || b.moves && b.set.Kind != Dynamic {
		r.Fail("%v has %d colliders and is of kind %d", b.id, len(b.parts), b.set.Kind)
	}
}

// checkBodies checks the references between bodies.
func (in *loaded) checkBodies(r *wire.Reader) {
	n := len(in.bodies)
	follows := make([]bool, n)
	for i := range in.bodies[1:] {
		b := &in.bodies[1+i]
		if b.order < 0 || int(b.order) > len(in.orders) || b.order == 0 && b.target || b.order > 0 && !b.awake {
			r.Fail("%v has the order %d of %d", b.id, b.order, len(in.orders))
			return
		}
		switch next := int(b.next); {
		case !b.alive && (b.awake || b.moves || b.next != 0):
			r.Fail("%v is alive, and is not", b.id)
		case next == 0:
		case next < 0 || next >= n || b.awake || in.bodies[next].next == 0 || follows[next]:
			r.Fail("%v sleeps with %d, which is not in its ring", b.id, next)
			return
		default:
			follows[next] = true
		}
	}
	seen := make([]bool, n)
	for _, i := range in.free {
		if i <= 0 || int(i) >= n || in.bodies[i].alive || seen[i] {
			r.Fail("the free body %d is none", i)
			return
		}
		seen[i] = true
	}
	for i := range in.owned {
		if o := &in.owned[i]; o.body < 0 || int(o.body) >= n || o.body > 0 && !in.bodies[o.body].alive || o.collider != 0 && o.collider.Index() != i {
			r.Fail("%v, of index %d, is of body %d", o.collider, i, o.body)
			return
		}
	}
}

// checkJoints checks the joints, and that each is in the lists of its bodies.
func (in *loaded) checkJoints(r *wire.Reader) {
	if r.Failed() {
		return
	}
	links := 0 // of which each joint has one for each body
	for i := range in.joints[1:] {
		j := &in.joints[1+i]
		if j.id.index() != 1+i {
			r.Fail("%v has the index %d", j.id, 1+i)
		}
		if !j.alive {
			continue
		}
		in.jointCount++
		if err := j.set.check(); err != nil {
			r.Fail("%v: %w", j.id, err)
		}
		for side, id := range [...]BodyID{j.set.A, j.set.B} {
			k := j.bodies[side]
			if k < 0 || int(k) >= len(in.bodies) || (k == 0) != (id == 0) || k != 0 && (!in.bodies[k].alive || in.bodies[k].id != id) {
				r.Fail("%v is of body %d, and of %v", j.id, k, id)
				return
			}
			if k != 0 {
				links++
			}
		}
	}
	for i := range in.bodies {
		for link := in.bodies[i].joints; link != 0; links-- {
			k, side := (link-1)/2, (link-1)%2
			if link < 0 || int(k) >= len(in.joints) || !in.joints[k].alive || int(in.joints[k].bodies[side]) != i || links == 0 {
				r.Fail("%v has the joint %d, which is not its", in.bodies[i].id, k)
				return
			}
			link = in.joints[k].next[side]
		}
	}
	if links != 0 {
		r.Fail("%d joints are not in the lists of their bodies", links)
	}
	seen := make([]bool, len(in.joints))
	for _, i := range in.freeJoints {
		if i <= 0 || int(i) >= len(seen) || in.joints[i].alive || seen[i] {
			r.Fail("the free joint %d is none", i)
			return
		}
		seen[i] = true
	}
}

// checkContacts checks the contacts, and gives the bodies their colors.
func (in *loaded) checkContacts(r *wire.Reader) {
	for i := range in.list {
		c := &in.list[i]
		if c.a < 0 || int(c.a) >= len(in.bodies) || c.b < 0 || int(c.b) >= len(in.bodies) {
			r.Fail("contact %d is of bodies %d and %d", i, c.a, c.b)
			return
		}
		a, b := &in.bodies[c.a], &in.bodies[c.b]
		for k := range in.held[i] {
			m := &in.held[i][k]
			if m.n < 0 || m.n > physics.MaxContactPoints || m.color < 0 || m.color > overflow {
				r.Fail("contact %d has %d points of color %d", i, m.n, m.color)
				return
			}
			if int32(k) >= c.colored || m.color == overflow {
				continue
			}
			for _, x := range [...]*body{a, b} {
				if !x.moves {
					continue
				}
				if x.colors>>m.color&1 != 0 {
					r.Fail("%v has two constraints of color %d", x.id, m.color)
					return
				}
				x.colors |= 1 << m.color
			}
		}
	}
}

// check checks a state beside the space of that time.
func (in *loaded) check(d *Dynamics) error {
	all := d.tracker.All
	if len(all) != len(in.list) {
		return fmt.Errorf("it has %d contacts for the solver, and %d", len(in.list), len(all))
	}
	for i, t := range all {
		if int(in.list[i].held) > 0 && t.Sensor || in.list[i].solid && len(t.Manifolds) == 0 {
			return fmt.Errorf("the contact of %v and %v is of a sensor, and solid", t.A, t.B)
		}
	}
	return nil
}

// load takes over a state that was checked.
func (d *Dynamics) load(in *loaded) {
	d.Settings = in.settings
	d.bodies, d.motions = in.bodies, in.motions
	for i := range d.bodies {
		d.touchBody(int32(i))
		d.compound = d.compound || len(d.bodies[i].parts) > 1
	}
	d.owners.release(&d.owners.spare)
	d.owners.reserve(int32(len(in.owned)))
	for i := range in.owned {
		if o := &in.owned[i]; o.collider != 0 {
			*d.owners.touch(int32(i)) = *o
		}
	}
	d.contacts.release(&d.contacts.spare)
	d.memories.release(&d.memories.spare)
	d.freeMemories = d.freeMemories[:0]
	for i, t := range d.tracker.All {
		c := d.touchContact(t.Slot)
		*c = in.list[i]
		c.first = 0
		for k := len(in.held[i]) - 1; k >= 0; k-- {
			d.memories.grow(d.memories.n + 1)
			m := d.memories.at(d.memories.n - 1)
			*m = in.held[i][k]
			m.next, c.first = c.first, d.memories.n
		}
	}
	d.joints, d.freeJoints, d.jointCount = in.joints, in.freeJoints, in.jointCount
	for i := range d.joints {
		d.touchJoint(int32(i))
	}
	d.free, d.woken, d.orders = in.free, in.woken, in.orders
	d.count, d.unbound, d.origin, d.rebased = in.count, in.unbound, in.origin, in.rebased
	d.resume(0)
}
