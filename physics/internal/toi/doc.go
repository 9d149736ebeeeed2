// Package toi finds the time of impact of two convex bodies: when one of them, which moves along a
// straight path and does not turn, first touches the other, where, and with which normal.
//
// The distance of two convex bodies is a convex function of the way that one of them has gone. So
// Newton's method, begun where they are apart, comes nearer to the first touch with every step and
// never passes it, whatever plane between the bodies a step uses; rounding can only make it stop a
// little early. This is conservative advancement (Mirtich 1996, "Impulse-based Dynamic Simulation
// of Rigid Body Systems"). With planes from GJK (Gilbert, Johnson and Keerthi 1988) it is the ray
// cast of van den Bergh (2004, "Ray Casting against General Convex Objects with Application to
// Continuous Collision Detection").
//
// The methods by kinds of bodies:
//
//   - two spheres, a sphere and a capsule: the roots of quadratics;
//   - two boxes along the axes: slabs;
//   - a sphere and a box or a triangle: Newton's method on the distance itself;
//   - boxes, and boxes and triangles, with any rotation, scale or shear: the slabs of all axes that
//     can separate them (Gottschalk, Lin and Manocha 1996, "OBBTree", for moving bodies), which is
//     exact, since the Minkowski difference of two such bodies has no other faces;
//   - capsules with all of these: the same slabs, grown by the radius, for a start, and GJK from
//     there;
//   - hulls, ellipsoids and sheared round bodies: GJK.
//
// Positions are relative to the bodies' own origins, so that a pair far from the world's origin is
// as exact as one near it. Bodies touch when they are within 2⁻⁴² of the sizes of the bodies and of
// the gap between them at the start, and T is early by no more than that divided by the closing
// speed; with ellipsoids it is 2⁻³⁴, which is less than single precision resolves. Planes and
// points are off by some 10⁻⁸ of these sizes at worst, and mostly by far less. No search takes more
// than maxSteps steps. Constants are in tolerances.go.
//
// The depth of bodies that overlap at the start is exact where there are axes; for hulls and
// ellipsoids see expand.
package toi
