package physecs

import (
	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Movable is the component of an entity that a [SeparateSystem] pushes out of others that it
// overlaps. Entities with a [Collider] and without a Movable are obstacles. The zero Movable is
// ready to use.
type Movable struct {
	// Weight divides a push between two entities: one of twice the weight moves half as far. 0
	// means 1; with +Inf, a negative weight or NaN the entity is an obstacle.
	Weight float32
	// MaxPush is the longest push in an update, in metres. 0 means about the thickness of the
	// shape; with a negative number or NaN the entity is an obstacle.
	MaxPush float32
}

// SeparateSystem pushes entities with a [Movable] apart, and out of obstacles, as
// [physics.Separator] does: a crowd, or objects dropped into one place. It writes the position of
// their [Transform], or [WorldPosition] if they have one, and moves their colliders, so that
// queries see them there at once. It writes nothing for entities at rest.
//
// Run it after [SyncSystem]: it uses the positions of the last [Sync]. It does not push along Up,
// so entities may be pushed into a slope; a [MoverSystem] after it moves those with a [Mover] out
// again. An entity that follows a [Parent] is not pushed and is an obstacle, except for its
// ancestors; descendants of a pushed entity follow at the next Sync. One with a [Body] is left to
// [DynamicsSystem], and is an obstacle too.
type SeparateSystem struct {
	// Iterations is how often it searches for overlaps. 0 means [physics.DefaultIterations].
	Iterations int
	// Slop is the penetration depth, in metres, that is left alone. 0 means [physics.DefaultSlop].
	Slop float32
	// Up, unless zero, is the normal of the plane in which entities are pushed: (0, 1, 0) for a
	// crowd on the ground.
	Up geom.Vec3

	separator physics.Separator
	filter    componentFilter
	pushed    []pushed
	list      []physics.Movable
	moved     []physics.ColliderID // those that were pushed
	places    []Transform          // of these
	space     *Space
	carries   func(movable, other physics.ColliderID) bool
}

// pushed has the components of a Movable, valid for one update.
type pushed struct {
	entity    ecs.Entity
	transform *Transform
	position  *WorldPosition // nil if it has none
}

// Initialize adds [Space] and [Meshes] unless the world has them, and registers the components.
// Panics in a locked world.
func (s *SeparateSystem) Initialize(w *ecs.World) { initialize(w) }

// Update pushes the entities. It allocates nothing once the buffers have grown to their number, and
// may be called in a locked world.
func (s *SeparateSystem) Update(w *ecs.World) {
	space := initialize(w)
	space.updates(s, "SeparateSystem", 0, nil)
	s.gather(w, space)
	p := &s.separator
	p.Iterations, p.Slop, p.Up, p.Ignores = s.Iterations, s.Slop, s.Up, nil
	if space.stats.Children > 0 {
		if s.carries == nil {
			s.carries = s.isCarried
		}
		p.Ignores = s.carries
	}
	s.space = space
	p.Separate(space.physics, s.list)
	s.space = nil
	s.push(space)
	clear(s.pushed)
}

// Finalize does nothing.
func (s *SeparateSystem) Finalize(*ecs.World) {}

// gather lists the entities that can be pushed.
func (s *SeparateSystem) gather(w *ecs.World, space *Space) {
	ids := &space.ids
	s.pushed, s.list = s.pushed[:0], s.list[:0]
	query := s.filter.query(w, ids.movable.id, ids.transform.id, ids.collider.id)
	for query.Next() {
		e := query.Entity()
		r := space.rowOfEntity(e)
		if r == nil || r.id == 0 || ids.body.in(&query) {
			continue
		}
		if ids.local.in(&query) && ids.parent.in(&query) && !ids.parent.at(&query).Entity.IsZero() {
			continue
		}
		m := ids.movable.at(&query)
		s.list = append(s.list, physics.Movable{Collider: r.id, Weight: m.Weight, MaxPush: m.MaxPush})
		p := pushed{entity: e, transform: ids.transform.at(&query)}
		p.position = ids.position.maybe(&query)
		s.pushed = append(s.pushed, p)
	}
}

// isCarried reports whether the entity of a collider is a descendant of the movable's.
func (s *SeparateSystem) isCarried(movable, other physics.ColliderID) bool {
	e := s.space.owner(other)
	return s.space.has(e) && s.space.isWithin(e, s.space.owner(movable))
}

// push moves the entities and their colliders.
func (s *SeparateSystem) push(space *Space) {
	s.moved, s.places = s.moved[:0], s.places[:0]
	bounded := true
	for i := range s.list {
		by := s.list[i].Push
		if by == (geom.Vec3{}) {
			continue
		}
		p := &s.pushed[i]
		t := p.transform
		if p.position != nil {
			*p.position = WorldPosition(geom.DVec3(*p.position).Add(by.Wide()))
			t.Position = geom.DVec3(*p.position).Sub(space.physics.Origin()).Narrow()
		} else {
			t.Position = t.Position.Add(by)
		}
		r := space.rowOfEntity(p.entity)
		r.transform, bounded = *t, bounded && r.bounded && isBoundedTransform(t)
		s.moved, s.places = append(s.moved, s.list[i].Collider), append(s.places, *t)
	}
	space.physics.SetTransforms(s.moved, s.places)
	for i := range s.list {
		if !bounded && s.list[i].Push != (geom.Vec3{}) {
			r := space.rowOfEntity(s.pushed[i].entity)
			space.setFault(r, space.numbers(r.id))
		}
	}
	space.physics.Update()
}
