package physecs

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/internal/wire"
)

// A world in bytes: the entities as Arche counts them, their components, and what the systems have
// copied of them. All lists are in the order of entity IDs, so that equal worlds have equal bytes.

// codec writes the components of one type.
type codec interface {
	fmt.Stringer
	append(b []byte, w *ecs.World) []byte
	// read returns a function that gives the world those components and no others.
	read(r *wire.Reader, in *loadedWorld) func(w *ecs.World)
}

type codecOf[T any] struct{ *wire.Layout[T] }

var codecs = []codec{
	codecOf[Transform]{wire.LayoutOf[Transform]()}, codecOf[Collider]{wire.LayoutOf[Collider]()},
	codecOf[Static]{wire.LayoutOf[Static]()}, codecOf[Unpickable]{wire.LayoutOf[Unpickable]()},
	codecOf[Pickable]{wire.LayoutOf[Pickable]()}, codecOf[Parent]{wire.LayoutOf[Parent]()},
	codecOf[LocalTransform]{wire.LayoutOf[LocalTransform]()}, codecOf[WorldPosition]{wire.LayoutOf[WorldPosition]()},
	codecOf[Mover]{wire.LayoutOf[Mover]()}, codecOf[MoverState]{wire.LayoutOf[MoverState]()},
	codecOf[Projectile]{wire.LayoutOf[Projectile]()}, codecOf[Movable]{wire.LayoutOf[Movable]()},
	codecOf[Body]{wire.LayoutOf[Body]()}, codecOf[Velocity]{wire.LayoutOf[Velocity]()},
	codecOf[Material]{wire.LayoutOf[Material]()}, codecOf[Joint]{wire.LayoutOf[Joint]()},
	codecOf[Draggable]{wire.LayoutOf[Draggable]()}, codecOf[RayCaster]{wire.LayoutOf[RayCaster]()},
	codecOf[ShapeCaster]{wire.LayoutOf[ShapeCaster]()},
}

var (
	poolLayout     = wire.LayoutOf[entityPool]()
	entityLayout   = wire.LayoutOf[ecs.Entity]()
	clockLayout    = wire.LayoutOf[clock]()
	rowLayout      = wire.LayoutOf[row]()
	colliderLayout = wire.LayoutOf[Collider]()
	anchorLayout   = wire.LayoutOf[anchor]()
	bodyRowLayout  = wire.LayoutOf[bodyRow]()
	partLayout     = wire.LayoutOf[partRow]()
	materialLayout = wire.LayoutOf[materialRow]()
	jointRowLayout = wire.LayoutOf[jointRow]()
	pullLayout     = wire.LayoutOf[pullRow]()
	worldFormat    = func() uint64 {
		all := []fmt.Stringer{
			poolLayout, entityLayout, clockLayout, rowLayout, colliderLayout, anchorLayout, bodyRowLayout, partLayout, materialLayout,
			jointRowLayout, pullLayout,
		}
		for _, c := range codecs {
			all = append(all, c)
		}
		return wire.Format("hitscan world 1", all...)
	}()
)

// entityPool holds the fields of an ecs.EntityDump that are not slices.
type entityPool struct{ next, available uint32 }

// clock holds the saved fields of Dynamics that are not slices.
type clock struct {
	turn    uint32
	ahead   float64
	renamed bool // meshes have changed since the last Sync
}

func (c codecOf[T]) append(b []byte, w *ecs.World) []byte {
	var s ComponentState[T]
	s.Save(w)
	order := make([]int, len(s.entities))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, k int) int { return compareEntities(s.entities[i], s.entities[k]) })
	b = wire.AppendLen(b, len(order))
	for _, i := range order {
		b = entityLayout.Append(b, &s.entities[i])
		b = c.Append(b, &s.values[i])
	}
	return b
}

func (c codecOf[T]) read(r *wire.Reader, in *loadedWorld) func(w *ecs.World) {
	s := &ComponentState[T]{}
	n := r.Len(entityLayout.Size() + c.Size())
	s.entities, s.values = make([]ecs.Entity, n), make([]T, n)
	for i := range s.entities {
		entityLayout.Read(r, &s.entities[i])
		if c.Read(r, &s.values[i]); !r.Failed() && !in.isAlive(s.entities[i]) {
			r.Fail("%v has components and is not alive", s.entities[i])
		}
	}
	in.checkOrder(r, s.entities)
	return s.give
}

