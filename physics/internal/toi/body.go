package toi

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	hulls "github.com/hitscan-go/hitscan/physics/hull"
)

// Body is a convex body in world space, in metres: the points within a radius, the margin, of a
// core. The core of a sphere is a point and that of a capsule a segment. A Body is a plain value,
// and making one allocates nothing. The zero Body is empty: it touches nothing.
type Body struct {
	kind kind
	// Of boxes only. square: the axes are at right angles and not zero. aligned: they are the
	// world's. solid: the box has a volume.
	square, aligned, solid bool
	n                      int // of the points
	// the origin: the first point, or the centre; all else is relative to it
	o       geom.DVec3
	e, f    geom.DVec3 // the second and the third point
	x, y, z geom.DVec3 // the half axes, or the images of the unit vectors
	cloud   []geom.Vec3
	hull    *hulls.Hull // of which cloud is the vertices, if it is known
	margin  float64
	size    float64 // no point of the core is further from o
}

type kind uint8

const (
	empty  kind = iota
	points      // the hull of one to three points
	box         // the points within ±x ±y ±z
	// the hull of one or two points, and the x, y and z combined by every vector of the unit ball
	ellipsoid
	hull // the hull of the images of cloud under x, y and z
)

// Sphere returns a sphere.
func Sphere(s geom.Sphere) Body {
	return Capsule(geom.Capsule{A: s.Center, B: s.Center, Radius: s.Radius})
}

// Capsule returns the points within a radius of a segment.
func Capsule(c geom.Capsule) Body {
	if c.IsEmpty() {
		return Body{}
	}
	s := Body{kind: points, n: 2, o: c.A.Wide(), e: c.B.Wide().Sub(c.A.Wide()), margin: float64(c.Radius)}
	if s.e == (geom.DVec3{}) {
		s.n = 1
	}
	s.check()
	return s
}

// Triangle returns a triangle, which may be degenerate.
func Triangle(t geom.Triangle) Body {
	if t.IsEmpty() {
		return Body{}
	}
	var s Body
	s.setTriangle(t.A.Wide(), t.B.Wide(), t.C.Wide())
	s.check()
	return s
}

func (s *Body) setTriangle(a, b, c geom.DVec3) {
	s.kind, s.n = points, 3
	s.o, s.e, s.f = a, b.Sub(a), c.Sub(a)
	s.size = math.Sqrt(max(s.e.Dot(s.e), s.f.Dot(s.f)))
}

// AABB returns a box along the axes of the world. It is empty if the box is unbounded.
func AABB(b geom.AABB) Body {
	if b.IsEmpty() {
		return Body{}
	}
	lo, hi := b.Min.Wide(), b.Max.Wide()
	h := hi.Sub(lo).Mul(0.5)
	return boxOf(lo.Add(hi).Mul(0.5), geom.DVec3{X: h.X}, geom.DVec3{Y: h.Y}, geom.DVec3{Z: h.Z})
}

// Box returns an oriented box.
func Box(b geom.Box) Body {
	if b.IsEmpty() {
		return Body{}
	}
	x, y, z := b.Axes()
	h := b.HalfExtents.Wide()
	return boxOf(b.Center.Wide(), x.Mul(h.X), y.Mul(h.Y), z.Mul(h.Z))
}

// Parallelepiped returns the image under m of the box around the local origin that reaches
// halfExtents to both sides of each axis: a rotated, scaled and sheared box.
func Parallelepiped(halfExtents geom.Vec3, m geom.Affine) Body {
	h := halfExtents.Wide()
	if !(h.X >= 0 && h.Y >= 0 && h.Z >= 0) {
		return Body{}
	}
	return boxOf(m.Origin.Wide(), m.X.Wide().Mul(h.X), m.Y.Wide().Mul(h.Y), m.Z.Wide().Mul(h.Z))
}

func boxOf(center, x, y, z geom.DVec3) Body {
	s := Body{kind: box, n: 1, o: center, x: x, y: y, z: z}
	xx, yy, zz := x.Dot(x), y.Dot(y), z.Dot(z)
	volume := math.Abs(x.Cross(y).Dot(z))
	right := func(u, v geom.DVec3, uu, vv float64) bool {
		uv := u.Dot(v)
		return float64(uv*uv) <= float64(uu*vv)*rightAngle
	}
	s.solid = volume > hasVolume*math.Sqrt(xx)*math.Sqrt(yy)*math.Sqrt(zz)
	s.square = s.solid && right(x, y, xx, yy) && right(y, z, yy, zz) && right(z, x, zz, xx)
	s.aligned = x.Y == 0 && x.Z == 0 && y.X == 0 && y.Z == 0 && z.X == 0 && z.Y == 0
	s.check()
	return s
}

