package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The depth is the least value of the support function h of the Minkowski difference over all
// directions. Where a cone takes part, a local minimum near the line between the middles of the two
// shapes is mostly the least: to find one and to prove that takes a third to two thirds of the time
// of GJK and an expansion.
//
// At an angle α from the direction n of the minimum, towards t across n, h is at least
//
//	h(n)·cos α + p·t·sin α + κ·(1 − cos α)
//
// where p is the support point along n of any pair of ends that is active there, and κ the radius
// of curvature of its ellipsoids along t, in the mean over the way. So no direction up to there is
// shorter if p·t·cot(α/2) + κ ≥ h(n) for one of the pairs, or for a mean of them, as which the one
// over the witness point counts. A face has p·t, where the witness point is within its border; an
// edge has p·t along itself and κ across; a point has κ alone.

// minimum is a local minimum: the relation along its direction.
type minimum struct {
	relation
	at    vertex  // the witness point in the difference, relative to the origin of the search
	half  float64 // no direction is shorter up to an angle from n, half of which has this tangent
	least bool    // no direction is shorter
}

// find finds a local minimum of the depth of two cores, from where the difference is touched along
// n; of cores that are apart, their distance. The distance is 0 if it finds none, and more than the
// limit, with a direction along which that is so, once it has found such a one.
func (m *minimum) find(g *search, n geom.DVec3, p *touch, limit float64) {
	var x ends
	isOnFace := g.onFace(m, p.out)
	if !isOnFace && !x.slide(g, m, n, p, limit) || math.Abs(m.dist) <= faint*max(g.a.size, g.b.size) {
		*m = minimum{}
		return
	}
	if m.dist > 0 {
		m.least = m.dist <= limit
		return
	}
	behind := g.behind(&m.relation)
	if !isOnFace {
		m.half = x.reach(g, &m.relation, behind)
	}
	m.least = m.half >= behind
}

// touch is where the difference is furthest along a direction: the ends, the factors of their
// ellipsoids, and the support points of these with the factor 1.
type touch struct {
	a, b, onA, onB geom.DVec3
	fa, fb         float64
	out            float64 // the support function
}

// find finds where the difference is furthest along n.
func (t *touch) find(g *search, n geom.DVec3) {
	t.a, t.onA, t.fa = g.a.touch(n, &g.hintA)
	t.b, t.onB, t.fb = g.b.touch(n.Neg(), &g.hintB)
	t.out = g.at.Add(t.a).Sub(t.b).AddMul(t.fa, t.onA).AddMul(-t.fb, t.onB).Dot(n)
}

func (s *Shape) touch(n geom.DVec3, hint *int) (end, on geom.DVec3, factor float64) {
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
// depth is less there than out, and the witness point of the other is within the face.
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

// faceTowards returns the face that is towards a point, and its outward normal: of a box the axis
// of the side that the point is furthest beyond, or least behind, and of a cone the flat end. It
// returns −1 for other shapes.
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

// withinFace returns how far a point relative to p, moved across a face of faceTowards, is within
// its border; it is negative beyond.
func (s *Shape) withinFace(face int, at geom.DVec3) float64 {
	if s.kind == KindRound {
		least := min(s.x.Dot(s.x), s.z.Dot(s.z)) - math.Abs(s.x.Dot(s.z))
		return float64(s.factor(face)*math.Sqrt(least)) - flat(at.AddMul(-float64(face), s.e), s.u).Len()
	}
	l := s.along(at)
	x, y, z := s.half.X-math.Abs(l.X), s.half.Y-math.Abs(l.Y), s.half.Z-math.Abs(l.Z)
	return [3]float64{min(y, z), min(z, x), min(x, y)}[face]
}

// slide finds the minimum next to a direction n, where the difference is touched, by Newton's
// method on the ends that are active. A step that does not lead down only adds the ends that it
// found (a null step of a bundle method, Lemaréchal 1975), and the next is shorter. slide leaves
// the ends that are active in the minimum. It ends where the cores are further apart than a limit.
func (x *ends) slide(g *search, m *minimum, n geom.DVec3, p *touch, limit float64) bool {
	size, damping := g.a.extent+g.b.extent+total(g.at), slideDamping
	ahead := float64(slideAhead * min(g.a.extent, g.b.extent))
	x.put(p)
	x.placeOn(p.onA, p.onB)
	q := new(touch) // takes turns with p
	for range maxNewton {
		// Seen from further out, an end that is higher counts for more.
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
			n, p, q, damping = next, q, p, max(slideDamping, damping/4)
		}
		x.placeOn(p.onA, p.onB)
	}
	return false
}

// put adds a pair of ends, unless it is there.
func (x *ends) put(p *touch) {
	if w := p.a.Sub(p.b); !x.flat.has(w) {
		x.a[x.flat.n&3], x.b[x.flat.n&3] = p.fa, p.fb
		x.flat.add(w, p.a)
	}
}

