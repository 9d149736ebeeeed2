package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// support is the support function of the core: it returns the point that is furthest along d, and
// the number of its vertex. The hint is the vertex at which the search in a hull starts; support
// sets it to the vertex found.
func (s *Shape) support(d geom.DVec3, hint *int) (geom.DVec3, int) {
	switch s.kind {
	case KindCapsule:
		if s.q.Sub(s.p).Dot(d) > 0 {
			return s.q, 1
		}
		return s.p, 0
	case KindAABB:
		c := geom.DVec3{X: s.p.X + math.Copysign(s.half.X, d.X), Y: s.p.Y + math.Copysign(s.half.Y, d.Y), Z: s.p.Z + math.Copysign(s.half.Z, d.Z)}
		return c, signs(d)
	case KindBox, KindParallelepiped:
		l := geom.DVec3{X: s.x.Dot(d), Y: s.y.Dot(d), Z: s.z.Dot(d)}
		return s.p.AddMul(math.Copysign(s.half.X, l.X), s.x).
			AddMul(math.Copysign(s.half.Y, l.Y), s.y).
			AddMul(math.Copysign(s.half.Z, l.Z), s.z), signs(l)
	case KindTriangle:
		p, most, i := s.p, s.p.Dot(d), 0
		if t := s.q.Dot(d); t > most {
			p, most, i = s.q, t, 1
		}
		if t := s.x.Dot(d); t > most {
			p, i = s.x, 2
		}
		return p, i
	case KindHull:
		*hint = s.hull.Support(geom.DVec3{X: s.x.Dot(d), Y: s.y.Dot(d), Z: s.z.Dot(d)}, *hint)
		return s.world(s.hull.Vertex(*hint)), *hint
	case KindRound:
		p, i := s.p, 0
		if s.q.Sub(s.p).Dot(d) > 0 {
			p, i = s.q, 1
		}
		return p.Add(s.ellipsoidSupport(d)), i
	case kindCorners:
		return s.cornerSupport(d)
	}
	return s.p, 0
}

// ellipsoidSupport returns the support point along d of the ellipsoid around the origin.
func (s *Shape) ellipsoidSupport(d geom.DVec3) geom.DVec3 {
	// The support point of the unit sphere under the linear map M is the image of Mᵀd/|Mᵀd|.
	t := geom.DVec3{X: s.x.Dot(d), Y: s.y.Dot(d), Z: s.z.Dot(d)}
	l := t.Len()
	if !(l > 0) {
		return geom.DVec3{}
	}
	return s.x.Mul(t.X/l).AddMul(t.Y/l, s.y).AddMul(t.Z/l, s.z)
}

// signs returns the number of a box's vertex: one bit an axis, set on the positive side.
func signs(d geom.DVec3) int {
	i := 0
	if !math.Signbit(d.X) {
		i = 1
	}
	if !math.Signbit(d.Y) {
		i |= 2
	}
	if !math.Signbit(d.Z) {
		i |= 4
	}
	return i
}
