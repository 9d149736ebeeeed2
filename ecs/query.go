package physecs

import (
	"cmp"
	"iter"
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Every function here asks the world's Space, which holds the world as it was at the last Sync: see the package comment
// on freshness and queries.
//
// All panic if the world has no Space, which is to say that it was neither initialised by a system nor synced.

// Hit is where a ray meets an entity; its numbers are in world space.
type Hit struct {
	geom.Hit
	Entity ecs.Entity
	Child  int32  // index of the part of a compound that was hit; −1 for every other shape
	User   uint64 // of the Collider
}

// CastRay returns the closest hit of a world-space ray. Of hits at the same T the one with the lowest collider of the Space
// comes first, which mostly is the entity that was added first, and of one mesh the lowest triangle. All queries agree on
// it. A ray that is zero, NaN or infinite misses.
//
// Panics if the world has no [Space]. See also [CastRayAny], [CastRayAll] and [Hits].
func CastRay(w *ecs.World, r geom.Ray, f Filter) (Hit, bool) {
	return spaceOf(w, "CastRay").castRay(r, &f)
}

func (s *Space) castRay(r geom.Ray, f *Filter) (Hit, bool) {
	hit, ok := s.physics.CastRay(r, f.physics(sight{s, f}.sees))
	if !ok {
		return Hit{}, false
	}
	return s.hit(hit), true
}

// CastRayAny reports whether a world-space ray hits anything. It stops at the first hit it comes upon, so it is the
// cheapest question, as for a line of sight. Panics if the world has no [Space].
func CastRayAny(w *ecs.World, r geom.Ray, f Filter) bool {
	s := spaceOf(w, "CastRayAny")
	return s.physics.CastRayAny(r, f.physics(sight{s, &f}.sees))
}

// CastRayAll appends all hits of a world-space ray to dst, in the order of [CastRay], and returns the longer slice. A solid
// counts once, a mesh with every triangle. Panics if the world has no [Space].
func CastRayAll(w *ecs.World, dst []Hit, r geom.Ray, f Filter) []Hit {
	s := spaceOf(w, "CastRayAll")
	l := s.lists.take()
	l.hits = s.physics.CastRayAll(l.hits, r, f.physics(sight{s, &f}.sees))
	for _, h := range l.hits {
		dst = append(dst, s.hit(h))
	}
	s.lists.give(l)
	return dst
}

// Hits returns the hits of a world-space ray front to back, in the order of [CastRay]. What is not asked for is not
// looked for: leaving the loop early is free. Neither the world nor the Space may be changed within the loop. The
// sequence asks the Space anew each time it is ranged over. Panics, when ranged over, if the world has no [Space].
func Hits(w *ecs.World, r geom.Ray, f Filter) iter.Seq[Hit] {
	return func(yield func(Hit) bool) { hits(w, r, f, yield) } // short, to be inlined: then it allocates nothing
}

func hits(w *ecs.World, r geom.Ray, f Filter, yield func(Hit) bool) {
	s := spaceOf(w, "Hits")
	for h := range s.physics.Hits(r, f.physics(sight{s, &f}.sees)) {
		if !yield(s.hit(h)) {
			return
		}
	}
}

// OverlapAABB appends the entities that touch a world-space box to dst, each once, by rising entity ID, and returns the
// longer slice. Touching counts. An empty, NaN or infinite box touches nothing. Panics if the world has no [Space].
func OverlapAABB(w *ecs.World, dst []ecs.Entity, b geom.AABB, f Filter) []ecs.Entity {
	s := spaceOf(w, "OverlapAABB")
	l := s.lists.take()
	l.ids = s.physics.OverlapAABB(l.ids, b, f.physics(sight{s, &f}.sees))
	return s.entities(dst, l)
}

// OverlapBox appends the entities that touch a turned world-space box to dst. See [OverlapAABB].
func OverlapBox(w *ecs.World, dst []ecs.Entity, b geom.Box, f Filter) []ecs.Entity {
	s := spaceOf(w, "OverlapBox")
	l := s.lists.take()
	l.ids = s.physics.OverlapBox(l.ids, b, f.physics(sight{s, &f}.sees))
	return s.entities(dst, l)
}

// OverlapSphere appends the entities that touch a world-space sphere to dst. See [OverlapAABB].
func OverlapSphere(w *ecs.World, dst []ecs.Entity, b geom.Sphere, f Filter) []ecs.Entity {
	s := spaceOf(w, "OverlapSphere")
	l := s.lists.take()
	l.ids = s.physics.OverlapSphere(l.ids, b, f.physics(sight{s, &f}.sees))
	return s.entities(dst, l)
}

// OverlapPoint appends the entities that contain a world-space point to dst. A mesh or a plane has no inside and contains
// only the points of its surface. See [OverlapAABB].
func OverlapPoint(w *ecs.World, dst []ecs.Entity, p geom.Vec3, f Filter) []ecs.Entity {
	s := spaceOf(w, "OverlapPoint")
	l := s.lists.take()
	l.ids = s.physics.OverlapPoint(l.ids, p, f.physics(sight{s, &f}.sees))
	return s.entities(dst, l)
}

// Nearest is the point of an entity that is closest to another point; world space.
type Nearest struct {
	Entity   ecs.Entity
	Child    int32     // index of the part of a compound; −1 for every other shape
	Triangle int32     // of a mesh; −1 for every other shape
	User     uint64    // of the Collider
	Point    geom.Vec3 // on or in the collider; the point asked about itself if it is inside a solid
	Distance float32   // in metres, 0 inside a solid
}

// ClosestPoint returns the point closest to p on any entity no further away than maxDistance, in metres, and false if there
// is none. Panics if the world has no [Space].
func ClosestPoint(w *ecs.World, p geom.Vec3, maxDistance float32, f Filter) (Nearest, bool) {
	s := spaceOf(w, "ClosestPoint")
	n, ok := s.physics.ClosestPoint(p, maxDistance, f.physics(sight{s, &f}.sees))
	if !ok {
		return Nearest{}, false
	}
	r := s.rowOf(n.Collider)
	return Nearest{
		Entity: r.entity, Child: n.Child, Triangle: n.Triangle, User: r.collider.User,
		Point: n.Point, Distance: n.Distance,
	}, true
}

func (s *Space) hit(h physics.Hit) Hit {
	r := &s.rows[s.find(uint32(h.User))]
	return Hit{Hit: h.Hit, Entity: r.entity, Child: h.Child, User: r.collider.User}
}

// entities appends the entities of a list and gives it back. They go by rising ID, since the order of colliders depends
// on what came and went before.
func (s *Space) entities(dst []ecs.Entity, l *lists) []ecs.Entity {
	n := len(dst)
	for _, id := range l.ids {
		dst = append(dst, s.rowOf(id).entity)
	}
	s.lists.give(l)
	slices.SortFunc(dst[n:], func(a, b ecs.Entity) int { return cmp.Compare(a.ID(), b.ID()) })
	return dst
}
