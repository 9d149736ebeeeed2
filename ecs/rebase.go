package physecs

import (
	"math"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// WorldPosition is the component that holds the position of an entity in a large world: metres in
// fixed coordinates, in double precision, which resolves micrometres at 100 km. [Sync] and
// [TransformSystem] write the position of the [Transform] from it: WorldPosition −
// [Queries.Origin], rounded once. Games change the WorldPosition, and rotation and scale in the
// Transform. The WorldPosition of an entity that follows a [Parent] is not used.
type WorldPosition geom.DVec3

// Rebase moves the origin of the coordinates to a point of the large world, in metres, and gives
// every entity the [Transform] that it has in the new coordinates. Near the origin coordinates are
// small, and single precision resolves fractions of a millimetre: a world of 100 km is as precise
// around the camera as one of 100 m.
//
// An entity with a [WorldPosition] gets its position from that, rounded once. One that follows a
// [Parent] follows. Any other is moved by the difference of the origins, from the position that the
// game last gave it and the origin at that time: rounding errors do not add up from one Rebase to
// the next. A position that was set far from the origin keeps the precision of single precision
// there, 4 mm at 50 km.
//
// Queries give the same answers as before, in the new coordinates; the next [Sync] only copies what
// rounds differently. The game must move the rays, points and cameras that it holds by the old
// origin − the new. A loaded world has Transforms in the coordinates of the origin at which it was
// saved: rebase the empty world to that origin first.
//
// It may be called in a locked world if [Sync] may, and costs about as much as moving every
// collider. Panics if origin is NaN or infinite.
func Rebase(w *ecs.World, origin geom.DVec3) {
	if sum := origin.X + origin.Y + origin.Z; sum-sum != 0 {
		panic("physecs: Rebase: the origin is NaN or infinite")
	}
	s := resourceOr(w, NewSpace)
	s.bind(w)
	old := s.physics.Origin()
	if origin == old {
		return
	}
	if s.bodies != nil {
		s.bodies.beginRebase(w)
	}
	s.physics.Rebase(origin)
	for i := range s.rows {
		if s.rows[i].role == ground {
			s.rebased(&s.rows[i])
		}
	}
	query := s.transformed.query(w, s.ids.transform.id)
	for query.Next() {
		e := query.Entity()
		t := s.ids.transform.at(&query)
		before := *t
		t.Position = s.anchor(e).move(e, t.Position, old, origin)
		if r := s.rowOfEntity(e); r != nil && r.id == 0 && sameTransform(&before, &r.transform) {
			r.transform = *t
		}
	}
	s.transforms(w)
	if s.bodies != nil {
		s.bodies.endRebase(w, old.Sub(origin))
	}
}

// rebased copies the position in the physics space to a row.
func (s *Space) rebased(r *row) {
	if c, ok := s.physics.Collider(r.id); ok {
		r.transform.Position = c.Transform.Position
		if r.fault != FaultNone || !r.bounded || !isBoundedTransform(&r.transform) {
			s.setFault(r, s.numbers(r.id))
		}
	}
}

// anchor is the position that the game gave an entity, and the one that rebasing made of it.
type anchor struct {
	entity ecs.Entity
	now    geom.Vec3
	given  geom.Vec3
	since  geom.DVec3 // the origin when the game gave the position
}

func (s *Space) anchor(e ecs.Entity) *anchor {
	id := int(e.ID())
	if id >= len(s.anchors) {
		s.anchors = append(s.anchors, make([]anchor, id+1-len(s.anchors))...)
	}
	return &s.anchors[id]
}

// move returns the position of an entity from a new origin. It computes as physics.Space.Rebase
// does.
func (a *anchor) move(e ecs.Entity, at geom.Vec3, from, to geom.DVec3) geom.Vec3 {
	if a.entity != e || !samePoint(a.now, at) {
		a.entity, a.given, a.since = e, at, from
	}
	a.now = a.given.Wide().Add(a.since.Sub(to)).Narrow()
	return a.now
}

func samePoint(a, b geom.Vec3) bool {
	return (math.Float32bits(a.X)^math.Float32bits(b.X))|(math.Float32bits(a.Y)^math.Float32bits(b.Y))|
		(math.Float32bits(a.Z)^math.Float32bits(b.Z)) == 0
}

// putPositions writes the positions of all Transforms with a WorldPosition.
func (s *Space) putPositions(w *ecs.World) {
	origin := s.physics.Origin()
	query := s.positioned.query(w, s.ids.transform.id, s.ids.position.id)
	for query.Next() {
		t := s.ids.transform.at(&query)
		p := geom.DVec3(*s.ids.position.at(&query)).Sub(origin).Narrow()
		if !samePoint(p, t.Position) {
			t.Position = p
		}
	}
}

// TransformSystem writes the Transforms that are made from a [WorldPosition] or from [Parent] and
// [LocalTransform]. [Sync] does so too: the system is for games that need these Transforms earlier
// in a tick.
type TransformSystem struct{}

// Initialize adds [Space] unless the world has one, and registers the components. Panics in a
// locked world.
func (s *TransformSystem) Initialize(w *ecs.World) { initialize(w) }

// Update writes the Transforms.
func (s *TransformSystem) Update(w *ecs.World) { initialize(w).transforms(w) }

// Finalize does nothing.
func (s *TransformSystem) Finalize(*ecs.World) {}

// DefaultRebaseDistance is the default Distance of a [RebaseSystem], in metres. Single precision
// resolves 0.06 mm there.
const DefaultRebaseDistance = 1000

// RebaseSystem keeps the origin near an entity, such as the one with the camera: it calls [Rebase]
// when the entity is too far away. Run it after the systems that move entities and before
// [SyncSystem].
type RebaseSystem struct {
	// Target is the entity to keep near, by its [WorldPosition], or its [Transform] if it has none.
	// If it has neither, or is dead, nothing happens.
	Target ecs.Entity
	// Position, unless nil, replaces Target: it returns a position in the present coordinates, or
	// false for nothing to happen.
	Position func(w *ecs.World) (geom.Vec3, bool)
	// Distance is the distance, in metres along any axis, beyond which the target is too far away.
	// 0 means [DefaultRebaseDistance].
	Distance float64
	// Rebased, unless nil, is called after a Rebase, for coordinates outside of components: a
	// camera or particles move by from − to.
	Rebased func(w *ecs.World, from, to geom.DVec3)
}

// Initialize adds [Space] unless the world has one, and registers the components. Panics in a
// locked world.
func (s *RebaseSystem) Initialize(w *ecs.World) { initialize(w) }

// Update rebases to the target if it is too far away. The new origin is rounded to whole metres,
// which keeps differences exact.
func (s *RebaseSystem) Update(w *ecs.World) {
	space := initialize(w)
	if s.Position != nil || !s.Target.IsZero() {
		space.updates(s, "RebaseSystem", 0, nil)
	}
	p, ok := s.position(w, space)
	distance := s.Distance
	if distance == 0 {
		distance = DefaultRebaseDistance
	}
	if far := max(math.Abs(p.X), math.Abs(p.Y), math.Abs(p.Z)); !ok || !(far > distance) || math.IsInf(far, 0) {
		return
	}
	from := space.physics.Origin()
	to := from.Add(p)
	to = geom.DVec3{X: math.Round(to.X), Y: math.Round(to.Y), Z: math.Round(to.Z)}
	Rebase(w, to)
	if s.Rebased != nil {
		s.Rebased(w, from, to)
	}
}

// position returns the position of the target from the present origin.
func (s *RebaseSystem) position(w *ecs.World, space *Space) (geom.DVec3, bool) {
	if s.Position != nil {
		p, ok := s.Position(w)
		return p.Wide(), ok
	}
	if s.Target.IsZero() || !alive(w, s.Target) {
		return geom.DVec3{}, false
	}
	if p := space.ids.position.of(w, s.Target); p != nil {
		return geom.DVec3(*p).Sub(space.physics.Origin()), true
	}
	if t := space.ids.transform.of(w, s.Target); t != nil {
		return t.Position.Wide(), true
	}
	return geom.DVec3{}, false
}

// Finalize does nothing.
func (s *RebaseSystem) Finalize(*ecs.World) {}
