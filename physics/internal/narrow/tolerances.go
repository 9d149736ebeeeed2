package narrow

import "math"

// All constants of the package, with unit, typical value, reason and what breaks when they change.
// "Of the size" means times the largest coordinate of the two shapes in metres, so that a pair
// 100 m from the origin has a hundred times the tolerance of one at 1 m. Double precision rounds to
// 1.1e-16 of a number and single precision, in which positions are stored, to 6e-8.
//
// Every change here changes answers, and with them the golden hash of TestSameBits.

// GJK: see search.
const (
	// maxSteps bounds the steps of a search, on any input. Polytopes take up to a dozen, ellipsoids
	// mostly up to twenty; 58 were seen. Less cuts searches of thin ellipsoids short; more is no
	// cost where the search ends by itself.
	maxSteps = 128
	// relativeGap ends a search: the square of the distance is known to this fraction of itself.
	// The witness points of a curved body are known to its square root, 3e-7 of the distance. Less
	// takes more steps that rounding hides; more shifts contacts.
	relativeGap = 1e-13
	// touching is how near cores are that count as touching, of the size: some fifty times what one
	// sum in double precision rounds off, and a millionth of what single precision does. With less,
	// rounding decides whether shapes that touch exactly overlap; with more, gaps close.
	touching = 1e-14
	// stalled is how far the two bounds of a distance may be from each other, of the shapes'
	// extents and the gap between them, where a search that comes no nearer has converged: four
	// roundings. With less, searches are run twice for rounding; with more, wrong distances pass
	// for right.
	stalled = 0x1p-51
	// lineSquare is the squared sine of the angle between two sides of a triangle of the simplex up
	// to which it is a line: 2⁻⁴⁰. With less, weights of lines are noise.
	lineSquare = 0x1p-80
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
	// insideOff is the square of how far the weights of a tetrahedron around the origin may miss
	// it, of the square of the tetrahedron's reach, before those of its faces are tried: 2⁻³⁶. With
	// less, faces are tried for rounding; with more, witness points of needles are beside each
	// other.
	insideOff = 0x1p-72
)

// Depth: the expanding polytope, and separating axes.
const (
	// maxPoints bounds the vertices of the expanding polytope; each step adds one. Polytopes end
	// before that. Of ellipsoids, 128 leave the depth off by 1e-5 of itself, and by up to 1.2e-3
	// where it is nearly the same in all directions; the memory is on the stack, 14 KB.
	maxPoints = 128
	maxFaces  = 2*maxPoints - 4 // Euler's formula for triangles
	// depthGap ends the expansion: the depth is known to this fraction of the size, which is less
	// than single precision holds. Less takes many steps on curved bodies.
	depthGap = 1e-9
	// curvedGap is the same where Newton's method has found the nearest least depth to rounding: no
	// other one is less by more. It is below what a face is preferred by, edgeBias. Less takes more
	// steps where the depth is nearly the same in many directions.
	curvedGap = 1e-7
	// polishGap is the gap between the bounds of a depth, of the size, from which on Newton's
	// method is tried. With more, it is begun in vain; with less, the expansion goes on for longer.
	polishGap = 1e-3
	// polishFrom is the gap between the bounds of the square of a distance, of itself, from which
	// on Newton's method is tried once. With more, it is begun in vain; with less, later.
	polishFrom = 1e-2
	// newtonDamping is what is added to the Hessian of the depth for each metre of the gradient: a
	// step is up to half a radian. With less, more steps do not lead down; with more, more are
	// needed.
	newtonDamping = 2.0
	// weightsAhead is how far outside the point is for which the active ends are weighted, of the
	// extent of the smaller shape. With less, ends that hold the minimum in place are dropped; with
	// more, ends are kept that do not.
	weightsAhead = 0.125
	// maxNewton bounds the steps of Newton's method, of which five to seven were seen.
	maxNewton = 16
	// shortestNewton is the square of the shortest step of Newton's method, in radians, that is
	// halved where it leads too far: around what is almost a sphere. With less, the method goes on
	// where it has converged to rounding.
	shortestNewton = 1e-6
	// polished is how far apart, of the shapes' extents and the gap between them, the witness
	// points of a depth may be, apart from that depth, where Newton's method has converged. With
	// less, rounding rejects it on flat ellipsoids; with more, it may have stopped beside the
	// minimum.
	polished = 1e-9
	// edgeBias is by how much the overlap across two edges must be less than that across a face to
	// be preferred, of the size: what single precision rounds off a position, three times over.
	// With less, boxes that lie on each other get the normal of an edge in some ticks and stacks
	// tremble; with more, the depth is up to that much too large.
	edgeBias = 2e-7
	// unsure is how near to touching two shapes are, or their cores, of the size, where the methods
	// for depth and for overlap may disagree by rounding: Penetrate asks Overlaps there. With less,
	// the two contradict each other.
	unsure = 1e-8
	// faint is how near cores are, of the size, where the difference of their witness points is too
	// short for a direction, whose error is 1e-16 over this; separating axes give it then. With
	// less, normals of shapes that touch are noise; with more, a normal off a vertex or an edge
	// snaps to a face from further away.
	faint = 1e-9
	// parallelAxes is the sine of the angle between two edges up to which their cross product is no
	// axis: its direction is off by 1e-16 over this. Such axes add nothing to the faces' either.
	// With less, noise may pass for the shortest way out.
	parallelAxes = 1e-8
	// cancelling is the squared sine of the angle between two axes of boxes below which 1 − cos²
	// has lost ten of its sixteen digits; the cross product is computed then. With less, edges that
	// are almost parallel get wrong depths.
	cancelling = 1e-6
	// maxPruned is the largest number of faces of a hull whose separating axes are pruned, a power
	// of two: see relateHull. More clears more memory for each pair, 8 bytes a face.
	maxPruned = 64
	// maxEdgesLeft and maxPairsLeft are how many edges of a hull and pairs of edges may be left
	// after pruning; a pair takes about 4 ns. With less, hulls that are far from round, or deep in
	// each other, are left to EPA; with more, these take longer than EPA does.
	maxEdgesLeft, maxPairsLeft = 48, 300
	// evenHeights is how far the heights over faces of a hull may be off, of the extents and the
	// gap between the shapes: what evenScale lets a map scale directions differently, and what
	// hulls let vertices lie below their faces. With less, pruning may drop the best axis; with
	// more, it leaves more axes.
	evenHeights = 8e-6
	// alongAxis is the squared sine of the angle between an edge of a triangle and an axis of a box
	// up to which their cross product is no axis: 3e-8, as parallelAxes.
	alongAxis = 1e-15
	// rootSlack is the relative error allowed to squares that are compared in place of their roots,
	// a million times their rounding. With less, a pair at the very limit may be missed; with more,
	// roots are taken for nothing.
	rootSlack = 1e-9
)

