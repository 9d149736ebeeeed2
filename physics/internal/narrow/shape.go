package narrow

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

// Kind is the kind of a [Shape].
type Kind uint8

// The kinds, in the order in which the two shapes of a pair are put; see before.
const (
	KindNothing Kind = iota
	KindSphere
	KindCapsule
	KindAABB
	KindBox
	KindTriangle
	KindParallelepiped // a sheared box
	KindHull
	KindRound // a non-uniformly scaled or sheared sphere or capsule; a cone or tapered capsule
	KindHalfSpace
	kindCorners // of Corners alone
	kindCloud   // of casts alone
)

// Shape is a convex shape in world space, in metres, prepared for the queries of this package. It
// is a value whose only pointer is to a hull; making one allocates nothing. The zero Shape is
// empty: it touches nothing.
//
// Each shape is a core with a margin, the points within a radius of the core. The core of a sphere
// is a point and that of a capsule a segment; all other shapes are their own cores. While cores are
// apart, the distance of the shapes is that of the cores less the margins.
type Shape struct {
	// Sphere: p is the centre. Capsule, round: p is an end and e leads to the other one. Triangle:
	// p is a corner, e and f lead to the others, and u is a unit normal. Half-space: p is on the
	// surface and u is the unit normal. Hull: p is the image of f, the middle of the bounds in
	// local space. All others: p is the image of the origin.
	Simple
	f geom.DVec3
	// The map mirrors: what goes counter-clockwise in the hull goes clockwise in the world.
	flip bool
	even bool // of a hull: the map scales all directions alike, to single precision
	caps bool // round: the ends are flat, across u: it is a cone
	// Boxes: unit axes. Parallelepiped: half axes. Hull: images of the unit vectors. Round: half
	// axes of the ellipsoid, of which an end has a factor.
	x, y, z geom.DVec3
	// Boxes, parallelepiped and hull: the columns of the map of normals, which need not leave them
	// unit.
	u, v, w geom.DVec3
	// Boxes: the half extents, of which a parallelepiped has 1 each, or 0 where it is flat. Round:
	// X and Y are the factors of the ends.
	half   geom.DVec3
	volume float64 // |det| of the map of a hull; of a triangle, 0 if it is a line or a point
	hull   *hull.Hull
	points []geom.DVec3 // of Corners, where p is the first; of a hull: see KeepVertices
	cloud  []geom.Vec3  // in local space, as the vertices of a hull
}

// Simple is the part of a [Shape] that a sphere or a capsule needs. It takes a quarter of the
// memory, and [Manifold.CollideSimple] takes less time.
type Simple struct {
	kind   Kind
	planar bool       // see SetPlanar
	hidden uint8      // sides, of a box that is planar: see SetHidden
	p, e   geom.DVec3 // p, the origin, is in the world; all else is relative to it
	radius float64
	size   float64 // no coordinate in the world is larger
	extent float64 // no point of the core is further from p
}

// SetSphere makes it a sphere.
//
// Like all setters it writes what the kind needs and leaves the rest, which is never read, so that
// memory which is used again need not be cleared.
func (s *Simple) SetSphere(b geom.Sphere) {
	s.setSphere(b.Center.Wide(), float64(b.Radius))
}

func (s *Simple) setSphere(c geom.DVec3, r float64) {
	s.kind, s.planar, s.p, s.radius, s.size, s.extent = KindSphere, false, c, r, big(c)+r, 0
	s.check()
}

// SetCapsule makes it a capsule.
func (s *Simple) SetCapsule(c geom.Capsule) {
	s.setCapsule(c.A.Wide(), c.B.Wide(), float64(c.Radius))
}

func (s *Simple) setCapsule(a, b geom.DVec3, r float64) {
	if a == b {
		s.setSphere(a, r)
		return
	}
	s.kind, s.planar, s.p, s.e, s.radius, s.size = KindCapsule, false, a, b.Sub(a), r, max(big(a), big(b))+r
	s.extent = s.e.Len()
	s.check()
}

