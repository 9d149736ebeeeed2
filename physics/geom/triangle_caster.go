package geom

import "math"

// The triangle kernel. It is the one exact test that works in single precision, for speed, and it
// is the specification that faster twins are held to bit by bit.
//
// Space is sheared so that the ray runs along one axis through the origin. Then three edge
// functions, each a difference of two products of sheared coordinates, tell on which side of each
// edge the ray passes. Two triangles that share an edge compute the same two products for it, in
// one order or the other; rounding never changes the order of two exact products, so that the
// difference has the right sign or is zero, and zero counts as inside. Hence no ray slips between
// the two. The argument needs every product to be rounded by itself: a fused multiply-add would
// break it.
//
// What is hit is so decided in single precision. Where it is hit is then computed in double
// precision.

// TriangleCaster casts one ray at many triangles: the watertight method of Woop, Benthin and Wald
// 2013 ("Watertight ray/triangle intersection"), with edges and corners that count as hit.
// [NewTriangleCaster] makes one; it is never changed by its use, so that goroutines may share it.
//
// Its limits are those of single precision. Corners are measured from the origin of the ray, and
// products of three such coordinates must neither overflow nor underflow: from 1e-12 to 1e12 metres
// all is well, beyond that a triangle may be missed. T is good to a few units in its seventh digit
// (of the furthest corner's, where the ray goes through an edge), so that a point a million metres
// from the ray's origin is known to a decimetre or two; of a triangle so thin or seen so nearly
// edge-on that rounding decides where the ray meets it, only that T lies between those of its
// corners. Dir may have any length.
type TriangleCaster struct {
	origin Vec3    // permuted as the corners are: Z is the coordinate on axis
	sx, sy float32 // the shear
	dz     float32 // the largest component of Dir, on axis
	tMin   float32
	wx, wy float64 // the shear in double precision
	axis   Axis
}

// NewTriangleCaster prepares a ray. The result means nothing unless the ray is valid: ask
// [Ray.IsValid] first.
func NewTriangleCaster(r Ray) TriangleCaster {
	var k TriangleCaster
	k.Reset(r)
	return k
}

// Reset prepares k for another ray, as [NewTriangleCaster] does. In place it takes half the time: a
// processor waits for a structure that has just been written field by field and is copied as a
// whole.
func (k *TriangleCaster) Reset(r Ray) {
	k.axis = X
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

// shear gives a corner in the space in which the ray runs along z through the origin; z itself is
// only moved.
func (k *TriangleCaster) shear(v Vec3) Vec3 {
	p := k.permute(v).Sub(k.origin)
	return Vec3{p.X - float32(k.sx*p.Z), p.Y - float32(k.sy*p.Z), p.Z}
}

// distance returns where the ray meets the triangle, in double precision; positive is the sign of
// the areas. In single precision T would be as wrong as the corners are far away, and where the ray
// starts close to a large triangle it would be nothing but that. ok is false where the ray passes
// just outside of an edge that it hits in single precision: then T in double precision, on a
// triangle seen nearly edge-on, may be far from all of it.
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

// Cast returns where the ray hits the triangle with corners a, b and c, not nearer than the ray's
// MinT and not further than tMax, which a search for the closest hit shrinks as it goes (+Inf: no
// limit). u and v are the weights of b and c. backFace tells that the corners go clockwise as seen
// along the ray. A triangle seen edge-on, or with a corner that is NaN or infinite, is missed.
func (k *TriangleCaster) Cast(a, b, c Vec3, tMax float32, cull Cull) (t, u, v float32, backFace, ok bool) {
	t, u, v, backFace, ok = k.Line(a, b, c)
	// A T that overflows names no point.
	if !ok || !(t >= k.tMin && t <= min(tMax, math.MaxFloat32)) || cull.Culls(backFace) {
		return 0, 0, 0, false, false
	}
	return t, u, v, backFace, true
}

// Line returns where the line that the ray lies on hits a triangle, as Cast does, with no regard to
// any range: t may be negative or overflow.
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