// Points, segments and triangles.
const (
	// parallelSegments is the squared sine of the angle between two segments up to which they are
	// parallel and the middle of their common stretch counts: 1e-12, where the place at which they
	// are nearest is off by their whole length. With more, crossing segments touch at a wrong
	// place.
	parallelSegments = 1e-24
	// crossing is the squared sine of the angle between two capsules from which on their nearest
	// points come from the products of their directions, whose rounding is magnified by 1 over
	// this: 5.7°, which leaves out all that run side by side. With less, the points are off; with
	// more, capsules that cross take a third longer.
	crossing = 1e-2
	// parallelEdges is parallelSegments for Face.Gap, which needs the distance only: 1e-7. The
	// distance is off by 1e-7 of the length below it, and by less above it.
	parallelEdges = 1e-14
	// asNear is by how much of a distance two ways to the same point differ by rounding; of these
	// the one with the triangle's normal is kept. With 0, a capsule along a floor gets the normal
	// of an edge in some ticks.
	asNear = 1e-12
	// flatTriangle is the area of a triangle, as a fraction of the square of its longest side, up
	// to which it is a line: with more, its normal is off by less than 1e-16 over this, a
	// hundredth. With less, the normals of lines are noise.
	flatTriangle = 1e-14
	// thinTriangle is the height of a triangle over its longest side, of the size, up to which the
	// rounding of its corners to single precision, 2⁻²⁴, may have made its normal. With less,
	// slivers of far meshes throw shapes sideways; with more, thin but sound triangles lose their
	// edges.
	thinTriangle = 0x1p-21
	// facePierced is the distance from a face, as a fraction of one metre and the coordinates
	// together, up to which a segment touches it and the face's normal counts: the direction is off
	// by 1e-16 over this. With less, normals of what touches a face are noise.
	facePierced = 1e-12
	// rightAngle is the entry of a rotation matrix up to which axesOf leaves the work to
	// geom.Box.Axes, which snaps axes within 1e-15 of the world's to these. With less than that,
	// axesOf returns other bits than Axes.
	rightAngle = 1e-12
)

