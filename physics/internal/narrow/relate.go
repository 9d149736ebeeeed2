package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// relation is how two shapes, or their cores, stand to each other.
type relation struct {
	dist   float64    // how far apart; negative where they overlap: how far one must move until they only touch
	n      geom.DVec3 // unit, from a to b
	pa, pb geom.DVec3 // pb − pa = dist·n
	// unseen is set if pa and pb are not known: separating axes tell which way leads out, and not yet where they touch.
	unseen bool
}

// question is what a relation is wanted for, which says what need not be computed.
type question uint8

const (
	askOverlap  question = iota // whether dist ≤ 0
	askDistance                 // dist if positive, and where; otherwise a point in both
	askDepth                    // all
)

// relate finds how two shapes stand, of which a comes first in order. It reports false if they are further apart than limit,
// which is not negative.
func relate(a, b *Shape, limit float64, q question) (relation, bool) {
	if a.kind == KindNothing {
		return relation{}, false
	}
	margin := a.radius + b.radius
	r, near := relateCores(a, b, limit+margin, q)
	if !near || r.dist-margin > limit {
		return r, false
	}
	if margin > 0 {
		r.grow(a.radius, b.radius, q)
	}
	return r, true
}

// grow adds the margins.
func (r *relation) grow(ra, rb float64, q question) {
	if q == askDistance && r.dist <= ra+rb {
		if r.dist > 0 {
			// The balls around pa and pb share a stretch of the segment between them; take its middle.
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

// flipped returns the relation of the pair exchanged.
func (r relation) flipped() relation {
	r.n, r.pa, r.pb = r.n.Neg(), r.pb, r.pa
	return r
}

func relateCores(a, b *Shape, limit float64, q question) (relation, bool) {
	if b.kind == KindHalfSpace {
		return relateHalfSpace(a, b)
	}
	switch a.kind {
	case KindSphere:
		switch b.kind {
		case KindSphere:
			return between(a.p, b.p, geom.DVec3{}), true
		case KindCapsule:
			return between(a.p, onSegment(b.p, b.q, a.p), b.q.Sub(b.p)), true
		case KindAABB, KindBox:
			return pointBox(a.p, b), true
		case KindTriangle:
			return pointTriangle(a.p, b), true
		}
	case KindCapsule:
		switch b.kind {
		case KindCapsule:
			return segments(a.p, a.q, b.p, b.q), true
		case KindAABB, KindBox:
			return segmentBox(a, b, q), true
		case KindTriangle:
			return segmentTriangle(a, b, q), true
		}
	case KindAABB:
		switch b.kind {
		case KindAABB:
			return relateAABBs(a, b, q), true
		case KindBox:
			return relateBoxes(a, b, limit, q)
		case KindTriangle:
			return relateBoxTriangle(a, b, limit, q)
		}
	case KindBox:
		switch b.kind {
		case KindBox:
			return relateBoxes(a, b, limit, q)
		case KindTriangle:
			return relateBoxTriangle(a, b, limit, q)
		}
	}
	return relateGeneral(a, b, limit, q)
}

// faint is how near cores may be, as a fraction of their largest coordinate, before the difference of two nearest points no
// longer tells the direction between them; then separating axes do.
const faint = 1e-9

// relateGeneral searches, and turns to separating axes or to the expanding polytope where cores overlap.
func relateGeneral(a, b *Shape, limit float64, q question) (relation, bool) {
	g := search{a: a, b: b}
	r, apart, far := g.run(limit)
	if far {
		return r, false
	}
	if apart && r.dist > faint*max(a.size, b.size) || q != askDepth {
		return r, true
	}
	return deepen(&g, r, apart)
}

// deepen finds how cores stand that the search found to overlap, or to be all but touching.
func deepen(g *search, r relation, apart bool) (relation, bool) {
	a, b := g.a, g.b
	switch {
	case a.kind == KindRound || b.kind == KindRound:
		if apart {
			r.n = roundNormal(a, b, r)
			return r, true
		}
		r, _ = expand(g)
		return r, true
	case a.kind == KindSphere:
		return pointPolytope(a.p, b), true
	case a.kind == KindCapsule:
		return segmentPolytope(a, b), true
	}
	if b.kind != KindHull {
		return separateFew(a, b), true
	}
	if !apart {
		if deep, sure := expand(g); sure {
			deep.settle(a, b)
			return deep, true
		}
	}
	return separate(a, b), true
}

// roundNormal returns the normal where two cores all but touch, one of them an ellipsoid: its own normal there.
func roundNormal(a, b *Shape, r relation) geom.DVec3 {
	if n := b.normalAt(r.pb); n != (geom.DVec3{}) {
		return n.Neg()
	}
	if n := a.normalAt(r.pa); n != (geom.DVec3{}) {
		return n
	}
	return r.n
}

// normalAt returns the outward normal at a point of the surface of a round core; zero if that is flat, or no round one.
func (s *Shape) normalAt(p geom.DVec3) geom.DVec3 {
	if s.kind != KindRound {
		return geom.DVec3{}
	}
	u, v, w := s.y.Cross(s.z), s.z.Cross(s.x), s.x.Cross(s.y)
	d := p.Sub(onSegment(s.p, s.q, p))
	x, y, z := u.Dot(d), v.Dot(d), w.Dot(d)
	return u.Mul(x).AddMul(y, v).AddMul(z, w).Mul(math.Copysign(1, s.x.Dot(u))).Normalize()
}

// relateHalfSpace is exact for all shapes: what reaches furthest behind the plane decides.
func relateHalfSpace(a, b *Shape) (relation, bool) {
	if a.kind == KindHalfSpace {
		// Two of them have no common point only if they face each other.
		gap := a.p.Sub(b.p).Dot(b.u)
		if a.u != b.u.Neg() {
			return relation{dist: math.Inf(-1), pa: a.p, pb: a.p}, true
		}
		return relation{dist: gap, n: a.u, pa: a.p, pb: a.p.AddMul(gap, a.u)}, true
	}
	hint := 0
	p, _ := a.support(b.u.Neg(), &hint)
	dist := p.Sub(b.p).Dot(b.u)
	return relation{dist: dist, n: b.u.Neg(), pa: p, pb: p.AddMul(-dist, b.u)}, true
}

// settle turns to the normal of a face if that is as good a way out as the one found: a face is always told the same way, and contacts
// that lie on one keep its normal.
func (r *relation) settle(a, b *Shape) {
	slack := bias * max(a.size, b.size)
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
