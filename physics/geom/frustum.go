package geom

import "math"

// HalfSpace is the points p with Normal·p ≥ D, world: one side of a plane, the plane included.
type HalfSpace struct {
	Normal DVec3   // unit, pointing to the side that belongs to it
	D      float64 // metres; −Inf: everything, +Inf: nothing
}

// Frustum is what a camera sees, in the world: the points that are in all six half-spaces, which
// stand in the order left, right, bottom, top, near, far. It need not come from a camera: any six
// half-spaces will do.
//
// Overlaps… and Classify… look at one plane after the other (Assarsson and Möller, 2000): they are
// quick and err to one side. What is reported outside is outside; but a large thing near an edge of
// the frustum may pass for intersecting and be outside. [Frustum.OverlapsAABBExact] does not err.
// Touching counts everywhere, and a relative rounding of 1e-12 in favour of the thing makes up for
// what was lost while the planes were computed.
type Frustum [6]HalfSpace

// Class says on which side of a frustum's surface something is.
type Class uint8

const (
	// Outside: no part of it is in the frustum.
	Outside Class = iota
	// Intersecting: it is partly in the frustum, or might be.
	Intersecting
	// Contained: all of it is in the frustum.
	Contained
)

// String returns the name of the constant.
func (c Class) String() string {
	switch c {
	case Outside:
		return "Outside"
	case Intersecting:
		return "Intersecting"
	case Contained:
		return "Inside"
	}
	return "unknown"
}

// frustumSlack is the relative rounding that is forgiven: see [Frustum].
const frustumSlack = 1e-12

// reach returns the distance of a point within the half-space and what of it may be rounding.
func (h HalfSpace) reach(p DVec3) (distance, rounding float64) {
	return h.Normal.Dot(p) - h.D, float64(frustumSlack * (math.Abs(p.X) + math.Abs(p.Y) + math.Abs(p.Z) + math.Abs(h.D)))
}

// ContainsPoint reports whether p, world, is in the frustum or on its surface.
func (f *Frustum) ContainsPoint(p Vec3) bool {
	return f.classify(p.wide(), DVec3{}, 0) == Contained
}

// ClassifySphere tells where a sphere is; see [Frustum] for how a plane test errs. An empty sphere
// is outside.
func (f *Frustum) ClassifySphere(s Sphere) Class {
	if !(s.Radius >= 0) {
		return Outside
	}
	return f.classify(s.Center.wide(), DVec3{}, float64(s.Radius))
}

// OverlapsSphere reports whether a sphere touches the frustum, or might; see [Frustum].
func (f *Frustum) OverlapsSphere(s Sphere) bool { return f.ClassifySphere(s) != Outside }

// ClassifyAABB tells where a box is; see [Frustum] for how a plane test errs. An empty box is
// outside.
func (f *Frustum) ClassifyAABB(b AABB) Class {
	if b.IsEmpty() {
		return Outside
	}
	lo, hi := b.Min.wide(), b.Max.wide()
	return f.classify(lo.Add(hi).Mul(0.5), hi.Sub(lo).Mul(0.5), 0)
}

// OverlapsAABB reports whether a box touches the frustum, or might; see [Frustum].
func (f *Frustum) OverlapsAABB(b AABB) bool { return f.ClassifyAABB(b) != Outside }

// classify tells where a box around center is, after it was grown by radius on all sides.
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
