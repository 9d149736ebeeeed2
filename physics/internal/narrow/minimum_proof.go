package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// This file proves that a local minimum of the depth is the least. At an angle α from its direction
// n, towards t across n, the support function h is at least
//
//	h(n)·cos α + p·t·sin α + κ·(1 − cos α)
//
// where p is the support point along n of any pair of ends that is active there, and κ the radius
// of curvature of its ellipsoids along t, in the mean over the way. So no direction up to α has
// less depth if p·t·cot(α/2) + κ ≥ h(n) for one of the pairs, or for a mean of them, such as the
// one over the witness point. A face has p·t where the witness point is within its border; an edge
// has p·t along itself and κ across; a point has κ alone.

// provenBehind returns the tangent of half the angle from the direction of a minimum from which on
// the support point against that direction proves that no direction has less depth; +Inf if it
// proves nothing.
func (g *search) provenBehind(r *relation) float64 {
	w, _ := g.support(r.n)
	q, depth := w.Add(g.at), -r.dist
	far := -q.Dot(r.n)
	beside := q.AddMul(far, r.n).Len()
	if far <= depth {
		return math.Inf(1)
	}
	return (far + depth) / (math.Sqrt(float64(beside*beside)+float64(far*far)-float64(depth*depth)) - beside)
}

// provenAround returns the tangent of half the angle around the direction of a minimum, at which
// the ends x are active, within which no direction has less depth. More than enough is not looked
// for, and more than 1 is only found if it is enough.
func (x *ends) provenAround(g *search, r *relation, enough float64) (most float64) {
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
	a, b := x.hessians(g, n, e, n.Cross(e))
	fa, fb := g.a.share(n), g.b.share(n)
	within := func(half float64) float64 {
		sa, sb := curvatureLeft(fa, half), curvatureLeft(fb, half)
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
	most = within(enough)
	for half := 1.0; half > max(most, 0.1); half /= 2 {
		most = max(most, within(half))
	}
	return most
}

// hessian holds the second derivatives of a support function along two directions.
type hessian struct{ dd, de, ee float64 }

// hessians returns the second derivatives along d and e of the support functions of the two shapes,
// in the mean over the active ends by their weights.
func (x *ends) hessians(g *search, n, d, e geom.DVec3) (a, b hessian) {
	var fa, fb float64
	for i := range x.flat.n {
		fa += float64(x.points.weight[i&3] * x.a[i&3])
		fb += float64(x.points.weight[i&3] * x.b[i&3])
	}
	a.dd, a.de, a.ee = g.a.hessian(n, d, e)
	b.dd, b.de, b.ee = g.b.hessian(n, d, e)
	a.dd, a.de, a.ee = float64(fa*a.dd), float64(fa*a.de), float64(fa*a.ee)
	b.dd, b.de, b.ee = float64(fb*b.dd), float64(fb*b.de), float64(fb*b.ee)
	return a, b
}

// hessian returns the second derivatives of the support function of the difference: those of the
// Lagrangian where several ends are active.
func (x *ends) hessian(g *search, n, d, e geom.DVec3) (dd, de, ee float64) {
	a, b := x.hessians(g, n, d, e)
	return a.dd + b.dd, a.de + b.de, a.ee + b.ee
}

// curvatureLeft returns a lower bound on the radius of curvature of an ellipsoid, in the mean on
// the way from n to any direction within the angle 2·atan(half) of n, as a fraction of the radius
// at n. share is that of [Shape.share]. The radius goes with the third power of f(n)/f(α), where f
// is the support function. The mean up to α is that at n times f(n)(1 + cos α)/(f(α) + g), where g
// is how far the support point along n lies along α.
func curvatureLeft(share, half float64) float64 {
	return max(float64(share*share)*share, share/(1+float64(half*half)))
}

// share returns a lower bound on the support function of an ellipsoid along n, as a fraction of its
// greatest value.
func (s *Shape) share(n geom.DVec3) float64 {
	if s.kind != KindRound {
		return 0
	}
	xy, yz, zx := math.Abs(s.x.Dot(s.y)), math.Abs(s.y.Dot(s.z)), math.Abs(s.z.Dot(s.x))
	most := max(s.x.Dot(s.x), s.y.Dot(s.y), s.z.Dot(s.z)) + xy + yz + zx
	return s.along(n).Len() / math.Sqrt(most)
}