// check makes it empty if the radius is negative or a number is NaN or infinite.
func (s *Simple) check() {
	if !(s.radius >= 0) || s.size-s.size != 0 {
		s.kind = KindNothing
	}
}

// SetAABB makes it an axis-aligned box.
func (s *Shape) SetAABB(b geom.AABB) {
	if b.IsEmpty() || !b.Min.IsFinite() || !b.Max.IsFinite() {
		s.kind = KindNothing
		return
	}
	lo, hi := b.Min.Wide(), b.Max.Wide()
	s.begin(KindAABB)
	s.p, s.half = lo.Add(hi).Mul(0.5), hi.Sub(lo).Mul(0.5)
	s.x, s.y, s.z = geom.DVec3{X: 1}, geom.DVec3{Y: 1}, geom.DVec3{Z: 1}
	s.u, s.v, s.w = s.x, s.y, s.z
	s.size, s.extent = big(s.p)+big(s.half), s.half.X+s.half.Y+s.half.Z
}

// SetBox makes it an oriented box.
func (s *Shape) SetBox(b geom.Box) {
	s.begin(KindBox)
	s.p, s.half = b.Center.Wide(), b.HalfExtents.Wide()
	s.extent = s.half.Len()
	s.size = big(s.p) + s.extent
	// A half extent that the rounding of corners hides is 0: an edge of no length has no side
	// plane.
	h, hidden := s.half, s.size*0x1p-48
	if !(h.X >= hidden && h.Y >= hidden && h.Z >= hidden) {
		if !(h.X >= 0 && h.Y >= 0 && h.Z >= 0) {
			s.kind = KindNothing
			return
		}
		s.half = geom.DVec3{X: h.X * oneIf(h.X >= hidden), Y: h.Y * oneIf(h.Y >= hidden), Z: h.Z * oneIf(h.Z >= hidden)}
	}
	if sum := s.size + s.setAxes(b.Rotation); sum-sum != 0 {
		s.kind = KindNothing
	}
	s.u, s.v, s.w = s.x, s.y, s.z
}

// begin sets the fields that every kind has.
func (s *Shape) begin(k Kind) {
	s.kind, s.planar, s.hidden, s.flip, s.radius = k, false, 0, false, 0
}

// SetShearedBox makes it the image of a box under m. If m is singular, it is for casts alone: to
// all other queries it is empty then. A box that is flat itself is not empty.
func (s *Shape) SetShearedBox(b geom.Box, m geom.Affine) {
	h := b.HalfExtents.Wide()
	s.begin(KindParallelepiped)
	s.p = apply(m, b.Center)
	s.setAxes(b.Rotation)
	s.x, s.y, s.z = mapped(m, s.x), mapped(m, s.y), mapped(m, s.z)
	if s.invert() {
		s.volume /= s.x.Len() * s.y.Len() * s.z.Len()
		s.u, s.v, s.w = unit(s.u), unit(s.v), unit(s.w)
	} else {
		s.kind, s.cloud, s.f = kindCloud, cube, geom.DVec3{}
	}
	s.half = geom.DVec3{X: oneIf(h.X > 0), Y: oneIf(h.Y > 0), Z: oneIf(h.Z > 0)}
	s.x, s.y, s.z = s.x.Mul(h.X), s.y.Mul(h.Y), s.z.Mul(h.Z)
	s.extent = s.x.Len() + s.y.Len() + s.z.Len()
	s.size = big(s.p) + s.extent
	if !(h.X >= 0 && h.Y >= 0 && h.Z >= 0) {
		s.kind = KindNothing
	}
	s.check()
}