// give gives the entities of s, and no others, their components.
func (s *ComponentState[T]) give(w *ecs.World) {
	id := ecs.ComponentID[T](w)
	var before ComponentState[T]
	before.Save(w)
	for _, e := range before.entities {
		if _, ok := slices.BinarySearchFunc(s.entities, e, compareEntities); !ok {
			removeComponent(w, e, id)
		}
	}
	for i, e := range s.entities {
		if !hasUnchecked(w, e, id) {
			addComponents(w, e, id)
		}
		if unsafe.Sizeof(s.values[i]) > 0 {
			*(*T)(componentOf(w, e, id)) = s.values[i]
		}
	}
}

// AppendState appends the state of a world to b: what [Dynamics.Save] copies, all entities with
// their IDs, and all their components of this package, in bytes that do not depend on the machine.
// [Dynamics.LoadState] brings it back, even in another process, as for a player who joins late.
// Call it between two updates. Equal worlds have equal bytes.
//
// Components of the game's own are appended by [AppendComponents]. Resources are the game's.
func (d *Dynamics) AppendState(w *ecs.World, b []byte) []byte {
	d.of(w, "AppendState")
	space := d.space
	bodies := d.rigid.AppendState(nil)
	p := append(wire.AppendLen(nil, len(bodies)), bodies...)
	dump := dumpEntities(w)
	p = poolLayout.Append(p, &entityPool{dump.Next, dump.Available})
	p = entityLayout.AppendList(p, dump.Entities)
	slices.Sort(dump.Alive)
	p = wire.AppendLen(p, len(dump.Alive))
	for _, id := range dump.Alive {
		p = wire.AppendLen(p, int(id))
	}
	for _, c := range codecs {
		p = c.append(p, w)
	}
	meshes := resourceOf[Meshes](w)
	p = clockLayout.Append(p, &clock{d.turn, d.ahead, space.meshes != meshes || space.version != meshes.version})
	rows := slices.Clone(space.rows)
	slices.SortFunc(rows, func(a, b row) int { return compareEntities(a.entity, b.entity) })
	p = wire.AppendLen(p, len(rows))
	for i := range rows {
		collider := &space.shapes.colliders[rows[i].shape]
		rows[i].shape = min(rows[i].shape, 1)
		p = colliderLayout.Append(rowLayout.Append(p, &rows[i]), collider)
	}
	p = anchorLayout.AppendList(p, slices.DeleteFunc(slices.Clone(space.anchors), func(a anchor) bool { return a.entity.IsZero() }))
	p = appendRoster(p, bodyRowLayout, &d.bodies, func(b *bodyRow) error { return b.err })
	p = appendRoster(p, partLayout, &d.parts, nil)
	p = appendRoster(p, materialLayout, &d.materials, func(m *materialRow) error { return m.err })
	p = appendRoster(p, jointRowLayout, &d.joints, func(j *jointRow) error { return j.err })
	p = pullLayout.AppendList(p, d.pulls)
	p = entityLayout.AppendList(p, d.moved)
	// Sorted, since the order of archetypes differs between equal worlds.
	p = entityLayout.AppendList(p, slices.SortedFunc(slices.Values(d.makes.dirty), compareEntities))
	return wire.Seal(b, worldFormat, p)
}

// appendRoster appends the rows of a roster, each with its error unless failed is nil.
func appendRoster[R any](b []byte, l *wire.Layout[R], o *roster[R], failed func(*R) error) []byte {
	order := slices.Clone(o.entities)
	slices.SortFunc(order, compareEntities)
	b = wire.AppendLen(b, len(order))
	for _, e := range order {
		row := o.find(e)
		b = l.Append(entityLayout.Append(b, &e), row)
		if failed != nil {
			why := ""
			if err := failed(row); err != nil {
				why = err.Error()
			}
			b = append(wire.AppendLen(b, len(why)), why...)
		}
	}
	return b
}

