package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The depth is the least value of the support function h of the Minkowski difference over all
// directions. Where a cone takes part, the local minimum near the line between the middles of the
// two shapes mostly is the least of all. To find it, and to prove that it is (see
// minimum_proof.go), takes a third to two thirds of the time of GJK and an expansion.

// minimum is a local minimum: the relation along its direction.
type minimum struct {
	relation
	at    vertex  // the witness point in the difference, relative to the origin of the search
	half  float64 // within the angle 2·atan(half) of n no direction has less depth
	least bool    // no direction at all has less depth
}

// find finds a local minimum of the depth of two cores, or their distance if they are apart. It
// begins at the support points p along n. The distance is 0 if it finds no minimum. If it finds a
// direction along which the cores are further apart than the limit, it ends with that.
func (m *minimum) find(g *search, n geom.DVec3, p *supportPoints, limit float64) {
	var x ends
	isOnFace := g.onFace(m, p.out)
	if !isOnFace && !x.descend(g, m, n, p, limit) || math.Abs(m.dist) <= faint*max(g.a.size, g.b.size) {
		*m = minimum{}
		return
	}
	if m.dist > 0 {
		m.least = m.dist <= limit
		return
	}
	enough := g.provenBehind(&m.relation)
	if !isOnFace {
		m.half = x.provenAround(g, &m.relation, enough)
	}
	m.least = m.half >= enough
}

// supportPoints are the support points of two cores along a direction n and against it. Each is an
// end or a vertex, and a factor times the support point of an ellipsoid.
type supportPoints struct {
	a, b, onA, onB geom.DVec3 // the ends, and the support points of the ellipsoids with factor 1
	fa, fb         float64
	out            float64 // the support function of the difference
}

// find finds the support points along n.
func (p *supportPoints) find(g *search, n geom.DVec3) {
	p.a, p.onA, p.fa = g.a.supportEnd(n, &g.hintA)
	p.b, p.onB, p.fb = g.b.supportEnd(n.Neg(), &g.hintB)
	p.out = g.at.Add(p.a).Sub(p.b).AddMul(p.fa, p.onA).AddMul(-p.fb, p.onB).Dot(n)
}

// supportEnd returns the end or the vertex whose ellipsoid has the support point along n, the
// support point of the ellipsoid with factor 1, and its factor.
func (s *Shape) supportEnd(n geom.DVec3, hint *int) (end, on geom.DVec3, factor float64) {
	if s.kind != KindRound {
		end, _ = s.extreme(n, hint)
		return end, on, 0
	}
	t := s.along(n)
	l := t.Len()
	if i := s.endAlong(n, l); i == 1 {
		end, factor = s.e, s.half.Y
	} else {
		factor = s.half.X
	}
	if l > 0 {
		l = 1 / l
		on = s.x.Mul(float64(t.X*l)).AddMul(float64(t.Y*l), s.y).AddMul(float64(t.Z*l), s.z)
	}
	return end, on, factor
}

// onFace finds the minimum along the normal of a face of one core that faces the other one, if the
// depth there is less than out and the witness point of the other core is within the face.
func (g *search) onFace(m *minimum, out float64) (found bool) {
	m.dist = -out
	for i, s := range [2]*Shape{g.a, g.b} {
		face, u := s.faceTowards([2]*Shape{g.b, g.a}[i].Center())
		if face < 0 {
			continue
		}
		if i == 1 {
			u = u.Neg()
		}
		w, a := g.support(u.Neg())
		out, b := w.Add(g.at).Dot(u), a.Sub(w)
		if -out < m.dist {
			continue
		}
		at := b.Sub(g.at)
		if i == 1 {
			at = a.Add(g.at)
		}
		if in := s.withinFace(face, at); in > 0 {
			m.at.w = u.Mul(out)
			if i == 0 {
				a = m.at.w.Sub(g.at).Add(b)
			}
			m.at.a, m.half, found = a, in/out, true
			m.relation = g.answer(u, out, a)
		}
	}
	return found
}

// faceTowards returns the face that is nearest to a point, and its outward normal: of a box the
// axis of the side over which the point is highest, of a cone the flat end. It returns −1 for other
// shapes.
func (s *Shape) faceTowards(p geom.DVec3) (face int, u geom.DVec3) {
	switch {
	case s.isBox():
		l := s.toBox(p)
		switch x, y, z := math.Abs(l.X)-s.half.X, math.Abs(l.Y)-s.half.Y, math.Abs(l.Z)-s.half.Z; {
		case x >= y && x >= z:
			return 0, s.x.Mul(math.Copysign(1, l.X))
		case y >= z:
			return 1, s.y.Mul(math.Copysign(1, l.Y))
		}
		return 2, s.z.Mul(math.Copysign(1, l.Z))
	case s.isCone() && s.u.Dot(p.Sub(s.Center())) > 0:
		return 1, s.u
	case s.isCone():
		return 0, s.u.Neg()
	}
	return -1, u
}