// cube holds the corners of a cube around the origin.
var cube = []geom.Vec3{{X: -1, Y: -1, Z: -1}, {X: 1, Y: -1, Z: -1}, {X: -1, Y: 1, Z: -1}, {X: 1, Y: 1, Z: -1},
	{X: -1, Y: -1, Z: 1}, {X: 1, Y: -1, Z: 1}, {X: -1, Y: 1, Z: 1}, {X: 1, Y: 1, Z: 1}}

func oneIf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// SetHull makes it the image of a hull under m, which may scale non-uniformly, shear and mirror. It
// is for casts alone if m is singular: to all other queries it is empty then.
func (s *Shape) SetHull(h *hull.Hull, m geom.Affine) {
	if h.IsEmpty() {
		s.kind = KindNothing
		return
	}
	s.begin(KindHull)
	s.hull, s.points = h, nil
	if s.place(h.Bounds(), m); !s.invert() {
		s.kind, s.cloud = kindCloud, h.Vertices()
	}
	s.check()
}

// SetCloud makes it the convex hull of the images of points under m, with a margin in metres. It
// keeps the slice, which must not be changed while the shape is in use. It is empty if there are no
// points, a number is NaN or infinite, or the margin is negative. It is for casts alone: to all
// other queries it is empty. Points within the hull cost time and change nothing.
func (s *Shape) SetCloud(points []geom.Vec3, m geom.Affine, margin float32) {
	b := geom.EmptyAABB()
	for _, p := range points {
		if !p.IsFinite() {
			b = geom.EmptyAABB()
			break
		}
		b.Min, b.Max = b.Min.Min(p), b.Max.Max(p)
	}
	if b.IsEmpty() {
		s.kind = KindNothing
		return
	}
	s.begin(kindCloud)
	s.cloud, s.radius = points, float64(margin)
	s.place(b, m)
	s.check()
}

// place sets the map of points with bounds, whose middle becomes the origin, so that what is far
// from its local origin is as exact as what is around it.
func (s *Shape) place(b geom.AABB, m geom.Affine) {
	s.f = b.Min.Wide().Add(b.Max.Wide()).Mul(0.5)
	s.x, s.y, s.z = m.X.Wide(), m.Y.Wide(), m.Z.Wide()
	s.p = m.Origin.Wide().Add(s.image(s.f))
	xx, yy, zz := s.x.Dot(s.x), s.y.Dot(s.y), s.z.Dot(s.z)
	off := float64(evenScale * xx)
	s.even = math.Abs(xx-yy) <= off && math.Abs(xx-zz) <= off && math.Abs(s.x.Dot(s.y)) <= off && math.Abs(s.y.Dot(s.z)) <= off && math.Abs(s.z.Dot(s.x)) <= off
	r := b.Max.Wide().Sub(s.f)
	if s.even {
		s.extent = float64(math.Sqrt(xx) * (r.X + r.Y + r.Z))
	} else {
		s.extent = float64(s.x.Len()*r.X) + float64(s.y.Len()*r.Y) + float64(s.z.Len()*r.Z)
	}
	s.size = big(s.p) + s.extent
}

// invert sets the map of normals, which is the inverse transpose times |det|, and reports whether
// there is one. A singular map has none.
func (s *Shape) invert() bool {
	s.u, s.v, s.w = s.y.Cross(s.z), s.z.Cross(s.x), s.x.Cross(s.y)
	det := s.x.Dot(s.u)
	if s.flip = det < 0; s.flip {
		s.u, s.v, s.w = s.u.Neg(), s.v.Neg(), s.w.Neg()
	}
	s.volume = math.Abs(det)
	sum := s.p.X + s.p.Y + s.p.Z + s.volume
	return s.volume > 0 && sum-sum == 0
}

// SetEllipsoid makes it the image of a sphere under m: an ellipsoid, and flat where m is.
func (s *Shape) SetEllipsoid(b geom.Sphere, m geom.Affine) {
	if b.IsEmpty() {
		s.kind = KindNothing
		return
	}
	s.setRound(b.Center, b.Center, b.Radius, m)
}

