package geom

import (
	"math"

	"github.com/hitscan-go/hitscan/internal/enum"
)

// HalfSpace is the points p with Normal·p ≥ D, in world space: one side of a plane, plane included.
type HalfSpace struct {
	Normal DVec3   // unit, points into the half-space
	D      float64 // metres; −Inf: all of space, +Inf: nothing
}

// Frustum is the volume that a camera sees, in world space: the points in all six half-spaces, in
// the order left, right, bottom, top, near, far. Any six half-spaces are valid; they need not come
// from a camera.
//
// The methods Overlaps… and Classify… test one plane after the other (Assarsson and Möller 2000,
// "Optimized view frustum culling algorithms for bounding boxes"). They are fast and conservative:
// what they report as outside is outside, but a large shape near an edge of the frustum may be
// reported as intersecting although it is outside. [Frustum.OverlapsAABBExact] is exact. Touching
// counts, and a relative tolerance of 1e-12 makes up for rounding in the computation of the planes.
type Frustum [6]HalfSpace

// Class is the position of a shape relative to a frustum.
type Class uint8

const (
	// Outside: no part of the shape is in the frustum.
	Outside Class = iota
	// Intersecting: the shape is, or might be, partly in the frustum.
	Intersecting
	// Contained: all of the shape is in the frustum.
	Contained
)

// String returns the name of the constant, "unknown" for any other value.
func (c Class) String() string { return enum.Name(c, "Outside", "Intersecting", "Contained") }

// frustumSlack is the relative tolerance of the plane tests: see [Frustum].
const frustumSlack = 1e-12

// reach returns the signed distance of a point from the plane, positive in the half-space, and the
// tolerance of that distance.
func (h HalfSpace) reach(p DVec3) (distance, rounding float64) {
	return h.Normal.Dot(p) - h.D, float64(frustumSlack * (math.Abs(p.X) + math.Abs(p.Y) + math.Abs(p.Z) + math.Abs(h.D)))
}

// ContainsPoint reports whether p, in world space, is in the frustum or on its surface; false if p
// is NaN.
func (f *Frustum) ContainsPoint(p Vec3) bool {
	return f.classify(p.wide(), DVec3{}, 0) == Contained
}

// ClassifySphere returns the position of a sphere relative to the frustum; it is conservative, see
// [Frustum]. An empty sphere is outside.
func (f *Frustum) ClassifySphere(s Sphere) Class {
	if !(s.Radius >= 0) {
		return Outside
	}
	return f.classify(s.Center.wide(), DVec3{}, float64(s.Radius))
}

// OverlapsSphere reports whether a sphere touches the frustum; it is conservative, see [Frustum].
func (f *Frustum) OverlapsSphere(s Sphere) bool { return f.ClassifySphere(s) != Outside }

// ClassifyAABB returns the position of a box relative to the frustum; it is conservative, see
// [Frustum]. An empty box is outside.
func (f *Frustum) ClassifyAABB(b AABB) Class {
	if b.IsEmpty() {
		return Outside
	}
	lo, hi := b.Min.wide(), b.Max.wide()
	return f.classify(lo.Add(hi).Mul(0.5), hi.Sub(lo).Mul(0.5), 0)
}

// OverlapsAABB reports whether a box touches the frustum; it is conservative, see [Frustum].
func (f *Frustum) OverlapsAABB(b AABB) bool { return f.ClassifyAABB(b) != Outside }

// classify returns the position of a box around center, grown by radius on all sides.
func (f *Frustum) classify(center, half DVec3, radius float64) Class {
	class := Contained
	for i := range f {
		d, rounding := f[i].reach(center)
		n := f[i].Normal
		r := radius + float64(math.Abs(n.X)*half.X) + float64(math.Abs(n.Y)*half.Y) + float64(math.Abs(n.Z)*half.Z)
		// Written so that a NaN is outside.
		if !(d+rounding >= -r) {
			return Outside
		}
		if d+rounding < r {
			class = Intersecting
		}
	}
	return class
}
