package physecs

import (
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
)

// ShapeHit is where a moving shape first touches an entity, in world space: the hit of its
// collider, and the entity.
type ShapeHit struct {
	physics.ShapeHit
	Entity ecs.Entity
}

func (q *Queries) shapeHitOf(h *physics.ShapeHit) ShapeHit { return ShapeHit{*h, q.owner(h.Collider)} }

// CastShape returns the first hit of a shape that moves along a straight path and does not turn. Of
// hits at the same T the order is that of [Queries.CastRay]. A cast that holds a NaN or an
// infinity, or whose shape is empty, misses.
//
// An entity that casts its own shape leaves itself out by Filter.Exclude. Panics if the shape is
// none that [physics.ShapeCast] allows.
func (q *Queries) CastShape(c physics.ShapeCast, f Filter) (ShapeHit, bool) {
	v := q.query(&f, "CastShape")
	if f.isPlain() {
		h, ok := q.physics.CastShape(c, f.physics(nil))
		if !ok {
			return ShapeHit{}, false
		}
		if e := q.owner(h.Collider); q.has(e) {
			return ShapeHit{h, e}, true
		}
	}
	h, ok := q.physics.CastShape(c, f.physics(v.sees))
	if !ok {
		return ShapeHit{}, false
	}
	return q.shapeHitOf(&h), true
}

// CastShapeAny reports whether a moving shape hits anything. It stops at the first hit that it
// finds. Panics as [Queries.CastShape] does.
func (q *Queries) CastShapeAny(c physics.ShapeCast, f Filter) bool {
	return q.physics.CastShapeAny(c, f.physics(q.query(&f, "CastShapeAny").sees))
}

// CastShapeAll appends all hits of a moving shape to dst, in the order of [Queries.CastShape]. A
// solid counts once, a mesh with every triangle. Panics as CastShape does.
func (q *Queries) CastShapeAll(dst []ShapeHit, c physics.ShapeCast, f Filter) []ShapeHit {
	v, w := q.query(&f, "CastShapeAll"), q.scratches.take()
	w.shapeHits = q.physics.CastShapeAll(w.shapeHits, c, f.physics(v.sees))
	return q.giveShapeHits(dst, w)
}

// CastSwing returns the first hit of a shape that moves and turns, such as the blade of a sword:
// see [physics.Space.CastSwing].
//
// An entity that casts its own shape leaves itself out by Filter.Exclude. Panics if the shape is
// none that [physics.Swing] allows.
func (q *Queries) CastSwing(c physics.Swing, f Filter) (ShapeHit, bool) {
	h, ok := q.physics.CastSwing(c, f.physics(q.query(&f, "CastSwing").sees))
	if !ok {
		return ShapeHit{}, false
	}
	return q.shapeHitOf(&h), true
}

// CastShapes casts many shapes, on all processors, and appends the first hit of each to dst, in the
// order of the casts. Each is that of [Queries.CastShape]; a cast that hits nothing gives a
// [ShapeHit] with the zero Entity and Collider, T = +Inf, and −1 for Child and Triangle. Panics as
// CastShape does.
//
// A Predicate of the filter is called from several goroutines at once.
func (q *Queries) CastShapes(dst []ShapeHit, casts []physics.ShapeCast, f Filter) []ShapeHit {
	q.query(&f, "CastShapes")
	w := q.scratches.take()
	w.shapeHits = q.physics.CastShapes(w.shapeHits, casts, f.physics(w.predicate(q, &f)))
	return q.giveShapeHits(dst, w)
}

// CastShapesEach is [Queries.CastShapes] with a filter for each cast, so that each character of a
// crowd can leave out itself. It allocates some bytes for each filter. Panics if there are not as
// many filters as casts.
func (q *Queries) CastShapesEach(dst []ShapeHit, casts []physics.ShapeCast, filters []Filter) []ShapeHit {
	each := make([]physics.Filter, len(filters))
	for i := range filters {
		f := &filters[i]
		each[i] = f.physics(q.query(f, "CastShapesEach").sees)
	}
	w := q.scratches.take()
	w.shapeHits = q.physics.CastShapesEach(w.shapeHits, casts, each)
	return q.giveShapeHits(dst, w)
}

// CastShapesAny casts many shapes, on all processors, and appends to dst for each, in the order of
// the casts, whether it hits anything. Panics as [Queries.CastShape] does.
//
// A Predicate of the filter is called from several goroutines at once.
func (q *Queries) CastShapesAny(dst []bool, casts []physics.ShapeCast, f Filter) []bool {
	q.query(&f, "CastShapesAny")
	w := q.scratches.take()
	dst = q.physics.CastShapesAny(dst, casts, f.physics(w.predicate(q, &f)))
	q.scratches.give(w)
	return dst
}

// giveShapeHits appends the shape hits of the scratch memory and gives that back.
func (q *Queries) giveShapeHits(dst []ShapeHit, w *scratch) []ShapeHit {
	dst = slices.Grow(dst, len(w.shapeHits))
	for i := range w.shapeHits {
		dst = append(dst, q.shapeHitOf(&w.shapeHits[i]))
	}
	q.scratches.give(w)
	return dst
}
