package physecs

import (
	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// DynamicsState is a copy of what [DynamicsSystem] and [Sync] know, and of the components that the
// systems which move entities write: see [Dynamics.Save]. The zero DynamicsState is empty. It must
// not be copied.
type DynamicsState struct {
	of          *Dynamics
	rigid       rigid.State
	rows        []row
	index       []int32
	owners      []ecs.Entity
	colliders   []physics.ColliderID
	anchors     []anchor
	nowhere     int
	places      []placement
	movers      ComponentState[Mover]
	moverStates ComponentState[MoverState]
	projectiles ComponentState[Projectile]
	bodies      roster[bodyRow]
	parts       roster[partRow]
	materials   roster[materialRow]
	joints      roster[jointRow]
	jointOwners []jointOwner
	pulls       []pullRow
	bodyOwners  []bodyOwner
	pairs       [][2]ecs.Entity
	moved       []ecs.Entity
	dirty       []ecs.Entity
	turn        uint32
	ahead       float64
}

// placement is the components of an entity that the system writes.
type placement struct {
	entity    ecs.Entity
	transform Transform
	position  WorldPosition
	velocity  Velocity
}

// Save copies the state of the bodies and colliders of a world to s, all [Mover], [MoverState] and
// [Projectile] components, and the [Transform], [WorldPosition] and [Velocity] of all entities with
// a [Body], a [Collider] or a Projectile. Call it between two updates. It replaces what s held;
// saved to the same state again, it costs less, and allocates nothing once the memory has grown.
// See [rigid.Dynamics.Save] for the rest. Panics if d is not the Dynamics of the world.
//
// What else a game changes is saved beside it, by a [ComponentState] for each type of component.
func (d *Dynamics) Save(w *ecs.World, s *DynamicsState) {
	d.of(w, "Save")
	if s.of != d {
		s.Release()
		s.of = d
	}
	space := d.space
	d.rigid.Save(&s.rigid)
	space.holdShapes(space.rows, s.rows)
	s.rows, s.index = append(s.rows[:0], space.rows...), append(s.index[:0], space.index...)
	s.owners, s.colliders = append(s.owners[:0], space.owners...), append(s.colliders[:0], space.colliders...)
	s.anchors, s.nowhere = append(s.anchors[:0], space.anchors...), space.stats.Nowhere
	s.bodies.copyFrom(&d.bodies)
	s.parts.copyFrom(&d.parts)
	s.materials.copyFrom(&d.materials)
	s.joints.copyFrom(&d.joints)
	s.jointOwners, s.pulls = append(s.jointOwners[:0], d.jointOwners...), append(s.pulls[:0], d.pulls...)
	if len(d.pairs) > cap(s.pairs) {
		s.pairs = nil // append would leave room for twice as many, in dozens of states
	}
	s.bodyOwners, s.pairs = append(s.bodyOwners[:0], d.owners...), append(s.pairs[:0], d.pairs...)
	s.moved, s.dirty = append(s.moved[:0], d.moved...), append(s.dirty[:0], d.makes.dirty...)
	s.turn, s.ahead = d.turn, d.ahead
	s.places = s.places[:0]
	for i := range space.rows {
		s.savePlace(w, space, space.rows[i].entity)
	}
	for i, e := range d.bodies.entities {
		if d.bodies.rows[i].bare {
			s.savePlace(w, space, e)
		}
	}
	s.movers.Save(w)
	s.moverStates.Save(w)
	s.projectiles.Save(w)
	for _, e := range s.projectiles.entities {
		if space.rowOfEntity(e) == nil {
			s.savePlace(w, space, e)
		}
	}
}

func (s *DynamicsState) savePlace(w *ecs.World, space *Space, e ecs.Entity) {
	t, ids := space.transform(w, e), &space.ids
	if t == nil {
		return
	}
	p := placement{entity: e, transform: *t}
	if v := ids.velocity.of(w, e); v != nil {
		p.velocity = *v
	}
	if at := ids.position.of(w, e); at != nil {
		p.position = *at
	}
	s.places = append(s.places, p)
}

// Restore gives the bodies and colliders of a world the state that they had when they were saved,
// with the contacts, materials and the origin, and writes the components that [Dynamics.Save]
// names, of the entities of that time that are alive and have them. The same updates of
// [DynamicsSystem], [MoverSystem] and [ProjectileSystem] then give the same bits. All lists of
// events are empty. A state may be restored any number of times, even in a locked world. If the
// world was rebased since, it is rebased back, all Transforms with it.
//
// All else is the game's, which must put it back too if the updates are to be the same: entities,
// other components such as [Joint] and [Body], which a [ComponentState] can hold, settings and
// [Meshes]. Entities cannot be brought back here, since Arche gives
// out no ID twice. The next update takes what differs from the time of the state for changes: a
// body whose entity has died since is removed, an entity that is new is added, and a changed
// component is applied.
//
// Trackers and other systems go on from the world as they find it.
//
// Panics if s was not saved of d, or if d is not the Dynamics of the world.
func (d *Dynamics) Restore(w *ecs.World, s *DynamicsState) {
	d.of(w, "Restore")
	if s.of != d {
		panic("physecs: Dynamics.Restore: the state was not saved of the Dynamics of this world")
	}
	space := d.space
	if origin := s.rigid.Origin(); origin != space.physics.Origin() {
		Rebase(w, origin)
	}
	d.rigid.Restore(&s.rigid)
	space.holdShapes(s.rows, space.rows)
	space.rows, space.index = append(space.rows[:0], s.rows...), append(space.index[:0], s.index...)
	if space.shared {
		space.owners, space.colliders, space.shared = nil, nil, false
	}
	space.owners, space.colliders = append(space.owners[:0], s.owners...), append(space.colliders[:0], s.colliders...)
	space.anchors, space.stats.Nowhere = append(space.anchors[:0], s.anchors...), s.nowhere
	d.bodies.copyFrom(&s.bodies)
	d.parts.copyFrom(&s.parts)
	d.materials.copyFrom(&s.materials)
	d.joints.copyFrom(&s.joints)
	d.jointOwners, d.pulls = append(d.jointOwners[:0], s.jointOwners...), append(d.pulls[:0], s.pulls...)
	d.owners, d.pairs = append(d.owners[:0], s.bodyOwners...), append(d.pairs[:0], s.pairs...)
	d.moved, d.makes.dirty = append(d.moved[:0], s.moved...), append(d.makes.dirty[:0], s.dirty...)
	d.makes.relink, d.turn, d.ahead = true, s.turn, s.ahead
	d.Hits, d.Began, d.Ended, d.Outside = d.Hits[:0], d.Began[:0], d.Ended[:0], d.Outside[:0]
	d.Slept, d.Woken, d.Lost, d.Broken = d.Slept[:0], d.Woken[:0], d.Lost[:0], d.Broken[:0]
	for i := range s.places {
		s.places[i].restore(w, &space.ids)
	}
	s.movers.Restore(w)
	s.moverStates.Restore(w)
	s.projectiles.Restore(w)
	d.restoreJoints(w)
}

func (p *placement) restore(w *ecs.World, ids *ids) {
	e := p.entity
	if !alive(w, e) {
		return
	}
	if t := ids.transform.of(w, e); t != nil {
		*t = p.transform
	}
	if v := ids.velocity.of(w, e); v != nil {
		*v = p.velocity
	}
	if at := ids.position.of(w, e); at != nil {
		*at = p.position
	}
}

// Release empties a state and gives its memory back to the world that it was saved of.
func (s *DynamicsState) Release() {
	if s.of != nil {
		s.of.space.holdShapes(nil, s.rows)
	}
	s.rigid.Release()
	*s = DynamicsState{}
}

// holdShapes counts the users of shapes: one more of those of some rows, and one less of others.
func (s *Space) holdShapes(more, less []row) {
	for i := range more {
		if k := more[i].shape; k != 0 {
			s.shapes.entries[k].refs++
		}
	}
	for i := range less {
		if k := less[i].shape; k != 0 {
			s.shapes.drop(k)
		}
	}
}

// copyFrom makes r a copy of o, between two passes.
func (r *roster[R]) copyFrom(o *roster[R]) {
	clear(r.rows[min(len(r.rows), len(o.rows)):])
	r.entities, r.rows = append(r.entities[:0], o.entities...), append(r.rows[:0], o.rows...)
	r.index = append(r.index[:0], o.index...)
	r.gone = r.gone[:0]
}
