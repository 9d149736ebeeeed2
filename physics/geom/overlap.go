package geom

// This file holds the rules that all overlap tests share. Cones and tapered capsules have none.
//
// Two shapes overlap if they have a point in common; touching counts. AABB, Box, Sphere and Capsule
// are solid. A plane and a triangle are surfaces: a sphere behind a plane does not overlap it, and
// a triangle inside a box overlaps the box. An empty shape overlaps nothing.
//
// Each pair of kinds has one method, on the kind that comes first in the order AABB, Box, Sphere,
// Capsule, Triangle, Plane.

// slack is the rounding error that a test allows before it reports two shapes as separate: a
// fraction of the numbers that it added up, eight units in the last place of double precision. With
// it, two shapes that just touch overlap, even where an axis of one is rotated. Two shapes that are
// one unit of single precision apart do not overlap, unless their sizes differ by a factor of 10⁷.
const slack = 8 * 0x1p-53

// touches reports whether v is no longer than r, with the slack of numbers as large as size.
func touches(v DVec3, r, size float64) bool { return within(v, r+float64(slack*size)) }

// size returns a bound for the coordinates that a test of the shape adds up.
func (c Capsule) size() float64 { return sum(c.A.Abs().wide()) + sum(c.B.Abs().wide()) }
func (t Triangle) size() float64 {
	return sum(t.A.Abs().wide().Add(t.B.Abs().wide()).Add(t.C.Abs().wide()))
}

// sum returns the sum of the components.
func sum(v DVec3) float64 { return v.X + v.Y + v.Z }
