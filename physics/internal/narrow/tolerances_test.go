package narrow

import "math"

// Tolerances of the tests that draw their cases, all of the size of a pair (its largest coordinate)
// unless a comment says otherwise. Each is a sum of rounding errors, 2⁻⁵³ each in double precision,
// and of the constants in tolerances.go that decide how near is near enough. A test that fails by
// one of these has found a case that the derivation does not cover.
const (
	ε = 0x1p-53
	// roundings is how many rounding errors of the size add up in one answer: a support point takes
	// up to 12 operations a coordinate, a product of two vectors 5, and an answer about two of
	// each.
	roundings = 64
	// summed is the error of points, sums and products of vectors that no cancellation magnifies.
	summed = roundings * ε
	// unitOff is by how much the length of a unit vector may differ from 1, without a size. The
	// worst are the products of two axes of boxes, which are divided by √(1 − cos²): at an angle θ
	// they are off by 2ε/θ², which is this at 0.9°. Boxes that the tests draw are not closer to
	// parallel.
	unitOff = 1e-12
	// memberOff is how far a witness point may be outside of its shape. Cores nearer than faint
	// have their points moved along the normal of an axis.
	memberOff = faint + summed
	// crossedOff is the error of the gap along the cross product of two edges, which are up to
	// parallelAxes from parallel: that product is off by ε over this, and the shapes are up to
	// twice the size long.
	crossedOff = 4 * ε / parallelAxes
	// depthOff is the error of a depth: that of its axis, and the end of the expansion.
	depthOff = crossedOff + depthGap + summed
	// wayOff is by how much a depth may be more than the least: a face is preferred to an edge.
	wayOff = edgeBias + depthOff
	// inexactOff is by how much, of itself, a depth that is inexact may be more: see maxPoints.
	inexactOff = 1.2e-3
	// placedOff is the error, in metres, of heights over a floor whose vertices and shapes are
	// within 8 m of the origin: two units of single precision there, in which both are placed.
	// Normals of triangles and boxes of a metre are off by as much.
	placedOff = 0x1p-20
)

// promised is the accuracy of distances that doc.go states, measured on the cases with fixed seeds,
// whose axes are up to 30 to 1. promisedFlat is what holds where axes are up to 10⁷ to 1: the
// direction of an edge between two vertices is off by ε·size over its length, and the cross product
// of two by that over the sine of their angle. It holds of depths, and of distances that are more
// than that and not of ellipsoids.
const promised, promisedFlat = 1e-8, 1e-6

// stalledOff is the error of the distance of a point: the search ends where the next step brings
// less than the rounding of the points, and what is left is less than maxSteps such steps.
const stalledOff = maxSteps * summed

// apartOff is the error of the gap along the direction between two witness points that are l apart:
// the direction is off by the rounding of the points over l, shapes are as long as the size, a
// search ends when the square of l is known to relativeGap of itself, and a triangle's normal is
// preferred where it is asNear.
//
// A search may end before, when the next support point brings less than the rounding of the points,
// ε·size. One that is g nearer and D aside brings l·(g/D)²/2, so the plane may be off by
// g = D·√(2ε·size/l), and D is no more than the size. Only very flat shapes come near that.
func apartOff(a, b *Shape, l float64) float64 {
	size := max(a.size, b.size)
	return summed*size*(1+size/l) + (relativeGap+asNear)*l + size*math.Sqrt(2*ε*size/l)
}

// asideOff is how far a contact of two edges that run side by side may be outside of the shapes, in
// metres. The ends of the stretch that the edges share are a point of one edge and the point of the
// other that is nearest to it, and the contact is in their middle: off by half of what the way from
// the one to the other is aside of the normal. The witness points, on the same edges, have no such
// part. From there to the ends the way loses its component along an edge, at most edgeOn of its
// length, and where the stretch ends at a vertex at most parallel of it; and edges that are not
// parallel move aside by parallel of the stretch. Two sharp edges that are aside by more than
// apartSides of their length have no such contacts.
func asideOff(a, b *Shape, ra, rb *body, depth float64) float64 {
	if round := func(s *Shape) bool { return s.kind == KindCapsule || s.kind == KindRound }; !round(a) && !round(b) {
		return apartSides / 2 * max(ra.length(), rb.length())
	}
	stretch := min(ra.length(), rb.length())
	return ((edgeOn+parallel)*math.Abs(depth) + 2*parallel*stretch) / 2
}
