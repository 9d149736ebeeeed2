package gjk

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

// Support is a convex body, told by the one thing the algorithm asks of it: which of its points lies furthest in a given
// direction.
//
// Every body here but [Polyhedron] is the sum of three parts, each of which may be missing: the hull of some points; the image
// of a cube or of a ball under a linear map; and a ball of one radius all around, the margin, which the algorithm leaves
// out and takes off the distance at the end, so that a sphere and a capsule are as exact as a point and a segment. It is
// a plain value, so that making one allocates nothing. The zero Support is empty: it touches nothing.
type Support struct {
	kind    kind
	a, b, c geom.DVec3 // the points; those that are not needed repeat the first
	more    []geom.DVec3
	x, y, z geom.DVec3 // the half axes of the box or of the ellipsoid; of a polyhedron, the images of the unit vectors
	solid   *hull.Hull // of a polyhedron
	margin  float64
}

type kind uint8

const (
	empty      kind = iota
	points          // the points alone
	box             // the points and ±x ±y ±z
	ball            // the points and the x, y and z combined by every vector of the unit ball
	polyhedron      // the image of the solid, where b is that of its origin; a is a point of the body
)

// Point returns the single point p.
func Point(p geom.Vec3) Support { return Triangle(p, p, p) }

// Segment returns the points between a and b.
func Segment(a, b geom.Vec3) Support { return Triangle(a, b, a) }

// Triangle returns the triangle with the corners a, b and c, which may be degenerate.
func Triangle(a, b, c geom.Vec3) Support {
	return Support{kind: points, a: a.Wide(), b: b.Wide(), c: c.Wide()}.checked()
}

// Hull returns the points within margin of the convex hull of some points. It keeps the slice, which must not be changed as
// long as the body is in use. Without points it is empty.
func Hull(list []geom.DVec3, margin float64) Support {
	if len(list) == 0 {
		return Support{}
	}
	s := Support{kind: points, a: list[0], b: list[0], c: list[0], more: list[1:], margin: margin}
	return s.checked()
}

// Polyhedron returns the image of a hull under m. The empty hull makes an empty body.
func Polyhedron(h *hull.Hull, m geom.Affine) Support {
	if h.IsEmpty() {
		return Support{}
	}
	s := Support{kind: polyhedron, solid: h, b: m.Origin.Wide(), x: m.X.Wide(), y: m.Y.Wide(), z: m.Z.Wide()}
	s.a, s.c = s.vertex(0), s.b
	return s.checked()
}

// vertex returns a vertex of a polyhedron.
func (s *Support) vertex(i int) geom.DVec3 {
	v := s.solid.Vertex(i)
	return s.b.AddMul(v.X, s.x).AddMul(v.Y, s.y).AddMul(v.Z, s.z)
}

// Sphere returns the ball around center, in world space.
func Sphere(center geom.Vec3, radius float32) Support {
	s := Point(center)
	s.margin = float64(radius)
	return s.checked()
}

// AABB returns an axis-aligned box.
func AABB(b geom.AABB) Support {
	c := b.Min.Wide().Add(b.Max.Wide()).Mul(0.5)
	h := b.Max.Wide().Sub(b.Min.Wide()).Mul(0.5)
	return boxOf(c, geom.DVec3{X: h.X}, geom.DVec3{Y: h.Y}, geom.DVec3{Z: h.Z}, h)
}

// Box returns the image under m of the box around the local origin that reaches halfExtents to both sides of each axis.
// A turned, scaled or sheared box is a Box.
func Box(halfExtents geom.Vec3, m geom.Affine) Support {
	h := halfExtents.Wide()
	return boxOf(m.Origin.Wide(), m.X.Wide().Mul(h.X), m.Y.Wide().Mul(h.Y), m.Z.Wide().Mul(h.Z), h)
}

// OrientedBox returns a box as it is. It keeps the axes in double precision, which a rotation in an Affine does not.
func OrientedBox(b geom.Box) Support {
	x, y, z := b.Axes()
	h := b.HalfExtents.Wide()
	if !b.Rotation.IsFinite() {
		return Support{}
	}
	return boxOf(b.Center.Wide(), x.Mul(h.X), y.Mul(h.Y), z.Mul(h.Z), h)
}

