package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// relation is the distance or depth of two shapes, or of their cores, with its direction and
// witness points.
type relation struct {
	dist   float64    // the distance in metres; of shapes that overlap, the depth with a minus sign
	n      geom.DVec3 // unit, from a to b
	pa, pb geom.DVec3 // pb − pa = dist·n
	// unseen is set if pa and pb are not known: separating axes give the direction without the
	// witness points.
	unseen bool
	// least is set if dist is a lower bound: the shapes are apart along the axis, and may be
	// further apart than that.
	least bool
	// apart is set if the search found a gap between the cores, so small that the depth was
	// computed as well.
	apart bool
	// inexact is set if a search ended before it had converged.
	inexact bool
	// closing is an input of relate: shapes that it parts may count as beyond the limit.
	closing *Closing
}

// question is the query that a relation is for: it decides what need not be computed.
type question uint8

const (
	askOverlap  question = iota // whether dist ≤ 0
	askDistance                 // dist if positive, and where; otherwise a point in both
	askDepth                    // all
	askContacts                 // all, except what the contacts will show
)

// relate finds the relation of two shapes in order. It returns false if
// they are further apart than limit, which is not negative: then n is a direction along which they
// are, of any length, or zero if it is not known.
func relate(r *relation, a, b *Shape, limit float64, q question) bool {
	if a.kind == KindNothing || b.kind > KindHalfSpace {
		return false
	}
	if a.planar || b.planar {
		if near, ok := relatePlanar(r, a, b, limit, q); ok {
			return near
		}
	}
	margin := a.radius + b.radius
	if !relateCores(r, a, b, limit+margin, q) || r.dist-margin > limit {
		return false
	}
	if margin > 0 {
		r.grow(a.radius, b.radius, q)
	}
	return true
}

// grow adds the margins.
func (r *relation) grow(ra, rb float64, q question) {
	if q == askDistance && r.dist <= ra+rb {
		if r.dist > 0 {
			// The margins around pa and pb share a part of the segment between them: take its
			// middle.
			from, to := max(0, r.dist-rb), min(ra, r.dist)
			r.pa = r.pa.AddMul((from+to)/2, r.n)
			r.pb = r.pa
		}
		r.dist = 0
		return
	}
	r.pa, r.pb = r.pa.AddMul(ra, r.n), r.pb.AddMul(-rb, r.n)
	r.dist -= ra + rb
}

// flip makes it the relation of the pair exchanged.
func (r *relation) flip() {
	r.n, r.pa, r.pb = r.n.Neg(), r.pb, r.pa
}

// relateCores is relate for the cores of two shapes.
func relateCores(r *relation, a, b *Shape, limit float64, q question) bool {
	if b.kind == KindHalfSpace {
		return relateHalfSpace(r, a, b)
	}
	switch a.kind {
	case KindSphere:
		switch b.kind {
		case KindSphere, KindCapsule:
			return relateSimple(r, &a.Simple, &b.Simple, limit)
		case KindAABB, KindBox:
			return pointBox(r, a.p, b)
		case KindTriangle:
			return pointTriangle(r, a.p, b)
		}
	case KindCapsule:
		switch b.kind {
		case KindCapsule:
			return relateSimple(r, &a.Simple, &b.Simple, limit)
		case KindAABB, KindBox:
			return segmentBox(r, a, b, q)
		case KindTriangle:
			return segmentTriangle(r, a, b, limit, q)
		}
	case KindAABB, KindBox, KindTriangle, KindParallelepiped, KindHull:
		switch {
		case b.kind == KindHull:
			return relateHull(r, a, b, limit, q)
		case a.kind > KindBox:
		case a.kind == KindAABB && b.kind == KindAABB:
			return relateAABBs(r, a, b, q)
		case b.kind == KindAABB || b.kind == KindBox:
			return relateBoxes(r, a, b, limit, q)
		case b.kind == KindTriangle:
			return relateBoxTriangle(r, a, b, limit, q)
		}
	}
	if a.kind == KindTriangle && a.isBeyond(b, limit) || b.kind == KindTriangle && b.isBeyond(a, limit) {
		return false
	}
	return relateGeneral(r, a, b, limit, q)
}

// isBeyond reports whether the plane of a triangle separates it from another core by more than a
// limit. The gap is measured between the intervals of both along the plane's normal, so that it is
// right even where rounding has turned that.
func (s *Shape) isBeyond(o *Shape, limit float64) bool {
	at := o.p.Sub(s.p).Dot(s.u)
	least, most := s.span(s.u)
	from, to := o.span(s.u)
	return at+from-most > limit || least-at-to > limit
}

// relateGeneral finds the relation of any two cores by GJK, and by separating axes or EPA if they
// overlap.
func relateGeneral(r *relation, a, b *Shape, limit float64, q question) bool {
	var g search // a literal would be copied
	g.a, g.b, g.at = a, b, a.p.Sub(b.p)
	var m minimum
	if q >= askDepth && a.kind >= KindCapsule && (a.isCone() || b.isCone()) {
		n := g.toward().Neg().Normalize()
		var p supportPoints
		if p.find(&g, n); p.out < -limit {
			r.n = n
			return false
		}
		if a.kind == KindCapsule {
			// The nearest points of the axes show the way better than the middles.
			if pa, pb := nearestOnSegments(a.p, a.e, b.p, b.e); pa != pb {
				n = pb.Sub(pa).Normalize()
				p.find(&g, n)
			}
		}
		if m.find(&g, n, &p, limit); m.least || m.dist > limit {
			if *r = m.relation; m.dist < 0 {
				r.settleFaces(&g)
			}
			return m.least
		}
	}
	at := g.start(limit, q)
	if at == beyond {
		r.n = g.across.Neg()
		return false
	}
	g.relate(r, at)
	if at == apart && r.dist > limit {
		return false
	}
	if at == apart && r.dist > faint*max(a.size, b.size) || q < askDepth {
		return true
	}
	if at == apart {
		m.dist = 0
	}
	g.deepen(r, at == apart, &m)
	if r.apart = at == apart; !r.apart {
		r.dist = min(r.dist, 0) // of shapes far longer than thick, more is rounding
	}
	return true
}

