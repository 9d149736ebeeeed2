package picking

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// HalfSpace is the points p with Normal·p ≥ D, world: one side of a plane, the plane included.
type HalfSpace struct {
	Normal geom.DVec3 // unit, pointing to the side that belongs to it
	D      float64    // metres; −Inf: everything, +Inf: nothing
}

// Distance returns how far p lies within the half-space, in metres; negative if it is outside.
func (h HalfSpace) Distance(p geom.Vec3) float64 { return h.Normal.Dot(p.Wide()) - h.D }

// Frustum is what a camera sees, in the world: the points that are in all six half-spaces, which stand in the order left,
// right, bottom, top, near, far. It need not come from a camera: any six half-spaces will do.
//
// Overlaps… and Classify… look at one plane after the other (Assarsson and Möller, 2000): they are quick and err to one
// side. What is reported outside is outside; but a large thing near an edge of the frustum may pass for intersecting and
// be outside. [Frustum.OverlapsAABBExact] does not err. Touching counts everywhere, and a relative rounding of 1e-12 in
// favour of the thing makes up for what was lost while the planes were computed.
type Frustum [6]HalfSpace

// Class says on which side of a frustum's surface something is.
type Class uint8

const (
	// Outside: no part of it is in the frustum.
	Outside Class = iota
	// Intersecting: it is partly in the frustum, or might be.
	Intersecting
	// Inside: all of it is in the frustum.
	Inside
)

// String returns the name of the constant.
func (c Class) String() string {
	switch c {
	case Outside:
		return "Outside"
	case Intersecting:
		return "Intersecting"
	case Inside:
		return "Inside"
	}
	return "unknown"
}

// FrustumOf returns the frustum of a matrix from the world (or any other space, which is then the frustum's) to clip space
// with depths in the given range (Gribb and Hartmann, 2001). The far plane may be infinitely far: its half-space is then
// everything. A zero matrix, or one with NaN, gives a frustum that contains nothing.
func FrustumOf(m geom.Mat4, clip ClipRange) Frustum {
	// What is seen has −w ≤ x ≤ w, −w ≤ y ≤ w, and z between the limits of the range times w.
	near, far := clip.limits()
	s := 1.0
	if near > far {
		s = -1
	}
	return Frustum{
		halfSpace(m, 0, 1, 1), halfSpace(m, 0, -1, 1),
		halfSpace(m, 1, 1, 1), halfSpace(m, 1, -1, 1),
		halfSpace(m, 2, s, -s*near), halfSpace(m, 2, -s, s*far),
	}
}

// halfSpace returns the half-space in which a·row + b·w is not negative, where w is the last row of the matrix.
func halfSpace(m geom.Mat4, row int, a, b float64) HalfSpace {
	r := geom.DVec3{X: m[row], Y: m[row+4], Z: m[row+8]}.Mul(a)
	w := geom.DVec3{X: m[3], Y: m[7], Z: m[11]}.Mul(b)
	n := r.Add(w)
	d := float64(a*m[row+12]) + float64(b*m[15])
	l := n.Len()
	if l <= infinitelyFar*(r.Len()+w.Len()) {
		if d > 0 {
			return HalfSpace{D: math.Inf(-1)}
		}
		return HalfSpace{D: math.Inf(1)}
	}
	return HalfSpace{n.Mul(1 / l), -d / l}
}

// slack is the relative rounding that is forgiven: see [Frustum].
const slack = 1e-12

// reach returns the distance of a point within the half-space and what of it may be rounding.
func (h HalfSpace) reach(p geom.DVec3) (distance, rounding float64) {
	return h.Normal.Dot(p) - h.D, float64(slack * (math.Abs(p.X) + math.Abs(p.Y) + math.Abs(p.Z) + math.Abs(h.D)))
}

// ContainsPoint reports whether p, world, is in the frustum or on its surface.
func (f *Frustum) ContainsPoint(p geom.Vec3) bool {
	return f.classify(p.Wide(), geom.DVec3{}, 0) == Inside
}

// ClassifySphere tells where a sphere is; see [Frustum] for how a plane test errs. An empty sphere is outside.
func (f *Frustum) ClassifySphere(s geom.Sphere) Class {
	if !(s.Radius >= 0) {
		return Outside
	}
	return f.classify(s.Center.Wide(), geom.DVec3{}, float64(s.Radius))
}

// OverlapsSphere reports whether a sphere touches the frustum, or might; see [Frustum].
func (f *Frustum) OverlapsSphere(s geom.Sphere) bool { return f.ClassifySphere(s) != Outside }

// ClassifyAABB tells where a box is; see [Frustum] for how a plane test errs. An empty box is outside.
func (f *Frustum) ClassifyAABB(b geom.AABB) Class {
	if b.IsEmpty() {
		return Outside
	}
	lo, hi := b.Min.Wide(), b.Max.Wide()
	return f.classify(lo.Add(hi).Mul(0.5), hi.Sub(lo).Mul(0.5), 0)
}

// OverlapsAABB reports whether a box touches the frustum, or might; see [Frustum].
func (f *Frustum) OverlapsAABB(b geom.AABB) bool { return f.ClassifyAABB(b) != Outside }

// classify tells where a box around center is, after it was grown by radius on all sides.
func (f *Frustum) classify(center, half geom.DVec3, radius float64) Class {
	class := Inside
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
