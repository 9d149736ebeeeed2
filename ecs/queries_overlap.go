package physecs

import (
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// OverlapAABB appends the entities that a box touches to dst, each once, by rising entity ID.
// Touching counts. An empty, NaN or infinite box touches nothing.
func (q *Queries) OverlapAABB(dst []ecs.Entity, b geom.AABB, f Filter) []ecs.Entity {
	v, w := q.query(&f, "OverlapAABB"), q.scratches.take()
	w.ids = q.physics.OverlapAABB(w.ids, b, f.physics(nil))
	return v.giveEntities(dst, w)
}

// OverlapBox appends the entities that a turned box touches to dst. See [Queries.OverlapAABB].
func (q *Queries) OverlapBox(dst []ecs.Entity, b geom.Box, f Filter) []ecs.Entity {
	v, w := q.query(&f, "OverlapBox"), q.scratches.take()
	w.ids = q.physics.OverlapBox(w.ids, b, f.physics(nil))
	return v.giveEntities(dst, w)
}

// OverlapSphere appends the entities that a sphere touches to dst. See [Queries.OverlapAABB].
func (q *Queries) OverlapSphere(dst []ecs.Entity, b geom.Sphere, f Filter) []ecs.Entity {
	v, w := q.query(&f, "OverlapSphere"), q.scratches.take()
	w.ids = q.physics.OverlapSphere(w.ids, b, f.physics(nil))
	return v.giveEntities(dst, w)
}

// OverlapPoint appends the entities that contain a point to dst. A mesh or a plane has no inside
// and contains only the points of its surface. See [Queries.OverlapAABB].
func (q *Queries) OverlapPoint(dst []ecs.Entity, p geom.Vec3, f Filter) []ecs.Entity {
	v, w := q.query(&f, "OverlapPoint"), q.scratches.take()
	w.ids = q.physics.OverlapPoint(w.ids, p, f.physics(nil))
	return v.giveEntities(dst, w)
}

// OverlapShape appends the entities that a shape touches to dst. A shape that is nowhere touches
// nothing. See [Queries.OverlapAABB]. Panics as [physics.Space.OverlapShape] does.
func (q *Queries) OverlapShape(dst []ecs.Entity, p physics.Placed, f Filter) []ecs.Entity {
	v, w := q.query(&f, "OverlapShape"), q.scratches.take()
	w.ids = q.physics.OverlapShape(w.ids, p, f.physics(nil))
	return v.giveEntities(dst, w)
}

// OverlapFrustum appends the entities that a frustum touches to dst, such as those that a camera
// may see or that stand in a cone of view. See [Queries.OverlapAABB] and
// [physics.Space.OverlapFrustum].
func (q *Queries) OverlapFrustum(dst []ecs.Entity, frustum *geom.Frustum, f Filter) []ecs.Entity {
	v, w := q.query(&f, "OverlapFrustum"), q.scratches.take()
	w.ids = q.physics.OverlapFrustum(w.ids, frustum, f.physics(nil))
	return v.giveEntities(dst, w)
}

// ContainedInFrustum appends the entities that lie wholly in a frustum to dst. See
// [Queries.OverlapAABB] and [physics.Space.ContainedInFrustum].
func (q *Queries) ContainedInFrustum(dst []ecs.Entity, frustum *geom.Frustum, f Filter) []ecs.Entity {
	v, w := q.query(&f, "ContainedInFrustum"), q.scratches.take()
	w.ids = q.physics.ContainedInFrustum(w.ids, frustum, f.physics(nil))
	return v.giveEntities(dst, w)
}

// OverlapsFrustum reports whether an entity touches a frustum, as [Queries.OverlapFrustum] does for
// all of them; also one that is a sensor. It is for many frusta and few entities. It is false for
// an entity without a collider, or whose collider is nowhere.
func (q *Queries) OverlapsFrustum(e ecs.Entity, frustum *geom.Frustum) bool {
	id, ok := q.Collider(e)
	return ok && q.has(e) && q.physics.OverlapsFrustum(id, frustum)
}

// giveEntities appends those entities of the scratch memory that the filter accepts, and gives the
// memory back. They go by rising ID, since the order of colliders depends on what came and went
// before.
func (v query) giveEntities(dst []ecs.Entity, w *scratch) []ecs.Entity {
	n := len(dst)
	for _, id := range w.ids {
		if e := v.owner(id); v.seesEntity(e) {
			dst = append(dst, e)
		}
	}
	v.scratches.give(w)
	slices.SortFunc(dst[n:], compareEntities)
	return dst
}
