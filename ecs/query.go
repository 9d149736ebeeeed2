package physecs

import (
	"cmp"
	"iter"
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Every function here asks the world's Space, which holds the world as it was at the last Sync: see
// the package comment on freshness and queries.
//
// All panic if the world has no Space, which is to say that it was neither initialised by a system
// nor synced.

// Hit is where a ray meets an entity; its numbers are in world space.
type Hit struct {
	geom.Hit
	Entity ecs.Entity
	Child  int32  // index of the part of a compound that was hit; −1 for every other shape
	User   uint64 // of the Collider
}

// CastRay returns the closest hit of a world-space ray. Of hits at the same T the one with the
// lowest collider of the Space comes first, which mostly is the entity that was added first, and of
// one mesh the lowest triangle. All queries agree on it. A ray that is zero, NaN or infinite
// misses.
//
// Panics if the world has no [Space]. See also [CastRayAny], [CastRayAll] and [Hits].
func CastRay(w *ecs.World, r geom.Ray, f Filter) (Hit, bool) {
	return sight{spaceOf(w, "CastRay"), &f}.castRay(r)
}

func (v sight) castRay(r geom.Ray) (Hit, bool) {
	if v.filter.isPlain() {
		h, ok := v.physics.CastRay(r, v.filter.physics(nil))
		if !ok {
			return Hit{}, false
		}
		if e := v.owner(h.Collider); v.has(e) {
			return hitOf(&h, e), true
		}
	}
	h, ok := v.physics.CastRay(r, v.filter.physics(v.sees))
	if !ok {
		return Hit{}, false
	}
	return hitOf(&h, v.owner(h.Collider)), true
}

// CastRayAny reports whether a world-space ray hits anything. It stops at the first hit it comes
// upon, so it is the cheapest question, as for a line of sight. Panics if the world has no [Space].
func CastRayAny(w *ecs.World, r geom.Ray, f Filter) bool {
	return sight{spaceOf(w, "CastRayAny"), &f}.castRayAny(r)
}

func (v sight) castRayAny(r geom.Ray) bool { return v.physics.CastRayAny(r, v.filter.physics(v.sees)) }

// CastRayAll appends all hits of a world-space ray to dst, in the order of [CastRay], and returns
// the longer slice. A solid counts once, a mesh with every triangle. Panics if the world has no
// [Space].
func CastRayAll(w *ecs.World, dst []Hit, r geom.Ray, f Filter) []Hit {
	return sight{spaceOf(w, "CastRayAll"), &f}.castRayAll(dst, r)
}

func (v sight) castRayAll(dst []Hit, r geom.Ray) []Hit {
	l := v.lists.take()
	l.hits = v.physics.CastRayAll(l.hits, r, v.filter.physics(v.sees))
	dst = slices.Grow(dst, len(l.hits))
	for i := range l.hits {
		dst = append(dst, hitOf(&l.hits[i], v.owner(l.hits[i].Collider)))
	}
	v.lists.give(l)
	return dst
}

// Hits returns the hits of a world-space ray front to back, in the order of [CastRay]. What is not
// asked for is not looked for: leaving the loop early is free. Neither the world nor the Space may
// be changed within the loop. The sequence asks the Space anew each time it is ranged over. Panics,
// when ranged over, if the world has no [Space].
func Hits(w *ecs.World, r geom.Ray, f Filter) iter.Seq[Hit] {
	return func(yield func(Hit) bool) { hits(w, r, f, yield) } // short, to be inlined: then it allocates nothing
}

func hits(w *ecs.World, r geom.Ray, f Filter, yield func(Hit) bool) {
	sight{spaceOf(w, "Hits"), &f}.hits(r, yield)
}

func (v sight) hits(r geom.Ray, yield func(Hit) bool) {
	for h := range v.physics.Hits(r, v.filter.physics(v.sees)) {
		if !yield(hitOf(&h, v.owner(h.Collider))) {
			return
		}
	}
}

func hitOf(h *physics.Hit, e ecs.Entity) Hit {
	return Hit{Hit: h.Hit, Entity: e, Child: h.Child, User: h.User}
}

// OverlapAABB appends the entities that touch a world-space box to dst, each once, by rising entity
// ID, and returns the longer slice. Touching counts. An empty, NaN or infinite box touches nothing.
// Panics if the world has no [Space].
func OverlapAABB(w *ecs.World, dst []ecs.Entity, b geom.AABB, f Filter) []ecs.Entity {
	return sight{spaceOf(w, "OverlapAABB"), &f}.overlapAABB(dst, b)
}

func (v sight) overlapAABB(dst []ecs.Entity, b geom.AABB) []ecs.Entity {
	l := v.lists.take()
	l.ids = v.physics.OverlapAABB(l.ids, b, v.filter.physics(nil))
	return v.entities(dst, l)
}

// OverlapBox appends the entities that touch a turned world-space box to dst. See [OverlapAABB].
func OverlapBox(w *ecs.World, dst []ecs.Entity, b geom.Box, f Filter) []ecs.Entity {
	return sight{spaceOf(w, "OverlapBox"), &f}.overlapBox(dst, b)
}

func (v sight) overlapBox(dst []ecs.Entity, b geom.Box) []ecs.Entity {
	l := v.lists.take()
	l.ids = v.physics.OverlapBox(l.ids, b, v.filter.physics(nil))
	return v.entities(dst, l)
}

// OverlapSphere appends the entities that touch a world-space sphere to dst. See [OverlapAABB].
func OverlapSphere(w *ecs.World, dst []ecs.Entity, b geom.Sphere, f Filter) []ecs.Entity {
	return sight{spaceOf(w, "OverlapSphere"), &f}.overlapSphere(dst, b)
}

func (v sight) overlapSphere(dst []ecs.Entity, b geom.Sphere) []ecs.Entity {
	l := v.lists.take()
	l.ids = v.physics.OverlapSphere(l.ids, b, v.filter.physics(nil))
	return v.entities(dst, l)
}

// OverlapPoint appends the entities that contain a world-space point to dst. A mesh or a plane has
// no inside and contains only the points of its surface. See [OverlapAABB].
func OverlapPoint(w *ecs.World, dst []ecs.Entity, p geom.Vec3, f Filter) []ecs.Entity {
	return sight{spaceOf(w, "OverlapPoint"), &f}.overlapPoint(dst, p)
}

func (v sight) overlapPoint(dst []ecs.Entity, p geom.Vec3) []ecs.Entity {
	l := v.lists.take()
	l.ids = v.physics.OverlapPoint(l.ids, p, v.filter.physics(nil))
	return v.entities(dst, l)
}

// entities appends those entities of a list that are seen and gives it back. They go by rising ID,
// since the order of colliders depends on what came and went before.
func (v sight) entities(dst []ecs.Entity, l *lists) []ecs.Entity {
	n := len(dst)
	for _, id := range l.ids {
		if e := v.owner(id); v.seesEntity(e) {
			dst = append(dst, e)
		}
	}
	v.lists.give(l)
	slices.SortFunc(dst[n:], func(a, b ecs.Entity) int { return cmp.Compare(a.ID(), b.ID()) })
	return dst
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

// ClosestPoint returns the point closest to p on any entity no further away than maxDistance, in
// metres, and false if there is none. Panics if the world has no [Space].
func ClosestPoint(w *ecs.World, p geom.Vec3, maxDistance float32, f Filter) (Nearest, bool) {
	return sight{spaceOf(w, "ClosestPoint"), &f}.closestPoint(p, maxDistance)
}

func (v sight) closestPoint(p geom.Vec3, maxDistance float32) (Nearest, bool) {
	if v.filter.isPlain() {
		n, ok := v.physics.Nearest(p, maxDistance, v.filter.physics(nil))
		if !ok {
			return Nearest{}, false
		}
		if e := v.owner(n.Collider); v.has(e) {
			return nearestOf(&n, e), true
		}
	}
	n, ok := v.physics.Nearest(p, maxDistance, v.filter.physics(v.sees))
	if !ok {
		return Nearest{}, false
	}
	return nearestOf(&n, v.owner(n.Collider)), true
}

func nearestOf(n *physics.Nearest, e ecs.Entity) Nearest {
	return Nearest{
		Entity: e, Child: n.ChildA, Triangle: n.TriangleA, User: n.User, Point: n.PointA, Distance: n.Distance,
	}
}
