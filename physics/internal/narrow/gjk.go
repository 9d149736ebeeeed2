package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// search is the walk of Gilbert, Johnson and Keerthi (1988) over the difference of two cores, b −
// a: it holds a simplex of at most four of its points, replaces it by the face nearest to the
// origin, and adds the point furthest towards the origin from there, until that brings nothing.
type search struct {
	a, b         *Shape
	hintA, hintB int
	s            simplex
	steps        int
}

// furthest returns the point of the difference that lies furthest along d.
func (g *search) furthest(d geom.DVec3) vertex {
	pb, _ := g.b.support(d, &g.hintB)
	pa, _ := g.a.support(d.Neg(), &g.hintA)
	return vertex{pb.Sub(pa), pa, pb}
}

// run finds how the cores stand; apart is false if they touch or overlap. It stops, and reports
// far, once they are known to be further apart than the limit. Otherwise the relation is that of
// the cores, if they are apart; if they are not, pa and pb are one point in both. Where overlap is
// all that is asked it also stops once they are known to be no further apart than the limit.
func (g *search) run(r *relation, limit float64, q question) (apart, far bool) {
	zero := float64(touching * max(g.a.size, g.b.size))
	near := zero
	if q == askOverlap {
		near = max(near, limit)
	}
	d := g.a.Center().Sub(g.b.Center())
	if d == (geom.DVec3{}) {
		d.X = 1
	}
	v := g.furthest(d)
	g.s.start(v)
	if ahead := -d.Dot(v.w); ahead > 0 && ahead > (limit+zero)*d.Len() {
		r.pa, r.pb = v.a, v.b
		return true, true
	}
	for g.steps < maxSteps && g.s.lenSq > float64(near*near) && g.s.n < 4 {
		g.steps++
		v := g.furthest(g.s.point.Neg())
		// The point held is one of b − a, so its length is no less than the distance; the plane
		// through v across it has all of b − a behind it, so ahead over that length is no more.
		// What is between the two is all there is to win.
		ahead := g.s.point.Dot(v.w)
		if g.s.lenSq-ahead <= relativeGap*g.s.lenSq {
			break
		}
		if ahead > 0 && ahead > (limit+zero)*math.Sqrt(g.s.lenSq) {
			r.pa, r.pb = g.s.witnesses()
			return true, true
		}
		if g.s.has(v.w) || !g.s.add(v) {
			break // no face is nearer than what is held
		}
	}
	r.pa, r.pb = g.s.witnesses()
	r.dist = math.Sqrt(g.s.lenSq)
	if r.dist <= zero || g.s.n == 4 {
		r.dist, r.pb = 0, r.pa
		return false, false
	}
	r.n = g.s.point.Mul(1 / r.dist)
	return true, r.dist > limit
}
