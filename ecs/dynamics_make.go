package physecs

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/internal/wire"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// Entities become bodies by comparison, as they become colliders: each update compares all entities
// with a Body with the rows of the last one, and makes those bodies again that have changed,
// in the order of entities.

// bodyRow is what was last copied of an entity with a Body.
type bodyRow struct {
	id       rigid.BodyID // 0 if it is no body
	body     Body
	velocity Velocity
	known    bool // not new
	follows  bool // a parent
	bare     bool // it has no collider of its own
	dirty    bool // it is in maker.dirty
	placed   bool // the game has moved it since the body was made
	turn     uint32
	err      error
	// before and now are the transforms of the first collider before and after the last step, local
	// is its place in the frame of the entity, and shown is the last Transform written.
	before, now, local, shown Transform
}

// partRow is a descendant of an entity with a Body whose collider is part of the body.
type partRow struct {
	owner ecs.Entity
	local Transform // in the frame of the owner, with the scales of all
	id    physics.ColliderID
}

// materialRow is what was last copied of an entity with a Material.
type materialRow struct {
	material Material
	id       physics.ColliderID
	err      error
}

// maker is the memory of Dynamics.update.
type maker struct {
	dirty            []ecs.Entity // whose bodies have to be made again
	relink           bool         // colliders or bodies have come or gone
	bodies, surfaces componentFilter
	linked           componentFilter
	joints           []ecs.Entity // whose joints have to be made again
	places           []partRow    // by child of the hierarchy
	members          []member     // of the dirty bodies, in the order of bodies
	colliders        []physics.ColliderID
	locals           []Transform
	dormant          []ecs.Entity // see beginRebase
}

// member is a collider of a body.
type member struct {
	owner, entity ecs.Entity
	local         Transform
}

var (
	errVelocity = errors.New("physecs: Velocity is NaN or infinite; the body keeps the one it had")
	errBare     = errors.New("physecs: neither the entity nor a descendant has a Collider")
	errNowhere  = errors.New("physecs: its colliders are nowhere: see Space.Nowhere")
	errFollows  = errors.New("physecs: an entity that follows a Parent can only be a kinematic body with Driven")
	errLost     = errors.New("physecs: its position or velocity became NaN or infinite; write its Transform to bring it back")
)

// isDriven reports whether the Transform is the game's to write.
func (b *bodyRow) isDriven() bool { return b.body.isDriven() }

// first returns the transform of the first collider of a body whose entity is at t.
func (b *bodyRow) first(t Transform) Transform { return placed(&t, &b.local) }

// frame returns the transform of the entity whose first collider is at t.
func (b *bodyRow) frame(t Transform) Transform {
	if b.local.Rotation != (geom.Quat{}) {
		t.Rotation = t.Rotation.Mul(b.local.Rotation.Inverse())
	}
	t.Position = t.Position.Sub(t.Rotation.Rotate(b.local.Position))
	return t
}

// placed returns the transform of a collider at a place in the frame of an entity, whose scale is
// in that place already.
func placed(at, local *Transform) Transform {
	t := Transform{Position: at.Position, Rotation: at.Rotation, Scale: local.Scale}
	if local.Position != (geom.Vec3{}) {
		t.Position = t.Position.Add(at.Rotation.Normalize().Rotate(local.Position))
	}
	if local.Rotation != (geom.Quat{}) {
		t.Rotation = at.Rotation.Normalize().Mul(local.Rotation)
	}
	return t
}

// note notes that an entity has changed that is a body or part of one.
func (d *Dynamics) note(e ecs.Entity) {
	d.noteBody(e)
	if p := d.parts.find(e); p != nil {
		d.noteBody(p.owner)
	}
}

// noteBody lists a body to be made again.
func (d *Dynamics) noteBody(e ecs.Entity) {
	if b := d.bodies.find(e); b != nil && !b.dirty {
		b.dirty = true
		d.makes.dirty = append(d.makes.dirty, e)
	}
}

// teleport moves a body to where the game has put its entity. It reports false if Sync has to move
// the collider.
func (d *Dynamics) teleport(r *row, rescaled bool) bool {
	b := d.bodies.find(r.entity)
	if b == nil { // a part, which moves with its body
		p := d.parts.find(r.entity)
		if p == nil {
			return false
		}
		b = d.bodies.find(p.owner)
		return b != nil && b.id != 0
	}
	if b.id == 0 || rescaled || !r.transform.IsFinite() {
		b.placed = true
		d.makes.relink = d.makes.relink || rescaled
		d.note(r.entity)
		return false
	}
	d.put(r.entity, b, r.transform)
	return true
}

