package narrow

// Tolerances of the tests that draw their cases, in metres for bodies of some metres in size,
// except where a comment says otherwise.
const (
	// castUnit is the rounding of numbers up to 10: a hundred operations, 2⁻⁵³ each.
	castUnit = 1e-12
	// distanceOff is the error of a distance, and of a T times the rate at which bodies close: the
	// tolerance of a pair is 1e-11 m for sizes of 10 m and gaps of 30 m, and a plane by which a
	// search ends may be four of these off at both ends of the path.
	distanceOff = 1e-9
	// castOff is the same of points and planes.
	castOff = 1e-9
	// castDepthOff is the error of a depth: that of the cross product of two edges, whose direction
	// is off by 2⁻⁵³ over the sine of their angle. Edges within 1e-7 of parallel are not drawn.
	castDepthOff = 1e-8
	// curvedOff is the tolerance of a pair with an ellipsoid, 2e-9 m, at both ends of the path.
	curvedOff = 1e-8
	// curvedCastOff is the error of its points and planes: a point is off along the surface, where
	// the distance varies by curvedOff, by the root of that times the radius of curvature, and the
	// plane there by the square of that over the radius.
	curvedCastOff = 1e-6
	// curvedDepth is the error of a depth with an ellipsoid in it, of the sizes of the shapes: no
	// way out is shorter by more than curvedGap of their coordinates. Points are off by up to 2.5
	// curvedGap: a cone in a needle.
	curvedDepth = 3 * curvedGap
	// castPromised and castPromisedCurved are the errors of points and planes, of the sizes of the
	// bodies and the castGap between them, that doc.go states.
	castPromised, castPromisedCurved = 1e-8, 1e-6
)

// precision is how far points and planes may be off, in metres.
func precision(a, b *castShape, p *Path, hit *Impact) float64 {
	off := castPromised
	if a.body.kind == KindRound || b.body.kind == KindRound {
		if off = castPromisedCurved; hit.Overlaps {
			return curvedDepth * (a.size() + b.size())
		}
	}
	return off * (total(a.body.p) + total(b.body.p) + a.size() + b.size() + total(p.Motion))
}
