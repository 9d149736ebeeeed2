package physecs

import (
	"cmp"
	"errors"
	"iter"
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// Dynamics is the resource that moves the bodies of a world, and has the events of the last update
// of [DynamicsSystem]. Events are of all steps of the update, in their order. The slices are valid
// until the next update.
//
// An entity has a body from the first update after it has got a [Body] on. The calls that push it
// return false before that, and if it has none, is not dynamic, or a number is NaN or infinite.
type Dynamics struct {
	// Hits is the impacts.
	Hits []BodyHit
	// Began and Ended are the contacts that began and ended, without manifolds, which a
	// [ContactSystem] has. They include those of sensors and of entities without a body. An entity
	// of Ended may be dead.
	Began, Ended []Contact
	// Slept, Woken and Lost are the entities whose body went to sleep, woke up, or was given up
	// since a number in its state had become NaN, infinite or too large: it is nowhere until its
	// Transform is written.
	Slept, Woken, Lost []ecs.Entity

	rigid  *rigid.Dynamics
	space  *Space
	bodies roster[bodyRow]
	owners []bodyOwner     // by index of the body
	pairs  [][2]ecs.Entity // of contacts, by slot
	dirty  []ecs.Entity    // whose bodies have to be made of their colliders again
	moved  []ecs.Entity    // whose Transform the update has to write
	ids    []rigid.BodyID
	turn   uint32 // of the update
	ahead  float64
	filter ecs.Mask // Transform and Body
}

// BodyHit is an impact, in world space: two entities with colliders met. Either may be a part of a
// body: see [Dynamics.Owner].
type BodyHit struct {
	A, B ecs.Entity
	// Point is where they met, and Normal the unit vector from A to B.
	Point, Normal geom.Vec3
	Speed         float32 // at which they approached each other, in m/s
	Impulse       float32 // in N·s
}

// bodyRow is what was last copied of an entity with a Body.
type bodyRow struct {
	id          rigid.BodyID // 0 if it was refused
	body        Body
	velocity    Velocity
	dirty       bool           // it is listed in Dynamics.dirty
	placed      bool           // the game has moved the entity since the body was made
	err         error          // why it was refused or lost
	turn        uint32         // the update for which it is listed in Dynamics.moved
	before, now geom.Transform // poses before and after the last step
}

// bodyOwner is the entity of a body.
type bodyOwner struct {
	id     rigid.BodyID
	entity ecs.Entity
}

// Rigid returns the dynamics beneath, for what this package does not wrap. Its bodies of entities
// must not be removed. It is valid until World.Reset.
func (d *Dynamics) Rigid() *rigid.Dynamics { return d.rigid }

// Body returns the body of an entity; false if it has none.
func (d *Dynamics) Body(e ecs.Entity) (rigid.BodyID, bool) {
	if b := d.bodies.find(e); b != nil && b.id != 0 {
		return b.id, true
	}
	return 0, false
}

// Entity returns the entity of a body; false if it has none.
func (d *Dynamics) Entity(id rigid.BodyID) (ecs.Entity, bool) {
	if i := int(uint32(id)); i < len(d.owners) && id != 0 && d.owners[i].id == id {
		return d.owners[i].entity, true
	}
	return ecs.Entity{}, false
}

// Faults returns the entities whose [Body] is no body, or is lost, with the reason. They are static
// ground until the reason has gone. It visits all entities with a Body, in the order of the world's
// queries.
func (d *Dynamics) Faults() iter.Seq2[ecs.Entity, error] {
	return func(yield func(ecs.Entity, error) bool) {
		for i := range d.bodies.rows {
			if err := d.bodies.rows[i].err; err != nil && !yield(d.bodies.entities[i], err) {
				return
			}
		}
	}
}

// ApplyForce pushes the body of an entity at its centre of mass with a force in newtons, during the
// next step. Forces add up.
func (d *Dynamics) ApplyForce(e ecs.Entity, force geom.Vec3) bool {
	id, ok := d.Body(e)
	return ok && d.rigid.ApplyForce(id, force)
}

// ApplyForceAt is ApplyForce at a point in world space.
func (d *Dynamics) ApplyForceAt(e ecs.Entity, force, at geom.Vec3) bool {
	id, ok := d.Body(e)
	return ok && d.rigid.ApplyForceAt(id, force, at)
}

// ApplyTorque turns the body of an entity during the next step, with a torque in N·m about an axis
// in world space.
func (d *Dynamics) ApplyTorque(e ecs.Entity, torque geom.Vec3) bool {
	id, ok := d.Body(e)
	return ok && d.rigid.ApplyTorque(id, torque)
}

// ApplyImpulse changes the velocity of the body of an entity at once, by an impulse in N·s at its
// centre of mass.
func (d *Dynamics) ApplyImpulse(e ecs.Entity, impulse geom.Vec3) bool {
	id, ok := d.Body(e)
	return ok && d.rigid.ApplyImpulse(id, impulse)
}

// ApplyImpulseAt is ApplyImpulse at a point in world space.
func (d *Dynamics) ApplyImpulseAt(e ecs.Entity, impulse, at geom.Vec3) bool {
	id, ok := d.Body(e)
	return ok && d.rigid.ApplyImpulseAt(id, impulse, at)
}

// ApplyAngularImpulse changes the angular velocity of the body of an entity at once, by an angular
// impulse in N·m·s about an axis in world space.
func (d *Dynamics) ApplyAngularImpulse(e ecs.Entity, impulse geom.Vec3) bool {
	id, ok := d.Body(e)
	return ok && d.rigid.ApplyAngularImpulse(id, impulse)
}

// ApplyRadialImpulse pushes all bodies away from a point: see [rigid.Dynamics.ApplyRadialImpulse].
func (d *Dynamics) ApplyRadialImpulse(at geom.Vec3, radius, strength float32, falloff int) bool {
	return d.rigid != nil && d.rigid.ApplyRadialImpulse(at, radius, strength, falloff)
}

// IsAwake reports whether the body of an entity is awake.
func (d *Dynamics) IsAwake(e ecs.Entity) bool {
	id, ok := d.Body(e)
	return ok && d.rigid.IsAwake(id)
}

// Wake wakes the body of an entity, and all that it slept with.
func (d *Dynamics) Wake(e ecs.Entity) bool {
	id, ok := d.Body(e)
	return ok && d.rigid.Wake(id)
}

// bind makes d that of a space.
func (d *Dynamics) bind(space *Space) {
	if d.space != space {
		*d = Dynamics{space: space, rigid: rigid.New(space.physics)}
	}
	if space.bodies != d {
		space.bodies = d
		for i := range space.rows {
			space.rows[i].role = ground
		}
	}
}

// note lists a body whose colliders have changed.
func (d *Dynamics) note(e ecs.Entity) {
	if b := d.bodies.find(e); b != nil && !b.dirty {
		b.dirty = true
		d.dirty = append(d.dirty, e)
	}
}

// teleport moves a body to where the game has put its entity. It reports false if the collider has
// to be moved in the space.
func (d *Dynamics) teleport(r *row, rescaled bool) bool {
	b := d.bodies.find(r.entity)
	if b == nil {
		return false
	}
	if b.id == 0 || rescaled || !r.transform.IsFinite() {
		b.placed = true
		d.note(r.entity)
		return false
	}
	if b.body.Driven && b.body.Kind == rigid.Kinematic {
		return d.rigid.MoveTo(b.id, r.transform)
	}
	d.rigid.SetTransform(b.id, r.transform)
	b.now = r.transform
	b.before = b.now
	if b.err != nil { // it was lost
		b.err = nil
		d.space.setFault(r, d.space.numbers(r.id))
	}
	return true
}

// compare finds the entities with a Body that came, went or changed since the last update.
func (d *Dynamics) compare(w *ecs.World) {
	ids := &d.space.ids
	d.filter = ecs.All(ids.transform, ids.body)
	d.bodies.begin()
	query := w.Query(&d.filter)
	for query.Next() {
		e := query.Entity()
		r := d.bodies.visit(e)
		body := (*Body)(query.Get(ids.body))
		velocity := r.velocity
		if query.Has(ids.velocity) {
			velocity = *(*Velocity)(query.Get(ids.velocity))
		}
		if r.turn == 0 { // new
			r.turn = d.turn
			r.body, r.velocity, r.placed = *body, velocity, true
			d.note2(e, r)
			continue
		}
		if velocity != r.velocity {
			r.velocity = velocity
			if r.id != 0 && !d.rigid.SetVelocity(r.id, velocity.Linear, velocity.Angular) {
				r.err = errVelocity
			}
		}
		if !body.same(&r.body) {
			r.body = *body
			d.note2(e, r)
		}
	}
	d.bodies.end()
}

func (d *Dynamics) note2(e ecs.Entity, r *bodyRow) {
	if !r.dirty {
		r.dirty = true
		d.dirty = append(d.dirty, e)
	}
}

var (
	errVelocity = errors.New("physecs: Velocity is NaN or infinite: the body keeps the one it had")
	errBare     = errors.New("physecs: neither the entity nor a child has a Collider")
	errNowhere  = errors.New("physecs: its collider is nowhere: see Space.Nowhere")
	errLost     = errors.New("physecs: its position or velocity became NaN or infinite")
)

// make makes the bodies of which something has changed, in the order of entities.
func (d *Dynamics) make() {
	slices.SortFunc(d.bodies.gone, func(a, b bodyRow) int { return cmp.Compare(a.id, b.id) })
	for i := range d.bodies.gone {
		d.remove(&d.bodies.gone[i])
	}
	slices.SortFunc(d.dirty, compareEntities)
	for _, e := range d.dirty {
		if r := d.bodies.find(e); r != nil && r.dirty {
			d.makeOne(e, r)
		}
	}
	d.dirty = d.dirty[:0]
}

func (d *Dynamics) remove(r *bodyRow) {
	if r.id != 0 {
		e := d.owners[uint32(r.id)].entity
		d.rigid.Remove(r.id)
		d.owners[uint32(r.id)] = bodyOwner{}
		r.id = 0
		if c := d.space.rowOfEntity(e); c != nil {
			c.role = ground
		}
	}
}

func (d *Dynamics) makeOne(e ecs.Entity, r *bodyRow) {
	r.dirty, r.err = false, nil
	c := d.space.rowOfEntity(e)
	switch {
	case c == nil:
		d.remove(r)
		r.err = errBare
		return
	case c.fault != FaultNone:
		c.role = wholeBody
		d.remove(r)
		r.err = errNowhere
		c.role = wholeBody
		return
	}
	d.remove(r)
	c.role = wholeBody
	d.space.physics.SetTransform(c.id, c.transform)
	id, err := d.rigid.Add(r.body.rigid(&r.velocity), c.id)
	if err != nil {
		r.err = err
		return
	}
	r.id, r.placed = id, false
	d.owners = setAt(d.owners, int(uint32(id)), bodyOwner{id, e})
	r.now, _ = d.rigid.Transform(id)
	r.before = r.now
}

// step makes a step.
func (d *Dynamics) step() {
	d.rigid.Step()
	for _, t := range d.rigid.Ended() {
		d.Ended = append(d.Ended, d.contact(d.pairs[t.Slot], t.UserA, t.UserB, t.Sensor))
	}
	for _, t := range d.rigid.Began() {
		pair := [2]ecs.Entity{d.space.owner(t.A), d.space.owner(t.B)}
		d.pairs = setAt(d.pairs, int(t.Slot), pair)
		d.Began = append(d.Began, d.contact(pair, t.UserA, t.UserB, t.Sensor))
	}
	for i := range d.rigid.Hits {
		h := &d.rigid.Hits[i]
		d.Hits = append(d.Hits, BodyHit{d.space.owner(h.A), d.space.owner(h.B), h.Point, h.Normal, h.Speed, h.Impulse})
	}
	d.Slept = d.appendEntities(d.Slept, d.rigid.Slept)
	d.Woken = d.appendEntities(d.Woken, d.rigid.Woken)
	d.Lost = d.appendEntities(d.Lost, d.rigid.Lost)
	d.ids = d.rigid.AppendMoved(d.ids[:0])
	for _, id := range d.ids {
		if e, ok := d.Entity(id); ok {
			if r := d.bodies.find(e); r.turn != d.turn {
				r.turn = d.turn
				d.moved = append(d.moved, e)
			}
		}
	}
}

func (d *Dynamics) contact(pair [2]ecs.Entity, userA, userB uint64, sensor bool) Contact {
	c := Contact{A: pair[0], B: pair[1], UserA: userA, UserB: userB, Sensor: sensor}
	if compareEntities(c.A, c.B) > 0 {
		c.A, c.B, c.UserA, c.UserB = c.B, c.A, c.UserB, c.UserA
	}
	return c
}

func (d *Dynamics) appendEntities(dst []ecs.Entity, ids []rigid.BodyID) []ecs.Entity {
	for _, id := range ids {
		if e, ok := d.Entity(id); ok {
			dst = append(dst, e)
		}
	}
	return dst
}

// write writes the components of the bodies that have moved.
func (d *Dynamics) write(w *ecs.World) {
	ids := &d.space.ids
	for _, e := range d.moved {
		b, r := d.bodies.find(e), d.space.rowOfEntity(e)
		t, _ := d.rigid.Transform(b.id)
		if !t.IsFinite() {
			b.err = errLost
			d.space.setFault(r, FaultBadNumbers)
			continue
		}
		p := (*Transform)(w.GetUnchecked(e, ids.transform))
		p.Position, p.Rotation = t.Position, t.Rotation
		if w.HasUnchecked(e, ids.position) {
			origin, at := d.space.physics.Origin(), (*WorldPosition)(w.GetUnchecked(e, ids.position))
			*at = WorldPosition(origin.Add(t.Position.Wide()))
			p.Position = geom.DVec3(*at).Sub(origin).Narrow()
		}
		r.transform = *p
		v, spin, _ := d.rigid.Velocity(b.id)
		if w.HasUnchecked(e, ids.velocity) {
			b.velocity = Velocity{v, spin}
			*(*Velocity)(w.GetUnchecked(e, ids.velocity)) = b.velocity
		}
	}
}
