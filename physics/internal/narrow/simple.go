package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// CollideSimple is [Finder.Collide] for two spheres or capsules. An empty one has no contact.
func (m *Manifold) CollideSimple(a, b *Simple, margin float64) {
	switch m.N = 0; {
	case a.kind == KindNothing || b.kind == KindNothing:
	case a.kind == KindSphere && b.kind == KindSphere && b.radius > 0 && a.p.X != b.p.X && a.p.Y != b.p.Y && a.p.Z != b.p.Z:
		m.spheres(a, b, margin)
	case a.kind < b.kind || a.kind == b.kind && compareSimple(a, b) <= 0:
		m.simple(a, b, margin)
	default:
		m.simple(b, a, margin)
		m.flip()
	}
}

// spheres finds the contact of two spheres that are not both points and share no coordinate of
// their centres. They need no order: exchanging them changes the signs of numbers and nothing else,
// except that zeros would keep theirs.
func (m *Manifold) spheres(a, b *Simple, margin float64) {
	reach := a.radius + b.radius
	if areBeyond(a.p, b.p, margin+reach) {
		return
	}
	d := b.p.Sub(a.p)
	l := d.Len()
	dist := l - reach
	if dist > margin {
		return
	}
	n := geom.DVec3{X: d.X / l, Y: d.Y / l, Z: d.Z / l}
	c := &m.Points[0]
	c.PointA, c.PointB, c.Depth = a.p.AddMul(a.radius, n), b.p.AddMul(-b.radius, n), -dist
	c.FeatureA, c.FeatureB = vertexKind, vertexKind
	m.Normal, m.N = n, 1
}

// CollideCapsules is CollideSimple for two capsules. It returns false, and the manifold is
// undefined, if they are so nearly parallel or so near each other that CollideSimple must decide,
// or one of them is empty.
func (m *Manifold) CollideCapsules(a, b *geom.Capsule, margin float64) bool {
	exchanged := a.A.X > b.A.X
	if exchanged {
		a, b = b, a
	} else if a.A.X == b.A.X {
		return false
	}
	p, q := a.A.Wide(), b.A.Wide()
	ok := m.capsules(p, a.B.Wide().Sub(p), q, b.B.Wide().Sub(q), float64(a.Radius), float64(b.Radius), margin)
	if ok && exchanged {
		m.flip()
	}
	return ok
}

// capsules is CollideCapsules for a pair in order: from p along d and from q along e.
func (m *Manifold) capsules(p, d, q, e geom.DVec3, ra, rb, margin float64) bool {
	s, t, cross := nearestAlong(q.Sub(p), d, e)
	size := p.Dot(p) + q.Dot(q) + d.Dot(d) + e.Dot(e) + float64(ra*ra) + float64(rb*rb)
	if !cross || !(ra >= 0 && rb >= 0) {
		return false
	}
	p, q = p.AddMul(s, d), q.AddMul(t, e)
	n := q.Sub(p)
	ll, limit := n.Dot(n), ra+rb+margin
	if ll > float64(limit*limit)*(1+rootSlack) {
		return true
	}
	if !(ll > float64(4*faint*faint*size)) {
		return false
	}
	l := math.Sqrt(ll)
	dist := l - (ra + rb)
	if dist > margin {
		return true
	}
	n = geom.DVec3{X: n.X / l, Y: n.Y / l, Z: n.Z / l}
	c := &m.Points[0]
	c.PointA, c.PointB, c.Depth = p.AddMul(ra, n), q.AddMul(-rb, n), -dist
	c.FeatureA, c.FeatureB = featureAt(s), featureAt(t)
	m.Normal, m.N = n, 1
	return true
}