// put moves a body to where the game has put its entity.
func (d *Dynamics) put(e ecs.Entity, b *bodyRow, t Transform) {
	b.shown = t
	t = b.first(t)
	if b.isDriven() {
		d.rigid.MoveTo(b.id, t)
		return
	}
	// Where it is already, as after a Restore, it is left asleep.
	if at, _ := d.rigid.Transform(b.id); at.Position != t.Position || at.Rotation != t.Rotation {
		d.rigid.SetTransform(b.id, t)
	}
	b.now, _ = d.rigid.Transform(b.id)
	b.before = b.now
	if b.err == errLost {
		b.err = nil
		d.setFaults(b)
		d.noteBody(e) // its parts may have changed since it was lost
	}
}

// setFaults sets the faults of a body's colliders.
func (d *Dynamics) setFaults(b *bodyRow) {
	for _, id := range d.rigid.Colliders(b.id) {
		if e, ok := d.space.Entity(id); ok {
			d.space.setFault(d.space.rowOfEntity(e), d.space.numbers(id))
		}
	}
}

// update makes the bodies and materials those of the world's entities.
func (d *Dynamics) update(w *ecs.World) {
	d.compare(w)
	d.findParts()
	d.make(w)
	// What was to be interpolated may be no body any more.
	d.moved = slices.DeleteFunc(d.moved, func(e ecs.Entity) bool { b := d.bodies.find(e); return b == nil || b.id == 0 })
	d.compareJoints(w)
	d.pull(w)
	d.compareMaterials(w)
}

// compare compares all entities with a Body with the rows of the last update.
func (d *Dynamics) compare(w *ecs.World) {
	ids := &d.space.ids
	d.bodies.begin()
	query := d.makes.bodies.query(w, ids.transform.id, ids.body.id)
	for query.Next() {
		e := query.Entity()
		b := d.bodies.visit(e)
		body := ids.body.at(&query)
		velocity := cmp.Or(ids.velocity.maybe(&query), &b.velocity)
		follows := ids.local.in(&query) && ids.parent.in(&query) && !ids.parent.at(&query).Entity.IsZero()
		switch {
		case !b.known:
			*b = bodyRow{known: true, placed: true, body: *body, velocity: *velocity, follows: follows}
			d.makes.relink = true
			d.noteBody(e)
			continue
		case follows != b.follows || !sameBody(body, &b.body) && *body != b.body:
			b.body, b.follows = *body, follows
			d.noteBody(e)
		case b.err == errVelocity:
			b.err = nil
		}
		if velocity != &b.velocity && *velocity != b.velocity {
			b.velocity = *velocity
			if b.id != 0 && !b.isDriven() && !d.rigid.SetVelocity(b.id, velocity.Linear, velocity.Angular) {
				b.err = errVelocity
				d.move(e, b)
			}
		}
		if b.bare {
			if t := ids.transform.at(&query); !sameTransform(t, &b.shown) {
				if b.id == 0 || t.Scale != b.shown.Scale || !t.IsFinite() {
					b.shown, b.placed, d.makes.relink = *t, true, true
					d.noteBody(e)
				} else {
					d.put(e, b, *t)
				}
			}
		}
	}
	d.bodies.end()
	d.makes.relink = d.makes.relink || len(d.bodies.gone) > 0
}

// findParts finds the colliders that are parts of bodies, if any may have changed.
func (d *Dynamics) findParts() {
	h := &d.space.hierarchy
	changed := d.makes.relink || h.changed
	d.makes.relink, h.changed = false, false
	if !changed || len(h.children)+len(d.parts.rows) == 0 {
		return
	}
	places := slices.Grow(d.makes.places[:0], len(h.children))[:len(h.children)]
	d.makes.places = places
	d.parts.begin()
	for _, i := range h.order {
		c, l := &h.children[i], &h.links[i]
		places[i] = partRow{}
		if d.bodies.find(c.entity) != nil {
			places[i] = partRow{owner: c.entity, local: Transform{Scale: c.transform.Scale}}
			continue
		}
		var up partRow
		if l.up >= 0 {
			up = places[l.up]
		} else if r := &h.roots[-1-l.up]; d.bodies.find(r.entity) != nil && r.fault == FaultNone {
			up = partRow{owner: r.entity, local: Transform{Scale: r.transform.Scale}}
		}
		if up.owner.IsZero() || l.fault != FaultNone {
			continue
		}
		m := up.local.Affine()
		here := partRow{owner: up.owner, local: c.local.in(&up.local, &m)}
		places[i] = here
		if r := d.space.rowOfEntity(c.entity); r != nil {
			r.role, here.id = bodyPart, r.id
			p := d.parts.visit(c.entity)
			if p.owner != here.owner || p.id != here.id || !sameTransform(&p.local, &here.local) {
				d.noteBody(p.owner)
				d.noteBody(here.owner)
				*p = here
			}
		}
	}
	d.parts.end()
	for i := range d.parts.gone {
		p := &d.parts.gone[i]
		d.noteBody(p.owner)
		if e, ok := d.space.Entity(p.id); ok {
			d.space.rowOfEntity(e).role = ground
		}
	}
}

