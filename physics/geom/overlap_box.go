package geom

import "math"

// This file holds the overlap tests of boxes with boxes and triangles, by separating axes: two
// convex polyhedra are separate if and only if their projections are, on the normal of a face of
// one of them or on the cross product of an edge of each (Gottschalk, Lin and Manocha 1996,
// "OBBTree"; for triangles Akenine-Möller 2001, "Fast 3D triangle-box overlap testing").
//
// If two edges are nearly parallel, their cross product is a short vector whose direction is mostly
// rounding error. The usual remedies, a constant added to the numbers or a limit below which an
// axis is skipped, report overlaps of boxes that are separate. This code projects both shapes on
// the computed vector itself, and leaves out no term because it would be zero in exact arithmetic:
// then any vector, however short or wrong, shows a gap only if there is one.

// OverlapsAABB reports whether the two boxes have a point in common, faces, edges and corners
// included; false if either is empty.
func (b AABB) OverlapsAABB(c AABB) bool {
	return b.Min.X <= c.Max.X && c.Min.X <= b.Max.X && b.Min.Y <= c.Max.Y && c.Min.Y <= b.Max.Y &&
		b.Min.Z <= c.Max.Z && c.Min.Z <= b.Max.Z && !b.IsEmpty() && !c.IsEmpty()
}

// OverlapsBox reports whether the two boxes have a point in common; false if either is empty.
func (b AABB) OverlapsBox(c Box) bool {
	b, ok := b.clip(c.Bounds())
	if !ok {
		return false
	}
	f, g := b.frame(), c.frame()
	return framesOverlap(&f, &g)
}

// OverlapsTriangle reports whether the triangle and the solid box have a point in common; false if
// either is empty.
func (b AABB) OverlapsTriangle(t Triangle) bool {
	b, ok := b.clip(t.Bounds())
	if !ok {
		return false
	}
	f := b.frame()
	return centredOverlap(t.A.wide().Sub(f.center), t.B.wide().Sub(f.center), t.C.wide().Sub(f.center), f.half)
}

// OverlapsBox reports whether the two boxes have a point in common; false if either is empty.
func (b Box) OverlapsBox(c Box) bool {
	if b.IsEmpty() || c.IsEmpty() {
		return false
	}
	f, g := b.frame(), c.frame()
	return framesOverlap(&f, &g)
}

// OverlapsTriangle reports whether the triangle and the solid box have a point in common; false if
// either is empty.
func (b Box) OverlapsTriangle(t Triangle) bool {
	if b.IsEmpty() || t.IsEmpty() {
		return false
	}
	f := b.frame()
	return centredOverlap(f.local(t.A.wide()), f.local(t.B.wide()), f.local(t.C.wide()), f.half)
}

// clip returns the intersection of b and c, and false if it is empty. Whether b overlaps a shape
// with the bounds c depends only on that intersection, which is finite if c is.
func (b AABB) clip(c AABB) (AABB, bool) {
	if !b.OverlapsAABB(c) {
		return AABB{}, false
	}
	return AABB{b.Min.Max(c.Min), b.Max.Min(c.Max)}, true
}

// frame returns the box as an oriented box without rotation. The box must be finite.
func (b AABB) frame() boxFrame {
	lo, hi := b.Min.wide(), b.Max.wide()
	return boxFrame{
		center: lo.Add(hi).Mul(0.5), half: hi.Sub(lo).Mul(0.5),
		x: DVec3{X: 1}, y: DVec3{Y: 1}, z: DVec3{Z: 1},
	}
}

// reach returns the extent of the box from its centre along an axis, times the length of the axis.
func (f *boxFrame) reach(axis DVec3) float64 {
	return float64(math.Abs(axis.Dot(f.x))*f.half.X) + float64(math.Abs(axis.Dot(f.y))*f.half.Y) +
		float64(math.Abs(axis.Dot(f.z))*f.half.Z)
}

// framesOverlap tests the three face normals of each box and the nine cross products of their
// edges.
func framesOverlap(f, g *boxFrame) bool {
	d := g.center.Sub(f.center)
	size := sum(d.abs()) + sum(f.half) + sum(g.half)
	for _, axis := range [6]DVec3{f.x, f.y, f.z, g.x, g.y, g.z} {
		if apart(f, g, d, axis, size) {
			return false
		}
	}
	for _, a := range [3]DVec3{f.x, f.y, f.z} {
		for _, b := range [3]DVec3{g.x, g.y, g.z} {
			if apart(f, g, d, a.Cross(b), size) {
				return false
			}
		}
	}
	return true
}

// apart reports whether the projections of two boxes on an axis are separate. d is the vector
// between their centres.
func apart(f, g *boxFrame, d, axis DVec3, size float64) bool {
	return math.Abs(d.Dot(axis)) > f.reach(axis)+g.reach(axis)+float64(slack*size*sum(axis.abs()))
}

// centredOverlap reports whether a triangle overlaps the box around the origin with half extents h.
func centredOverlap(a, b, c, h DVec3) bool {
	size := max(sum(a.abs()), sum(b.abs()), sum(c.abs())) + sum(h)
	misses := func(axis DVec3) bool {
		// All three corners are projected: the computed normal of a sliver may not be perpendicular
		// to it.
		p, q, r := axis.Dot(a), axis.Dot(b), axis.Dot(c)
		reach := axis.abs().Dot(h) + float64(slack*size*sum(axis.abs()))
		return min(p, q, r) > reach || max(p, q, r) < -reach
	}
	if misses(DVec3{X: 1}) || misses(DVec3{Y: 1}) || misses(DVec3{Z: 1}) {
		return false
	}
	e := [3]DVec3{b.Sub(a), c.Sub(b), a.Sub(c)}
	if misses(e[0].Cross(e[1])) {
		return false
	}
	for _, e := range e {
		if misses(DVec3{Y: -e.Z, Z: e.Y}) || misses(DVec3{X: e.Z, Z: -e.X}) || misses(DVec3{X: -e.Y, Y: e.X}) {
			return false
		}
	}
	return true
}