// SetScaledCapsule makes it the image of a capsule under m. Its ends are halves of ellipsoids if m
// scales non-uniformly.
func (s *Shape) SetScaledCapsule(c geom.Capsule, m geom.Affine) {
	if c.IsEmpty() {
		s.kind = KindNothing
		return
	}
	s.setRound(c.A, c.B, c.Radius, m)
}

func (s *Shape) setRound(a, b geom.Vec3, radius float32, m geom.Affine) {
	r := float64(radius)
	p, q := apply(m, a), apply(m, b)
	x, y, z := m.X.Wide().Mul(r), m.Y.Wide().Mul(r), m.Z.Wide().Mul(r)
	size := max(big(p), big(q)) + x.Len() + y.Len() + z.Len()
	if size-size != 0 {
		s.kind = KindNothing
		return
	}
	if l := x.Dot(x); l == y.Dot(y) && l == z.Dot(z) && x.Dot(y) == 0 && y.Dot(z) == 0 && z.Dot(x) == 0 {
		s.setCapsule(p, q, math.Sqrt(l))
		return
	}
	s.begin(KindRound)
	s.p, s.e, s.x, s.y, s.z, s.size = p, q.Sub(p), x, y, z, size
	s.half, s.caps = geom.DVec3{X: 1, Y: 1}, false
	s.extent = s.e.Len() + x.Len() + y.Len() + z.Len()
}

func apply(m geom.Affine, p geom.Vec3) geom.DVec3 {
	w := p.Wide()
	return m.Origin.Wide().AddMul(w.X, m.X.Wide()).AddMul(w.Y, m.Y.Wide()).AddMul(w.Z, m.Z.Wide())
}

// mapped returns the image of a direction.
func mapped(m geom.Affine, d geom.DVec3) geom.DVec3 {
	return m.X.Wide().Mul(d.X).AddMul(d.Y, m.Y.Wide()).AddMul(d.Z, m.Z.Wide())
}

// SetTriangle makes it a triangle, which is flat and has two sides. It may be degenerate.
func (s *Shape) SetTriangle(t geom.Triangle) {
	if !t.A.IsFinite() || !t.B.IsFinite() || !t.C.IsFinite() {
		s.kind = KindNothing
		return
	}
	s.begin(KindTriangle)
	b, c := t.B.Wide(), t.C.Wide()
	s.p = t.A.Wide()
	s.e, s.f, s.size = b.Sub(s.p), c.Sub(s.p), max(big(s.p), big(b), big(c))
	s.extent = math.Sqrt(max(s.e.Dot(s.e), s.f.Dot(s.f)))
	s.setNormal()
}

// setCorners makes it a triangle for casts, without what setNormal sets.
func (s *Shape) setCorners(a, b, c geom.DVec3) {
	s.begin(KindTriangle)
	s.p, s.e, s.f = a, b.Sub(a), c.Sub(a)
	s.extent = math.Sqrt(max(s.e.Dot(s.e), s.f.Dot(s.f)))
}

// setNormal sets the normal of a triangle.
func (s *Shape) setNormal() {
	n := s.e.Cross(s.f)
	l := n.Len()
	if s.volume = l; l > flatTriangle*s.longest() {
		s.u = geom.DVec3{X: n.X / l, Y: n.Y / l, Z: n.Z / l}
	} else {
		// A line or a point: every direction across it is a normal.
		s.u, s.volume = across(longest([3]geom.DVec3{s.e, s.f, s.f.Sub(s.e)})), 0
	}
}

// longest returns the square of the longest side of a triangle.
func (s *Shape) longest() float64 {
	g := s.f.Sub(s.e)
	return max(s.e.Dot(s.e), s.f.Dot(s.f), g.Dot(g))
}