// start runs a search for a question.
func (g *search) start(limit float64, q question) place {
	zero := float64(touching * max(g.a.size, g.b.size))
	near := zero
	if q == askOverlap {
		near = max(near, limit)
	}
	return g.run(g.toward(), zero, near, limit)
}

// toward returns the direction from the middle of b to that of a; any if they are one point.
func (g *search) toward() geom.DVec3 {
	d := g.a.Center().Sub(g.b.Center())
	if d == (geom.DVec3{}) {
		d.X = 1
	}
	return d
}

// deepen finds the depth of cores that the search found to overlap, or to be closer than faint.
// A minimum of the depth may be known.
func (g *search) deepen(r *relation, apart bool, m *minimum) {
	a, b := g.a, g.b
	switch {
	case a.kind == KindRound || b.kind == KindRound:
		taper := a.isTapered() || b.isTapered()
		if apart {
			// On a needle the witness point is too inexact for the normal there: the gaps along
			// both normals decide which is better, and whether the cores are apart at all.
			n := roundNormal(a, b, r)
			if g.gap(n) > g.gap(r.n) {
				r.n = n
			}
			if taper {
				r.settleFaces(g)
			}
			if g.gap(r.n) >= -2*faint*max(a.size, b.size) {
				return
			}
		}
		sure := false
		if *r, sure = expandFrom(g, m); taper {
			r.settleFaces(g)
		}
		r.inexact = !sure
		return
	case b.kind != KindHull:
		*r = separateFew(a, b, g.at, geom.DVec3{}, 0, edgeBias*max(a.size, b.size))
		r.atPoint(a)
		return
	}
	if !apart && a.kind > KindCapsule {
		sure := false
		if *r, sure = expand(g); sure {
			r.settle(a, b)
			return
		}
	}
	*r = separate(a, b)
	r.atPoint(a)
}

// atPoint sets the witness points for an axis if the first core is a point.
func (r *relation) atPoint(a *Shape) {
	if a.kind == KindSphere {
		r.pa, r.pb, r.unseen = a.p, a.p.AddMul(r.dist, r.n), false
	}
}

// gap returns the distance of the cores along a unit vector.
func (g *search) gap(n geom.DVec3) float64 {
	w, _ := g.support(n.Neg())
	return -w.Add(g.at).Dot(n)
}

// roundNormal returns the normal of two cores that are closer than faint, one of them an ellipsoid:
// the normal of its surface at the witness point.
func roundNormal(a, b *Shape, r *relation) geom.DVec3 {
	if n := b.normalAt(r.pb); n != (geom.DVec3{}) {
		return n.Neg()
	}
	if n := a.normalAt(r.pa); n != (geom.DVec3{}) {
		return n
	}
	return r.n
}

// normalAt returns the outward normal at a point of the surface of an ellipsoid. It is zero for a
// flat one, for one that isTapered and for other cores.
func (s *Shape) normalAt(p geom.DVec3) geom.DVec3 {
	if s.kind != KindRound || s.isTapered() {
		return geom.DVec3{}
	}
	u, v, w := s.y.Cross(s.z), s.z.Cross(s.x), s.x.Cross(s.y)
	d := p.Sub(onSegment(s.p, s.e, p))
	x, y, z := u.Dot(d), v.Dot(d), w.Dot(d)
	return u.Mul(x).AddMul(y, v).AddMul(z, w).Mul(math.Copysign(1, s.x.Dot(u))).Normalize()
}

// relateHalfSpace is exact for all shapes: the support point behind the plane decides.
func relateHalfSpace(r *relation, a, b *Shape) bool {
	if a.kind == KindHalfSpace {
		// Two of them have no common point only if they face each other.
		gap := a.p.Sub(b.p).Dot(b.u)
		if a.u != b.u.Neg() {
			*r = relation{dist: math.Inf(-1), pa: a.p, pb: a.p}
			return true
		}
		*r = relation{dist: gap, n: a.u, pa: a.p, pb: a.p.AddMul(gap, a.u)}
		return true
	}
	hint := 0
	p, _ := a.support(b.u.Neg(), &hint)
	dist := p.Sub(b.p).Dot(b.u)
	*r = relation{dist: dist, n: b.u.Neg(), pa: p, pb: p.AddMul(-dist, b.u)}
	return true
}

// settle replaces the direction by the normal of a face if the depth along that is as small, to
// edgeBias: the normal of a face is the same in every tick, and contacts on the face keep it.
func (r *relation) settle(a, b *Shape) {
	slack := float64(edgeBias * max(a.size, b.size))
	hint := 0
	m, e := b.faceAlong(r.n.Neg())
	p, _ := a.support(m.Neg(), &hint)
	onB := p.Dot(m) - e
	hint = 0
	n, d := a.faceAlong(r.n)
	p, _ = b.support(n.Neg(), &hint)
	onA := p.Dot(n) - d
	if least := r.dist - slack; onA >= least && onA >= onB {
		*r = relation{dist: onA, n: n, unseen: true}
	} else if onB >= least {
		*r = relation{dist: onB, n: m.Neg(), unseen: true}
	}
}

// total returns a number between the length of v and twice that.
func total(v geom.DVec3) float64 { return math.Abs(v.X) + math.Abs(v.Y) + math.Abs(v.Z) }
