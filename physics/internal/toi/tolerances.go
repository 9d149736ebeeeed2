package toi

// All constants of the package, with unit, typical value, reason and what breaks when they change.
// Most are powers of two: they are factors, and so cost no rounding. Double precision rounds to
// 2⁻⁵³ of a number and single precision, in which positions are stored, to 2⁻²⁴.
//
// Every change here changes answers, and with them the golden hash of TestSameBits.

// Touching. A pair's tolerance is a length in metres: touching, or touchingCurved, times the sum of
// the sizes of the bodies and of the gap between them at the start; 5e-13 m for two crates of a
// metre.
const (
	// touching is how near bodies are that touch: some hundred times what double precision rounds
	// off the sums, and 100,000 times less than single precision holds. With less, rounding hides
	// the touch and searches run to maxSteps; with more, T is early by that over the closing speed.
	touching = 0x1p-42
	// touchingCurved is the same where one of the bodies is an ellipsoid, or made of them: the
	// steps towards its surface grow small and are lost in rounding long before they come as near
	// as to a flat one.
	touchingCurved = 0x1p-34
	// atStart is how many tolerances deep bodies are that only touch where the path starts; depths
	// up to that count as 0. With less, what rests on a floor overlaps it by rounding.
	atStart = 4
	// apartAtStart is how many tolerances apart cores are whose direction from one to the other
	// gives the normal of an overlap at the start; the direction is off by 2⁻⁹ of a tolerance over
	// this. With less, such normals are noise; with more, thin margins overlap by an axis of the
	// cores.
	apartAtStart = 0x1p10
	// witnessed is the same for the normal of a touch, which is taken from the plane of the last
	// step otherwise.
	witnessed = 0x1p12
	// newtonEnd is the gap, in tolerances, at which Newton's method on the distance of a sphere
	// ends. It doubles the digits at each step, so that ending early saves nothing.
	newtonEnd = 0x1p-6
)

// Searches.
const (
	// maxSteps bounds the work of every search. Over 400,000 pairs of sizes from a millimetre to
	// ten kilometres, the most seen was 18, and 118 where one of the bodies was an ellipsoid. Where
	// it is reached, the search is as far as is known to be safe, and reports that as a touch: with
	// less, ellipsoids stop in mid-air.
	maxSteps = 256
	// insideSquare is the square of the distance of cores, in squared tolerances, from which on
	// they count as one inside the other.
	insideSquare = 0x1p-8
	// relativeGap ends a search for a distance: its square is known to this fraction of itself.
	relativeGap = 0x1p-46
	// maxCorners bounds the vertices of the expanding polytope. The depth of ellipsoids is off by
	// some thousandths of their size with 64; the work grows with the square.
	maxCorners = 64
	maxFaces   = 2 * maxCorners // Euler's formula for triangles: 2n − 4
	// expansionGap ends the expansion: the depth is known to this fraction of itself, and of
	// expansionRound tolerances where it is small.
	expansionGap   = 0x1p-30
	expansionRound = 0x1p12
	// flatDifference is the extent of the Minkowski difference, in tolerances, up to which it is
	// flat and there is no tetrahedron to begin with. With less, the first faces have noise for
	// normals.
	flatDifference = 0x1p8
)

// Directions.
const (
	// rightAngle is the squared cosine of the angle between the axes of a box up to which they are
	// at right angles: rounding leaves them within 2⁻⁵⁰ of it. With less, boxes take the slower way
	// of sheared boxes; with more, sheared boxes are treated as boxes.
	rightAngle = 0x1p-98
	// hasVolume is the volume of a box, as a fraction of that of the box with the same axes at
	// right angles, from which on its slabs leave nothing but the Minkowski difference.
	hasVolume = 0x1p-40
	// parallel is the squared sine of the angle between two directions up to which there is no
	// direction across one in the plane of both: 2⁻⁴⁰, where it is off by 2⁻¹³.
	parallel = 0x1p-80
	// flatTriangle is the same of two sides of a triangle: up to it, the triangle is a line. With
	// less, weights of lines are noise.
	flatTriangle = 0x1p-80
	// needle is the square of a triangle's height over its longest edge, relative, 2⁻¹⁷ of that
	// edge, below which the foot of the perpendicular is compared with the edges. With less,
	// rounding of the plane moves the foot far along the needle; with more, triangles take longer.
	needle = 0x1p-34
	// sliver is the squared sine of an angle of a triangle below which rounding may have made any
	// plane of it: 2⁻¹⁰. Points within a triangle that is none are taken from its plane.
	sliver = 0x1p-20
	// sliverAgrees is the square of the difference, relative, up to which the plane of a sliver and
	// its nearest point give the same direction.
	sliverAgrees = 0x1p-12
	// flatTetrahedron is the height of a tetrahedron over a face, relative, up to which the side of
	// the face on which the origin is cannot be decided. With less, the search leaves thin
	// tetrahedra by the wrong face.
	flatTetrahedron = 0x1p-30
	// alongSlab is the sine of the angle between the motion and a slab up to which the motion is
	// along it. With less, T is rounding divided by rounding; with more, bodies that close slowly
	// miss.
	alongSlab = 0x1p-46
	// unitNormal is by how much the square of a plane's normal may differ from 1. It is rounded to
	// single precision in most callers; what differs by more is no plane and is never hit.
	unitNormal = 1e-6
)

// Triangles of a mesh, which are left out without a search; with less, a hit is missed by rounding,
// with more, searches are run for nothing.
const (
	// offPlane is the distance from a triangle's plane, relative to coordinates and sizes, beyond
	// which a body stays off it: more than touchingCurved, so that it agrees with every search.
	offPlane = 0x1p-24
	// padding is how much a body's bounds in the space of a mesh are grown, relative: 32 roundings.
	padding = 0x1p-48
)
