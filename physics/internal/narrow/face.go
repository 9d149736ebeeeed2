package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Face is a two-sided triangle with its unit normal, for callers that compute many distances
// between a few triangles and spheres or capsules. The normal is zero if the triangle is a line or
// a point.
type Face struct {
	A, B, C geom.Vec3
	Normal  geom.DVec3
}

// NewFace returns the face of a triangle.
func NewFace(t geom.Triangle) Face {
	f := Face{A: t.A, B: t.B, C: t.C}
	a := t.A.Wide()
	ab, ac := t.B.Wide().Sub(a), t.C.Wide().Sub(a)
	n, long := ab.Cross(ac), max(ab.Dot(ab), ac.Dot(ac))
	if l := n.Len(); l > flatTriangle*long {
		f.Normal = n.Mul(1 / l)
	}
	return f
}

// Triangle returns the triangle of the face.
func (f *Face) Triangle() geom.Triangle { return geom.Triangle{A: f.A, B: f.B, C: f.C} }

// Gap is the distance of a shape from another.
type Gap struct {
	// In metres; if they overlap, minus the way along Normal until they only touch.
	Distance float64
	Normal   geom.DVec3 // unit, towards the shape
	Point    geom.DVec3 // the witness point of the other
}

// Heights returns the heights of the ends of a segment over the plane of the face, on the side of
// its normal.
func (f *Face) Heights(p, q geom.DVec3) (atP, atQ float64) {
	a := f.A.Wide()
	return f.Normal.Dot(p.Sub(a)), f.Normal.Dot(q.Sub(a))
}

// Gap writes the distance of a capsule with the ends p and q from the face; p may be q. If the
// segment itself meets the face, the Normal is the face's, on the side of the segment's middle. If
// the distance is more than limit, Gap may return false and write nothing.
//
// Rounding, 2⁻⁵³ of the coordinates, is magnified by 1/sin of the angle at A: for a needle with an
// angle of 1e-10 there, the gap is off by 1e-6 of the coordinates.
func (f *Face) Gap(g *Gap, p, q geom.DVec3, radius, limit float64) bool {
	a := f.A.Wide()
	p, q = p.Sub(a), q.Sub(a)
	e, d := f.B.Wide().Sub(a), f.C.Wide().Sub(a)
	n := f.Normal
	flat := n == geom.DVec3{}
	// The distances of the ends inward of the three edges, times the lengths of those.
	u, v := n.Cross(e), d.Cross(n)
	all := u.Dot(d)
	ep, dp, eq, dq := u.Dot(p), v.Dot(p), u.Dot(q), v.Dot(q)
	cp, cq := all-ep-dp, all-eq-dq
	hp, hq := n.Dot(p), n.Dot(q)
	least := math.Inf(1)
	var on, of geom.DVec3 // the witness points of the face and of the segment
	switch {
	case flat:
		ep, dp, cp, limit = -1, -1, -1, math.Inf(1)
	case (hp > 0) == (hq > 0):
		// The nearer end decides whether the inside of the face is nearest: the rest of the segment
		// is at least as high.
		h, end, in := hp, p, ep >= 0 && dp >= 0 && cp >= 0
		if math.Abs(hq) < math.Abs(hp) {
			h, end, in = hq, q, eq >= 0 && dq >= 0 && cq >= 0
		}
		if in {
			g.Normal = n
			if h < 0 || h == 0 && hp+hq < 0 {
				g.Normal = n.Neg()
			}
			g.Distance, g.Point = math.Abs(h)-radius, end.AddMul(-h, n).Add(a)
			return true
		}
	default:
		t := hp / (hp - hq)
		if ep+float64(t*(eq-ep)) >= 0 && dp+float64(t*(dq-dp)) >= 0 && cp+float64(t*(cq-cp)) >= 0 {
			out(g, n, hp, hq, radius)
			g.Point = p.AddMul(t, q.Sub(p)).Add(a)
			return true
		}
		if ep >= 0 && dp >= 0 && cp >= 0 {
			least, on, of = float64(hp*hp), p.AddMul(-hp, n), p
		}
		if eq >= 0 && dq >= 0 && cq >= 0 && float64(hq*hq) < least {
			least, on, of = float64(hq*hq), q.AddMul(-hq, n), q
		}
	}
	// The nearest point is on an edge that at least one end is beyond. The face is far if both ends
	// are far beyond an edge.
	s, third := q.Sub(p), d.Sub(e)
	reach, h := radius+limit, min(math.Abs(hp), math.Abs(hq))
	if (hp > 0) != (hq > 0) {
		h = 0
	}
	if left := float64(reach*reach) - float64(h*h); left < 0 && !flat ||
		isFar(ep, eq, left, e) || isFar(dp, dq, left, d) || isFar(cp, cq, left, third) {
		return false
	}
	rim := func(from, along geom.DVec3) {
		u, v := nearestOfSegments(p, s, from, along)
		x, y := p.AddMul(u, s), from.AddMul(v, along)
		w := x.Sub(y)
		if l := w.Dot(w); l < least {
			least, on, of = l, y, x
		}
	}
	if ep < 0 || eq < 0 {
		rim(geom.DVec3{}, e)
	}
	if dp < 0 || dq < 0 {
		rim(geom.DVec3{}, d)
	}
	if cp < 0 || cq < 0 {
		rim(e, third)
	}
	l := math.Sqrt(least)
	g.Distance, g.Point = l-radius, on.Add(a)
	if l > facePierced*(1+total(p)+total(q)) {
		g.Normal = of.Sub(on).Mul(1 / l)
		return true
	}
	if flat { // two lines that meet, or one in the other
		line := e
		if d.Dot(d) > e.Dot(e) {
			line = d
		}
		if line == (geom.DVec3{}) {
			line = s // the triangle is a point
		}
		if g.Normal = s.Cross(line).Normalize(); g.Normal == (geom.DVec3{}) {
			g.Normal = across(line)
		}
		return true
	}
	out(g, n, hp, hq, radius)
	return true
}