// readRoster reads a roster. setError sets the error of a row.
func readRoster[R any](r *wire.Reader, in *loadedWorld, l *wire.Layout[R], setError func(*R, error)) (o roster[R]) {
	n := r.Len(entityLayout.Size() + l.Size())
	o.entities, o.rows = make([]ecs.Entity, n), make([]R, n)
	for i := range o.rows {
		entityLayout.Read(r, &o.entities[i])
		l.Read(r, &o.rows[i])
		if setError == nil {
			continue
		}
		if why := string(r.Bytes(r.Len(1))); why != "" {
			setError(&o.rows[i], errorOf(why))
		}
	}
	in.checkOrder(r, o.entities)
	if r.Failed() {
		return o
	}
	for i, e := range o.entities {
		o.index = setAt(o.index, int(e.ID()), int32(i+1))
	}
	return o
}

// errorOf returns an error with a text: one of those that are compared, or another.
func errorOf(why string) error {
	for _, err := range []error{errVelocity, errLost} {
		if err.Error() == why {
			return err
		}
	}
	return errors.New(why)
}

// loadedWorld is what was read from bytes.
type loadedWorld struct {
	size       int // in bytes, which no index can reach
	rigid      []byte
	dump       ecs.EntityDump
	alive      []bool // by entity ID
	give       []func(w *ecs.World)
	clock      clock
	rows       []row
	colliders  []Collider // of the rows
	anchors    []anchor
	bodies     roster[bodyRow]
	parts      roster[partRow]
	materials  roster[materialRow]
	joints     roster[jointRow]
	pulls      []pullRow
	moved      []ecs.Entity
	dirty      []ecs.Entity
	identities []uint64 // of colliders, bodies and joints
}

// isAlive reports whether an entity is one of the state.
func (in *loadedWorld) isAlive(e ecs.Entity) bool {
	return int(e.ID()) < len(in.alive) && in.alive[e.ID()] && in.dump.Entities[e.ID()] == e
}

// checkOrder checks that entities are in the state and have rising IDs.
func (in *loadedWorld) checkOrder(r *wire.Reader, list []ecs.Entity) {
	for i, e := range list {
		if int(e.ID()) >= len(in.dump.Entities) || e.ID() < reservedEntities || i > 0 && list[i-1].ID() >= e.ID() {
			r.Fail("%v is not in its place", e)
			return
		}
	}
}

func (in *loadedWorld) read(r *wire.Reader) {
	in.rigid = r.Bytes(r.Len(1))
	var pool entityPool
	poolLayout.Read(r, &pool)
	in.dump = ecs.EntityDump{Entities: entityLayout.ReadList(r), Next: pool.next, Available: pool.available}
	in.readPool(r)
	for _, c := range codecs {
		in.give = append(in.give, c.read(r, in))
	}
	clockLayout.Read(r, &in.clock)
	n := r.Len(rowLayout.Size() + colliderLayout.Size())
	in.rows, in.colliders = make([]row, n), make([]Collider, n)
	rows := make([]ecs.Entity, n)
	for i := range in.rows {
		x := &in.rows[i]
		rowLayout.Read(r, x)
		colliderLayout.Read(r, &in.colliders[i])
		rows[i] = x.entity
		in.identities = append(in.identities, uint64(x.id))
		if x.role > bodyPart || x.fault > FaultBadNumbers && x.fault != FaultNotPlanar {
			r.Fail("%v has the role %d and the fault %d", x.entity, x.role, x.fault)
		}
	}
	in.checkOrder(r, rows)
	in.anchors = anchorLayout.ReadList(r)
	anchored := make([]ecs.Entity, len(in.anchors))
	for i := range in.anchors {
		anchored[i] = in.anchors[i].entity
	}
	in.checkOrder(r, anchored)
	in.bodies = readRoster(r, in, bodyRowLayout, func(b *bodyRow, err error) { b.err = err })
	in.parts = readRoster(r, in, partLayout, nil)
	in.materials = readRoster(r, in, materialLayout, func(m *materialRow, err error) { m.err = err })
	in.joints = readRoster(r, in, jointRowLayout, func(j *jointRow, err error) { j.err = err })
	in.pulls = pullLayout.ReadList(r)
	in.moved, in.dirty = entityLayout.ReadList(r), entityLayout.ReadList(r)
	for i := range in.bodies.rows {
		in.identities = append(in.identities, uint64(in.bodies.rows[i].id))
	}
	for i := range in.joints.rows {
		in.identities = append(in.identities, uint64(in.joints.rows[i].id))
	}
	for _, id := range in.identities {
		if int(uint32(id)) >= in.size {
			r.Fail("the index %d is too large", uint32(id))
		}
	}
	for _, e := range in.moved {
		if b := in.bodies.find(e); !r.Failed() && (b == nil || b.id == 0) {
			r.Fail("%v has moved, and has no body", e)
		}
	}
}

