package physecs

import (
	"iter"
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Queries has every query about entities. [Space] and [Snapshot] embed it, so that both answer the
// same questions: a Space about its world, a Snapshot about one moment of it. [Querier] is the
// interface of these methods.
//
// A query sees the world as it was at the last [Sync] (a Snapshot: at the Sync before it was
// taken). A Space leaves out entities that have died since, or have lost their [Collider] or
// [Transform]. A Snapshot does not read the world: it reports them, and panics if With or Without
// of a [Filter] is set. All positions, rays and shapes are in world space and metres.
//
// Queries may be called in a locked world, and from many goroutines at once while none of them
// changes the world. They allocate nothing except what a slice to append to lacks. Methods that
// append return the longer slice.
//
// The zero Queries is of no use.
type Queries struct {
	physics *physics.Space
	// owners has the entity of a collider, by the low half of its ColliderID, which is its place in
	// the physics space; the zero entity for colliders that the game itself has added.
	owners []ecs.Entity
	// colliders has the collider of an entity, by the ID of the entity; 0 if it has none.
	colliders []physics.ColliderID
	shared    bool       // a Snapshot uses owners and colliders: copy them before a change
	world     *ecs.World // nil in a Snapshot
	ids       ids
	scratches *scratchPool
}

// Querier is what [Space] and [Snapshot] have in common: see [Queries]. Game code that takes a
// Querier runs on the world and, in another goroutine, on a snapshot of it. Called through the
// interface, Hits allocates its sequence.
type Querier interface {
	CastRay(r geom.Ray, f Filter) (Hit, bool)
	CastRayAny(r geom.Ray, f Filter) bool
	CastRayAll(dst []Hit, r geom.Ray, f Filter) []Hit
	Hits(r geom.Ray, f Filter) iter.Seq[Hit]
	Crossings(dst []Crossing, r geom.Ray, f Filter) []Crossing
	CastRays(dst []Hit, rays []geom.Ray, f Filter) []Hit
	CastRaysAny(dst []bool, rays []geom.Ray, f Filter) []bool

	CastShape(c physics.ShapeCast, f Filter) (ShapeHit, bool)
	CastShapeAny(c physics.ShapeCast, f Filter) bool
	CastShapeAll(dst []ShapeHit, c physics.ShapeCast, f Filter) []ShapeHit
	CastShapes(dst []ShapeHit, casts []physics.ShapeCast, f Filter) []ShapeHit
	CastShapesEach(dst []ShapeHit, casts []physics.ShapeCast, filters []Filter) []ShapeHit
	CastShapesAny(dst []bool, casts []physics.ShapeCast, f Filter) []bool
	CastSwing(c physics.Swing, f Filter) (ShapeHit, bool)

	OverlapAABB(dst []ecs.Entity, b geom.AABB, f Filter) []ecs.Entity
	OverlapBox(dst []ecs.Entity, b geom.Box, f Filter) []ecs.Entity
	OverlapSphere(dst []ecs.Entity, b geom.Sphere, f Filter) []ecs.Entity
	OverlapPoint(dst []ecs.Entity, p geom.Vec3, f Filter) []ecs.Entity
	OverlapShape(dst []ecs.Entity, p physics.Placed, f Filter) []ecs.Entity
	OverlapFrustum(dst []ecs.Entity, frustum *geom.Frustum, f Filter) []ecs.Entity
	ContainedInFrustum(dst []ecs.Entity, frustum *geom.Frustum, f Filter) []ecs.Entity
	OverlapsFrustum(e ecs.Entity, frustum *geom.Frustum) bool

	Nearest(p geom.Vec3, maxDistance float32, f Filter) (Nearest, bool)
	NearestK(dst []Nearest, p geom.Vec3, k int, maxDistance float32, f Filter) []Nearest
	NearestToShape(p physics.Placed, maxDistance float32, f Filter) (Nearest, bool)
	CollideShape(dst []ShapeManifold, p physics.Placed, margin float32, f Filter) []ShapeManifold

	Explain(r geom.Ray, f Filter) Explanation

	Bounds(e ecs.Entity) (geom.AABB, bool)
	Collider(e ecs.Entity) (physics.ColliderID, bool)
	Entity(id physics.ColliderID) (ecs.Entity, bool)
	Origin() geom.DVec3
	Physics() *physics.Space
}

var (
	_ Querier = (*Space)(nil)
	_ Querier = (*Snapshot)(nil)
)

// Physics returns the physics space that holds the colliders, for what this package does not wrap,
// such as the nodes of its tree. No query of this package reports colliders that the caller adds to
// it. Those of entities must not be changed or removed; that of a [Snapshot] must not be changed at
// all.
func (q *Queries) Physics() *physics.Space { return q.physics }

// Origin returns the place of the coordinates' zero in the fixed coordinates of a large world, in
// metres: the zero vector until the first [Rebase], and again after World.Reset.
func (q *Queries) Origin() geom.DVec3 { return q.physics.Origin() }

// Collider returns the collider of an entity in the physics space, and false if it has none: the
// entity has no [Collider] or [Transform], its shape is unknown, or it came after the last [Sync].
func (q *Queries) Collider(e ecs.Entity) (physics.ColliderID, bool) {
	if i := int(e.ID()); i < len(q.colliders) {
		if id := q.colliders[i]; id != 0 && q.owner(id) == e {
			return id, true
		}
	}
	return 0, false
}

// Entity returns the entity of a collider of the physics space, and false if it has none.
func (q *Queries) Entity(id physics.ColliderID) (ecs.Entity, bool) {
	e := q.owner(id)
	if of, ok := q.Collider(e); !ok || of != id {
		return ecs.Entity{}, false
	}
	return e, true
}

// Bounds returns the box around an entity's collider, in world space, and false if it has none or
// is nowhere: see [physics.Space.Bounds].
func (q *Queries) Bounds(e ecs.Entity) (geom.AABB, bool) {
	id, ok := q.Collider(e)
	if !ok || q.physics.IsNowhere(id) {
		return geom.AABB{}, false
	}
	return q.physics.Bounds(id)
}

// owner returns the entity of a collider, the zero entity if it has none. A collider that is no
// longer there may have the owner of the one that took its place.
func (q *Queries) owner(id physics.ColliderID) ecs.Entity {
	if i := uint32(id); id != 0 && int(i) < len(q.owners) {
		return q.owners[i]
	}
	return ecs.Entity{}
}

// link records that a collider is that of an entity.
func (q *Queries) link(id physics.ColliderID, e ecs.Entity) {
	q.unshare()
	q.owners = setAt(q.owners, int(uint32(id)), e)
	q.colliders = setAt(q.colliders, int(e.ID()), id)
}

// unlink removes what link recorded.
func (q *Queries) unlink(id physics.ColliderID, e ecs.Entity) {
	q.unshare()
	q.owners[uint32(id)], q.colliders[e.ID()] = ecs.Entity{}, 0
}

func (q *Queries) unshare() {
	if q.shared {
		q.owners, q.colliders, q.shared = slices.Clone(q.owners), slices.Clone(q.colliders), false
	}
}

// setAt sets s[i], and makes s longer if need be.
func setAt[T any](s []T, i int, v T) []T {
	if i >= len(s) {
		s = append(s, make([]T, i+1-len(s))...)
	}
	s[i] = v
	return s
}

// has reports whether an entity of the last Sync is still alive, with a Collider and a Transform.
// In a Snapshot every entity is.
func (q *Queries) has(e ecs.Entity) bool {
	w := q.world
	return !e.IsZero() && (w == nil || alive(w, e) && q.ids.collider.on(w, e) && q.ids.transform.on(w, e))
}

// query is one query's filter on entities. Its method sees is bound where the query is made, and so
// stays on the stack.
//
// A query without conditions on entities first runs without a predicate, and looks whether the
// entity that it found is still there. It mostly is, since only a change after the last Sync can
// have removed it; if it is not, the query runs again, with the predicate.
type query struct {
	*Queries
	filter *Filter
}

// query returns the filter of a query. Panics if the filter needs the world and there is none.
func (q *Queries) query(f *Filter, caller string) query {
	if q.world == nil && (!f.With.IsZero() || !f.Without.IsZero()) {
		panic("physecs: " + caller + ": With and Without need the world, which a Snapshot, or a Space before its first Sync, has not")
	}
	return query{q, f}
}

// onRays returns the filter for rays in the physics space. It is short, to be inlined: the methods
// then stay on the stack.
func (v query) onRays() physics.Filter {
	f := v.filter.physics(v.sees)
	if v.filter.HitPredicate != nil {
		f.HitPredicate = v.acceptsHit
	}
	return f
}

func (v query) acceptsHit(h physics.Hit) bool { return v.filter.HitPredicate(v.hitOf(&h)) }

func (v query) sees(id physics.ColliderID) bool { return v.seesEntity(v.owner(id)) }

// seesEntity reports whether the filter accepts an entity, which must still be there.
func (v query) seesEntity(e ecs.Entity) bool {
	w, f := v.world, v.filter
	// With leaves out the most entities, and comes before all else that looks them up.
	if e.IsZero() || w != nil && !f.With.IsZero() && !isWith(w, e, &f.With) {
		return false
	}
	if !v.has(e) || w != nil && !f.Without.IsZero() && hasAny(w, e, &f.Without) {
		return false
	}
	return !slices.Contains(f.Exclude, e) && (f.Predicate == nil || f.Predicate(e))
}
