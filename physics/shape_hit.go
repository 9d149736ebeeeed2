package physics

import (
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/toi"
)

// ShapeCast is a shape that moves along a straight path and does not turn.
//
// A cast whose shape is empty, or that holds a NaN or an infinity (but for MaxT, which may be
// +Inf), or has an empty range of T, is a miss.
type ShapeCast struct {
	// Shape is a [geom.Sphere], [geom.Capsule], [geom.Box] or [geom.AABB], by value, or a
	// [*hull.Hull], in its own space.
	Shape Shape
	// Transform places the shape where T is 0. Any scale will do; an AABB follows position and
	// scale but never turns.
	Transform geom.Transform
	// Motion is the way, in metres, that the shape has gone when T is 1. If it is zero the shape
	// stands still: it can hit nothing but what it overlaps or touches, at MinT and with
	// [StartReport], and for [Filter.Cull] and BackFace it counts as going down.
	Motion geom.Vec3
	// MinT and MaxT are the range of T, as of a [geom.Ray]; MaxT 0 means no limit.
	MinT, MaxT float32
	// Start says what becomes of a shape that overlaps a collider at MinT already.
	Start ShapeStartMode
}

// ShapeStartMode says what a cast makes of a shape that overlaps a collider, or a triangle of a
// mesh, where its path begins. One that only touches there, and moves against what it touches, hits
// in every mode, with T = MinT and no depth.
type ShapeStartMode uint8

const (
	// StartReport makes an overlap a hit, with T = MinT, Overlaps and Depth; touching counts.
	StartReport = ShapeStartMode(toi.Report)
	// StartIgnore leaves the overlap out, and with it the solid or the triangle.
	StartIgnore = ShapeStartMode(toi.Ignore)
	// StartIgnoreSeparating leaves out what the shape does not move deeper into: it may leave, or
	// slide along.
	StartIgnoreSeparating = ShapeStartMode(toi.IgnoreSeparating)
)

// ShapeHit is where a moving shape first touches a collider, in world space.
type ShapeHit struct {
	// T is how far the shape has gone, in multiples of the motion.
	T float32
	// Point is where they touch, on the collider.
	Point geom.Vec3
	// PointOnShape is where they touch, on the shape as it is at T: Point but for rounding, unless
	// they overlap. Then from it to Point it is Depth along Normal.
	PointOnShape geom.Vec3
	// Normal is unit and points from the collider to the shape, against the motion; that of an
	// overlap is the shortest way out, wherever the shape moves.
	Normal geom.Vec3
	// Depth is how far, in metres, the shape must be moved along Normal so that they only touch; 0
	// but for an overlap. Of a mesh it is the way out of one triangle.
	Depth float32
	// Overlaps is set if they overlapped at MinT, or touched there and the shape was not moving
	// against the collider.
	Overlaps bool
	// BackFace is set if a mesh or a plane was struck from behind, which is to say that the shape
	// moves with its normal.
	BackFace bool
	// Collider is what was hit.
	Collider ColliderID
	// Child is the number of the child that was hit of a [Compound], and −1 for every other shape.
	Child int32
	// Triangle is the index of the triangle that was hit of a mesh, and −1 for every other shape.
	Triangle int32
	// User is the collider's own.
	User uint64
}

// Compare returns −1, 0 or 1 as h comes before, with or after o in the order of all hits: by T,
// then by collider, then by child, then by triangle.
func (h ShapeHit) Compare(o ShapeHit) int { return compareShapeHits(&h, &o) }

func compareShapeHits(h, o *ShapeHit) int {
	switch {
	case h.T != o.T:
		return order(h.T < o.T)
	case h.Collider != o.Collider:
		return order(h.Collider < o.Collider)
	case h.Child != o.Child:
		return order(h.Child < o.Child)
	case h.Triangle != o.Triangle:
		return order(h.Triangle < o.Triangle)
	}
	return 0
}
