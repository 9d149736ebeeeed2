package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The Minkowski difference of two boxes, or of a box and a triangle, is a polytope whose faces are
// across the axes that can separate the two: the normals of their faces, and the cross products of
// an edge of each. So one body enters the other where the ray of the motion enters the last of the
// slabs across these axes. Rounding of an axis does no harm: its slab is as wide as the bodies'
// extent along it, whatever it is. If both bodies are flat, some faces of the difference may have
// no axis here. The slabs then leave more than the difference, and GJK continues from where the ray
// enters that. It also does for bodies with a margin, by which each slab is widened but not
// rounded.

// isExact reports whether the slabs of the axes leave exactly the Minkowski difference.
func (c *pair) isExact() bool {
	return c.margin == 0 && (c.a.isSolid() || c.b.isSolid())
}

// slabs is the state of the search through the axes.
type slabs struct {
	at          geom.DVec3 // the origin of a relative to that of b, at the start of the path
	speed       float64    // at least that of the motion
	enter, exit float64    // T from the start of the path
	n           geom.DVec3 // normal of the slab entered last, not unit
	parted      bool       // the bodies are apart at the start
	c           *pair
}

// enter finds the T at which the bodies enter the last of their slabs, and the unit normal of that
// slab. T is c.lo and the normal zero if they are in all slabs at the start. It returns false if
// they are never in all slabs.
func (c *pair) enter() (t float64, n geom.DVec3, ok bool) {
	s := slabs{c: c, at: c.at(c.lo), exit: c.hi - c.lo}
	s.speed = math.Abs(c.m.X) + math.Abs(c.m.Y) + math.Abs(c.m.Z)
	if c.a.kind == KindCapsule && c.b.kind == KindTriangle {
		// The same as below, for a capsule and a triangle, the most frequent cast.
		e, f, u := c.b.e, c.b.f, c.a.e
		if !s.axis(e.Cross(f)) || !s.axis(u.Cross(e)) || !s.axis(u.Cross(f)) || !s.axis(u.Cross(f.Sub(e))) {
			return 0, n, false
		}
		return s.entered()
	}
	na, ka := c.a.normals()
	nb, kb := c.b.normals()
	for i := range kb {
		if !s.axis(nb[i]) {
			return 0, n, false
		}
	}
	for i := range ka {
		if !s.axis(na[i]) {
			return 0, n, false
		}
	}
	ea, ka := c.a.directions()
	eb, kb := c.b.directions()
	for i := range ka {
		for j := range kb {
			if !s.axis(ea[i].Cross(eb[j])) {
				return 0, n, false
			}
		}
	}
	return s.entered()
}

// entered returns the result of enter if the bodies are in all slabs at some T.
func (s *slabs) entered() (t float64, n geom.DVec3, ok bool) {
	if !s.parted {
		return s.c.lo, n, true
	}
	return s.c.lo + s.enter, s.n.Normalize(), true
}

// axis narrows the range of T to the slab across an axis. It returns false if that leaves none.
func (s *slabs) axis(v geom.DVec3) bool {
	l := math.Abs(v.X) + math.Abs(v.Y) + math.Abs(v.Z)
	if l == 0 {
		return true
	}
	lo, hi := s.c.between(v, s.at)
	if s.c.margin > 0 {
		m := float64(s.c.margin * v.Len())
		lo, hi = lo-m, hi+m
	}
	rate := s.c.m.Dot(v)
	if math.Abs(rate) <= alongSlab*l*s.speed {
		rate = 0 // rounding: the motion is along the slab
	}
	near := s.c.tolerance * l
	switch {
	case lo > near: // a lies beyond b
		if rate >= 0 {
			return false
		}
		s.last(-lo/rate, v)
	case hi < -near: // a lies before b
		if rate <= 0 {
			return false
		}
		s.last(-hi/rate, v.Neg())
	}
	switch {
	case rate > 0:
		s.exit = min(s.exit, max(0, -lo/rate))
	case rate < 0:
		s.exit = min(s.exit, max(0, -hi/rate))
	}
	return s.enter <= s.exit
}

// last records a T at which a slab is entered.
func (s *slabs) last(t float64, n geom.DVec3) {
	if !s.parted || t > s.enter {
		s.enter, s.n, s.parted = t, n, true
	}
}

// between returns the least and the greatest p·v of the points p of the Minkowski difference of the
// cores, for the origin of a at a place relative to that of b. The cores are apart along v if the
// least is positive or the greatest is negative.
func (c *pair) between(v, at geom.DVec3) (least, greatest float64) {
	x := at.Dot(v)
	alo, ahi := c.a.span(v)
	blo, bhi := c.b.span(v)
	return x + alo - bhi, x + ahi - blo
}

// boxes is the exact cast of boxes along the axes of the world, as geom.AABB.CastRay is for rays.
func (c *pair) boxes(m *meeting) bool {
	p, q := c.a.half, c.b.half
	half := p.Add(q)
	enter, exit := math.Inf(-1), math.Inf(1)
	for axis := range 3 {
		o, d, h := component(c.off, axis), component(c.m, axis), component(half, axis)
		if d == 0 {
			if math.Abs(o) > h {
				return false
			}
			continue
		}
		from, to := (-h-o)/d, (h-o)/d
		if d < 0 {
			from, to = to, from
		}
		if from > enter {
			enter, m.n = from, geom.DVec3{}
			switch sign := math.Copysign(1, -d); axis {
			case 0:
				m.n.X = sign
			case 1:
				m.n.Y = sign
			default:
				m.n.Z = sign
			}
		}
		exit = min(exit, to)
	}
	if enter > exit || exit < c.lo || enter > c.hi {
		return false
	}
	if enter < c.lo {
		m.t, m.starts = c.lo, true
		return true
	}
	m.t = enter + 0 // turns −0 into 0
	// The middle of the faces that touch.
	at := c.at(m.t)
	mid := func(o, h, g float64) float64 { return float64((max(o-h, -g) + min(o+h, g)) / 2) }
	m.b = geom.DVec3{X: mid(at.X, p.X, q.X), Y: mid(at.Y, p.Y, q.Y), Z: mid(at.Z, p.Z, q.Z)}
	m.a, m.placed = m.b.Sub(at), true
	return true
}
