// Package narrow is the narrow phase of collision detection, for two convex shapes. [Overlaps]
// reports whether they touch, [Distance] returns how far they are apart and their witness points,
// [Penetrate] the penetration depth and the direction of the minimum translation vector, and
// [Finder.Collide] the contact manifold. [Cast] returns the time of impact: when one of them, which
// moves along a straight path and does not turn, first touches the other, where, and with which
// normal. A [Joiner] finds the few manifolds of a shape with many triangles of a mesh, by the
// [Edges] of these and the corners that they share; all at once where the surface is flat, and
// mostly by support points alone where it is hilly. A [Caster] casts one shape at many triangles.
// [Corners] is a convex body for overlaps alone, such as a part of a frustum.
//
// All is computed in double precision, in metres, in a bounded number of steps, without allocation,
// and gives the same bits on every machine. The points of a shape are relative to its origin, and
// only origins are in world space, so that a pair far from the world's origin is as exact as one
// near it. Exchanging the two shapes exchanges the two sides of the answer and changes nothing
// else. Constants are in tolerances.go.
//
// # Methods
//
// Spheres, capsules, boxes, triangles and half-spaces have closed forms. The distance of boxes and
// triangles that are apart, and all answers for other shapes, come from the GJK algorithm (Gilbert,
// Johnson and Keerthi 1988, "A fast procedure for computing the distance between complex objects in
// three-dimensional space"): it searches the Minkowski difference of the two shapes, of which it
// needs only the support functions, for the point nearest to the origin. Newton's method finishes
// the search where a shape is curved.
//
// The depth of cores that have few faces and edges comes from separating axes. So does that of a
// hull of up to 64 faces and another polytope, where a sphere within each of the two rules out most
// axes (see hulls.go): 0.6 µs for two dodecahedra 5 cm deep. All others, and hulls deep in each
// other, are left to the expanding polytope algorithm, EPA (van den Bergh 2001, "Proximity queries
// and penetration depth computation on 3D game objects"): 1.5, 1.5, 2 and 5 µs at 8, 12, 40 and 100
// vertices each. Separating axes with the pairs of edges pruned by the Gauss map alone (Gregorius
// 2013, "The separating axis test between convex polyhedra") take 2, 6, 43 and 220 µs there. They
// serve where EPA does not converge, and as the reference of both in tests.
//
// The depth of a cone or a cylinder in a shape that is no sphere and no capsule, and their distance
// for contacts, come from Newton's method on the ends that touch, with a proof that no other way
// out is shorter: see minimum.go. Half of the depths need neither GJK nor EPA then.
//
// Contacts come from clipping a face of one shape by a face of the other (Sutherland and Hodgman
// 1974, "Reentrant polygon clipping").
//
// # Casts
//
// The distance of two convex shapes is a convex function of the way that one of them has gone. So
// Newton's method, begun where they are apart, comes nearer to the first touch with every step and
// never passes it, whatever plane between the shapes a step uses; rounding can only make it stop a
// little early. This is conservative advancement (Mirtich 1996, "Impulse-based Dynamic Simulation
// of Rigid Body Systems"). With planes from GJK it is the ray cast of van den Bergh (2004, "Ray
// Casting against General Convex Objects with Application to Continuous Collision Detection").
//
// The methods by kinds of shapes:
//
//   - two spheres, a sphere and a capsule: the roots of quadratics;
//   - two boxes along the axes: slabs;
//   - a sphere and a box or a triangle: Newton's method on the distance itself;
//   - boxes, and boxes and triangles, with any rotation, scale or shear: the slabs of all axes that
//     can separate them (Gottschalk, Lin and Manocha 1996, "OBBTree", for moving bodies), which is
//     exact, since the Minkowski difference of two such shapes has no other faces;
//   - capsules with all of these: the same slabs, grown by the radius, for a start, and GJK from
//     there;
//   - hulls, ellipsoids, cones, tapered capsules and sheared round shapes: GJK.
//
// Shapes touch when they are within 2⁻⁴² of the sizes of the shapes and of the gap between them at
// the start, and T is early by no more than that divided by the closing speed; with ellipsoids it
// is 2⁻³⁴, which is less than single precision resolves. Planes and points are off by some 10⁻⁸ of
// these sizes at worst, and mostly by far less.
//
// # Accuracy
//
// Over 7,200 random pairs, with axes up to 30 to 1, distances were right to 10⁻⁸ of the largest
// coordinate (to 3·10⁻⁸ for a crate of a centimetre on a triangle of 20 km), and depths to 3·10⁻⁷,
// of which 2·10⁻⁷ is the preference of a face to an edge. Of ellipsoids, Newton's method finds
// depths and witness points to rounding; of 2,500 random pairs, 8 had so nearly the same depth in
// all directions that the polytope's 128 points did not prove it to be the least. No iteration can
// decide whether an ellipsoid touches exactly.
package narrow
