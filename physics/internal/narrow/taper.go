package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Cones, frusta and cylinders are the convex hull of two discs, and tapered capsules that of two
// balls. Their affine images are the hulls of two ellipsoids of the same form, which are flat for
// discs: a KindRound with a factor for each end. A scaled capsule has the factors 1.
//
// While only one end touches, the shape is a point and an ellipsoid, and all that holds for scaled
// capsules holds for it. Where the line between the ends touches, its direction depends on the
// normal. The flat ends are faces, with eight points of the rim as corners.

// SetCone makes it the image of a cone, a frustum of a cone or a cylinder under m. It is empty if
// the image has no axis.
func (s *Shape) SetCone(c geom.Cone, m geom.Affine) {
	if s.kind = KindNothing; c.IsEmpty() {
		return
	}
	e, x, z := coneAxes(&c, &m)
	s.setTaper(apply(m, c.A), e, x, geom.DVec3{}, z, float64(c.RadiusA), float64(c.RadiusB))
	s.caps = true
	if s.u = s.x.Cross(s.z).Normalize(); s.u.Dot(s.e) < 0 {
		s.u = s.u.Neg()
	}
	if s.u == (geom.DVec3{}) {
		s.kind = KindNothing
	}
}

// coneAxes returns the images of the axis of a cone, from end to end, and of two unit vectors
// across it.
func coneAxes(c *geom.Cone, m *geom.Affine) (axis, x, z geom.DVec3) {
	axis = c.B.Wide().Sub(c.A.Wide())
	if axis.X == 0 && axis.Z == 0 { // as below, without roots
		return m.Y.Wide().Mul(axis.Y), m.X.Wide(), m.Z.Wide().Mul(-math.Copysign(1, axis.Y))
	}
	u := unit(axis)
	x = across(u)
	return mapped(*m, axis), mapped(*m, x), mapped(*m, u.Cross(x))
}

// SetTaperedCapsule makes it the image of a tapered capsule under m.
func (s *Shape) SetTaperedCapsule(c geom.TaperedCapsule, m geom.Affine) {
	if s.kind = KindNothing; c.IsEmpty() {
		return
	}
	e := c.B.Wide().Sub(c.A.Wide())
	switch k := float64(c.RadiusA) - float64(c.RadiusB); {
	case k == 0:
		s.setRound(c.A, c.B, c.RadiusA, m)
	case math.Abs(k) < e.Len():
		s.setTaper(apply(m, c.A), mapped(m, e), m.X.Wide(), m.Y.Wide(), m.Z.Wide(), float64(c.RadiusA), float64(c.RadiusB))
	case k > 0: // one ball contains the other
		s.setRound(c.A, c.A, c.RadiusA, m)
	default:
		s.setRound(c.B, c.B, c.RadiusB, m)
	}
}

func (s *Shape) setTaper(p, e, x, y, z geom.DVec3, ra, rb float64) {
	s.begin(KindRound)
	s.p, s.e, s.x, s.y, s.z, s.caps = p, e, x, y, z, false
	s.half = geom.DVec3{X: ra, Y: rb}
	s.extent = s.e.Len() + float64(max(ra, rb)*(x.Len()+y.Len()+z.Len()))
	s.size = big(s.p) + s.extent
	s.check()
}

// isTapered reports whether it is not the sum of a segment and one ellipsoid.
func (s *Shape) isTapered() bool { return s.kind == KindRound && (s.caps || s.half.X != s.half.Y) }

// isCone reports whether it is a cone, a frustum or a cylinder.
func (s *Shape) isCone() bool { return s.kind == KindRound && s.caps }

// isRoundSolid reports whether it is a KindRound that is not flat.
func (s *Shape) isRoundSolid() bool {
	y := s.y
	if s.caps {
		y = s.e
	}
	return s.kind == KindRound && math.Abs(s.x.Cross(y).Dot(s.z)) > hasVolume*s.x.Len()*y.Len()*s.z.Len()
}

// factor returns the factor of the ellipsoid around an end.
func (s *Shape) factor(end int) float64 {
	if end == 0 {
		return s.half.X
	}
	return s.half.Y
}

// endAlong returns the end that has the support point of the shape along d. t is the support
// function of the ellipsoid.
func (s *Shape) endAlong(d geom.DVec3, t float64) int {
	if s.e.Dot(d) > float64((s.half.X-s.half.Y)*t) {
		return 1
	}
	return 0
}

