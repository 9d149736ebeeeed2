package physecs

import (
	"iter"
	"slices"
	"time"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// Dynamics is the resource that moves the bodies of a world, and has the events of the last update
// of [DynamicsSystem]. Events are of all steps of the update, in their order. The slices are valid
// until the next update.
//
// An entity has a body from the first update after it has got a [Body], up to the first after it
// has lost that, or until it dies. The calls that push it return false if it has none, is not
// dynamic, or a number is NaN or infinite.
type Dynamics struct {
	// Hits is the impacts.
	Hits []BodyHit
	// Began and Ended are the contacts that began and ended, without manifolds, which a
	// [ContactSystem] has. They include those of sensors and of entities without a body, but a
	// [Simulation] runs no DynamicsSystem while nothing in the world has a Body or a Material. An
	// entity of Ended may be dead.
	Began, Ended []Contact
	// Slept, Woken and Lost are, for each step in the order of bodies or entities, the entities
	// whose body went to sleep, woke up, or was given up since a number in its state had become
	// NaN, infinite or too large: it is nowhere until its Transform is written.
	Slept, Woken, Lost []ecs.Entity
	// Outside is, for each step in the order of bodies, the entities whose body left the Bounds of
	// the settings: see [rigid.Dynamics.Outside]. It goes on as before.
	Outside []ecs.Entity
	// Broken is the joints that broke, for each step in the order of joints.
	Broken []BrokenJoint

	rigid       *rigid.Dynamics
	space       *Space
	bodies      roster[bodyRow]
	parts       roster[partRow]
	materials   roster[materialRow]
	joints      roster[jointRow]
	jointOwners []jointOwner // by index of the joint
	pulls       []pullRow    // see Drags
	makes       maker
	owners      []bodyOwner     // by index of the body
	pairs       [][2]ecs.Entity // of contacts, by slot
	moved       []ecs.Entity    // whose Transform the update has to write
	ids         []rigid.BodyID
	turn        uint32  // of the update
	ahead       float64 // seconds since the last step
	steps       int
	elapsed     time.Duration
}

// BodyHit is an impact, in world space: two entities with colliders met. Either may be a part of a
// body: see [Dynamics.Body].
type BodyHit struct {
	A, B ecs.Entity
	// Point is where they met, and Normal the unit vector from A to B.
	Point, Normal geom.Vec3
	Speed         float32 // at which they approached each other, in m/s
	Impulse       float32 // in N·s
}

// bodyOwner is the entity of a body.
type bodyOwner struct {
	id     rigid.BodyID
	entity ecs.Entity
}

// Rigid returns the dynamics beneath, for what this package does not wrap. Its bodies of entities
// must not be removed. It is valid until World.Reset.
func (d *Dynamics) Rigid() *rigid.Dynamics { return d.rigid }

// of panics in the name of a method unless d is the Dynamics of a world.
func (d *Dynamics) of(w *ecs.World, method string) {
	if d.rigid == nil {
		panic("physecs: Dynamics." + method + ": no DynamicsSystem has been initialised in this world")
	}
	if findResource[Dynamics](w) != d {
		panic("physecs: Dynamics." + method + ": it belongs to another world, or to this one before its Reset")
	}
}

// Body returns the body of an entity, or the one that it is a part of; false if there is none.
func (d *Dynamics) Body(e ecs.Entity) (rigid.BodyID, bool) {
	if b := d.living(e); b != nil {
		return b.id, true
	}
	if p := d.parts.find(e); p != nil && alive(d.space.world, e) {
		if b := d.living(p.owner); b != nil {
			return b.id, true
		}
	}
	return 0, false
}

// living returns the body of an entity that is alive; nil if it has none. The body of one that is
// dead lasts until the next update.
func (d *Dynamics) living(e ecs.Entity) *bodyRow {
	if b := d.bodies.find(e); b != nil && b.id != 0 && alive(d.space.world, e) {
		return b
	}
	return nil
}

// Entity returns the entity of a body; false if it has none.
func (d *Dynamics) Entity(id rigid.BodyID) (ecs.Entity, bool) {
	if i := int(uint32(id)); i < len(d.owners) && id != 0 && d.owners[i].id == id {
		return d.owners[i].entity, true
	}
	return ecs.Entity{}, false
}

// Transform returns where the last step left the body of an entity: without interpolation, that is
// the Transform of the entity. The Scale is that of its first collider. It returns false if the
// entity has no body.
func (d *Dynamics) Transform(e ecs.Entity) (Transform, bool) {
	if b := d.living(e); b != nil {
		return b.frame(b.now), true
	}
	return Transform{}, false
}

// Faults returns the entities whose [Body] is no body, or is lost, whose Velocity or [Material] is
// not finite, or whose [Joint] connects nothing, with the reason, as of the last update. An entity
// that is no body is static ground. It visits all entities with a Body, Material or Joint, in the
// order of the world's queries.
func (d *Dynamics) Faults() iter.Seq2[ecs.Entity, error] {
	return func(yield func(ecs.Entity, error) bool) {
		for i := range d.bodies.rows {
			if err := d.bodies.rows[i].err; err != nil && !yield(d.bodies.entities[i], err) {
				return
			}
		}
		for i := range d.materials.rows {
			if err := d.materials.rows[i].err; err != nil && !yield(d.materials.entities[i], err) {
				return
			}
		}
		for i := range d.pulls {
			if p := &d.pulls[i]; p.err != nil && !yield(p.entity, p.err) {
				return
			}
		}
		for i := range d.joints.rows {
			if err := d.joints.rows[i].err; err != nil && !yield(d.joints.entities[i], err) {
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

// SetVelocity sets the velocity of the body of an entity, in m/s and rad/s, as a change of its
// [Velocity] does. It returns false for one with [Body.Driven], which only its Transform moves.
func (d *Dynamics) SetVelocity(e ecs.Entity, linear, angular geom.Vec3) bool {
	id, ok := d.Body(e)
	return ok && !d.isDriven(id) && d.rigid.SetVelocity(id, linear, angular)
}

// MoveTo moves the kinematic body of an entity to a transform by the end of the next step. It
// pushes and carries what it touches. It returns false for one with [Body.Driven], which only its
// Transform moves.
func (d *Dynamics) MoveTo(e ecs.Entity, t Transform) bool {
	b := d.living(e)
	return b != nil && !d.isDriven(b.id) && d.rigid.MoveTo(b.id, b.first(t))
}

// isDriven reports whether a body is one whose Transform is the game's to write, by its component
// as it is now.
func (d *Dynamics) isDriven(id rigid.BodyID) bool {
	w := d.space.world
	e, ok := d.Entity(id)
	if !ok || !alive(w, e) {
		return false
	}
	b := d.space.ids.body.of(w, e)
	return b != nil && b.isDriven()
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

// Stats returns the number of bodies, how many of them are awake, the number of steps of the last
// update and the time that it took.
func (d *Dynamics) Stats() DynamicsStats {
	s := DynamicsStats{Steps: d.steps, Elapsed: d.elapsed}
	if d.rigid != nil {
		s.Bodies, s.Awake = d.rigid.Len(), d.rigid.Awake()
	}
	return s
}

// DynamicsStats counts what the last update of a [DynamicsSystem] found and did.
type DynamicsStats struct {
	Bodies, Awake, Steps int
	Elapsed              time.Duration
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

// begin drops the events of the last update. What is interpolated moves on.
func (d *Dynamics) begin(interpolate bool) {
	d.turn++
	d.Hits, d.Began, d.Ended, d.Outside = d.Hits[:0], d.Began[:0], d.Ended[:0], d.Outside[:0]
	d.Slept, d.Woken, d.Lost, d.Broken = d.Slept[:0], d.Woken[:0], d.Lost[:0], d.Broken[:0]
	moved := d.moved
	d.moved = d.moved[:0]
	if !interpolate {
		return
	}
	for _, e := range moved {
		if b := d.bodies.find(e); b != nil && b.id != 0 && b.before != b.now {
			d.move(e, b)
		}
	}
}

// move lists an entity whose Transform the update has to write.
func (d *Dynamics) move(e ecs.Entity, b *bodyRow) {
	if b.turn != d.turn {
		b.turn = d.turn
		d.moved = append(d.moved, e)
	}
}

// step makes a step and notes its events.
func (d *Dynamics) step() {
	d.rigid.Step()
	for _, t := range d.rigid.Ended() {
		d.Ended = append(d.Ended, d.contact(t, d.pairs[t.Slot]))
	}
	for _, t := range d.rigid.Began() {
		pair := [2]ecs.Entity{d.space.owner(t.A), d.space.owner(t.B)}
		d.pairs = setAt(d.pairs, int(t.Slot), pair)
		d.Began = append(d.Began, d.contact(t, pair))
	}
	for i := range d.rigid.Hits {
		h := &d.rigid.Hits[i]
		d.Hits = append(d.Hits, BodyHit{d.space.owner(h.A), d.space.owner(h.B), h.Point, h.Normal, h.Speed, h.Impulse})
	}
	d.Slept = d.appendEntities(d.Slept, d.rigid.Slept)
	woken := len(d.Woken)
	d.Woken = d.appendEntities(d.Woken, d.rigid.Woken)
	slices.SortFunc(d.Woken[woken:], compareEntities) // Sync wakes bodies in the order of its query
	d.Lost = d.appendEntities(d.Lost, d.rigid.Lost)
	d.Outside = d.appendEntities(d.Outside, d.rigid.Outside)
	d.noteBroken()
	for _, e := range d.moved {
		b := d.bodies.find(e)
		b.before = b.now
	}
	d.ids = d.rigid.AppendMoved(d.ids[:0])
	for _, id := range d.ids {
		if e, ok := d.Entity(id); ok {
			b := d.bodies.find(e)
			d.move(e, b)
			b.now, _ = d.rigid.Transform(id)
		}
	}
}

// contact returns a contact of two entities, the one with the lower ID first.
func (d *Dynamics) contact(t *physics.Contact, pair [2]ecs.Entity) Contact {
	c := Contact{A: pair[0], B: pair[1], UserA: t.UserA, UserB: t.UserB, Sensor: t.Sensor}
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

// write writes the components of the bodies that have moved, at a share of the way from the last
// pose to the present one. The rows of the space get the same Transform, so that the next Sync does
// not take it for one that the game has written.
func (d *Dynamics) write(w *ecs.World, share float32) {
	ids := &d.space.ids
	for _, e := range d.moved {
		b := d.bodies.find(e)
		if !b.now.IsFinite() {
			b.err = errLost
			d.setFaults(b)
			continue
		}
		if v := ids.velocity.of(w, e); v != nil {
			v.Linear, v.Angular, _ = d.rigid.Velocity(b.id)
			b.velocity = *v
		}
		if !b.isDriven() {
			d.show(w, e, b, share)
		}
	}
	d.showParts(w)
}

// Interpolate writes the Transforms of the bodies that the last update has moved, at a share of the
// way from before its last step to after it, so that what is drawn between two updates moves
// smoothly. It does not change the bodies, and their colliders stay where they are. A Transform
// that the game has written since the update stays as it is, and so does a Velocity.
//
// It is for games that call a [DynamicsSystem] once for each step, with Interpolate set, so that
// its updates begin from where the last step ended. With DT, the system itself does it.
func (d *Dynamics) Interpolate(w *ecs.World, share float32) {
	if d.space == nil || len(d.moved) == 0 {
		return
	}
	d.space.bind(w)
	ids := &d.space.ids
	for _, e := range d.moved {
		b := d.bodies.find(e)
		if b == nil || b.id == 0 || b.isDriven() || !b.now.IsFinite() || !alive(w, e) {
			continue
		}
		if t := ids.transform.of(w, e); t != nil && sameTransform(t, &b.shown) {
			d.show(w, e, b, min(max(share, 0), 1))
		}
	}
	d.showParts(w)
}

// show writes the Transform of a body at a share of the way from the last pose to the present one.
func (d *Dynamics) show(w *ecs.World, e ecs.Entity, b *bodyRow, share float32) {
	ids, origin := &d.space.ids, d.space.physics.Origin()
	at := b.now
	if share < 1 {
		at = b.before.Lerp(b.now, share)
	}
	if at = b.frame(at); d.space.physics.IsPlanar() {
		at.Position.Z = 0 // whatever that of the first collider is in a bare entity
	}
	t := ids.transform.of(w, e)
	t.Position, t.Rotation = at.Position, at.Rotation
	if p := ids.position.of(w, e); p != nil {
		*p = WorldPosition(origin.Add(at.Position.Wide()))
		t.Position = geom.DVec3(*p).Sub(origin).Narrow()
	}
	b.shown = *t
	if r := d.space.rowOfEntity(e); r != nil {
		r.transform = *t
	}
}

// showParts takes over the Transforms of the parts of bodies that were written.
func (d *Dynamics) showParts(w *ecs.World) {
	ids := &d.space.ids
	if len(d.moved) == 0 || len(d.parts.rows) == 0 {
		return
	}
	d.space.transforms(w)
	for i := range d.parts.rows {
		if b := d.bodies.find(d.parts.rows[i].owner); b == nil || b.turn != d.turn || b.id == 0 {
			continue
		}
		e := d.parts.entities[i]
		if r := d.space.rowOfEntity(e); r != nil {
			r.transform = *ids.transform.of(w, e)
		}
	}
}