// Stretched returns the image under m of a capsule: its ends are halves of ellipsoids unless m is a
// rotation with a uniform scale, and it is an ellipsoid if both ends are the same point.
func Stretched(c geom.Capsule, m geom.Affine) Body {
	if c.IsEmpty() {
		return Body{}
	}
	r := float64(c.Radius)
	s := Body{kind: ellipsoid, n: 2, x: m.X.Wide().Mul(r), y: m.Y.Wide().Mul(r), z: m.Z.Wide().Mul(r)}
	s.o = apply(&m, c.A)
	if s.e = apply(&m, c.B).Sub(s.o); s.e == (geom.DVec3{}) {
		s.n = 1
	}
	if l := s.x.Dot(s.x); l == s.y.Dot(s.y) && l == s.z.Dot(s.z) && s.x.Dot(s.y) == 0 && s.y.Dot(s.z) == 0 && s.z.Dot(s.x) == 0 {
		s.kind, s.margin = points, math.Sqrt(l)
		s.x, s.y, s.z = geom.DVec3{}, geom.DVec3{}, geom.DVec3{}
	}
	s.check()
	return s
}

// HullOfPoints returns the convex hull of the images under m of points, with a margin of a radius
// in metres. It keeps the slice, which must not be changed while the body is in use. Points within
// the hull cost time and change nothing. The body is empty if there are no points, a number is NaN
// or infinite, or the radius is negative.
func HullOfPoints(list []geom.Vec3, m geom.Affine, radius float32) Body {
	if len(list) == 0 || !(radius >= 0) {
		return Body{}
	}
	s := Body{kind: hull, cloud: list, margin: float64(radius)}
	s.x, s.y, s.z = m.X.Wide(), m.Y.Wide(), m.Z.Wide()
	lo, hi := list[0], list[0]
	for _, p := range list {
		lo, hi = lo.Min(p), hi.Max(p)
		if !p.IsFinite() {
			return Body{}
		}
	}
	s.center(&m, geom.AABB{Min: lo, Max: hi})
	s.check()
	return s
}

// ConvexHull returns the image of a hull under m. Its support function walks along the hull's
// edges, and so visits few of many vertices.
func ConvexHull(h *hulls.Hull, m geom.Affine) Body {
	if h.IsEmpty() {
		return Body{}
	}
	s := Body{kind: hull, cloud: h.Vertices(), hull: h, x: m.X.Wide(), y: m.Y.Wide(), z: m.Z.Wide()}
	s.center(&m, h.Bounds())
	r := h.Bounds().Max.Wide().Sub(s.f)
	s.size = float64(r.X*s.x.Len()) + float64(r.Y*s.y.Len()) + float64(r.Z*s.z.Len())
	s.check()
	return s
}

// center moves the origin of a hull to the middle of its bounds, so that a hull far from its local
// origin is as exact as one around it.
func (s *Body) center(m *geom.Affine, b geom.AABB) {
	s.f = b.Min.Wide().Add(b.Max.Wide()).Mul(0.5) // in the hull's local space
	s.o = m.Origin.Wide().AddMul(s.f.X, s.x).AddMul(s.f.Y, s.y).AddMul(s.f.Z, s.z)
}

func apply(m *geom.Affine, p geom.Vec3) geom.DVec3 {
	w := p.Wide()
	return m.Origin.Wide().AddMul(w.X, m.X.Wide()).AddMul(w.Y, m.Y.Wide()).AddMul(w.Z, m.Z.Wide())
}

// check computes the size of s, and makes it empty if a number in it is NaN or infinite.
func (s *Body) check() {
	switch s.kind {
	case hull:
		if s.hull == nil {
			for _, p := range s.cloud {
				q := s.image(p)
				s.size = max(s.size, q.Dot(q))
			}
			s.size = math.Sqrt(s.size)
		}
	case points:
		if s.size = 0; s.n > 1 {
			s.size = s.e.Len()
		}
		if s.n > 2 {
			s.size = max(s.size, s.f.Len())
		}
	default:
		s.size = s.e.Len() + s.x.Len() + s.y.Len() + s.z.Len()
	}
	if n := s.o.X + s.o.Y + s.o.Z + s.size + s.margin; n-n != 0 || !(s.margin >= 0) {
		*s = Body{}
	}
}

// IsEmpty reports whether the body has no points: a size was negative, or a number NaN or infinite.
func (s *Body) IsEmpty() bool { return s.kind == empty }

// Origin returns a point of the body's core, or the middle of the bounds of its hull. [Body.Reach]
// is relative to it.
func (s *Body) Origin() geom.DVec3 { return s.o }

// Reach returns the interval of the body along v, with the margin and relative to its origin: the
// least and the greatest p·v of its points p.
func (s *Body) Reach(v geom.DVec3) (least, greatest float64) {
	least, greatest = s.reach(v)
	m := float64(s.margin * v.Len())
	return least - m, greatest + m
}

