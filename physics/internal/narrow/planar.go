package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Two shapes in the plane z = 0, of which only the outlines count. Of two convex polygons that
// overlap, the shortest way out is along the normal of a side, and of two that are apart, the side
// beyond which the other is furthest is one of those at the nearest corner: both follow from the
// Minkowski difference, whose sides are theirs. So one search over the sides of both serves all
// queries. Contacts are the ends of the side that faces it, clipped (compare Catto 2010, "Box2D
// manifolds", and Box2D's b2CollidePolygons).

// SetPlanar says whether a shape is in a planar space: all queries of it and another shape then
// stay in the plane z = 0, in which both must be. It follows the call that sets the shape.
func (s *Simple) SetPlanar(planar bool) { s.planar, s.hidden = planar, 0 }

// SetHidden says which sides of a planar box other boxes of the same shape lie against, as one bit
// each, counter-clockwise from the side of least Y. It has no contacts across them, nor at a corner
// in a direction that leans over one: so what slides over a row of boxes does not catch on an edge
// between two. It follows SetPlanar.
func (s *Simple) SetHidden(sides uint8) { s.hidden = sides }

// planarPair is two outlines, and how they lie.
type planarPair struct {
	a, b outline
	from geom.DVec3 // the outlines are relative to it
	half bool       // b is a half-plane, whose corner 0 is on its line and whose normal 0 leads out

	n      vec2    // unit, from a to b
	dist   float64 // of the two, with their radii; less than 0 if they overlap
	pa, pb vec2    // on the outlines, without the radii
	// The side whose normal n is, and of which outline; −1 if the two meet at corners.
	side   int
	onB    bool
	ca, cb int // the corners at which they meet: both if there is no side, else that opposite
}

// isPlanar reports whether the answer about two shapes is that of a planarPair, which it sets.
func (c *planarPair) isPlanar(a, b *Shape) bool {
	if !a.planar && !b.planar || a.kind == KindNothing || b.kind == KindNothing {
		return false
	}
	c.from = geom.DVec3{X: a.p.X, Y: a.p.Y}
	if !c.a.set(a, c.from) {
		return false
	}
	if c.half = b.kind == KindHalfSpace; c.half {
		c.b.p[0], c.b.n[0], c.b.radius = inPlane(b.p.Sub(c.from)), inPlane(b.u), 0
		return b.u.Z == 0
	}
	return c.b.set(b, c.from)
}

// find finds how the outlines lie. Of sides along which the gap is the same within a bias, in
// metres, one of a is preferred, so that rounding does not choose.
func (c *planarPair) find(bias float64) {
	switch {
	case c.half:
		c.n = c.b.n[0].mul(-1)
		k, h := c.a.furthest(c.n)
		c.dist = c.b.p[0].dot(c.n) - h
		c.side, c.onB, c.ca = 0, true, k
		c.pa = c.a.p[k]
		c.pb = c.pa.add(c.n.mul(c.dist))
	case c.a.num <= 2 && c.b.num <= 2:
		c.segments(bias)
	default:
		c.polygons(bias)
	}
	c.dist -= c.a.radius + c.b.radius
}

// polygons finds how two outlines lie of which one is a polygon.
func (c *planarPair) polygons(bias float64) {
	i, onA := c.a.parting(&c.b)
	k, onB := c.b.parting(&c.a)
	if onA >= onB-bias && c.take(i, onA, false, bias) || onB > onA && c.take(k, onB, true, bias) || onA >= onB && c.take(i, onA, false, bias) {
		return
	}
	if max(onA, onB) <= 0 {
		// They overlap, and rounding has left the corner beside the side.
		if onA >= onB {
			c.set(i, onA, false, bias)
		} else {
			c.set(k, onB, true, bias)
		}
		return
	}
	// They are apart, and nearest at two corners.
	p, q, side := &c.a, &c.b, i
	exchanged := onB > onA
	if exchanged {
		p, q, side = q, p, k
	}
	corner, _ := q.furthest(p.n[side].mul(-1))
	best := math.Inf(1)
	for _, s := range [2]int{side, p.after(side)} {
		for _, t := range [3]int{q.before(corner), corner, q.after(corner)} {
			if d := q.p[t].sub(p.p[s]); d.len() < best {
				best = d.len()
				c.ca, c.cb = s, t
			}
		}
	}
	if exchanged {
		c.ca, c.cb = c.cb, c.ca
	}
	c.meet()
}

// take makes the answer that of a side, along which there is a gap, as set does. It returns false
// if the corner opposite is not opposite the side, by more than the bias: then the gap along
// another side is larger.
func (c *planarPair) take(side int, gap float64, onB bool, bias float64) bool {
	return c.set(side, gap, onB, bias) <= 2*bias
}