// SetHalfSpace makes it the half-space behind a plane: all points p with normal·(p − point) ≤ 0. It
// is empty if the normal is zero or a number is NaN or infinite.
func (s *Shape) SetHalfSpace(normal, point geom.DVec3) {
	n := normal.Normalize()
	sum := point.X + point.Y + point.Z
	if n == (geom.DVec3{}) || sum-sum != 0 {
		s.kind = KindNothing
		return
	}
	s.begin(KindHalfSpace)
	s.p, s.u, s.size, s.extent = point, n, big(point), 0
}

// SetNothing makes it empty.
func (s *Shape) SetNothing() { s.kind = KindNothing }

// IsThin reports whether the height of a triangle over its longest side is no more than the
// rounding of its corners to single precision.
func (s *Shape) IsThin() bool {
	return !(s.volume > float64(thinTriangle*s.size)*math.Sqrt(s.longest()))
}

// IsEmpty reports whether the shape has no points.
func (s *Shape) IsEmpty() bool { return s.kind == KindNothing }

// Moved returns the shape moved by a vector.
func (s Shape) Moved(by geom.DVec3) Shape {
	s.p = s.p.Add(by)
	s.size += big(by)
	return s
}

// Center returns a point in the middle of the shape, or on the surface of a half-space.
func (s *Shape) Center() geom.DVec3 {
	switch s.kind {
	case KindCapsule, KindRound:
		return s.p.AddMul(0.5, s.e)
	case KindTriangle:
		return s.p.AddMul(1./3, s.e.Add(s.f))
	case KindHull:
		return s.p.Add(s.image(s.hull.CenterOfMass().Wide().Sub(s.f)))
	}
	return s.p
}

// Center returns the middle of the core.
func (s *Simple) Center() geom.DVec3 {
	if s.kind == KindCapsule {
		return s.p.AddMul(0.5, s.e)
	}
	return s.p
}

// Reach returns the support function of the shape along a unit vector: the largest d·p of its
// points p, in metres. It is undefined for an empty shape and for a half-space.
func (s *Shape) Reach(d geom.DVec3) float64 {
	hint := 0
	p, _ := s.support(d, &hint)
	return p.Dot(d) + s.radius
}

// Extent returns the corners of the smallest box around the shape: its reach along each axis, both
// ways. It is undefined for an empty shape and for a half-space.
func (s *Shape) Extent() (lo, hi geom.DVec3) {
	if s.kind != KindHull {
		reach := func(x, y, z float64) float64 { return s.Reach(geom.DVec3{X: x, Y: y, Z: z}) }
		lo = geom.DVec3{X: -reach(-1, 0, 0), Y: -reach(0, -1, 0), Z: -reach(0, 0, -1)}
		return lo, geom.DVec3{X: reach(1, 0, 0), Y: reach(0, 1, 0), Z: reach(0, 0, 1)}
	}
	// One coordinate of each support point is enough. Zeros have the signs that Reach gives them.
	x := geom.DVec3{X: s.x.X, Y: s.y.X, Z: s.z.X}
	y := geom.DVec3{X: s.x.Y, Y: s.y.Y, Z: s.z.Y}
	z := geom.DVec3{X: s.x.Z, Y: s.y.Z, Z: s.z.Z}
	if n := s.hull.NumVertices(); n <= maxSpanned { // most is that of the opposite directions
		inf := math.Inf(1)
		least, most := geom.DVec3{X: inf, Y: inf, Z: inf}, geom.DVec3{X: inf, Y: inf, Z: inf}
		for i := range n {
			v := s.hull.Vertex(i).Sub(s.f)
			at := geom.DVec3{X: x.Dot(v), Y: y.Dot(v), Z: z.Dot(v)}
			least.X, least.Y, least.Z = min(least.X, at.X), min(least.Y, at.Y), min(least.Z, at.Z)
			most.X, most.Y, most.Z = min(most.X, -at.X), min(most.Y, -at.Y), min(most.Z, -at.Z)
		}
		lo, hi = s.p.Add(least), s.p.Sub(most)
	} else {
		lo.X, hi.X = s.hullReach(&x, geom.DVec3{X: -1}, s.p.X), s.hullReach(&x, geom.DVec3{X: 1}, s.p.X)
		lo.Y, hi.Y = s.hullReach(&y, geom.DVec3{Y: -1}, s.p.Y), s.hullReach(&y, geom.DVec3{Y: 1}, s.p.Y)
		lo.Z, hi.Z = s.hullReach(&z, geom.DVec3{Z: -1}, s.p.Z), s.hullReach(&z, geom.DVec3{Z: 1}, s.p.Z)
	}
	zero := geom.DVec3{}
	return zero.Sub(lo).Neg(), hi.Add(zero)
}