// readPool reads which entities are alive, and checks the chain of those that are not.
func (in *loadedWorld) readPool(r *wire.Reader) {
	dump := &in.dump
	dump.Alive = make([]uint32, r.Len(4))
	in.alive = make([]bool, len(dump.Entities))
	for i := range dump.Alive {
		id := uint32(r.Len(0))
		if id < reservedEntities || int(id) >= len(in.alive) || i > 0 && dump.Alive[i-1] >= id || dump.Entities[id].ID() != id {
			r.Fail("the entity %d is alive, and is none", id)
			return
		}
		dump.Alive[i], in.alive[id] = id, true
	}
	if r.Failed() {
		return
	}
	// A dead entity holds the ID of the next.
	next := dump.Next
	for range dump.Available {
		if next < reservedEntities || int(next) >= len(in.alive) || in.alive[next] {
			r.Fail("the dead entity %d is none", next)
			return
		}
		in.alive[next] = true
		next = dump.Entities[next].ID()
	}
	for id, known := range in.alive {
		if known == (id < reservedEntities) {
			r.Fail("the entity %d is neither alive nor dead", id)
			return
		}
	}
	clear(in.alive)
	for _, id := range dump.Alive {
		in.alive[id] = true
	}
}

// LoadState gives a world the state that [Dynamics.AppendState] wrote, perhaps of another world in
// another process: entities, their components of this package, bodies, colliders and
// contacts. The same updates then give the same bits. All lists of events are empty.
//
// The order in which Arche's queries return entities is not in the bytes. A game that makes or
// removes entities in the order of a query sorts them by ID first, or their IDs will differ.
//
// The world has either no entities and has had none since it was made or reset, or the same as the
// state: then they keep the components of the game's own. Meshes, compounds and hulls are not in
// the bytes: [Meshes] must hold the same under the same IDs. The counts of systems such as
// [MoverSystem].Tick are the game's. States that were saved before can still be restored. b holds
// the state alone: a game that sends more in one message sends the lengths, too.
//
// It returns an error, and changes nothing but the lists of events, if the bytes are damaged or of
// another version, if the world has other entities or lacks a shape, or if one of the two spaces is
// planar and the other is not. Panics in a locked world, or if d is not the Dynamics of the
// world, which a [DynamicsSystem] adds.
func (d *Dynamics) LoadState(w *ecs.World, b []byte) error {
	d.of(w, "LoadState")
	mustBeUnlocked(w, "Dynamics.LoadState")
	fail := func(err error) error { return fmt.Errorf("physecs: Dynamics.LoadState: %w", err) }
	r, err := wire.Open(b, worldFormat)
	if err != nil {
		return fail(err)
	}
	in := loadedWorld{size: len(b)}
	in.read(r)
	if err := r.Err(); err != nil {
		return fail(err)
	}
	now := dumpEntities(w)
	slices.Sort(now.Alive)
	bare := len(now.Entities) == reservedEntities && now.Available == 0
	if !bare && !(slices.Equal(now.Entities, in.dump.Entities) && slices.Equal(now.Alive, in.dump.Alive) &&
		now.Next == in.dump.Next && now.Available == in.dump.Available) {
		return fail(errors.New("the world has other entities than the state, and is not empty"))
	}
	meshes := resourceOf[Meshes](w)
	if err := d.rigid.LoadState(in.rigid, meshes.shapes()...); errors.Is(err, wire.ErrNoShape) {
		return fail(in.noShape(meshes))
	} else if err != nil {
		return fail(err)
	}
	if bare {
		loadEntities(w, &in.dump)
	}
	for _, give := range in.give {
		give(w)
	}
	d.space.load(w, &in, meshes)
	d.load(&in)
	return nil
}

// noShape returns the error of a state with a shape that meshes lacks.
func (in *loadedWorld) noShape(meshes *Meshes) error {
	for i := range in.rows {
		if in.rows[i].fault != FaultNone {
			continue
		}
		if _, fault := in.colliders[i].shape(meshes); fault != FaultNone {
			return fmt.Errorf("entity %d has an %v here: Meshes must hold the meshes, compounds and hulls of the state, under the same IDs", in.rows[i].entity.ID(), fault)
		}
	}
	return errors.New("Meshes holds other meshes, compounds or hulls than the state has under the same IDs")
}