// Contacts and features.
const (
	maxContacts = 4 // of a manifold: enough to hold a box still; a solver takes time for each
	// maxCorners is up to how many corners of a face are clipped. Of a face with more, every second
	// or third is taken, a polygon within it. More costs time for all manifolds, as arrays are
	// cleared; with less, wide cylinders stand on a smaller base.
	maxCorners = 8
	// maxClipped is how many corners a clipped polygon may have: clipping by a line adds at most
	// one.
	maxClipped = 2 * maxCorners
	// faceOn is the cosine of the angle between a face's normal and the manifold's up to which the
	// face makes the contacts: 5.7°. With less, contacts of a tilted box rest on a face that only
	// one of its edges touches; with more, a box that lies flat loses contacts as it sways.
	faceOn = 0.995
	// facePreferred is by how much the cosine of the second shape's face must be larger to make it
	// the reference. With 0, the choice, and with it the features, flips from tick to tick.
	facePreferred = 1e-3
	// edgeOn is the sine of the angle between an edge and the plane across the normal up to which
	// the edge may make two contacts: 5.7°, as faceOn.
	edgeOn = 0.1
	// parallel is the sine of the angle between two edges up to which they run side by side: 2°.
	// With less, capsules that lie on each other roll off a single contact; with more, contacts are
	// beside the edges.
	parallel = 0.035
	// apartSides is how far sharp edges that run side by side may be beside each other, of their
	// length: twice what a contact may be off its shape. With more, contacts are beside the edges;
	// with less, rounding leaves one contact of two.
	apartSides = 2e-4
	// parallelSlack is the relative error allowed to the square of parallel before roots are taken.
	parallelSlack = 1e-6
	// sameFlatness is the difference of two such sines up to which two edges are alike, and the
	// longer is taken. With 0, rounding chooses the edge.
	sameFlatness = 1e-9
	// onFeature is the sine of the angle between a direction and an edge or a face up to which the
	// whole of it is the feature: what rounding to single precision makes. With less, features flip
	// between an edge and its ends.
	onFeature = 1e-7
	// evenScale is by how much the squares of a map's axes, and their products, may differ for the
	// map to count as a rotation with a uniform scale, of that square: the rounding of its numbers
	// to single precision, ten times over. With less, hulls that are only rotated take longer; with
	// more, the face of a stretched hull may not be the one that faces a direction best.
	evenScale = 1e-6
	// sameDepth is the difference, of the size, up to which two depths or places are the same: a
	// hundredth of single precision. With less, a manifold gets a fifth point for rounding; with
	// more, its deepest point is not as deep as Penetrate says.
	sameDepth = 1e-9
)

// Edges of a mesh.
const (
	// Open is the Bend of an edge that belongs to one triangle alone.
	Open = Bend(math.MaxFloat32)
	// roundingCap is the largest Bend that is ever attributed to rounding: a turn of 5°, up to
	// which Jolt takes all edges for flat. With more, real ridges become flat; with less, floors
	// far from the origin trip what slides over them.
	roundingCap = 0.0437
	// roundedBend is the rounding of a corner's coordinates in BendAt, of the size: four units of
	// single precision, two corners' worth.
	roundedBend = 0x1p-22
	// foldedBack is the cotangent of half the angle from which on a surface is folded back on
	// itself, at 180°, where the Bend is infinite.
	foldedBack = 1e-6
	// roundedTurn is the sine of an angle, 0.57°, that bends are surely rounded by less than: the
	// most is 0.007°. With less than that, a direction along a neighbouring triangle is not tried
	// at a corner; with more, some are tried for nothing.
	roundedTurn = 1e-2
	// leaning is the sine of the angle by which a direction must lean over an edge to count as
	// leaning: ten times the rounding of a normal to single precision. With less, contacts of flat
	// floors are found twice, because of rounding; with more, ghost normals of that size pass.
	leaning = 1e-6
)

