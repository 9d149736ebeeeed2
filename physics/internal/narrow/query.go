package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Closest is the distance of two shapes and their witness points.
type Closest struct {
	// In metres; 0 if they touch or overlap, +Inf if it is more than the limit.
	Distance       float64
	PointA, PointB geom.DVec3 // witness points; one common point if the Distance is 0
	// Normal is the unit vector from A to B. It is zero if the shapes overlap even without the
	// margins of spheres and capsules.
	Normal geom.DVec3
	// Inexact is set if the search ended before it had converged: the Distance is a lower bound, or
	// 0, and PointB may be beside the second shape.
	Inexact bool
}

// Penetration is the minimum translation vector of two shapes that overlap.
type Penetration struct {
	Depth  float64    // in metres: one shape must move so far until they only touch
	Normal geom.DVec3 // unit: the second shape moves along it, or the first against it
	// The deepest point of each in the other: PointA − PointB = Depth·Normal.
	PointA, PointB geom.DVec3
	// Inexact is set if no proof was found that no other way out is shorter.
	Inexact bool
}

// Overlaps reports whether two shapes have a point in common. Touching counts, to the rounding of
// double precision.
func Overlaps(a, b *Shape) bool {
	a, b, _ = inOrder(a, b)
	var r relation
	return relate(&r, a, b, 0, askOverlap) && r.dist <= 0
}

// Distance returns the distance of two shapes and their witness points. If the distance is more
// than limit, in metres, it stops early and returns the Distance +Inf and zeros; math.Inf(1) is no
// limit. The distance from an empty shape is +Inf.
func Distance(a, b *Shape, limit float64) Closest {
	a, b, exchanged := inOrder(a, b)
	var r relation
	if !relate(&r, a, b, max(0, limit), askDistance) {
		return Closest{Distance: math.Inf(1)}
	}
	if r.dist <= 0 {
		r.dist, r.pb = 0, r.pa
	}
	if exchanged {
		r.flip()
	}
	return Closest{r.dist, r.pa, r.pb, r.n, r.inexact}
}

// Penetrate returns the penetration depth of two shapes and the shortest way out. It returns false
// if and only if [Overlaps] does. Of several ways that are equally short it returns one, across a
// face rather than across edges; a point of an edge that is all but parallel to that face may then
// lie beside it. Two half-spaces that do not face each other have the Depth +Inf.
func Penetrate(a, b *Shape) (Penetration, bool) {
	var f Finder
	return f.Penetrate(a, b)
}

// Penetrate returns what [Penetrate] does, and uses the manifold as scratch memory.
func (f *Finder) Penetrate(a, b *Shape) (Penetration, bool) {
	a, b, exchanged := inOrder(a, b)
	var r relation
	slack := unsure * max(a.size, b.size)
	if !relate(&r, a, b, slack, askDepth) {
		return Penetration{}, false
	}
	cores := r.dist + a.radius + b.radius // their distance
	if (r.apart || r.dist >= -slack || math.Abs(cores) <= slack) && !Overlaps(a, b) {
		return Penetration{}, false
	}
	if r.unseen {
		// An axis has no witness points: those of the deepest contact serve.
		f.N = 0
		f.fill(a, b, &r, 0)
		f.complete(a, b, &r)
		c := &f.Points[max(0, f.Deepest())]
		mid := c.PointA.Add(c.PointB).Mul(0.5)
		r.pa, r.pb = mid.AddMul(-r.dist/2, r.n), mid.AddMul(r.dist/2, r.n)
	}
	if exchanged {
		r.flip()
	}
	return Penetration{max(0, -r.dist), r.n, r.pa, r.pb, r.inexact}, true
}