// atSecond returns by how much the support point along d of the second end is further along d than
// that of the first.
func (s *Shape) atSecond(d geom.DVec3) float64 {
	return s.e.Dot(d) - float64((s.half.X-s.half.Y)*s.along(d).Len())
}

// atEnd returns the support point along d of the ellipsoid around an end.
func (s *Shape) atEnd(d geom.DVec3, end int) geom.DVec3 {
	p := s.p
	if end == 1 {
		p = s.end()
	}
	return p.AddMul(s.factor(end), s.ellipsoidSupport(d))
}

// atEnds returns the support points along d of the ellipsoids around both ends.
func (s *Shape) atEnds(d geom.DVec3) (p, q geom.DVec3) {
	out := s.ellipsoidSupport(d)
	return s.p.Add(out.Mul(s.half.X)), s.end().Add(out.Mul(s.half.Y))
}

// taperFeature is featureAlong for a shape that isTapered: the flat ends are the faces 0 and 1, the
// line between the ends is the edge 0, and the ends are the vertices 0 and 1. The corners of the
// flat ends follow.
func (s *Shape) taperFeature(dir geom.DVec3) Feature {
	if s.caps {
		if h := s.u.Dot(dir); h > 1-onFeature*onFeature && s.half.Y > 0 {
			return faceKind | 1
		} else if h < -1+onFeature*onFeature && s.half.X > 0 {
			return faceKind
		}
	}
	p, q := s.atEnds(dir)
	k := q.Sub(p)
	switch along := k.Dot(dir); {
	case float64(along*along) < float64(onFeature*onFeature*k.Dot(k)):
		return edgeKind
	case along > 0:
		return vertexKind | 1
	}
	return vertexKind
}

// cap writes the face of a patch that is the flat end towards dir.
func (s *Shape) cap(dir geom.DVec3, p *patch) {
	at := s.p
	p.face, p.normal, p.align = 0, s.u.Neg(), -1
	if s.u.Dot(dir) > 0 {
		p.face, p.normal, at = 1, s.u, s.end()
	}
	p.d = p.normal.Dot(at)
	if s.factor(p.face) > 0 {
		p.align = p.normal.Dot(dir)
	}
}

// capCorners writes eight points of the rim of a flat end.
func (s *Shape) capCorners(p *patch) {
	at, r := s.p, s.factor(p.face)
	if p.face == 1 {
		at = s.end()
	}
	x, z := s.x.Mul(r), s.z.Mul(r)
	first := uint16(2 + maxCorners*p.face)
	p.n = maxCorners
	forth := x.Cross(z).Dot(p.normal) > 0
	for k := range uint16(maxCorners) {
		c, i := &p.c[k], k
		c.vertex, c.edge = first+k, first+k
		if !forth {
			i = maxCorners - 1 - k
			c.vertex, c.edge = first+i, first+(i+maxCorners-1)%maxCorners
		}
		c.p = at.AddMul(eighths[i][0], x).AddMul(eighths[i][1], z)
	}
}

// eighths holds cosine and sine of the eighths of a circle.
var eighths = [maxCorners][2]float64{{1, 0}, {math.Sqrt2 / 2, math.Sqrt2 / 2}, {0, 1}, {-math.Sqrt2 / 2, math.Sqrt2 / 2},
	{-1, 0}, {-math.Sqrt2 / 2, -math.Sqrt2 / 2}, {0, -1}, {math.Sqrt2 / 2, -math.Sqrt2 / 2}}

// settleFaces replaces the direction of a pair with a shape that isTapered by the normal of a face,
// as [relation.settle] does.
func (r *relation) settleFaces(g *search) {
	slack := float64(edgeBias * max(g.a.size, g.b.size))
	best := *r
	best.dist -= slack
	try := func(s *Shape, dir geom.DVec3, toB float64) {
		var p patch
		if s.hasFaces() || s.kind == KindRound {
			if s.facing(dir, &p); p.align > 0 {
				n := p.normal.Mul(toB)
				if d := g.gap(n); d >= best.dist {
					best = relation{dist: d, n: n, unseen: true}
				}
			}
		}
	}
	try(g.a, r.n, 1)
	try(g.b, r.n.Neg(), -1)
	if !best.unseen {
		return
	}
	*r = best
	hint := 0
	switch {
	case g.a.kind == KindSphere || g.a.isBall(): // they have one support point
		r.pa, _ = g.a.support(r.n, &hint)
		r.pb, r.unseen = r.pa.AddMul(r.dist, r.n), false
	case g.b.isBall():
		r.pb, _ = g.b.support(r.n.Neg(), &hint)
		r.pa, r.unseen = r.pb.AddMul(-r.dist, r.n), false
	}
}