// CollideUpright returns the normal and the greatest depth of the contacts that
// [Manifold.CollideSimple] finds of two capsules along Y without a margin, to the last bit and in a
// quarter of the time. touch is false if there are none. ok is false if they do not stand upright,
// or are so near each other that CollideSimple must decide.
func CollideUpright(a, b *geom.Capsule) (normal geom.DVec3, depth float64, touch, ok bool) {
	if a.A.X != a.B.X || a.A.Z != a.B.Z || b.A.X != b.B.X || b.A.Z != b.B.Z || a.A.Y == a.B.Y || b.A.Y == b.B.Y {
		return normal, 0, false, false
	}
	p, q := a.A.Wide(), b.A.Wide()
	ra, rb := float64(a.Radius), float64(b.Radius)
	v, reach := q.Sub(p), ra+rb
	limit := float64(reach*reach) * (1 + rootSlack)
	if !(ra >= 0 && rb >= 0) || v == (geom.DVec3{}) {
		return normal, 0, false, false
	}
	if float64(v.X*v.X)+float64(v.Z*v.Z) > limit {
		return normal, 0, false, true
	}
	exchanged := compareVec(q, p) < 0
	if exchanged {
		a, b, p, q, ra, rb, v = b, a, q, p, rb, ra, p.Sub(q)
	}
	// As nearestAlong for parallel segments: d and e are along Y.
	d, e := float64(a.B.Y)-p.Y, float64(b.B.Y)-q.Y
	dd, ee, gap := float64(d*d), float64(e*e), v.Y
	s := (clamp(float64(gap*d)/dd) + clamp(float64((gap+e)*d)/dd)) / 2
	t := clamp(float64((float64(d*s)-gap)*e) / ee)
	s = clamp(float64((gap+float64(t*e))*d) / dd)
	v.Y = q.Y + float64(t*e) - (p.Y + float64(s*d))
	ll := v.Dot(v)
	if ll > limit {
		return normal, 0, false, true
	}
	l := math.Sqrt(ll)
	size := max(max(big(p), big(a.B.Wide()))+ra, max(big(q), big(b.B.Wide()))+rb)
	if !(l > faint*size) || size-size != 0 {
		return normal, 0, false, false
	}
	if depth = reach - l; l-reach > 0 {
		return normal, 0, false, true
	}
	n := geom.DVec3{X: v.X / l, Y: v.Y / l, Z: v.Z / l}
	if deepest := besideUpright(p, q, n, d, e, ra, rb); !(deepest < depth-float64(sameDepth*size)) {
		depth = deepest
	}
	if exchanged {
		n = n.Neg()
	}
	return n, depth, true, true
}

// besideUpright returns the greater depth of the contacts that sideBySide writes for two upright
// capsules, −Inf if it writes none: from p along d and from q along e, both along Y.
func besideUpright(p, q, n geom.DVec3, d, e, ra, rb float64) float64 {
	deepest := math.Inf(-1)
	if along := math.Abs(n.Y); !(float64(math.Abs(d)*along)/math.Abs(d) <= edgeOn && float64(math.Abs(e)*along)/math.Abs(e) <= edgeOn) {
		return deepest
	}
	// The sides that face each other.
	p0, q0 := p.Add(n.Mul(ra)), q.Add(n.Neg().Mul(rb))
	p1, q1 := p.Y+d+float64(n.Y*ra), q.Y+e+float64(-n.Y*rb)
	d, e = p1-p0.Y, q1-q0.Y
	dd, ee := float64(d*d), float64(e*e)
	from, to := float64((q0.Y-p0.Y)*d)/dd, float64((q1-p0.Y)*d)/dd
	if from > to {
		from, to = to, from
	}
	if from < 0 {
		from = 0
	}
	if to > 1 {
		to = 1
	}
	if !(from < to) {
		return deepest
	}
	for _, t := range [2]float64{from, to} {
		y := p0.Y + float64(t*d)
		w := p0.Sub(q0)
		w.Y = y - (q0.Y + float64(clamp(float64((y-q0.Y)*e)/ee)*e))
		if depth := w.Dot(n); depth >= 0 {
			deepest = max(deepest, depth)
		}
	}
	return deepest
}

// featureAt returns the feature of a capsule at a fraction of its core.
func featureAt(t float64) Feature {
	switch t {
	case 0:
		return vertexKind
	case 1:
		return vertexKind | 1
	}
	return edgeKind
}

// simple finds the contacts of a pair in order.
func (m *Manifold) simple(a, b *Simple, margin float64) {
	if m.N = 0; a.kind == KindCapsule && m.capsules(a.p, a.e, b.p, b.e, a.radius, b.radius, margin) {
		return
	}
	var r relation
	reach := a.radius + b.radius
	if !relateSimple(&r, a, b, margin+reach) || r.dist-reach > margin {
		return
	}
	if reach > 0 {
		r.grow(a.radius, b.radius, askContacts)
	}
	m.Normal = r.n
	away := r.n.Neg()
	if a.kind == KindCapsule && mayBeParallel(a.e, b.e) {
		var ea, eb side
		a.side(&ea, r.n.Mul(a.radius), r.n)
		b.side(&eb, away.Mul(b.radius), away)
		m.sideBySide(&ea, &eb, margin)
	}
	fa, fb := a.featureAlong(r.n), b.featureAlong(away)
	if m.N == 0 {
		m.only(&r, fa, fb)
	} else if m.Points[m.Deepest()].Depth < -r.dist-float64(sameDepth*max(a.size, b.size)) {
		m.deepest(ContactPoint{r.pa, r.pb, -r.dist, fa, fb})
	}
}

// relateSimple returns the relation of the cores of two spheres or capsules in order, and false if
// they are further apart than a limit.
func relateSimple(r *relation, a, b *Simple, limit float64) bool {
	switch {
	case b.kind == KindSphere:
		return !areBeyond(a.p, b.p, limit) && r.between(a.p, b.p, geom.DVec3{})
	case a.kind == KindSphere:
		return pointSegment(r, a.p, b, limit)
	}
	return segments(r, a, b, limit)
}
