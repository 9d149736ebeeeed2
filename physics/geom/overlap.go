package geom

// This file holds the rules that all overlaps share, and the half of the table that only swaps the
// two shapes.
//
// Any two of AABB, Box, Sphere, Capsule, Plane and Triangle can be asked whether they have a point
// in common. Touching counts. A plane and a triangle are surfaces: a sphere behind a plane does not
// overlap it, and a triangle inside a box does overlap the box, which is solid. A shape that is
// empty overlaps nothing.

// slack is the rounding that a test allows before it calls two shapes separate, as a fraction of
// the numbers it summed up: eight units in the last place of double precision. Two shapes that just
// touch overlap, in spite of a turned axis; two that are one unit of single precision apart do not,
// unless their sizes differ by a factor of 10⁷.
const slack = 8 * 0x1p-53

// OverlapsAABB reports whether the box and the axis-aligned box have a point in common.
func (b Box) OverlapsAABB(c AABB) bool { return c.OverlapsBox(b) }

// OverlapsAABB reports whether the sphere and the box have a point in common.
func (s Sphere) OverlapsAABB(b AABB) bool { return b.OverlapsSphere(s) }

// OverlapsBox reports whether the sphere and the box have a point in common.
func (s Sphere) OverlapsBox(b Box) bool { return b.OverlapsSphere(s) }

// OverlapsAABB reports whether the capsule and the box have a point in common.
func (c Capsule) OverlapsAABB(b AABB) bool { return b.OverlapsCapsule(c) }

// OverlapsBox reports whether the capsule and the box have a point in common.
func (c Capsule) OverlapsBox(b Box) bool { return b.OverlapsCapsule(c) }

// OverlapsSphere reports whether the capsule and the sphere have a point in common.
func (c Capsule) OverlapsSphere(s Sphere) bool { return s.OverlapsCapsule(c) }

// OverlapsAABB reports whether the plane and the box have a point in common.
func (p Plane) OverlapsAABB(b AABB) bool { return b.OverlapsPlane(p) }

// OverlapsBox reports whether the plane and the box have a point in common.
func (p Plane) OverlapsBox(b Box) bool { return b.OverlapsPlane(p) }

// OverlapsSphere reports whether the plane and the sphere have a point in common.
func (p Plane) OverlapsSphere(s Sphere) bool { return s.OverlapsPlane(p) }

// OverlapsCapsule reports whether the plane and the capsule have a point in common.
func (p Plane) OverlapsCapsule(c Capsule) bool { return c.OverlapsPlane(p) }

// OverlapsTriangle reports whether the plane and the triangle have a point in common.
func (p Plane) OverlapsTriangle(t Triangle) bool { return t.OverlapsPlane(p) }

// OverlapsAABB reports whether the triangle and the solid box have a point in common.
func (t Triangle) OverlapsAABB(b AABB) bool { return b.OverlapsTriangle(t) }

// OverlapsBox reports whether the triangle and the solid box have a point in common.
func (t Triangle) OverlapsBox(b Box) bool { return b.OverlapsTriangle(t) }

// OverlapsSphere reports whether the triangle and the solid sphere have a point in common.
func (t Triangle) OverlapsSphere(s Sphere) bool { return s.OverlapsTriangle(t) }

// OverlapsCapsule reports whether the triangle and the solid capsule have a point in common.
func (t Triangle) OverlapsCapsule(c Capsule) bool { return c.OverlapsTriangle(t) }
