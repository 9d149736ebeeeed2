package narrow

import (
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The expanding polytope approaches a curved surface by flat faces: an error of ε in the depth
// leaves √ε in the normal, and more in the witness points. From the best face, Newton's method
// finds all of them to rounding.
//
// The Minkowski difference of two cores is that of two polytopes, of which some vertices are
// active, and of their ellipsoids. Along the directions across all lines between active vertices,
// its support function h is smooth. The depth is a minimum of h over the unit sphere: there, the
// gradient along these directions is zero, which is the support point's component, and the Hessian
// is positive, which is that of the ellipsoids less h. If one vertex is active, all directions are
// free; if two are, those across one line; if more, the direction is the normal of a face.

// isCurved reports whether one of the cores has an ellipsoid as a part.
func (g *search) isCurved() bool { return g.a.kind == KindRound || g.b.kind == KindRound }

// actives returns the vertices of the polytopes' part of the difference from which those of a
// simplex come, near the direction n from a to b.
func (g *search) actives(from []vertex, n geom.DVec3) (s simplex) {
	onA, onB := g.a.roundPart(n), g.b.roundPart(n.Neg())
	for i := range from {
		v := &from[i]
		pa, pb := g.a.flatPart(v.a, onA), g.b.flatPart(v.a.Sub(v.w), onB)
		if w := pa.Sub(pb); !s.has(w) {
			s.add(w, pa)
		}
	}
	return s
}

// polish improves a relation, from whose direction the vertices come, by Newton's method. It
// returns false and leaves the relation if the method finds none that is as good.
func (g *search) polish(best *relation, from []vertex) bool {
	if g.a.isTapered() || g.b.isTapered() {
		return g.polishTaper(best, from)
	}
	s := g.actives(from, best.n)
	ok := s.n < 4 && g.newton(best, &s)
	for i := 0; i < s.n && s.n > 1 && !ok; i++ {
		// The simplex was so large that not all of its vertices are active.
		one := simplex{n: 1}
		one.v[0] = s.v[i&3]
		ok = g.newton(best, &one)
	}
	return ok
}

// newton minimizes the support function of the difference over the directions across the lines
// between the active vertices, and replaces a relation from whose normal it begins. It returns
// false if it finds none that is as good. While the cores are apart, the minimum is their distance
// with a minus sign.
func (g *search) newton(r *relation, active *simplex) bool {
	n, d, e := r.n, geom.DVec3{}, geom.DVec3{} // free directions: none, d, or d and e
	switch k := active.v[1].w.Sub(active.v[0].w); active.n {
	case 1:
		d = across(n)
		e = n.Cross(d)
	case 2:
		n = n.AddMul(-n.Dot(k)/k.Dot(k), k).Normalize()
		d = n.Cross(k).Normalize()
	default:
		if n = k.Cross(active.v[2].w.Sub(active.v[0].w)).Normalize(); n.Dot(r.n) < 0 {
			n = n.Neg()
		}
	}
	out, slope := g.slope(n, d, e)
	for range maxNewton {
		// The Hessian of the two ellipsoids, on the sphere.
		dd, de, ee := g.a.hessian(n, d, e)
		dd2, de2, ee2 := g.b.hessian(n, d, e)
		dd, de, ee = dd+dd2-out, de+de2, ee+ee2-out
		var step geom.DVec3
		switch det := float64(dd*ee) - float64(de*de); active.n {
		case 1:
			if dd > 0 && det > 0 {
				x := float64(de*slope.Y) - float64(ee*slope.X)
				y := float64(de*slope.X) - float64(dd*slope.Y)
				step = d.Mul(x/det).AddMul(y/det, e)
			}
		case 2:
			if dd > 0 {
				step = d.Mul(-slope.X / dd)
			}
		}
		if step == (geom.DVec3{}) {
			break
		}
		flatter := false
		for !flatter {
			next := n.Add(step).Normalize()
			f := d.AddMul(-d.Dot(next), next).Normalize()
			h := e
			if active.n == 1 {
				h = next.Cross(f)
			}
			o, l := g.slope(next, f, h)
			if flatter = l.Dot(l) < slope.Dot(slope); flatter {
				n, d, e, out, slope = next, f, h, o, l
			} else if step = step.Mul(0.5); step.Dot(step) < shortestNewton {
				break // at the minimum, or there is none
			}
		}
		if !flatter {
			break
		}
	}
	size := g.a.extent + g.b.extent + total(g.at)
	if !(out <= float64(stalled*size)-r.dist) {
		return false
	}
	// The point of the difference at which the plane across n touches it, which is out along n.
	onA := g.a.roundPart(n)
	off := active.nearest(g.at.AddMul(-out, n).Add(onA).Sub(g.b.roundPart(n.Neg())))
	if off.Len() > polished*size {
		return false
	}
	*r = g.answer(n, out, active.witness().Add(onA))
	return true
}

// answer returns the relation of a direction n along which the difference reaches out from the
// origin: b must move along it by that. a is the witness point relative to its shape.
func (g *search) answer(n geom.DVec3, out float64, a geom.DVec3) relation {
	pa := g.a.p.Add(a)
	return relation{dist: -out, n: n, pa: pa, pb: pa.AddMul(-out, n)}
}

// slope returns the support function of the difference along n and its gradient along d and e.
func (g *search) slope(n, d, e geom.DVec3) (out float64, slope geom.DVec3) {
	w, _ := g.support(n.Neg())
	w = w.Add(g.at)
	return w.Dot(n), geom.DVec3{X: w.Dot(d), Y: w.Dot(e)}
}

// roundPart returns the support point along n of the ellipsoid that is part of a core, with the
// factor 1; zero if none is.
func (s *Shape) roundPart(n geom.DVec3) geom.DVec3 {
	if s.kind != KindRound {
		return geom.DVec3{}
	}
	return s.ellipsoidSupport(n)
}

// flatPart returns the vertex of the polytope that is the other part of a core, of which p is a
// support point and round that of the ellipsoid.
func (s *Shape) flatPart(p, round geom.DVec3) geom.DVec3 {
	if s.kind != KindRound {
		return p
	}
	if p = p.Sub(round); p.Sub(s.e).Len() < p.Len() {
		return s.e
	}
	return geom.DVec3{}
}

// hessian returns the second derivatives along d and e of the support function of the ellipsoid
// that is part of a core, at the unit vector n: those of |Mᵀn|, where M maps the unit sphere to it.
func (s *Shape) hessian(n, d, e geom.DVec3) (dd, de, ee float64) {
	if s.kind != KindRound {
		return 0, 0, 0
	}
	t, u, v := s.along(n), s.along(d), s.along(e)
	l := t.Len()
	if !(l > 0) {
		return 0, 0, 0
	}
	tu, tv := t.Dot(u)/l, t.Dot(v)/l
	return (u.Dot(u) - float64(tu*tu)) / l, (u.Dot(v) - float64(tu*tv)) / l, (v.Dot(v) - float64(tv*tv)) / l
}