// hullReach returns one coordinate of a hull's support point along d, by the row of the map that
// makes it.
func (s *Shape) hullReach(row *geom.DVec3, d geom.DVec3, origin float64) float64 {
	v := s.hull.Vertex(s.hull.Support(s.along(d), 0)).Sub(s.f)
	return origin + (float64(row.X*v.X) + float64(row.Y*v.Y) + float64(row.Z*v.Z))
}

// Span returns the interval of the shape along v, with the margin and relative to [Shape.Origin]:
// the least and the greatest p·v of its points p. It is undefined for an empty shape and for a
// half-space.
func (s *Shape) Span(v geom.DVec3) (least, greatest float64) {
	least, greatest = s.span(v)
	m := float64(s.radius * v.Len())
	return least - m, greatest + m
}

// Origin returns a point of the core, or the middle of the bounds of a hull.
func (s *Shape) Origin() geom.DVec3 { return s.p }

// end returns the other end of a capsule or a scaled one, or the second corner of a triangle.
func (s *Simple) end() geom.DVec3 { return s.p.Add(s.e) }

// triangle returns the corners of a triangle.
func (s *Shape) triangle() [3]geom.DVec3 { return [3]geom.DVec3{s.p, s.end(), s.p.Add(s.f)} }

// image returns the image of a vector of the local space of a box or a hull.
func (s *Shape) image(p geom.DVec3) geom.DVec3 {
	return s.x.Mul(p.X).AddMul(p.Y, s.y).AddMul(p.Z, s.z)
}

// hullVertex returns a vertex of a hull relative to p.
func (s *Shape) hullVertex(i int) geom.DVec3 {
	if i < len(s.points) {
		return s.points[i]
	}
	return s.image(s.hull.Vertex(i).Sub(s.f))
}

// KeepVertices makes a hull with few vertices keep all of them in memory, which it returns, until
// it is set again. That takes less time if it is compared with more than one shape.
func (s *Shape) KeepVertices(memory []geom.DVec3) []geom.DVec3 {
	if s.kind != KindHull || s.hull.NumVertices() > maxKept {
		return memory
	}
	n := s.hull.NumVertices()
	memory = slices.Grow(memory[:0], n)[:n]
	for i := range memory {
		memory[i] = s.image(s.hull.Vertex(i).Sub(s.f))
	}
	s.points = memory
	return memory
}

// Bounds returns a box around the shape, rounded outward, and an unbounded box for a half-space.
func (s *Shape) Bounds() geom.AABB {
	switch s.kind {
	case KindNothing:
		return geom.EmptyAABB()
	case KindHalfSpace:
		inf := float32(math.Inf(1))
		return geom.AABB{Min: geom.V(-inf, -inf, -inf), Max: geom.V(inf, inf, inf)}
	}
	var lo, hi geom.DVec3
	switch s.kind {
	case KindSphere:
	case KindCapsule, KindTriangle:
		lo, hi = lesser(lo, s.e), greater(hi, s.e)
		if s.kind == KindTriangle {
			lo, hi = lesser(lo, s.f), greater(hi, s.f)
		}
	default:
		lo.X, hi.X = s.span(geom.DVec3{X: 1})
		lo.Y, hi.Y = s.span(geom.DVec3{Y: 1})
		lo.Z, hi.Z = s.span(geom.DVec3{Z: 1})
	}
	r := geom.DVec3{X: s.radius, Y: s.radius, Z: s.radius}
	lo, hi = s.p.Add(lo).Sub(r), s.p.Add(hi).Add(r)
	return geom.AABB{
		Min: geom.V(down(lo.X), down(lo.Y), down(lo.Z)),
		Max: geom.V(-down(-hi.X), -down(-hi.Y), -down(-hi.Z)),
	}
}