// set makes the answer that of a side, along which there is a gap, and returns how far beside the
// side the corner opposite is.
func (c *planarPair) set(side int, gap float64, onB bool, bias float64) (beside float64) {
	p, q := &c.a, &c.b
	if onB {
		p, q = q, p
	}
	n, from := p.n[side], p.p[side]
	along := vec2{-n.y, n.x}
	l := p.p[p.after(side)].sub(from).dot(along)
	corner, _ := q.furthest(n.mul(-1))
	at := q.p[corner]
	u := at.sub(from).dot(along)
	lo, hi := u, u // of what is opposite: a corner, or a side that runs along this one
	for _, t := range [2]int{q.before(corner), q.after(corner)} {
		if v := q.p[t].sub(at); v.dot(n) <= bias {
			lo, hi = min(lo, u+v.dot(along)), max(hi, u+v.dot(along))
		}
	}
	foot := at.sub(n.mul(gap))
	if w := min(max(min(u, l), 0, lo), hi); w != u {
		foot = from.add(along.mul(w))
		at = foot.add(n.mul(gap))
	}
	c.n, c.dist, c.side, c.onB = n, gap, side, onB
	if onB {
		c.n, c.ca, c.pa, c.pb = n.mul(-1), corner, at, foot
	} else {
		c.cb, c.pa, c.pb = corner, foot, at
	}
	return max(-hi, lo-l, 0)
}

// exposed makes the answer one in a direction in which both shapes have contacts. It returns false
// if there is none: if the two are apart, or only margins overlap, and the way between leads over a
// hidden side, another box or segment is nearer. Shortest says that the answer was one before.
func (c *planarPair) exposed(a, b *Shape, bias float64) (ok, shortest bool) {
	var x, y covered
	p, q := c.cover(&x, &y, a, b)
	if !c.half && x.isBehind(&c.a, q) || y.isBehind(&c.b, p) {
		return false, false
	}
	isOwn := func() bool { return !x.leaves(c.n) && !y.leaves(c.n.mul(-1)) }
	if c.isExposed(&x, &y, c.n) {
		ok = isOwn()
		return ok, ok
	}
	radii := c.a.radius + c.b.radius
	if c.half || c.dist+radii > bias {
		return false, false
	}
	side, gap, onB := c.widest(&x, &y)
	if side < 0 || x.isOfNext(&c.a, &c.b, q, c.n, gap, bias) || y.isOfNext(&c.b, &c.a, p, c.n.mul(-1), gap, bias) {
		return false, false
	}
	if c.set(side, gap, onB, bias) > 2*bias && !c.shorten(&x, &y) {
		return false, false
	}
	c.dist -= radii
	return isOwn(), false
}

// cover sets what limits the contacts of two shapes, and returns their middles.
func (c *planarPair) cover(x, y *covered, a, b *Shape) (p, q vec2) {
	p, q = c.a.middle(), c.b.middle()
	if c.half {
		q = c.b.p[0]
	}
	x.cover(a, &c.a, q)
	y.cover(b, &c.b, p)
	return p, q
}

// isExposed reports whether both shapes have contacts in a direction from a to b.
func (c *planarPair) isExposed(x, y *covered, n vec2) bool {
	return x.faces(&c.a, n) && y.faces(&c.b, n.mul(-1))
}

// widest returns the side along whose normal the gap is the largest of those in whose direction
// both shapes have contacts; −1 if there is none.
func (c *planarPair) widest(x, y *covered) (side int, gap float64, onB bool) {
	side, gap = -1, math.Inf(-1)
	// A way out through most of a box is none: another box has a shorter one. Of a segment only
	// ways out to the front are exposed.
	apart := c.b.middle().sub(c.a.middle())
	isNear := func(n vec2) bool { return (x.hidden|y.hidden)&oneSided != 0 || n.dot(apart) > 0 }
	for i := range c.a.num {
		if h := c.a.beyond(i, &c.b); h > gap && isNear(c.a.n[i]) && c.isExposed(x, y, c.a.n[i]) {
			side, gap = i, h
		}
	}
	for i := range c.b.num {
		if n := c.b.n[i].mul(-1); isNear(n) && c.isExposed(x, y, n) {
			if h := c.b.beyond(i, &c.a); h > gap {
				side, gap, onB = i, h, true
			}
		}
	}
	return side, gap, onB
}

// leansOver is the sine of the angle up to which a direction over a hidden side leans over it by
// rounding. With less, contacts of what lies flat on a row of boxes are lost; with more, what
// slides over one catches on edges.
const leansOver = 1e-6

// meet makes the answer that of the corners ca and cb, which are apart.
func (c *planarPair) meet() {
	c.pa, c.pb, c.side = c.a.p[c.ca], c.b.p[c.cb], -1
	d := c.pb.sub(c.pa)
	c.dist = d.len()
	c.n = d.mul(1 / c.dist)
}

