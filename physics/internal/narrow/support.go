package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// support returns the support point of the core along d in the world: see extreme.
func (s *Shape) support(d geom.DVec3, hint *int) (geom.DVec3, int) {
	p, i := s.extreme(d, hint)
	return s.p.Add(p), i
}

// extreme is the support function of the core, relative to p: it returns the point that is furthest
// along d, and the number of its vertex. The hint is the vertex at which the search in a hull
// starts; extreme sets it to the vertex found.
func (s *Shape) extreme(d geom.DVec3, hint *int) (p geom.DVec3, vertex int) {
	switch s.kind {
	case KindCapsule:
		if s.e.Dot(d) > 0 {
			return s.e, 1
		}
	case KindAABB:
		p = geom.DVec3{X: math.Copysign(s.half.X, d.X), Y: math.Copysign(s.half.Y, d.Y), Z: math.Copysign(s.half.Z, d.Z)}
		return p, signs(d)
	case KindBox, KindParallelepiped:
		l := s.along(d)
		p = geom.DVec3{X: math.Copysign(s.half.X, l.X), Y: math.Copysign(s.half.Y, l.Y), Z: math.Copysign(s.half.Z, l.Z)}
		return s.image(p), signs(l)
	case KindTriangle:
		most := 0.0
		if t := s.e.Dot(d); t > most {
			p, most, vertex = s.e, t, 1
		}
		if s.f.Dot(d) > most {
			p, vertex = s.f, 2
		}
	case KindHull:
		*hint = s.hull.Support(s.along(d), *hint)
		return s.hullVertex(*hint), *hint
	case KindRound:
		t := s.along(d)
		l := t.Len()
		if vertex = s.endAlong(d, l); vertex == 1 {
			p = s.e
		}
		if f := s.factor(vertex); l > 0 {
			p = p.Add(s.image(geom.DVec3{X: float64(t.X / l * f), Y: float64(t.Y / l * f), Z: float64(t.Z / l * f)}))
		}
		return p, vertex
	case kindCorners:
		return s.cornerSupport(d)
	case kindCloud:
		return s.cloudSupport(d), 0
	}
	return p, vertex
}

// cloudSupport returns the support point along d of mapped points. As for a hull, the direction is
// mapped and not the points.
func (s *Shape) cloudSupport(d geom.DVec3) geom.DVec3 {
	l := s.along(d)
	best, most := 0, math.Inf(-1)
	for i := range s.cloud {
		q := &s.cloud[i]
		if t := float64(l.X*float64(q.X)) + float64(l.Y*float64(q.Y)) + float64(l.Z*float64(q.Z)); t > most {
			best, most = i, t
		}
	}
	return s.image(s.cloud[best].Wide().Sub(s.f))
}

// ellipsoidSupport returns the support point along d of the ellipsoid around the origin.
func (s *Shape) ellipsoidSupport(d geom.DVec3) geom.DVec3 {
	// The support point of the unit sphere under the linear map M is the image of Mᵀd/|Mᵀd|.
	t := s.along(d)
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
