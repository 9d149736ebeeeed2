package geom

import "math"

// This file holds the overlaps of boxes with boxes and triangles, by separating axes: two convex
// polyhedra are apart if and only if they are so in projection on the normal of a face of either,
// or on the cross product of an edge of each (Gottschalk, Lin and Manocha 1996, "OBBTree"; for
// triangles Akenine-Möller 2001, "Fast 3D Triangle-Box Overlap Testing").
//
// Where two edges are nearly parallel, rounding makes of their cross product a short vector in any
// direction. The usual cures, a constant added to the numbers or a limit below which an axis is
// skipped, call boxes overlapping that are not. Here both shapes are projected on the very vector
// that came out, with no term left out for being zero in theory: then every vector, however short
// and wrong, either shows a true gap or shows none.

// OverlapsAABB reports whether the two boxes have a point in common, faces, edges and corners
// included.
func (b AABB) OverlapsAABB(c AABB) bool {
	return b.Min.X <= c.Max.X && c.Min.X <= b.Max.X && b.Min.Y <= c.Max.Y && c.Min.Y <= b.Max.Y &&
		b.Min.Z <= c.Max.Z && c.Min.Z <= b.Max.Z && !b.IsEmpty() && !c.IsEmpty()
}

// OverlapsBox reports whether the two boxes have a point in common.
func (b AABB) OverlapsBox(c Box) bool {
	b, ok := b.clip(c.Bounds())
	if !ok {
		return false
	}
	f, g := b.frame(), c.frame()
	return framesOverlap(&f, &g)
}

// OverlapsTriangle reports whether the triangle and the solid box have a point in common.
func (b AABB) OverlapsTriangle(t Triangle) bool {
	b, ok := b.clip(t.Bounds())
	if !ok {
		return false
	}
	f := b.frame()
	return centredOverlap(t.A.wide().Sub(f.center), t.B.wide().Sub(f.center), t.C.wide().Sub(f.center), f.half)
}

// OverlapsBox reports whether the two boxes have a point in common.
func (b Box) OverlapsBox(c Box) bool {
	if b.IsEmpty() || c.IsEmpty() {
		return false
	}
	f, g := b.frame(), c.frame()
	return framesOverlap(&f, &g)
}

// OverlapsTriangle reports whether the triangle and the solid box have a point in common.
func (b Box) OverlapsTriangle(t Triangle) bool {
	if b.IsEmpty() || t.IsEmpty() {
		return false
	}
	f := b.frame()
	return centredOverlap(f.local(t.A.wide()), f.local(t.B.wide()), f.local(t.C.wide()), f.half)
}

// clip returns what b and c have in common, and false if that is nothing. Whether b overlaps
// something with the bounds c depends on that part only; it is finite where c is, and no larger
// than c.
func (b AABB) clip(c AABB) (AABB, bool) {
	if !b.OverlapsAABB(c) {
		return AABB{}, false
	}
	return AABB{b.Min.Max(c.Min), b.Max.Min(c.Max)}, true
}

// frame returns the box as one that is not turned. The box must be finite.
func (b AABB) frame() boxFrame {
	lo, hi := b.Min.wide(), b.Max.wide()
	return boxFrame{
		center: lo.Add(hi).Mul(0.5), half: hi.Sub(lo).Mul(0.5),
		x: DVec3{X: 1}, y: DVec3{Y: 1}, z: DVec3{Z: 1},
	}
}

// reach returns how far the box extends from its centre along an axis, times the length of that.
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

// apart reports whether two boxes, with centres d from each other, are separate in projection on an
// axis.
func apart(f, g *boxFrame, d, axis DVec3, size float64) bool {
	return math.Abs(d.Dot(axis)) > f.reach(axis)+g.reach(axis)+float64(slack*size*sum(axis.abs()))
}

// centredOverlap reports whether a triangle meets the box around the origin with half extents h.
func centredOverlap(a, b, c, h DVec3) bool {
	size := max(sum(a.abs()), sum(b.abs()), sum(c.abs())) + sum(h)
	misses := func(axis DVec3) bool {
		// All three corners are projected: a sliver's normal may not be at right angles to it.
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
