package physecs

import (
	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Movable is the component of an entity that a [SeparateSystem] pushes out of others that it
// overlaps. Entities with a [Collider] and without a Movable stand in the way. The zero Movable
// will do.
type Movable struct {
	Weight  float32 // of two, the one of twice the weight moves half as far; 0: 1; +Inf, negative or NaN: it stands in the way
	MaxPush float32 // metres it may be pushed in an update; 0: about as far as it is thick; negative or NaN: it stands in the way
}

// SeparateSystem pushes entities with a [Movable] apart, and out of all others, as
// [physics.Separator] does: a crowd of things that move by themselves, or what was dropped into one
// place. It writes the position of their [Transform], or [WorldPosition] where there is one, and
// moves their colliders, so that queries see them there at once. What rests is not written.
//
// Let it run after [SyncSystem]: it goes by where things were then. Along Up it pushes nobody, so
// what is pushed against a slope gets into that; a [MoverSystem] that runs after it takes entities
// with a [Mover] out again. An entity that follows a [Parent] is not pushed and stands in the way,
// but for what carries it; children of what is pushed follow at the next [Sync].
type SeparateSystem struct {
	// Iterations is how often it looks anew who overlaps whom. 0 means [physics.DefaultIterations].
	Iterations int
	// Slop is how deep, in metres, two may be in each other and be left alone. 0 means
	// [physics.DefaultSlop].
	Slop float32
	// Up, unless zero, is the normal of the plane in which entities are pushed: (0, 1, 0) for a
	// crowd on the ground.
	Up geom.Vec3

	separator physics.Separator
	filter    ecs.Mask
	pushed    []pushed
	list      []physics.Movable
	space     *Space
	carries   func(movable, other physics.ColliderID) bool
}

// pushed is where the components of what may be pushed are in this update.
type pushed struct {
	entity    ecs.Entity
	transform *Transform
	position  *WorldPosition // nil without
}

// Initialize adds [Space] and [Meshes] unless the world has them, and registers the components.
// Panics in a locked world.
func (s *SeparateSystem) Initialize(w *ecs.World) { initialize(w) }

// Update pushes. It allocates nothing once it has seen as many, and may be called in a locked
// world.
func (s *SeparateSystem) Update(w *ecs.World) {
	space := initialize(w)
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
	for i := range s.list {
		if push := s.list[i].Push; push != (geom.Vec3{}) {
			s.pushed[i].push(space, push)
		}
	}
	space.physics.Update()
	clear(s.pushed)
}

// Finalize does nothing.
func (s *SeparateSystem) Finalize(*ecs.World) {}

// gather lists what may be pushed.
func (s *SeparateSystem) gather(w *ecs.World, space *Space) {
	ids := &space.ids
	s.pushed, s.list = s.pushed[:0], s.list[:0]
	s.filter = ecs.All(ids.movable, ids.transform, ids.collider)
	query := w.Query(&s.filter)
	for query.Next() {
		e := query.Entity()
		r := space.rowOfEntity(e)
		if r == nil || r.id == 0 {
			continue
		}
		if query.Has(ids.local) && query.Has(ids.parent) && !(*Parent)(query.Get(ids.parent)).Entity.IsZero() {
			continue
		}
		m := (*Movable)(query.Get(ids.movable))
		s.list = append(s.list, physics.Movable{Collider: r.id, Weight: m.Weight, MaxPush: m.MaxPush})
		p := pushed{entity: e, transform: (*Transform)(query.Get(ids.transform))}
		if query.Has(ids.position) {
			p.position = (*WorldPosition)(query.Get(ids.position))
		}
		s.pushed = append(s.pushed, p)
	}
}

// isCarried reports whether the other collider is of an entity that has the movable's for an
// ancestor.
func (s *SeparateSystem) isCarried(movable, other physics.ColliderID) bool {
	e := s.space.owner(other)
	return s.space.has(e) && s.space.isWithin(e, s.space.owner(movable))
}

// push moves an entity and its collider.
func (p *pushed) push(space *Space, by geom.Vec3) {
	t := p.transform
	if p.position != nil {
		*p.position = WorldPosition(geom.DVec3(*p.position).Add(by.Wide()))
		t.Position = geom.DVec3(*p.position).Sub(space.physics.Origin()).Narrow()
	} else {
		t.Position = t.Position.Add(by)
	}
	r := space.rowOfEntity(p.entity)
	r.transform = *t
	space.physics.SetTransform(r.id, *t)
	space.setFault(r, space.numbers(r.id))
}
