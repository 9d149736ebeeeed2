package physecs

import (
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Nearest is the entity that is nearest to a point or a shape, in world space: what
// [physics.Nearest] has of its collider, and the entity. A is the entity and B the point or the
// shape.
type Nearest struct {
	physics.Nearest
	Entity ecs.Entity
}

// Nearest returns the entity that is nearest to p, with its closest point, and false if there is
// none within maxDistance, in metres; +Inf looks everywhere. In a solid the closest point is p
// itself. See [physics.Space.Nearest] for the order of equals.
func (q *Queries) Nearest(p geom.Vec3, maxDistance float32, f Filter) (Nearest, bool) {
	q.query(&f, "Nearest")
	var one [1]Nearest
	found := q.NearestK(one[:0], p, 1, maxDistance, f)
	return one[0], len(found) > 0
}

// NearestK appends the k entities that are nearest to p to dst, each with its closest point,
// nearest first; fewer if there are not as many within maxDistance, in metres. See
// [Queries.Nearest].
func (q *Queries) NearestK(dst []Nearest, p geom.Vec3, k int, maxDistance float32, f Filter) []Nearest {
	v, w := q.query(&f, "NearestK"), q.scratches.take()
	done := false
	switch {
	case f.isPlain():
		w.nearest = q.physics.NearestK(w.nearest, p, k, maxDistance, f.physics(nil))
		done = !slices.ContainsFunc(w.nearest, func(n physics.Nearest) bool { return !q.has(q.owner(n.Collider)) })
	case !f.With.IsZero() && f.Predicate == nil:
		done = v.nearestWith(w, p, k, maxDistance)
	}
	if !done {
		w.nearest = q.physics.NearestK(w.nearest[:0], p, k, maxDistance, f.physics(v.sees))
	}
	dst = slices.Grow(dst, len(w.nearest))
	for i := range w.nearest {
		n := &w.nearest[i]
		dst = append(dst, Nearest{*n, q.owner(n.Collider)})
	}
	q.scratches.give(w)
	return dst
}

// nearestWith is NearestK for a filter with components that few entities may have: it looks for the
// first of them before all else. It reports false if aliveWith panics.
func (v query) nearestWith(w *scratch, p geom.Vec3, k int, maxDistance float32) (done bool) {
	defer func() {
		if !done {
			recover()
		}
	}()
	first := firstOf(&v.filter.With)
	w.nearest = v.physics.NearestK(w.nearest, p, k, maxDistance, v.filter.physics(func(id physics.ColliderID) bool {
		e := v.owner(id)
		return !e.IsZero() && aliveWith(v.world, e, first) && v.seesEntity(e)
	}))
	return true
}

// NearestToShape returns the entity that is nearest to a shape, with the witness points of both,
// and false if there is none within maxDistance, in metres. Panics as
// [physics.Space.NearestToShape] does.
func (q *Queries) NearestToShape(p physics.Placed, maxDistance float32, f Filter) (Nearest, bool) {
	n, ok := q.physics.NearestToShape(p, maxDistance, f.physics(q.query(&f, "NearestToShape").sees))
	if !ok {
		return Nearest{}, false
	}
	return Nearest{n, q.owner(n.Collider)}, true
}

// ShapeManifold is where an entity and a shape touch: what [physics.ShapeManifold] has of its
// collider, and the entity. A is the entity and B the shape, so that Normal points from the entity
// to the shape.
type ShapeManifold struct {
	physics.ShapeManifold
	Entity ecs.Entity
}

// CollideShape appends to dst where a shape touches entities, or is no further from them than
// margin, in metres, by rising entity ID. Panics as [physics.Space.CollideShape] does.
func (q *Queries) CollideShape(dst []ShapeManifold, p physics.Placed, margin float32, f Filter) []ShapeManifold {
	v, w := q.query(&f, "CollideShape"), q.scratches.take()
	w.manifolds = q.physics.CollideShape(w.manifolds, p, margin, f.physics(v.sees))
	start := len(dst)
	dst = slices.Grow(dst, len(w.manifolds))
	for i := range w.manifolds {
		m := &w.manifolds[i]
		dst = append(dst, ShapeManifold{*m, q.owner(m.Collider)})
	}
	q.scratches.give(w)
	slices.SortStableFunc(dst[start:], func(a, b ShapeManifold) int { return compareEntities(a.Entity, b.Entity) })
	return dst
}