// ends is the active part of the surface of a Minkowski difference of which one part isTapered: up
// to three pairs of ends or vertices, with the factors of their ellipsoids.
type ends struct {
	flat   simplex // without the ellipsoids
	a, b   [4]float64
	points simplex // with them, along a direction
}

// endsOf returns the pairs of ends from which the vertices of a simplex come, near the direction n
// from a to b.
func (g *search) endsOf(from []vertex, n geom.DVec3) (x ends) {
	onA, onB := g.a.roundPart(n), g.b.roundPart(n.Neg())
	for i := range from {
		v := &from[i]
		pa, fa := g.a.endOf(v.a, onA)
		pb, fb := g.b.endOf(v.a.Sub(v.w), onB)
		if w := pa.Sub(pb); !x.flat.has(w) {
			x.a[x.flat.n&3], x.b[x.flat.n&3] = fa, fb
			x.flat.add(w, pa)
		}
	}
	return x
}

// endOf returns the flat part of a support point and the factor of the ellipsoid, whose support
// point with the factor 1 is given.
func (s *Shape) endOf(p, round geom.DVec3) (geom.DVec3, float64) {
	if s.kind != KindRound {
		return p, 0
	}
	to0, to1 := p.Sub(round.Mul(s.half.X)).Len(), p.Sub(round.Mul(s.half.Y)).Sub(s.e).Len()
	if s.caps {
		to0, to1 = math.Abs(p.Dot(s.u)), math.Abs(p.Sub(s.e).Dot(s.u))
	}
	if to1 < to0 {
		return s.e, s.half.Y
	}
	return geom.DVec3{}, s.half.X
}

// place finds the points of the active vertices along n.
func (x *ends) place(g *search, n geom.DVec3) {
	x.placeOn(g.a.roundPart(n), g.b.roundPart(n.Neg()))
}

// placeOn is place where the support points of the ellipsoids with the factor 1 are known.
func (x *ends) placeOn(onA, onB geom.DVec3) {
	x.points.n = x.flat.n
	for i := range x.flat.n {
		v := &x.flat.v[i&3]
		x.points.v[i&3].set(v.w.AddMul(x.a[i&3], onA).AddMul(-x.b[i&3], onB), v.a.AddMul(x.a[i&3], onA))
	}
}

// across turns n to be across the lines between the points, which turn with it.
func (x *ends) across(g *search, n geom.DVec3) (turned, line geom.DVec3) {
	for range 4 {
		if x.place(g, n); x.flat.n == 1 {
			return n, line
		}
		line = x.points.v[1].w.Sub(x.points.v[0].w)
		was := n
		if x.flat.n == 2 {
			n = n.AddMul(-n.Dot(line)/line.Dot(line), line).Normalize()
		} else if n = line.Cross(x.points.v[2].w.Sub(x.points.v[0].w)).Normalize(); n.Dot(was) < 0 {
			n = n.Neg()
		}
		if n.Sub(was).Len() < 4*ulp {
			break
		}
	}
	return n, line
}

// ulp is the rounding of a unit vector.
const ulp = 0x1p-53

// polishTaper is [search.polish] where one of the shapes isTapered.
func (g *search) polishTaper(best *relation, from []vertex) bool {
	x := g.endsOf(from, best.n)
	if x.flat.n < 4 && g.newtonTaper(best, &x) {
		return true
	}
	for i := 0; i < x.flat.n && x.flat.n > 1; i++ {
		one := ends{flat: simplex{n: 1}, a: [4]float64{x.a[i]}, b: [4]float64{x.b[i]}}
		one.flat.v[0] = x.flat.v[i&3]
		if g.newtonTaper(best, &one) {
			return true
		}
	}
	return false
}

// newtonTaper is [search.newton] where one of the shapes isTapered.
func (g *search) newtonTaper(r *relation, x *ends) (found bool) {
	n, least := r.n, math.Inf(1)
	size := g.a.extent + g.b.extent + total(g.at)
	for range maxNewton {
		next, line := x.across(g, n)
		if n = next; n == (geom.DVec3{}) {
			break
		}
		x.place(g, n)
		w, _ := g.support(n.Neg())
		out := w.Add(g.at).Dot(n)
		// The point of the difference at which the plane across n touches it, which is out along n.
		left := x.points.solve(g.at.AddMul(-out, n))
		off := left.Len()
		if !(off < least) {
			break
		}
		if least = off; off <= polished*size && out <= float64(stalled*size)-r.dist {
			*r, found = g.answer(n, out, x.points.witness()), true
		}
		d := across(n)
		if x.flat.n == 2 {
			d = n.Cross(line).Normalize()
		}
		e := n.Cross(d)
		dd, de, ee := x.hessian(g, n, d, e)
		dd, ee = dd-out, ee-out
		sx, sy := left.Dot(d), left.Dot(e)
		switch det := float64(dd*ee) - float64(de*de); {
		case x.flat.n == 1 && dd > 0 && det > 0:
			n = n.AddMul((float64(de*sy)-float64(ee*sx))/det, d).AddMul((float64(de*sx)-float64(dd*sy))/det, e).Normalize()
		case x.flat.n == 2 && dd > 0:
			n = n.AddMul(-sx/dd, d).Normalize()
		default:
			return found
		}
	}
	return found
}