// make makes the bodies that have changed, in the order of entities.
func (d *Dynamics) make(w *ecs.World) {
	slices.SortFunc(d.bodies.gone, func(a, b bodyRow) int { return cmp.Compare(a.id, b.id) })
	for i := range d.bodies.gone {
		d.release(&d.bodies.gone[i])
	}
	clear(d.bodies.gone)
	m := &d.makes
	if len(m.dirty) == 0 {
		return
	}
	slices.SortFunc(m.dirty, compareEntities)
	m.members = m.members[:0]
	for i := range d.parts.rows {
		p := &d.parts.rows[i]
		if b := d.bodies.find(p.owner); b != nil && b.dirty {
			m.members = append(m.members, member{p.owner, d.parts.entities[i], p.local})
		}
	}
	slices.SortFunc(m.members, func(a, b member) int {
		return cmp.Or(compareEntities(a.owner, b.owner), compareEntities(a.entity, b.entity))
	})
	members := m.members
	for _, e := range m.dirty {
		for len(members) > 0 && compareEntities(members[0].owner, e) < 0 {
			members = members[1:]
		}
		n := 0
		for n < len(members) && members[n].owner == e {
			n++
		}
		if b := d.bodies.find(e); b != nil && b.dirty { // else it has died
			at := *d.space.ids.transform.of(w, e)
			b.dirty, b.err = false, d.makeOne(e, b, at, members[:n])
		}
	}
	m.dirty = m.dirty[:0]
}

// makeOne makes the body of an entity at a transform, and returns why it can't.
func (d *Dynamics) makeOne(e ecs.Entity, b *bodyRow, at Transform, members []member) error {
	m := &d.makes
	found := d.listColliders(e, b, at, members)
	if b.id != 0 && !b.placed {
		if at = b.frame(b.now); !at.IsFinite() {
			return errLost
		}
	}
	if b.follows && !b.isDriven() {
		d.release(b)
		return errFollows
	}
	// A body of several colliders is made at the origin, where their places in it are exact; not
	// if it has another first collider, since its joints stay where they are.
	origin := Transform{}
	old := d.rigid.Colliders(b.id)
	if replaced := len(old) > 0 && len(m.colliders) > 0 && old[0] != m.colliders[0]; replaced || len(m.colliders) == 1 {
		origin = at
		if replaced {
			d.rigid.SetTransform(b.id, b.first(at))
		}
	}
	d.placeColliders(&origin)
	if len(m.colliders) == 0 || !at.IsFinite() {
		d.release(b)
		d.settle(&at)
		if found {
			return errNowhere
		}
		return errBare
	}
	if err := d.setBody(e, b, old); err != nil {
		d.release(b)
		d.settle(&at)
		return fmt.Errorf("physecs: %w", err)
	}
	b.local = Transform{Position: m.locals[0].Position, Rotation: m.locals[0].Rotation}
	t := b.first(at)
	// Where it is already, a MoveTo of this tick goes on.
	if now, _ := d.rigid.Transform(b.id); b.placed || now.Position != t.Position || now.Rotation != t.Rotation {
		d.rigid.SetTransform(b.id, t)
	}
	b.now, _ = d.rigid.Transform(b.id)
	if b.placed {
		b.before, b.placed = b.now, false
	}
	if b.isDriven() { // it has no other velocity than that
		d.rigid.MoveTo(b.id, b.first(b.shown))
	}
	d.settle(nil)
	return nil
}