// isFar reports whether both ends of a segment are outward of an edge by more than the root of
// most. p and q are their distances inward of the edge times its length.
func isFar(p, q, most float64, edge geom.DVec3) bool {
	m := max(p, q)
	return m < 0 && float64(m*m) > float64(most*edge.Dot(edge))
}

// out writes the gap of a face that a segment meets: to the side of the segment's middle, by as
// much as the other end is beyond.
func out(g *Gap, n geom.DVec3, hp, hq, radius float64) {
	g.Normal, g.Distance = n, min(0, hp, hq)-radius
	if hp+hq < 0 {
		g.Normal, g.Distance = n.Neg(), -max(0, hp, hq)-radius
	}
}

// nearestOfSegments returns u and v from 0 to 1 for which the points p + u·d and q + v·e of two
// segments are nearest to each other (Ericson 2005, "Real-Time Collision Detection", §5.1.9).
func nearestOfSegments(p, d, q, e geom.DVec3) (u, v float64) {
	r := p.Sub(q)
	dd, ee, f := d.Dot(d), e.Dot(e), e.Dot(r)
	clamp := func(x float64) float64 { return max(0, min(x, 1)) }
	switch c := d.Dot(r); {
	case dd == 0 && ee == 0:
		return 0, 0
	case dd == 0:
		return 0, clamp(f / ee)
	case ee == 0:
		return clamp(-c / dd), 0
	default:
		b := d.Dot(e)
		if det := float64(dd*ee) - float64(b*b); det > parallelEdges*float64(dd*ee) {
			u = clamp((float64(b*f) - float64(c*ee)) / det)
		}
		switch v = (float64(b*u) + f) / ee; {
		case v < 0:
			return clamp(-c / dd), 0
		case v > 1:
			return clamp((b - c) / dd), 1
		}
		return u, v
	}
}
