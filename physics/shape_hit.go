package physics

import (
	"cmp"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
)

// ShapeCast is a shape that moves along a straight path and does not turn: see [Swing] for one that
// does, and for compounds.
//
// A cast is a miss if its shape is empty, if its range of T is empty, or if it holds a NaN or an
// infinity, except that MaxT may be +Inf.
type ShapeCast struct {
	// Shape is a [geom.Sphere], [geom.Capsule], [geom.TaperedCapsule], [geom.Cone], [geom.Box] or
	// [geom.AABB], by value, or a [*hull.Hull], in its own space.
	Shape Shape
	// Transform places the shape at T = 0. It may have any scale. An AABB follows position and
	// scale but never rotates.
	Transform geom.Transform
	// Motion is the displacement of the shape at T = 1, in metres. A shape with zero Motion stands
	// still: it hits only what it overlaps or touches, at MinT and with [StartReport], and for
	// [Filter.Cull] and BackFace it counts as moving down.
	Motion geom.Vec3
	// MinT and MaxT are the range of T, as of a [geom.Ray]; MaxT 0 means no limit. A cast repeated
	// with MaxT equal to the T of its hit has the same hit.
	MinT, MaxT float32
	// Start decides about colliders that overlap the shape at MinT.
	Start ShapeStartMode
}

// ShapeStartMode decides about a collider, or a triangle of a mesh, that overlaps a cast shape at
// the start of its path. One that the shape only touches there while moving against it is a hit in
// every mode, with T = MinT and Depth 0.
type ShapeStartMode uint8

const (
	// StartReport reports the overlap as a hit with T = MinT, Overlaps and Depth. Touching counts.
	StartReport = ShapeStartMode(narrow.Report)
	// StartIgnore ignores the solid or the triangle.
	StartIgnore = ShapeStartMode(narrow.Ignore)
	// StartIgnoreSeparating ignores the solid or the triangle unless the shape moves deeper into
	// it: the shape may leave, or slide along.
	StartIgnoreSeparating = ShapeStartMode(narrow.IgnoreSeparating)
)

// ShapeHit is the first touch of a moving shape and a collider, in world space.
type ShapeHit struct {
	// T of the touch, in multiples of the motion.
	T float32
	// Point is the witness point on the collider.
	Point geom.Vec3
	// PointOnShape is the witness point on the shape at T. It equals Point up to rounding, except
	// for an overlap: then Point − PointOnShape is Normal times Depth.
	PointOnShape geom.Vec3
	// Normal is unit and points from the collider to the shape, against the motion. For an overlap
	// it is the direction of the shortest way out, whatever the motion.
	Normal geom.Vec3
	// Depth is the penetration depth of an overlap in metres: moved so far along Normal, the shape
	// only touches the collider, or of a mesh the one triangle. 0 for all other hits.
	Depth float32
	// Overlaps is set if the shape overlapped the collider at MinT, or touched it there without
	// moving against it.
	Overlaps bool
	// BackFace is set if a mesh or a plane was hit from behind: the shape moves with its normal.
	BackFace bool
	// Inexact is set if the search ended before it had converged, as it may between shapes a
	// million times longer than thick: T is no later than the touch, but may be earlier. For an
	// overlap, no proof was found that no other way out is shorter.
	Inexact bool
	// Collider is the collider that was hit.
	Collider ColliderID
	// Child is the number of the child that was hit of a [Compound]; −1 of any other shape.
	Child int32
	// Triangle is the index of the triangle that was hit of a mesh; −1 of any other shape.
	Triangle int32
	// User is the collider's own value: see [Collider].
	User uint64
}

// Compare returns −1, 0 or 1 as h comes before, with or after o in the order of all hits: by T,
// then by collider, then by child, then by triangle.
func (h ShapeHit) Compare(o ShapeHit) int { return compareShapeHits(&h, &o) }

func compareShapeHits(h, o *ShapeHit) int {
	return cmp.Or(cmp.Compare(h.T, o.T), cmp.Compare(h.Collider, o.Collider), cmp.Compare(h.Child, o.Child), cmp.Compare(h.Triangle, o.Triangle))
}