// segments finds how two points or segments lie.
func (c *planarPair) segments(bias float64) {
	if c.a.num == 2 && c.b.num == 2 {
		p, d := c.a.p[0], c.a.p[1].sub(c.a.p[0])
		q, e := c.b.p[0], c.b.p[1].sub(c.b.p[0])
		w := q.sub(p)
		t, u := d.cross(w), d.cross(w.add(e)) // of the ends of b, beside a
		v, x := e.cross(w), e.cross(w.sub(d)) // of the ends of a, beside b
		if t*u <= 0 && v*x <= 0 && (t != u || v != x) {
			// They cross.
			i, onA := c.a.parting(&c.b)
			k, onB := c.b.parting(&c.a)
			if onA >= onB-bias {
				c.take(i, min(0, onA), false, bias)
			} else {
				c.take(k, min(0, onB), true, bias)
			}
			return
		}
	}
	best := math.Inf(1)
	side, onB, corner := -1, false, 0
	try := func(p, q *outline, exchanged bool) { // corners of q at the side of p
		if p.num < 2 {
			return
		}
		d := p.p[1].sub(p.p[0])
		for i := range q.num {
			w := q.p[i].sub(p.p[0])
			t := w.dot(d)
			if t < 0 || t > d.dot(d) {
				continue
			}
			if h := w.dot(p.n[0]); math.Abs(h) < best-bias || math.Abs(h) < best && exchanged == onB {
				best, onB, corner, side = math.Abs(h), exchanged, i, 0
				if h < 0 {
					side = 1
				}
			}
		}
	}
	try(&c.a, &c.b, false)
	try(&c.b, &c.a, true)
	if side >= 0 {
		p, q := &c.a, &c.b
		if onB {
			p, q = q, p
		}
		n := p.n[side]
		at := q.p[corner]
		foot := at.sub(n.mul(best))
		c.n, c.dist, c.side, c.onB = n, best, side, onB
		if onB {
			c.n, c.ca, c.pa, c.pb = n.mul(-1), corner, at, foot
		} else {
			c.cb, c.pa, c.pb = corner, foot, at
		}
	}
	i, k := -1, -1
	for s := range c.a.num {
		for t := range c.b.num {
			if l := c.b.p[t].sub(c.a.p[s]).len(); l < best-bias || i >= 0 && l < best {
				best, i, k = l, s, t
			}
		}
	}
	switch {
	case i < 0:
	case best > 0:
		c.ca, c.cb = i, k
		c.meet()
	default:
		// Two points, or two ends, in one place: any direction across is as short.
		c.ca, c.cb, c.side, c.dist, c.n = i, k, -1, 0, vec2{0, 1}
		c.pa, c.pb = c.a.p[i], c.b.p[k]
		if c.a.num == 2 {
			c.n = c.a.n[0]
		} else if c.b.num == 2 {
			c.n = c.b.n[0].mul(-1)
		}
	}
}

// relation writes what was found.
func (c *planarPair) relation(r *relation) {
	n := c.n.out(geom.DVec3{})
	*r = relation{dist: c.dist, n: n, pa: c.pa.add(c.n.mul(c.a.radius)).out(c.from), pb: c.pb.sub(c.n.mul(c.b.radius)).out(c.from)}
}

// relatePlanar is relate for a pair of which one is in a planar space. It reports whether the pair
// has outlines; near is what relate returns.
func relatePlanar(r *relation, a, b *Shape, limit float64, q question) (near, ok bool) {
	var c planarPair
	if !c.isPlanar(a, b) {
		return false, false
	}
	c.find(planarBias(a, b))
	if q == askDistance && c.dist <= 0 {
		// The answer is a point of both; the ends of the way out may be in one only.
		x, y := *a, *b
		x.planar, y.planar = false, false
		relate(r, &x, &y, math.Inf(1), q)
		r.dist, r.pa.Z = 0, 0
		return true, true
	}
	c.relation(r)
	return c.dist <= limit, true
}

// planar writes the relation of a pair at the start of a cast, if one is in a planar space.
func (c *pair) planar(r *relation) (ok bool) {
	if !c.a.planar && !c.b.planar {
		return false
	}
	a := c.a.Moved(c.m.Mul(c.lo))
	_, ok = relatePlanar(r, &a, c.b, math.Inf(1), askDepth)
	return ok
}

// planar is collide for such a pair.
func (f *Finder) planar(a, b *Shape, margin float64) (ok bool) {
	var c planarPair
	if !c.isPlanar(a, b) {
		return false
	}
	bias := planarBias(a, b)
	c.find(bias)
	if hidden := a.hidden | b.hidden; hidden != 0 {
		// Where exposed looks for another way out, that is all contacts other than the shortest.
		isSunk := hidden&oneSided != 0 && c.dist+c.a.radius+c.b.radius <= bias
		ok, shortest := c.exposed(a, b, bias)
		if isSunk {
			if f.Sunk = SunkOther; shortest {
				f.Sunk = SunkShortest
			}
		}
		if !ok {
			f.N = 0
			return true
		}
	}
	c.contacts(&f.Manifold, margin, bias, float64(touching*max(a.size, b.size)))
	if f.N == 0 {
		f.Apart = c.n.out(geom.DVec3{})
	}
	return true
}

// planarBias is the bias of find, in metres.
func planarBias(a, b *Shape) float64 { return float64(edgeBias * max(a.size, b.size)) }
