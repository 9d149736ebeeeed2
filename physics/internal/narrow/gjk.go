package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// search is the GJK algorithm (Gilbert, Johnson and Keerthi 1988) over the Minkowski difference of
// two cores, a − b. It keeps a simplex of at most four points of the difference, replaces it by its
// face nearest to the origin, and adds the support point towards the origin from there, until that
// comes no nearer.
type search struct {
	a, b         *Shape
	at           geom.DVec3 // from the origin of b to that of a
	motion       geom.DVec3 // of a, or zero: it decides between directions that are as good
	hintA, hintB int
	s            simplex
	v            geom.DVec3 // the point of the simplex nearest to the origin: from b to a
	steps        int
	// converged is set if v is known to be the shortest vector between the cores, to relativeGap
	// and rounding.
	converged bool
	// If not, the cores are at least so far apart across a plane, if it is positive. Beyond a limit
	// they are so across a plane as well.
	least  float64
	across geom.DVec3 // from b to a, not unit
}

// searchOf returns a search for the cores of two shapes.
func searchOf(a, b *Shape) search { return search{a: a, b: b, at: a.p.Sub(b.p)} }

// support returns the point of the difference that lies furthest against v, and the point of the
// first core that it comes from.
func (g *search) support(v geom.DVec3) (w, a geom.DVec3) {
	a, _ = g.a.extreme(v.Neg(), &g.hintA)
	b, _ := g.b.extreme(v, &g.hintB)
	return a.Sub(b), a
}

// place is how two cores lie to each other.
type place uint8

const (
	apart       place = iota
	overlapping       // they touch or overlap
	beyond            // they are further apart than a limit
	stuck             // unknown: rounding hides the next step
)

// run finds how the cores lie. It begins at a direction from b to a. Cores that are no further
// apart than zero touch. It stops once they are known to be no further apart than near, which is at
// least zero, or beyond the limit.
func (g *search) run(hint geom.DVec3, zero, near, limit float64) place {
	g.begin(g.support(hint))
	limit += zero
	if low := hint.Dot(g.v); low > 0 && low > limit*hint.Len() {
		g.across = hint
		return beyond
	}
	at := g.descend(zero, near, limit)
	if g.converged = at != stuck; g.converged {
		return at
	}
	// The weights of a thin simplex may be too inexact for a direction that leads nearer. The
	// search continues once from the newest vertex alone.
	s, v := g.s, g.v
	g.begin(g.support(v))
	if at = g.descend(zero, near, limit); at != stuck {
		g.converged = true
		return at
	}
	if v.Dot(v) <= g.v.Dot(g.v) {
		g.s, g.v = s, v
	}
	if g.least <= 0 {
		return overlapping // no plane was found between the cores
	}
	return apart
}

// begin makes the simplex a single vertex.
func (g *search) begin(w, a geom.DVec3) {
	g.s.v[0].set(w, a)
	g.s.weight[0], g.s.n = 1, 1
	g.v = w.Add(g.at)
}

// descend brings the simplex nearer to the origin until it is nearest.
func (g *search) descend(zero, near, limit float64) place {
	vv, curved, tried := g.v.Dot(g.v), g.isCurved(), false
	for vv > float64(near*near) && g.s.n < 4 {
		if g.steps == maxSteps {
			return stuck
		}
		g.steps++
		w, a := g.support(g.v)
		// The simplex's point is in the difference, so its length is no less than the distance. All
		// of the difference is beyond the plane through w across v, so low over that length is no
		// more than the distance. The search ends when the two bounds meet.
		low := g.v.Dot(w.Add(g.at))
		if vv-low <= relativeGap*vv {
			break
		}
		if low > 0 && low > limit*math.Sqrt(vv) {
			g.across = g.v
			return beyond
		}
		if curved && vv-low <= float64(polishFrom*vv) {
			if curved = false; g.finish(math.Sqrt(vv)) {
				return apart
			}
		}
		if !g.s.has(w) {
			weight := g.s.weight
			g.s.add(w, a)
			v := g.s.solve(g.at)
			if l := v.Dot(v); l < vv {
				g.s.keep()
				g.v, vv = v, l
				continue
			}
			g.s.n-- // rounding hides a nearer face
			g.s.weight = weight
		}
		if vv-low <= float64(stalled*(total(g.at)+g.a.extent+g.b.extent))*math.Sqrt(vv) {
			break
		}
		// For a shape far longer than thick, the weights in a triangle are too inexact for a
		// direction that leads nearer. The plane of the triangle is more exact.
		n := g.s.plane(g.at, g.v)
		if n == (geom.DVec3{}) || tried {
			if l := low / math.Sqrt(vv); l > g.least {
				g.least, g.across = l, g.v
			}
			return stuck
		}
		g.v, vv, tried = n, n.Dot(n), true
	}
	if g.s.n == 4 || vv <= float64(zero*zero) {
		return overlapping
	}
	return apart
}

// finish finds the distance of curved cores by Newton's method, and returns false where it cannot.
// The length of v is given.
func (g *search) finish(l float64) bool {
	r := relation{dist: 0, n: g.v.Mul(-1 / l)}
	if !g.polish(&r, g.s.v[:g.s.n]) {
		return false
	}
	g.v = r.pa.Sub(r.pb)
	a := r.pa.Sub(g.a.p)
	g.s.v[0], g.s.weight[0], g.s.n = vertex{g.v.Sub(g.at), a}, 1, 1
	return true
}

// relate writes the relation of cores that a search found to lie in a way: the witness points of
// cores that are apart, and one common point of others.
func (g *search) relate(r *relation, at place) {
	r.pa, r.inexact = g.a.p.Add(g.s.witness()), !g.converged
	if at == overlapping {
		r.dist, r.pb = 0, r.pa
		return
	}
	r.dist, r.pb = g.v.Len(), r.pa.Sub(g.v)
	r.n = g.v.Mul(-1 / r.dist)
	if !g.converged && g.least > 0 {
		r.n, r.dist = g.across.Normalize().Neg(), g.least
		r.pb = r.pa.AddMul(r.dist, r.n)
	}
}