// Manifolds of meshes: see Joiner.
const (
	MaxNormals = 16 // manifolds that a Joiner makes at the most; of more the shallowest are dropped
	// sameNormal is the cosine of the angle up to which normals are one: 1°. The rounding of
	// vertices turns triangles of a metre by a hundredth of that at a kilometre from the origin;
	// faces of round objects turn by more. With less, one floor makes several manifolds; with more,
	// a curved floor makes one.
	sameNormal = 0.99985
	// Places are the same up to this fraction of the extent of the contacts and of the coordinates,
	// the latter four units of single precision. With less, a vertex shared by triangles counts
	// twice; with more, small shapes lose contacts.
	samePlace, sameCoordinate = 1e-4, 0x1p-22
	// sameWay is the cosine of the angle, 1e-6, up to which contacts along a direction are contacts
	// along another: the points are off by 1e-6 of the depth. With less, rounding has contacts
	// found twice; with more, points are off their shapes.
	sameWay = 1 - 5e-13
	// besideEdge is how far from a triangle its contacts may be, of the size: half of a hundredth
	// of a millimetre at a metre. With less, rounding removes contacts; with more, edges that cross
	// at a small angle have contacts beside them.
	besideEdge = 5e-6
	// pastMiddle is how far behind a surface the middle of a shape may be that leaves it over an
	// edge, of the shape's extent. With 0, flat shapes are pushed into the surface; with more,
	// shapes deep in a valley are pushed through it.
	pastMiddle = 0.02
	// muchLonger is how many times the least way out of a triangle one may be that is preferred, as
	// the shape, moved along it, touches the surface. With 1, what is deep in a valley is left in a
	// slope; with more, tips are pushed out by the far ends of shapes.
	muchLonger = 4
	// maxPartings bounds the half-spaces of a way out of a bend, and bendLonger its length, of the
	// shape's extent. With less, tips in narrow bends have contacts that are less deep.
	maxPartings, bendLonger = 12, 0.25
	// maxNodes and meshNodes bound the translations that are looked at for it, the latter those of
	// two meshes. With less, some are longer than the least; with more, time is lost.
	maxNodes, meshNodes = 16, 8
	// shallowBend is up to how deep shapes are, of their extent, where all ways out together are
	// not looked at, and by how much more than the least they may be long. With less, crates that
	// rest in corners take longer; with more, shapes are left in the surface by that.
	shallowBend = 5e-4
	// leftDeep is up to how deep contacts may leave a shape in the surface, of the way they lead
	// out. With less, shapes in bends have contacts along other directions than the normals of
	// faces where those would do; with more, depths are too small by that.
	leftDeep = 0.02
	// ahead is by how much further a shape is moved, of the way, to see whether it passes between
	// two sides. With less than five times leftDeep, it does so unseen.
	ahead = 0.1
	// partingOff is the relative error of a translation that is on three planes, and parallelSides
	// the least determinant of these.
	partingOff, parallelSides = 1e-9, 1e-6
	// reaching is how far from a shape triangles are looked at for ways out of those that it
	// touches, of its extent. With less, shapes as flat as that are pushed out too far; with more,
	// deep shapes look at many triangles twice. maxReaching is up to how many triangles that is
	// done.
	reaching, maxReaching = 0.05, 256
	// sharpBend is up to which bend ways out across the edges of a triangle are found one by one:
	// 44°. With more, deep ones over the edges of its neighbours may be shorter.
	sharpBend = 0.4
	// steepEdge is the bend beyond which a triangle is compared along its normal although the shape
	// is nearest to it past an edge: 30°. With less, time is lost on hills; with more, a shape in
	// the corner between a floor and a bank has no contact with the one that it does not touch.
	steepEdge = 0.268
	// uprightFace is the cosine of the angle, 60°, between a triangle and a direction over its
	// corner from which on the direction shows which side of the triangle is outside. With more,
	// triangles of a blunt corner are left without a side; with less, one that is seen edge-on has
	// either.
	uprightFace = 0.5
	// maxShallow is up to how many triangles around a polytope the ways out are found by its
	// support points. With more, time is lost on rough ground, as a shape so large beside triangles
	// mostly reaches through some of them; with less, over fine ground, as under a log.
	maxShallow = 512
	// maxSpanned is up to how many vertices of a hull are all looked at for its bounds, without a
	// branch, which takes less time than six searches for support points.
	maxSpanned = 24
	// maxKept is up to how many vertices a hull keeps them in the world. With more, some are
	// computed that no support point is at.
	maxKept = 32
	// tiltedFace is the cosine of the angle, 60°, between a triangle and a face of a shape up to
	// which they may touch at a corner of the triangle, where no edge is sharp. With less, time is
	// lost; with more, Joiner.Join has to decide more often.
	tiltedFace = 0.5
	// coneSamples is at how many angles ways out along the side of a cone, or over an edge, are
	// compared, and coneSections how often the range of one is divided: to 10⁻⁵ of it. With fewer
	// samples, a least way out is passed over; with fewer sections, it is longer than the least.
	coneSamples, coneSections = 16, 24
	// rootSteps bounds the steps to the way out of a round shape over an edge, of which four to ten
	// were seen, and rootEnd is the part of the range, up to 44° wide, that ends them. With fewer
	// or more, contacts are beside the edge; less is lost in rounding.
	rootSteps, rootEnd = 48, 1e-10
	// fewTriangles is up to how many triangles are compared with each other instead of being found
	// in tables by their corners. With less, tables are made where they are no gain; with more,
	// time grows with the square.
	fewTriangles = 16
	// asNearMiddle is the relative difference up to which two triangles are equally near to a
	// shape's middle, as their distances from a point that they share are. With 0, rounding decides
	// on which side of a corner a shape is.
	asNearMiddle = 1e-9
)