// Bounds returns the corners of the box around the body in the world.
func (s *Body) Bounds() (low, high geom.DVec3) {
	if s.kind == points {
		// The same as Reach, without products.
		zero := geom.DVec3{}
		low, high = lesser(lesser(zero, s.e), s.f), greater(greater(zero, s.e), s.f)
		r := geom.DVec3{X: s.margin, Y: s.margin, Z: s.margin}
		return s.o.Add(low).Sub(r), s.o.Add(high).Add(r)
	}
	low.X, high.X = s.Reach(geom.DVec3{X: 1})
	low.Y, high.Y = s.Reach(geom.DVec3{Y: 1})
	low.Z, high.Z = s.Reach(geom.DVec3{Z: 1})
	return s.o.Add(low), s.o.Add(high)
}

func lesser(a, b geom.DVec3) geom.DVec3 {
	return geom.DVec3{X: min(a.X, b.X), Y: min(a.Y, b.Y), Z: min(a.Z, b.Z)}
}

func greater(a, b geom.DVec3) geom.DVec3 {
	return geom.DVec3{X: max(a.X, b.X), Y: max(a.Y, b.Y), Z: max(a.Z, b.Z)}
}

// reach is Reach for the core.
func (s *Body) reach(v geom.DVec3) (least, greatest float64) {
	switch s.kind {
	case points:
		if s.n > 1 {
			t := s.e.Dot(v)
			least, greatest = min(0, t), max(0, t)
			if s.n > 2 {
				t = s.f.Dot(v)
				least, greatest = min(least, t), max(greatest, t)
			}
		}
		return least, greatest
	case box:
		t := math.Abs(s.x.Dot(v)) + math.Abs(s.y.Dot(v)) + math.Abs(s.z.Dot(v))
		return -t, t
	}
	hint := 0
	return s.support(v.Neg(), &hint).Dot(v), s.support(v, &hint).Dot(v)
}

// support is the support function of the core: it returns the point that is furthest along v,
// relative to the body's origin. The hint is the vertex at which the search in a hull starts;
// support sets it to the vertex found.
func (s *Body) support(v geom.DVec3, hint *int) (p geom.DVec3) {
	switch s.kind {
	case points:
		if s.n == 1 {
			return p
		}
		most := 0.0
		if t := s.e.Dot(v); t > most {
			p, most = s.e, t
		}
		if s.n > 2 && s.f.Dot(v) > most {
			p = s.f
		}
	case box:
		p = s.x.Mul(math.Copysign(1, s.x.Dot(v))).
			AddMul(math.Copysign(1, s.y.Dot(v)), s.y).AddMul(math.Copysign(1, s.z.Dot(v)), s.z)
	case ellipsoid:
		if s.n > 1 && s.e.Dot(v) > 0 {
			p = s.e
		}
		// The support point of the unit sphere under the linear map M is the image of Mᵀv/|Mᵀv|.
		t := geom.DVec3{X: s.x.Dot(v), Y: s.y.Dot(v), Z: s.z.Dot(v)}
		if l := t.Len(); l > 0 {
			p = p.AddMul(t.X/l, s.x).AddMul(t.Y/l, s.y).AddMul(t.Z/l, s.z)
		}
	case hull:
		// As for an ellipsoid, the direction is transformed and not the points.
		x, y, z := s.x.Dot(v), s.y.Dot(v), s.z.Dot(v)
		if s.hull != nil {
			*hint = s.hull.Support(geom.DVec3{X: x, Y: y, Z: z}, *hint)
			return s.image(s.cloud[*hint])
		}
		best, most := 0, math.Inf(-1)
		for i := range s.cloud {
			q := &s.cloud[i]
			t := float64(x*float64(q.X)) + float64(y*float64(q.Y)) + float64(z*float64(q.Z))
			if t > most {
				best, most = i, t
			}
		}
		p = s.image(s.cloud[best])
	}
	return p
}

// image returns the image of a point of a hull, relative to the body's origin.
func (s *Body) image(p geom.Vec3) geom.DVec3 {
	w := p.Wide().Sub(s.f)
	return s.x.Mul(w.X).AddMul(w.Y, s.y).AddMul(w.Z, s.z)
}

// nearest returns the point of the core that is nearest to q; both are relative to the body's
// origin. The core must be that of a sphere, a capsule, a triangle or a square box.
func (s *Body) nearest(q geom.DVec3) geom.DVec3 {
	if s.kind == box {
		return s.x.Mul(onAxis(q, s.x)).AddMul(onAxis(q, s.y), s.y).AddMul(onAxis(q, s.z), s.z)
	}
	switch s.n {
	case 1:
		return geom.DVec3{}
	case 2:
		return s.e.Mul(max(0, min(q.Dot(s.e)/s.e.Dot(s.e), 1)))
	}
	u, v := nearestInTriangle(q.Neg(), s.e.Sub(q), s.f.Sub(q))
	return s.e.Mul(u).AddMul(v, s.f)
}

func onAxis(q, axis geom.DVec3) float64 { return max(-1, min(q.Dot(axis)/axis.Dot(axis), 1)) }
