package physecs

import (
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// ShapeHit is where a moving shape first touches an entity, in world space.
type ShapeHit struct {
	Entity       ecs.Entity
	T            float32   // how far the shape has gone, in multiples of the motion
	Point        geom.Vec3 // where they touch, on the entity
	PointOnShape geom.Vec3 // the same on the shape; the two differ if they overlap, by Depth along Normal
	Normal       geom.Vec3 // unit, from the entity to the shape
	Depth        float32   // in metres, of an overlap at the start; else 0
	Overlaps     bool      // they overlapped where the path begins, see [physics.ShapeHit]
	BackFace     bool      // a mesh or a plane was struck from behind
	Child        int32     // index of the part of a compound that was hit; −1 for every other shape
	Triangle     int32     // of a mesh; −1 for every other shape
	User         uint64    // of the Collider
}

// CastShape returns the first hit of a shape that moves through the world along a straight path and
// does not turn. Of hits at the same T the order is that of [CastRay]. A cast that holds a NaN or
// an infinity, or whose shape is empty, misses.
//
// An entity that casts its own shape leaves itself out by [Filter.Exclude]. Panics if the world has
// no [Space], or the shape is none that [physics.ShapeCast] allows.
func CastShape(w *ecs.World, c physics.ShapeCast, f Filter) (ShapeHit, bool) {
	return sight{spaceOf(w, "CastShape"), &f}.castShape(c)
}

func (v sight) castShape(c physics.ShapeCast) (ShapeHit, bool) {
	if v.filter.isPlain() {
		h, ok := v.physics.CastShape(c, v.filter.physics(nil))
		if !ok {
			return ShapeHit{}, false
		}
		if e := v.owner(h.Collider); v.has(e) {
			return shapeHitOf(&h, e), true
		}
	}
	h, ok := v.physics.CastShape(c, v.filter.physics(v.sees))
	if !ok {
		return ShapeHit{}, false
	}
	return shapeHitOf(&h, v.owner(h.Collider)), true
}

// CastShapeAny reports whether a shape that moves through the world hits anything. It stops at the
// first hit it comes upon. Panics as [CastShape] does.
func CastShapeAny(w *ecs.World, c physics.ShapeCast, f Filter) bool {
	return sight{spaceOf(w, "CastShapeAny"), &f}.castShapeAny(c)
}

func (v sight) castShapeAny(c physics.ShapeCast) bool {
	return v.physics.CastShapeAny(c, v.filter.physics(v.sees))
}

// CastShapeAll appends all hits of a shape that moves through the world to dst, in the order of
// [CastShape], and returns the longer slice. A solid counts once, a mesh with every triangle.
// Panics as [CastShape] does.
func CastShapeAll(w *ecs.World, dst []ShapeHit, c physics.ShapeCast, f Filter) []ShapeHit {
	return sight{spaceOf(w, "CastShapeAll"), &f}.castShapeAll(dst, c)
}

func (v sight) castShapeAll(dst []ShapeHit, c physics.ShapeCast) []ShapeHit {
	l := v.lists.take()
	l.swept = v.physics.CastShapeAll(l.swept, c, v.filter.physics(v.sees))
	dst = slices.Grow(dst, len(l.swept))
	for i := range l.swept {
		dst = append(dst, shapeHitOf(&l.swept[i], v.owner(l.swept[i].Collider)))
	}
	v.lists.give(l)
	return dst
}

func shapeHitOf(h *physics.ShapeHit, e ecs.Entity) ShapeHit {
	return ShapeHit{
		Entity: e, T: h.T, Point: h.Point, PointOnShape: h.PointOnShape, Normal: h.Normal, Depth: h.Depth,
		Overlaps: h.Overlaps, BackFace: h.BackFace, Child: h.Child, Triangle: h.Triangle, User: h.User,
	}
}