// listColliders lists the colliders of a body and their places in it: that of the entity, unless it
// is bare, and those of the members. It reports whether any of them has a Collider.
func (d *Dynamics) listColliders(e ecs.Entity, b *bodyRow, at Transform, members []member) (found bool) {
	m := &d.makes
	m.colliders, m.locals = m.colliders[:0], m.locals[:0]
	own := d.space.rowOfEntity(e)
	b.bare, b.shown = own == nil || own.id == 0, at
	if own != nil {
		own.role = wholeBody
	}
	if !b.bare {
		m.colliders, m.locals = append(m.colliders, own.id), append(m.locals, Transform{Scale: at.Scale})
	}
	for i := range members {
		if r := d.space.rowOfEntity(members[i].entity); r != nil && r.id != 0 {
			r.role = bodyPart
			m.colliders, m.locals = append(m.colliders, r.id), append(m.locals, members[i].local)
		}
	}
	return own != nil || len(members) > 0
}

// placeColliders places the colliders of a body that is at an origin, and drops from the list those
// that are nowhere.
func (d *Dynamics) placeColliders(origin *Transform) {
	m, kept := &d.makes, 0
	for k, id := range m.colliders {
		d.space.physics.SetTransform(id, placed(origin, &m.locals[k]))
		if !d.space.physics.IsNowhere(id) {
			m.colliders[kept], m.locals[kept] = id, m.locals[k]
			kept++
		}
	}
	m.colliders, m.locals = m.colliders[:kept], m.locals[:kept]
}

// setBody adds the body with the listed colliders, or changes that of old colliders.
func (d *Dynamics) setBody(e ecs.Entity, b *bodyRow, old []physics.ColliderID) error {
	m, velocity := &d.makes, b.velocity
	if b.id == 0 {
		id, err := d.rigid.Add(b.body.rigid(&velocity), m.colliders...)
		if err == nil {
			b.id = id
			d.owners = setAt(d.owners, int(uint32(id)), bodyOwner{id, e})
		}
		return err
	}
	if !slices.Equal(old, m.colliders) {
		if err := d.rigid.Reshape(b.id, m.colliders...); err != nil {
			return err
		}
		d.restore(old, m.colliders)
	}
	velocity.Linear, velocity.Angular, _ = d.rigid.Velocity(b.id)
	return d.rigid.Set(b.id, b.body.rigid(&velocity))
}

// settle moves the colliders of maker to their places in an entity at a transform, unless that is
// nil, and sets their faults.
func (d *Dynamics) settle(at *Transform) {
	for k, id := range d.makes.colliders {
		if at != nil {
			d.space.physics.SetTransform(id, placed(at, &d.makes.locals[k]))
		}
		if e, ok := d.space.Entity(id); ok {
			d.space.setFault(d.space.rowOfEntity(e), d.space.numbers(id))
		}
	}
}

// release removes a body. Its colliders are ground where their entities are.
func (d *Dynamics) release(b *bodyRow) {
	if b.id == 0 {
		return
	}
	colliders := d.rigid.Colliders(b.id)
	d.rigid.Remove(b.id)
	d.owners[uint32(b.id)], b.id = bodyOwner{}, 0
	d.restore(colliders, nil)
}

// restore puts colliders that a body no longer has, all but some, to where their entities are.
func (d *Dynamics) restore(colliders, except []physics.ColliderID) {
	for _, id := range colliders {
		if e, ok := d.space.Entity(id); ok && !slices.Contains(except, id) {
			r := d.space.rowOfEntity(e)
			if c, _ := d.space.physics.Collider(id); !sameTransform(&c.Transform, &r.transform) {
				d.space.physics.SetTransform(id, r.transform)
				d.space.setFault(r, d.space.numbers(id))
			}
			if b := d.bodies.find(e); b == nil && d.parts.find(e) == nil {
				r.role = ground
			}
		}
	}
}

// compareMaterials compares all entities with a Material with the rows of the last update.
func (d *Dynamics) compareMaterials(w *ecs.World) {
	ids := &d.space.ids
	d.materials.begin()
	query := d.makes.surfaces.query(w, ids.transform.id, ids.collider.id, ids.material.id)
	for query.Next() {
		e := query.Entity()
		m, material := d.materials.visit(e), ids.material.at(&query)
		id, ok := d.space.Collider(e)
		if m.id == id && (wire.SameBits(material, &m.material) || *material == m.material) {
			continue
		}
		if *m = (materialRow{material: *material, id: id}); ok {
			if m.err = d.rigid.SetMaterial(id, *material); m.err != nil {
				m.err = fmt.Errorf("physecs: %w", m.err)
			}
		}
	}
	d.materials.end()
	for i := range d.materials.gone {
		if id := d.materials.gone[i].id; id != 0 && !d.space.physics.IsNowhere(id) {
			_ = d.rigid.SetMaterial(id, rigid.DefaultMaterial())
		}
	}
}