// withinFace returns how far a point, relative to p and projected onto a face of faceTowards, is
// inward of the border of the face. It is negative outside.
func (s *Shape) withinFace(face int, at geom.DVec3) float64 {
	if s.kind == KindRound {
		least := min(s.x.Dot(s.x), s.z.Dot(s.z)) - math.Abs(s.x.Dot(s.z))
		return float64(s.factor(face)*math.Sqrt(least)) - flat(at.AddMul(-float64(face), s.e), s.u).Len()
	}
	l := s.along(at)
	x, y, z := s.half.X-math.Abs(l.X), s.half.Y-math.Abs(l.Y), s.half.Z-math.Abs(l.Z)
	return [3]float64{min(y, z), min(z, x), min(x, y)}[face]
}

// descend finds the minimum next to a direction n, whose support points are given, by Newton's
// method on the active ends. A step that does not lead down only adds the ends that it found (a
// null step of a bundle method, Lemaréchal 1975), and the next step is shorter. descend leaves in x
// the ends that are active at the minimum. It ends where the cores are further apart than a limit.
func (x *ends) descend(g *search, m *minimum, n geom.DVec3, p *supportPoints, limit float64) bool {
	size, damping := g.a.extent+g.b.extent+total(g.at), newtonDamping
	ahead := float64(weightsAhead * min(g.a.extent, g.b.extent))
	x.put(p)
	x.placeOn(p.onA, p.onB)
	q := new(supportPoints) // p and q alternate
	for range maxNewton {
		// Weights for a point further out prefer the ends that are highest.
		left := x.points.solve(g.at.AddMul(-p.out-ahead, n)).AddMul(ahead, n)
		x.keep()
		l := left.Len()
		if l <= polished*size {
			m.relation = g.answer(n, p.out, x.points.witness())
			m.at = vertex{n.Mul(p.out), m.pa.Sub(g.a.p)}
			return x.flat.n < 4
		}
		next, ok := x.step(g, n, left, p.out, float64(damping*l))
		if !ok {
			return false
		}
		if q.find(g, next); q.out < -limit {
			m.n, m.dist = next, -q.out
			return true
		}
		x.put(q)
		if damping *= 2; q.out <= p.out+float64(touching*size) {
			n, p, q, damping = next, q, p, max(newtonDamping, damping/4)
		}
		x.placeOn(p.onA, p.onB)
	}
	return false
}

// put adds a pair of ends, unless it is active already.
func (x *ends) put(p *supportPoints) {
	if w := p.a.Sub(p.b); !x.flat.has(w) {
		x.a[x.flat.n&3], x.b[x.flat.n&3] = p.fa, p.fb
		x.flat.add(w, p.a)
	}
}

// keep removes the ends without a weight.
func (x *ends) keep() {
	k := 0
	for i := range x.flat.n {
		if w := x.points.weight[i&3]; w > 0 {
			if k < i {
				x.flat.v[k&3], x.a[k&3], x.b[k&3] = x.flat.v[i&3], x.a[i&3], x.b[i&3]
				x.points.v[k&3], x.points.weight[k&3] = x.points.v[i&3], w
			}
			k++
		}
	}
	x.flat.n, x.points.n = k, k
}

// step takes a step of Newton's method from the unit vector n towards the minimum over the
// directions across the lines between the active ends. left is the gradient and out the support
// function at n. The damping, in metres, is added to the second derivatives.
func (x *ends) step(g *search, n, left geom.DVec3, out, damping float64) (geom.DVec3, bool) {
	line, d := x.points.v[1].w.Sub(x.points.v[0].w), geom.DVec3{}
	switch x.flat.n {
	case 1:
		d = across(n)
	case 2:
		d = n.Cross(line).Normalize()
	case 3:
		f := line.Cross(x.points.v[2].w.Sub(x.points.v[0].w)).Normalize()
		if f.Dot(n) < 0 {
			f = f.Neg()
		}
		return f, f != geom.DVec3{}
	case 4:
		return n, false
	}
	e := n.Cross(d)
	dd, de, ee := x.hessian(g, n, d, e)
	// If there is no minimum, the second try still leads down.
	for _, out := range [2]float64{out, 0} {
		dd, ee := dd-out+damping, ee-out+damping
		sx, sy := left.Dot(d), left.Dot(e)
		switch det := float64(dd*ee) - float64(de*de); {
		case x.flat.n == 1 && dd > 0 && det > 0:
			return n.AddMul((float64(de*sy)-float64(ee*sx))/det, d).AddMul((float64(de*sx)-float64(dd*sy))/det, e).Normalize(), true
		case x.flat.n == 2 && dd > 0:
			return n.AddMul(-n.Dot(line)/line.Dot(line), line).AddMul(-sx/dd, d).Normalize(), true
		}
	}
	return n, false
}