func boxOf(center, x, y, z, h geom.DVec3) Support {
	s := Support{kind: box, a: center, b: center, c: center, x: x, y: y, z: z}
	if !(h.X >= 0 && h.Y >= 0 && h.Z >= 0) {
		return Support{}
	}
	return s.checked()
}

// Ellipsoid returns the image under m of the ball around center, which is an ellipsoid, and flat if m is singular.
func Ellipsoid(center geom.Vec3, radius float32, m geom.Affine) Support {
	return Capsule(center, center, radius, m)
}

// Capsule returns the image under m of the points within radius of the segment from a to b. Where m is not a rotation
// with an even scale its ends are halves of ellipsoids.
func Capsule(a, b geom.Vec3, radius float32, m geom.Affine) Support {
	r := float64(radius)
	s := Support{kind: ball, a: apply(m, a), b: apply(m, b)}
	s.c = s.a
	s.x, s.y, s.z = m.X.Wide().Mul(r), m.Y.Wide().Mul(r), m.Z.Wide().Mul(r)
	if !(r >= 0) {
		return Support{}
	}
	if s.round() {
		s.kind, s.margin = points, s.x.Len()
	}
	return s.checked()
}

// round reports whether the half axes are of one length and at right angles to the last bit, as under no map at all.
// Then the ellipsoid is a ball.
func (s *Support) round() bool {
	l := s.x.Dot(s.x)
	return l == s.y.Dot(s.y) && l == s.z.Dot(s.z) && s.x.Dot(s.y) == 0 && s.y.Dot(s.z) == 0 && s.z.Dot(s.x) == 0
}

func apply(m geom.Affine, p geom.Vec3) geom.DVec3 {
	w := p.Wide()
	return m.Origin.Wide().AddMul(w.X, m.X.Wide()).AddMul(w.Y, m.Y.Wide()).AddMul(w.Z, m.Z.Wide())
}

// checked returns s, and the empty body if the margin is negative or a number in s is NaN or infinite.
func (s Support) checked() Support {
	sum := s.a.Add(s.b).Add(s.c).Add(s.x).Add(s.y).Add(s.z)
	for _, p := range s.more {
		sum = sum.Add(p)
	}
	if n := sum.X + sum.Y + sum.Z + s.margin; n-n != 0 || s.margin < 0 {
		return Support{}
	}
	return s
}

// IsEmpty reports whether the body has no point at all: a size was negative, or a number NaN or infinite.
func (s *Support) IsEmpty() bool { return s.kind == empty }

// Reach returns how far the body reaches along a unit vector: the largest d·p of its points p. It means nothing if the body
// is empty.
func (s *Support) Reach(d geom.DVec3) float64 { return s.furthest(d).Dot(d) + s.margin }

// furthest returns the point of the body, margin left out, that lies furthest along d.
func (s *Support) furthest(d geom.DVec3) geom.DVec3 {
	if s.kind == polyhedron {
		// Not the points are taken to the direction, but the direction to the points.
		return s.vertex(s.solid.Support(geom.DVec3{X: s.x.Dot(d), Y: s.y.Dot(d), Z: s.z.Dot(d)}, 0))
	}
	p, most := s.a, s.a.Dot(d)
	if t := s.b.Dot(d); t > most {
		p, most = s.b, t
	}
	if t := s.c.Dot(d); t > most {
		p, most = s.c, t
	}
	for _, q := range s.more {
		if t := q.Dot(d); t > most {
			p, most = q, t
		}
	}
	switch s.kind {
	case box:
		p = p.AddMul(sign(s.x.Dot(d)), s.x).AddMul(sign(s.y.Dot(d)), s.y).AddMul(sign(s.z.Dot(d)), s.z)
	case ball:
		// The furthest point of the ball under the linear map M lies along Mᵀd.
		t := geom.DVec3{X: s.x.Dot(d), Y: s.y.Dot(d), Z: s.z.Dot(d)}
		if l := t.Len(); l > 0 {
			p = p.AddMul(t.X/l, s.x).AddMul(t.Y/l, s.y).AddMul(t.Z/l, s.z)
		}
	}
	return p
}

func sign(x float64) float64 { return math.Copysign(1, x) }