func lesser(a, b geom.DVec3) geom.DVec3 {
	return geom.DVec3{X: min(a.X, b.X), Y: min(a.Y, b.Y), Z: min(a.Z, b.Z)}
}

func greater(a, b geom.DVec3) geom.DVec3 {
	return geom.DVec3{X: max(a.X, b.X), Y: max(a.Y, b.Y), Z: max(a.Z, b.Z)}
}

// down rounds to the next lower number of single precision but one, which also covers the rounding
// of double precision.
func down(x float64) float32 { return math.Nextafter32(float32(x), float32(math.Inf(-1))) }

// big returns the largest magnitude in v; NaN, or +Inf, if one is.
func big(v geom.DVec3) float64 {
	// The bits of numbers that are not negative order like the numbers, and those of NaN last; max
	// of numbers takes longer.
	return math.Float64frombits(max(magnitude(v.X), magnitude(v.Y), magnitude(v.Z)))
}

// sizeOf returns the largest magnitude of the coordinates of a triangle, as big does.
func sizeOf(t *geom.Triangle) float64 {
	of := func(v *geom.Vec3) uint32 {
		return max(math.Float32bits(v.X)&^(1<<31), math.Float32bits(v.Y)&^(1<<31), math.Float32bits(v.Z)&^(1<<31))
	}
	return float64(math.Float32frombits(max(of(&t.A), of(&t.B), of(&t.C))))
}

func magnitude(x float64) uint64 { return math.Float64bits(x) &^ (1 << 63) }

// unit returns the vector of length 1 along v; exact where v lies along a coordinate axis.
func unit(v geom.DVec3) geom.DVec3 {
	l := v.Len()
	return geom.DVec3{X: v.X / l, Y: v.Y / l, Z: v.Z / l}
}

// across returns a unit vector at right angles to v; upward if v is zero.
func across(v geom.DVec3) geom.DVec3 {
	if v == (geom.DVec3{}) {
		return geom.DVec3{Y: 1}
	}
	x, y, z := math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z)
	axis := geom.DVec3{Y: 1}
	switch {
	case y <= x && y <= z:
	case x <= z:
		axis = geom.DVec3{X: 1}
	default:
		axis = geom.DVec3{Z: 1}
	}
	n := v.Cross(axis).Cross(v) // the part of the axis across v
	return unit(n)
}

// isBall reports whether it is an ellipsoid, which has one contact.
func (s *Shape) isBall() bool { return s.kind == KindRound && s.e == geom.DVec3{} }

// isBox reports whether it is a box, along the axes of the world or not.
func (s *Shape) isBox() bool { return s.kind == KindAABB || s.kind == KindBox }

// isAligned reports whether it is a box along the axes of the world.
func (s *Shape) isAligned() bool {
	return s.kind == KindAABB || s.kind == KindBox && math.Abs(s.x.X) == 1 && math.Abs(s.y.Y) == 1 && math.Abs(s.z.Z) == 1
}

// isSolid reports whether it is a box or a parallelepiped whose faces across no two edges are
// missing.
func (s *Shape) isSolid() bool {
	switch s.kind {
	case KindAABB, KindBox, KindParallelepiped:
		return s.half.X > 0 && s.half.Y > 0 && s.half.Z > 0 && (s.kind != KindParallelepiped || s.volume > hasVolume)
	}
	return false
}