// keep leaves only the ends that have a weight.
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

// step is a step of Newton's method, damped in metres, from a unit vector n to the minimum over the
// directions across the lines between the active ends. left is the gradient and out the support
// function at n.
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
	dd, de, ee := x.bend(g, n, d, e)
	// Where there is no minimum, the step leads down all the same.
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

// behind returns the tangent of half the angle from the direction of a minimum beyond which its
// support point the other way shows that no direction is shorter; +Inf if it shows nothing.
func (g *search) behind(r *relation) float64 {
	w, _ := g.support(r.n)
	q, depth := w.Add(g.at), -r.dist
	far := -q.Dot(r.n)
	beside := q.AddMul(far, r.n).Len()
	if far <= depth {
		return math.Inf(1)
	}
	return (far + depth) / (math.Sqrt(float64(beside*beside)+float64(far*far)-float64(depth*depth)) - beside)
}

// reach returns the tangent of half the angle within which no direction is shorter than that of a
// minimum, where x is active. It is more than 1 only if it is the given one behind the minimum.
func (x *ends) reach(g *search, r *relation, behind float64) (most float64) {
	n, depth, w := r.n, -r.dist, &x.points.weight
	e := x.points.v[1].w.Sub(x.points.v[0].w)
	l := e.Len()
	switch x.flat.n {
	case 1:
		e = across(n)
	case 2:
		e = e.Mul(1 / l)
	default:
		f := x.points.v[2].w.Sub(x.points.v[0].w)
		return e.Cross(f).Len() / depth * min(w[2]/l, w[1]/f.Len(), w[0]/f.Sub(e).Len())
	}
	a, b := x.bends(g, n, e, n.Cross(e))
	fa, fb := g.a.share(n), g.b.share(n)
	within := func(half float64) float64 {
		sa, sb := lasting(fa, half), lasting(fb, half)
		dd, de, ee := float64(a.dd*sa)+float64(b.dd*sb), float64(a.de*sa)+float64(b.de*sb), float64(a.ee*sa)+float64(b.ee*sb)
		switch {
		case x.flat.n == 1:
			if dd -= depth; dd > 0 && float64(dd*(ee-depth)) >= float64(de*de) {
				return half
			}
		case ee > depth:
			// p·t is enough where the part of t along the edge is at least c, and κ elsewhere.
			c := (math.Sqrt(float64(de*de)+float64(ee*(ee-depth))) - math.Abs(de)) / ee
			return min(half, float64(c*l)*min(w[0], w[1])/depth)
		}
		return 0
	}
	most = within(behind)
	for half := 1.0; half > max(most, 0.1); half /= 2 {
		most = max(most, within(half))
	}
	return most
}

// bends is the second derivatives of a support function along two directions.
type bends struct{ dd, de, ee float64 }

// bends returns the second derivatives along d and e of the support functions of the active ends of
// both shapes.
func (x *ends) bends(g *search, n, d, e geom.DVec3) (a, b bends) {
	var fa, fb float64
	for i := range x.flat.n {
		fa += float64(x.points.weight[i&3] * x.a[i&3])
		fb += float64(x.points.weight[i&3] * x.b[i&3])
	}
	a.dd, a.de, a.ee = g.a.bend(n, d, e)
	b.dd, b.de, b.ee = g.b.bend(n, d, e)
	a.dd, a.de, a.ee = float64(fa*a.dd), float64(fa*a.de), float64(fa*a.ee)
	b.dd, b.de, b.ee = float64(fb*b.dd), float64(fb*b.de), float64(fb*b.ee)
	return a, b
}

// bend returns the sums of both.
func (x *ends) bend(g *search, n, d, e geom.DVec3) (dd, de, ee float64) {
	a, b := x.bends(g, n, d, e)
	return a.dd + b.dd, a.de + b.de, a.ee + b.ee
}

// lasting returns the part of the radius of curvature at n that is left in the mean on the way to
// any direction up to an angle from n, half of which has a tangent, for an ellipsoid's share. The
// radius goes with the third power of f(n)/f(α), where f is the support function; the mean up to α
// is that at n times f(n)(1 + cos α)/(f(α) + g), where g is how far the support point along n is
// along α.
func lasting(share, half float64) float64 {
	return max(float64(share*share)*share, share/(1+float64(half*half)))
}

// share returns at most the support function of an ellipsoid along n as a part of the largest.
func (s *Shape) share(n geom.DVec3) float64 {
	if s.kind != KindRound {
		return 0
	}
	xy, yz, zx := math.Abs(s.x.Dot(s.y)), math.Abs(s.y.Dot(s.z)), math.Abs(s.z.Dot(s.x))
	most := max(s.x.Dot(s.x), s.y.Dot(s.y), s.z.Dot(s.z)) + xy + yz + zx
	return s.along(n).Len() / math.Sqrt(most)
}