// isOnSide reports whether a feature is of the side of a scaled capsule, a cone or a tapered
// capsule: the line between the ends, or an end that is no flat face.
func (s *Shape) isOnSide(f Feature) bool {
	return s.kind == KindRound && s.e != (geom.DVec3{}) && !f.IsFace() && f.Index() < 2
}

// moveOnto moves the second point of a contact along n onto the side of the shape, and returns
// false if the line misses the shape. What is off by rounding keeps its bits, unless the first
// point has been moved: the line through a point of the rim may miss the shape by rounding.
func (s *Shape) moveOnto(c *ContactPoint, n geom.DVec3, moved bool) bool {
	at, ok := s.underRound(c.PointA, n)
	further := at.Sub(c.PointB).Dot(n)
	if near := float64(besideEdge * s.size); !ok || further > near {
		var point Shape
		point.setSphere(c.PointB, 0)
		if Distance(&point, s, near).Distance <= near {
			return true
		}
	} else if further >= -near && !moved {
		return true
	}
	c.PointB, c.Depth = at, c.PointA.Sub(at).Dot(n)
	return ok
}

// underRound is [Simple.under] for a scaled capsule, a cone or a tapered capsule. All points at
// which the line meets a ball, a flat end or the side are points of the shape: it enters at the
// first. In the space in which the ellipsoids are balls, or the discs circles, the side is that of
// a cone whose radius is linear along the axis.
func (s *Shape) underRound(at, n geom.DVec3) (geom.DVec3, bool) {
	x, y, z := s.x, s.y, s.z
	if s.caps {
		y = s.e
	}
	yz, zx, xy := y.Cross(z), z.Cross(x), x.Cross(y)
	volume := x.Dot(yz)
	local := func(v geom.DVec3) geom.DVec3 {
		return geom.DVec3{X: v.Dot(yz) / volume, Y: v.Dot(zx) / volume, Z: v.Dot(xy) / volume}
	}
	o, d, e := local(at.Sub(s.p)), local(n), local(s.e)
	ee, ra, k := e.Dot(e), s.half.X, s.half.X-s.half.Y
	first := math.Inf(1)
	// Along the axis, from end to end the side goes from one share of it to another.
	from, to, slant := 0.0, 1.0, 1.0
	at0, rate := o.Dot(e)/ee, d.Dot(e)/ee
	w, v := o.AddMul(-at0, e), d.AddMul(-rate, e)
	if s.caps {
		for end, r := range [2]float64{s.half.X, s.half.Y} {
			t := (float64(end) - at0) / rate
			if q := w.AddMul(t, v); q.Dot(q) <= float64(r*r) {
				first = min(first, t)
			}
		}
	} else {
		from, to, slant = float64(ra*k)/ee, 1+float64(s.half.Y*k)/ee, math.Sqrt(1-float64(k*k)/ee)
		for end, r := range [2]float64{s.half.X, s.half.Y} {
			q := o.AddMul(-float64(end), e)
			if t, ok := enters(d.Dot(d), d.Dot(q), q.Dot(q)-float64(r*r)); ok {
				first = min(first, t)
			}
		}
	}
	r, fade := (ra-float64(at0*k))/slant, -float64(rate*k)/slant
	a, b, c := v.Dot(v)-float64(fade*fade), v.Dot(w)-float64(r*fade), w.Dot(w)-float64(r*r)
	if root := float64(b*b) - float64(a*c); root >= 0 {
		root = math.Sqrt(root)
		for _, t := range [2]float64{(-b - root) / a, (-b + root) / a} {
			if share := at0 + float64(t*rate); share >= from && share <= to && r+float64(t*fade) >= 0 {
				first = min(first, t)
			}
		}
	}
	return at.AddMul(first, n), first-first == 0
}