// Casts. The tolerance of a cast is a length in metres: castTouching, or castTouchingCurved, times
// the sum of the sizes of the shapes and of the gap between them at the start; 5e-13 m for two
// crates of a metre.
const (
	// castTouching is how near shapes are that touch: some hundred times what double precision
	// rounds off the sums, and 100,000 times less than single precision holds. With less, rounding
	// hides the touch and searches run to maxSteps; with more, T is early by that over the closing
	// speed.
	castTouching = 0x1p-42
	// castTouchingCurved is the same where one of the shapes is an ellipsoid, or made of them: the
	// steps towards its surface grow small and are lost in rounding long before they come as near
	// as to a flat one.
	castTouchingCurved = 0x1p-34
	// atStart is how many tolerances deep shapes are that only touch where the path starts; depths
	// up to that count as 0. With less, what rests on a floor overlaps it by rounding.
	atStart = 4
	// apartAtStart is how many tolerances apart cores are whose direction from one to the other
	// gives the normal of an overlap at the start; the direction is off by 2⁻⁹ of a tolerance over
	// this. With less, such normals are noise; with more, thin margins overlap by an axis of the
	// cores.
	apartAtStart = 0x1p10
	// farApart is from how many tolerances on the direction of a sphere from a box is exact to the
	// 10⁻⁸ that are promised, by the same error. With less, planes cut large boxes; with more, a
	// second plane is computed for nothing.
	farApart = 0x1p20
	// witnessed is as apartAtStart, for the normal of a touch, which is taken from the plane of the
	// last step otherwise.
	witnessed = 0x1p12
	// curvedPlane is how deep the plane of such a normal may cut curved shapes, of their extents,
	// before it is compared with the plane of the last step: about the 10⁻⁸ that are promised.
	// With less, normals of curved shapes are those of the last step, which are less exact; with
	// more, a needle that is touched at its end may get a normal along itself.
	curvedPlane = 0x1p-26
	// newtonEnd is the gap, in tolerances, at which Newton's method on the distance of a sphere
	// ends. It doubles the digits at each step, so that ending early saves nothing.
	newtonEnd = 0x1p-6
	// castInside is the distance of cores, in tolerances, up to which they count as one inside the
	// other.
	castInside = 0x1p-4
	// maxWalk bounds the steps of a cast. Over 400,000 pairs of sizes from a millimetre to ten
	// kilometres, the most seen was 18, and 118 where one of the shapes was an ellipsoid. Where it
	// is reached, the search is as far as is known to be safe, and reports that as a touch: with
	// less, ellipsoids stop in mid-air.
	maxWalk = 256
	// hasVolume is the volume of a parallelepiped, as a fraction of that of the box with the same
	// edges at right angles, from which on its slabs leave nothing but the Minkowski difference.
	hasVolume = 0x1p-40
	// alongMotion is the squared sine of the angle between two directions up to which there is no
	// direction across one in the plane of both: 2⁻⁴⁰, where it is off by 2⁻¹³.
	alongMotion = 0x1p-80
	// alongSlab is the sine of the angle between the motion and a slab up to which the motion is
	// along it. With less, T is rounding divided by rounding; with more, shapes that close slowly
	// miss.
	alongSlab = 0x1p-46
	// unitNormal is by how much the square of a plane's normal may differ from 1. It is rounded to
	// single precision in most callers; what differs by more is no plane and is never hit.
	unitNormal = 1e-6
)

// Casts at triangles of a mesh, which are left out without a search; with less, a hit is missed by
// rounding, with more, searches are run for nothing.
const (
	// offPlane is the distance from a triangle's plane, relative to coordinates and sizes, beyond
	// which a body stays off it: more than castTouchingCurved, so that it agrees with every search.
	offPlane = 0x1p-24
	// padding is how much a body's bounds in the space of a mesh are grown, relative: 32 roundings.
	padding = 0x1p-48
)
