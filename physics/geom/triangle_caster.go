package geom

import "math"

// This file holds the ray–triangle kernel: the only exact test in single precision, for speed. It
// is the specification: the SIMD kernels return the same bits.
//
// Space is sheared so that the ray runs along one axis through the origin. Then three edge
// functions, each a difference of two products of sheared coordinates, give the side of each edge
// on which the ray passes. Two triangles that share an edge compute the same two products for it,
// in one order or the other. Rounding is monotonic, so the difference has the right sign or is
// zero, and zero counts as inside: no ray passes between the two. The argument needs every product
// to be rounded by itself; a fused multiply-add would break it.
//
// Single precision decides whether the ray hits. T is then computed in double precision.

// TriangleCaster casts one ray at many triangles: the watertight method of Woop, Benthin and Wald
// 2013 ("Watertight ray/triangle intersection"), with hits on edges and corners.
// [NewTriangleCaster] returns one. Its methods do not change it, so goroutines may share it.
//
// Its limits are those of single precision. Corners are measured from the origin of the ray, and
// products of three such coordinates must neither overflow nor underflow: coordinates from 1e-12 to
// 1e12 metres are safe, beyond that a triangle may be missed. T has a relative error of a few units
// in the seventh digit, relative to T of the furthest corner if the ray goes through an edge: at a
// distance of 1000 km, 0.1 to 0.2 m. For a triangle so thin, or seen so nearly edge-on, that
// rounding decides where the ray meets it, T is only known to be between those of its corners. Dir
// may have any length.
type TriangleCaster struct {
	origin Vec3    // permuted like the corners: Z is the coordinate on axis
	sx, sy float32 // the shear
	dz     float32 // the largest component of Dir, on axis
	tMin   float32
	wx, wy float64 // the shear in double precision
	axis   Axis
}

// NewTriangleCaster returns a caster for a ray, which must be valid: see [Ray.IsValid].
func NewTriangleCaster(r Ray) (k TriangleCaster) {
	d := r.Dir.Abs()
	if d.Y > d.X {
		k.axis = Y
	}
	if d.Z > max(d.X, d.Y) {
		k.axis = Z
	}
	dir := k.permute(r.Dir)
	k.origin = k.permute(r.Origin)
	k.sx, k.sy = dir.X/dir.Z, dir.Y/dir.Z
	k.dz = dir.Z
	k.wx, k.wy = float64(dir.X)/float64(dir.Z), float64(dir.Y)/float64(dir.Z)
	k.tMin, _ = r.Range()
	return k
}

// permute rotates the coordinates so that the one on k.axis comes last. A rotation keeps the
// winding of triangles.
func (k *TriangleCaster) permute(v Vec3) Vec3 {
	switch k.axis {
	case X:
		return Vec3{v.Y, v.Z, v.X}
	case Y:
		return Vec3{v.Z, v.X, v.Y}
	}
	return v
}

// shear maps a corner to the space in which the ray runs along z through the origin; z itself is
// only translated.
func (k *TriangleCaster) shear(v Vec3) Vec3 {
	p := k.permute(v).Sub(k.origin)
	return Vec3{p.X - float32(k.sx*p.Z), p.Y - float32(k.sy*p.Z), p.Z}
}

// distance returns the T at which the ray meets the triangle, computed in double precision.
// positive is the sign of the areas. In single precision the error of T would be proportional to
// the distance of the corners, and exceed T for a ray that starts close to a large triangle. ok is
// false if in double precision the ray passes just outside of an edge that it hits in single
// precision: on a triangle seen nearly edge-on, that T may be far from all of the triangle.
func (k *TriangleCaster) distance(a, b, c Vec3, positive bool) (t float32, ok bool) {
	p, q, r := k.shearWide(a), k.shearWide(b), k.shearWide(c)
	ea := float64(r.X*q.Y) - float64(r.Y*q.X)
	eb := float64(p.X*r.Y) - float64(p.Y*r.X)
	ec := float64(q.X*p.Y) - float64(q.Y*p.X)
	if !positive {
		ea, eb, ec = -ea, -eb, -ec
	}
	det := ea + eb + ec
	t = float32((float64(ea*p.Z) + float64(eb*q.Z) + float64(ec*r.Z)) / float64(det*float64(k.dz)))
	return t, ea >= 0 && eb >= 0 && ec >= 0 && det > 0
}

// shearWide is shear in double precision.
func (k *TriangleCaster) shearWide(v Vec3) DVec3 {
	p := k.permute(v).wide().Sub(k.origin.wide())
	return DVec3{p.X - float64(k.wx*p.Z), p.Y - float64(k.wy*p.Z), p.Z}
}

// Cast returns where the ray hits the triangle with corners a, b and c, for a T from the ray's MinT
// to tMax, which a search for the closest hit lowers as it goes (+Inf: no limit). u and v are the
// weights of b and c. backFace is set if the corners run clockwise as seen along the ray. A
// triangle seen edge-on, or with a corner that is NaN or infinite, is missed.
func (k *TriangleCaster) Cast(a, b, c Vec3, tMax float32, cull Cull) (t, u, v float32, backFace, ok bool) {
	t, u, v, backFace, ok = k.Line(a, b, c)
	// A T that overflowed is no hit.
	if !ok || !(t >= k.tMin && t <= min(tMax, math.MaxFloat32)) || cull.Culls(backFace) {
		return 0, 0, 0, false, false
	}
	return t, u, v, backFace, true
}

// Line returns where the ray's line hits a triangle, like Cast but without a range: t may be
// negative or infinite.
func (k *TriangleCaster) Line(a, b, c Vec3) (t, u, v float32, backFace, ok bool) {
	p, q, r := k.shear(a), k.shear(b), k.shear(c)
	// Twice the areas that the ray spans with the edges opposite a, b and c.
	ea := float32(r.X*q.Y) - float32(r.Y*q.X)
	eb := float32(p.X*r.Y) - float32(p.Y*r.X)
	ec := float32(q.X*p.Y) - float32(q.Y*p.X)
	if (ea < 0 || eb < 0 || ec < 0) && (ea > 0 || eb > 0 || ec > 0) {
		return 0, 0, 0, false, false
	}
	det := ea + eb + ec
	if det == 0 || det-det != 0 {
		return 0, 0, 0, false, false
	}
	t, ok = k.distance(a, b, c, det > 0)
	if !ok {
		t = (float32(ea*p.Z) + float32(eb*q.Z) + float32(ec*r.Z)) / det / k.dz
	}
	return t + 0, eb/det + 0, ec/det + 0, (det > 0) != (k.dz > 0), true // + 0 turns −0 into 0
}
