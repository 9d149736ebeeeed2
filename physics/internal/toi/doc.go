// Package toi finds the time of impact of two convex bodies: when one of them, which moves along a
// straight path and does not turn, first touches the other, where, and with which normal.
//
// Everything rests on one fact: the distance of two convex bodies is a convex function of the way
// that one of them has gone. So Newton's method, begun where they are apart, comes nearer to the
// first touch with every step and never passes it, whatever plane between the bodies a step goes
// by; rounding can only make it stop a hair early. This is conservative advancement (Mirtich 1996,
// "Impulse-based Dynamic Simulation of Rigid Body Systems"), and where the planes come from the
// walk of Gilbert, Johnson and Keerthi it is the ray cast of van den Bergh (2004, "Ray Casting
// against General Convex Objects with Application to Continuous Collision Detection").
//
// Who is asked how:
//
//   - two spheres, a sphere and a capsule: the roots of quadratics;
//   - two boxes along the axes: slabs;
//   - a sphere and a box or a triangle: Newton's method on the distance itself;
//   - boxes, and boxes and triangles, however turned, scaled or sheared: the slabs of all axes that
//     can part them (Gottschalk, Lin and Manocha 1996, "OBBTree", of bodies that move), which is
//     exact, as the sum of two such bodies has no other faces;
//   - capsules with all of these: the same slabs, grown by the radius, for a start, and from there
//     the walk;
//   - hulls, ellipsoids and what else a shear makes of round bodies: the walk.
//
// Bodies are compared from their own origins, so that a pair far out in the world is as exact as
// one near its middle. Touching is to come within 2⁻⁴² of the sizes of the bodies and the gap
// between them at the start, and T is off by no more than that divided by the rate at which they
// close; with ellipsoids it is 2⁻³⁴, which is below what single precision tells. Planes and points
// are as good to some 10⁻⁸ of these sizes where they are far apart, and mostly far better. No
// search takes more than maxSteps steps.
//
// The depth of bodies that overlap at the start is exact where there are axes; for hulls and
// ellipsoids see expand.
package toi
