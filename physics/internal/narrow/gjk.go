package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// search is the GJK algorithm (Gilbert, Johnson and Keerthi 1988) over the Minkowski difference of
// two cores, b − a. It keeps a simplex of at most four points of the difference, replaces it by its
// face nearest to the origin, and adds the support point towards the origin from there, until that
// comes no nearer.
type search struct {
	a, b         *Shape
	hintA, hintB int
	s            simplex
	steps        int
}

// support returns the point of the difference that lies support along d.
func (g *search) support(d geom.DVec3) vertex {
	pb, _ := g.b.support(d, &g.hintB)
	pa, _ := g.a.support(d.Neg(), &g.hintA)
	return vertex{pb.Sub(pa), pa, pb}
}

// run finds the relation of the cores. apart is false if they touch or overlap; pa and pb are one
// point in both then. far is true, and the relation undefined, if they are further apart than the
// limit. For askOverlap, run also stops once the cores are known to be no further apart than the
// limit.
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
	v := g.support(d)
	g.s.start(v)
	if ahead := -d.Dot(v.w); ahead > 0 && ahead > (limit+zero)*d.Len() {
		r.pa, r.pb = v.a, v.b
		return true, true
	}
	for g.steps < maxSteps && g.s.lenSq > float64(near*near) && g.s.n < 4 {
		g.steps++
		v := g.support(g.s.point.Neg())
		// The simplex's point is in b − a, so its length is no less than the distance. The plane
		// through v across it has all of b − a behind it, so ahead over that length is no more than
		// the distance. The search ends when the two bounds meet.
		ahead := g.s.point.Dot(v.w)
		if g.s.lenSq-ahead <= relativeGap*g.s.lenSq {
			break
		}
		if ahead > 0 && ahead > (limit+zero)*math.Sqrt(g.s.lenSq) {
			r.pa, r.pb = g.s.witnesses()
			return true, true
		}
		if g.s.has(v.w) || !g.s.add(v) {
			break // no face is nearer than the present point
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