// load takes over the rows of a state.
func (s *Space) load(w *ecs.World, in *loadedWorld, meshes *Meshes) {
	s.bind(w)
	s.holdShapes(nil, s.rows)
	s.meshes, s.version = meshes, meshes.version
	s.rows, s.index, s.stats = in.rows, nil, Stats{Colliders: len(in.rows)}
	s.owners, s.colliders, s.shared = nil, nil, false
	s.fresh, s.gone = s.fresh[:0], s.gone[:0]
	for i := range s.rows {
		r := &s.rows[i]
		s.index = setAt(s.index, int(r.entity.ID()), int32(i+1))
		if r.shape != 0 {
			r.shape = s.shapes.add(&in.colliders[i], meshes)
			r.bounded = s.shapes.entries[r.shape].bounded
		}
		if r.fault != FaultNone {
			s.stats.Nowhere++
		}
		if r.id != 0 {
			s.link(r.id, r.entity)
		}
	}
	s.anchors = nil
	for i := range in.anchors {
		*s.anchor(in.anchors[i].entity) = in.anchors[i]
	}
	if in.clock.renamed {
		s.meshes = nil
	}
	s.physics.Update()
}

// load takes over the rows of a state.
func (d *Dynamics) load(in *loadedWorld) {
	d.bodies, d.parts, d.materials, d.joints = in.bodies, in.parts, in.materials, in.joints
	d.owners, d.jointOwners, d.pairs = nil, nil, nil
	for i := range d.bodies.rows {
		if id := d.bodies.rows[i].id; id != 0 {
			d.owners = setAt(d.owners, int(uint32(id)), bodyOwner{id, d.bodies.entities[i]})
		}
	}
	for i := range d.joints.rows {
		if id := d.joints.rows[i].id; id != 0 {
			d.jointOwners = setAt(d.jointOwners, int(uint32(id)), jointOwner{id, d.joints.entities[i]})
		}
	}
	for _, t := range d.rigid.Contacts() {
		d.pairs = setAt(d.pairs, int(t.Slot), [2]ecs.Entity{d.space.owner(t.A), d.space.owner(t.B)})
	}
	d.pulls, d.moved, d.makes.dirty = in.pulls, in.moved, in.dirty
	d.makes.relink, d.turn, d.ahead = true, in.clock.turn, in.clock.ahead
	d.Hits, d.Began, d.Ended, d.Outside = d.Hits[:0], d.Began[:0], d.Ended[:0], d.Outside[:0]
	d.Slept, d.Woken, d.Lost, d.Broken = d.Slept[:0], d.Woken[:0], d.Lost[:0], d.Broken[:0]
}

// AppendComponents appends all components of a type of the game's own to b, in bytes that do not
// depend on the machine, for [LoadComponents]. Pointers, slices, strings, functions and interfaces
// in them are left out.
func AppendComponents[T any](w *ecs.World, b []byte) []byte {
	c := codecOf[T]{wire.LayoutOf[T]()}
	return wire.Seal(b, wire.Format("hitscan components 1", c), c.append(nil, w))
}

// LoadComponents gives the entities of a world the components that [AppendComponents] has appended,
// and no others. Call it after [Dynamics.LoadState] of the state of the same moment. It returns an
// error, and changes nothing, if the bytes are damaged, of another type or more than that, or if an
// entity is not alive. Panics in a locked world.
func LoadComponents[T any](w *ecs.World, b []byte) error {
	mustBeUnlocked(w, "LoadComponents")
	c := codecOf[T]{wire.LayoutOf[T]()}
	r, err := wire.Open(b, wire.Format("hitscan components 1", c))
	if err == nil {
		in := loadedWorld{dump: dumpEntities(w)}
		in.alive = make([]bool, len(in.dump.Entities))
		for _, id := range in.dump.Alive {
			in.alive[id] = true
		}
		give := c.read(r, &in)
		if err = r.Err(); err == nil {
			give(w)
			return nil
		}
	}
	return fmt.Errorf("physecs: LoadComponents: %w", err)
}
