package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// This file holds the closed forms for points and segments, the cores of spheres and capsules.

// between sets the relation to that of two points, and returns true. If they are the same point,
// the normal is a direction across along.
func (r *relation) between(pa, pb, along geom.DVec3) bool {
	d := pb.Sub(pa)
	l := d.Len()
	r.dist, r.pa, r.pb = l, pa, pb
	if l > 0 {
		r.n = geom.DVec3{X: d.X / l, Y: d.Y / l, Z: d.Z / l}
	} else {
		r.n = across(along)
	}
	return true
}

// across makes the normal of a point and a segment along d, or of two such segments, perpendicular
// to d where they are closer than faint: their difference is mostly rounding then.
func (r *relation) across(d geom.DVec3, size float64) {
	if r.dist > faint*size {
		return
	}
	r.n = r.n.AddMul(-r.n.Dot(d)/d.Dot(d), d)
	if l := r.n.Len(); l > 0.1 {
		r.n = r.n.Mul(1 / l)
	} else {
		r.n = across(d)
	}
	r.dist = r.pb.Sub(r.pa).Dot(r.n)
	r.pb = r.pa.AddMul(r.dist, r.n)
}

// areBeyond reports whether two points are further apart than a limit by more than rounding. It
// takes no root.
func areBeyond(a, b geom.DVec3, limit float64) bool {
	d := b.Sub(a)
	return d.Dot(d) > float64(limit*limit)*(1+rootSlack)
}

// pointSegment returns the relation of a point and a capsule's core, and false if they are further
// apart than a limit.
func pointSegment(r *relation, p geom.DVec3, b *Simple, limit float64) bool {
	pb := onSegment(b.p, b.e, p)
	if areBeyond(p, pb, limit) {
		return false
	}
	r.between(p, pb, b.e)
	r.across(b.e, max(b.size, big(p)))
	return true
}

// onSegment returns the point nearest to p on the segment from a along d.
func onSegment(a, d, p geom.DVec3) geom.DVec3 {
	l := d.Dot(d)
	if l == 0 {
		return a
	}
	switch t := p.Sub(a).Dot(d) / l; {
	case t <= 0:
		return a
	case t >= 1:
		return a.Add(d)
	default:
		return a.AddMul(t, d)
	}
}

// segments returns the relation of two segments, and false if they are further apart than a limit.
// The witness points of parallel segments are in the middle of the stretch that they share.
func segments(r *relation, a, b *Simple, limit float64) bool {
	d, e := a.e, b.e
	pa, pb := nearestOnSegments(a.p, d, b.p, e)
	if areBeyond(pa, pb, limit) {
		return false
	}
	r.between(pa, pb, d)
	size := max(a.size, b.size)
	if r.dist > faint*size {
		return true
	}
	n := d.Cross(e)
	if n.Dot(n) <= parallelAxes*parallelAxes*(d.Dot(d)*e.Dot(e)) {
		r.across(d, size)
		return true
	}
	// They cross: the minimum translation vector is perpendicular to both.
	r.n = unit(n)
	if r.n.Dot(b.p.Sub(a.p).AddMul(0.5, e).AddMul(-0.5, d)) < 0 {
		r.n = r.n.Neg()
	}
	r.dist = r.n.Dot(pb.Sub(pa))
	r.pb = pa.AddMul(r.dist, r.n)
	return true
}

// nearestOnSegments returns the witness points of two segments, from a0 along d and from b0 along
// e.
func nearestOnSegments(a0, d, b0, e geom.DVec3) (pa, pb geom.DVec3) {
	s, t, _ := nearestAlong(b0.Sub(a0), d, e)
	return a0.AddMul(s, d), b0.AddMul(t, e)
}

// nearestAlong returns at which fractions of two segments their witness points are. They run along
// d and e, and gap leads from the start of one to that of the other. cross is true if they are far
// from parallel.
func nearestAlong(gap, d, e geom.DVec3) (s, t float64, cross bool) {
	dd, ee, de, gd, ge := d.Dot(d), e.Dot(e), d.Dot(e), gap.Dot(d), gap.Dot(e)
	if free := float64(dd*ee) - float64(de*de); free > float64(crossing*dd)*ee {
		s = clamp((float64(gd*ee) - float64(ge*de)) / free)
		t = (float64(s*de) - ge) / ee
		if !(t >= 0 && t <= 1) {
			t = clamp(t)
			s = clamp((float64(t*de) + gd) / dd)
		}
		return s, t, true
	}
	n := d.Cross(e)
	nn := n.Dot(n)
	isParallel := nn <= parallelSegments*(dd*ee)
	if !isParallel {
		s = clamp(gap.Cross(e).Dot(n) / nn)
	} else if dd > 0 {
		// The middle of what both share, as seen from a.
		s = (clamp(gd/dd) + clamp(gap.Add(e).Dot(d)/dd)) / 2
	}
	// The best t follows from s; if it is outside of 0 to 1, the best s follows from t.
	if ee > 0 {
		t = d.Mul(s).Sub(gap).Dot(e) / ee
	}
	if t < 0 || t > 1 || isParallel {
		t = clamp(t)
		if dd > 0 {
			s = clamp(gap.AddMul(t, e).Dot(d) / dd)
		}
	}
	return s, t, false
}

// clamp returns the number nearest to t from 0 to 1.
func clamp(t float64) float64 {
	// The bits of numbers that are not negative have the order of the numbers, and those of
	// negative ones are negative as integers; min and max of floats take longer.
	const one = 0x3ff << 52
	return math.Float64frombits(uint64(max(0, min(int64(math.Float64bits(t)), one))))
}

// pointBox returns the relation of a point and a box. A point in the box leaves it by the nearest
// face.
func pointBox(r *relation, p geom.DVec3, b *Shape) bool {
	d := p.Sub(b.p)
	l := [3]float64{b.x.Dot(d), b.y.Dot(d), b.z.Dot(d)}
	h := [3]float64{b.half.X, b.half.Y, b.half.Z}
	axes := [3]geom.DVec3{b.x, b.y, b.z}
	face, least := 0, math.Inf(1)
	pb, inside := b.p, true
	for i := range 3 {
		if in := h[i] - math.Abs(l[i]); in < least {
			face, least = i, in
		}
		inside = inside && math.Abs(l[i]) <= h[i]
		pb = pb.AddMul(max(-h[i], min(l[i], h[i])), axes[i])
	}
	if !inside {
		if beyond := -least; beyond > faint*max(b.size, big(p)) {
			return r.between(p, pb, geom.DVec3{})
		}
		// Closer than faint: the difference of the points is too short for a direction, and a
		// face's normal separates them as well.
	}
	out := axes[face].Mul(math.Copysign(1, l[face]))
	r.dist, r.n, r.pa, r.pb = -least, out.Neg(), p, p.AddMul(least, out)
	return true
}

// pointTriangle returns the relation of a point and a triangle.
func pointTriangle(r *relation, p geom.DVec3, t *Shape) bool {
	pb := onTriangle(p, t.p, t.end(), t.p.Add(t.f))
	r.between(p, pb, geom.DVec3{})
	h := p.Sub(t.p).Dot(t.u)
	if r.dist <= faint*max(t.size, big(p)) || r.dist <= math.Abs(h)*(1+asNear) {
		// Over the triangle, or on it: its own normal.
		n := t.u.Mul(-math.Copysign(1, h))
		r.dist, r.n, r.pb = math.Abs(h), n, p.AddMul(math.Abs(h), n)
	}
	return true
}

// onTriangle returns the point of a triangle nearest to p (Ericson 2005, Real-Time Collision
// Detection, section 5.1.5).
func onTriangle(p, a, b, c geom.DVec3) geom.DVec3 {
	ab, ac, ap := b.Sub(a), c.Sub(a), p.Sub(a)
	d1, d2 := ab.Dot(ap), ac.Dot(ap)
	if d1 <= 0 && d2 <= 0 {
		return a
	}
	bp := p.Sub(b)
	d3, d4 := ab.Dot(bp), ac.Dot(bp)
	if d3 >= 0 && d4 <= d3 {
		return b
	}
	n := ab.Cross(ac)
	if n == (geom.DVec3{}) { // a line or a point
		nearest := onSegment(a, ab, p)
		for _, q := range [2]geom.DVec3{onSegment(a, ac, p), onSegment(b, c.Sub(b), p)} {
			if q.Sub(p).Len() < nearest.Sub(p).Len() {
				nearest = q
			}
		}
		return nearest
	}
	// The signs of the weights, as areas along the normal: they lose less to rounding than products
	// of the above.
	wc := n.Dot(ab.Cross(ap))
	if wc <= 0 && d1 >= 0 && d3 <= 0 {
		return onSegment(a, ab, p)
	}
	cp := p.Sub(c)
	d5, d6 := ab.Dot(cp), ac.Dot(cp)
	if d6 >= 0 && d5 <= d6 {
		return c
	}
	wb := n.Dot(ap.Cross(ac))
	if wb <= 0 && d2 >= 0 && d6 <= 0 {
		return onSegment(a, ac, p)
	}
	wa := n.Dot(c.Sub(b).Cross(bp))
	if wa <= 0 && d4-d3 >= 0 && d5-d6 >= 0 {
		return onSegment(b, c.Sub(b), p)
	}
	l := wa + wb + wc
	if !(l > 0) { // degenerate
		return onSegment(a, ab, p)
	}
	return a.AddMul(wb/l, ab).AddMul(wc/l, ac)
}

// segmentBox returns the relation of a capsule's core and a box. The square of the distance to the
// box is convex along the segment, and consists of parabolas that meet where the segment crosses
// the planes of the box's faces. So its slope is monotonic, and the minimum lies between the two of
// these six places between which the slope changes sign.
func segmentBox(r *relation, a, b *Shape, q question) bool {
	o := b.toBox(a.p)
	d := b.along(a.e)
	h := b.half
	t := 0.0
	switch lo, hi := slope(o, d, h, 0), slope(o, d, h, 1); {
	case lo >= 0:
	case hi <= 0:
		t = 1
	default:
		from, to := 0.0, 1.0
		for _, axis := range [3][3]float64{{o.X, d.X, h.X}, {o.Y, d.Y, h.Y}, {o.Z, d.Z, h.Z}} {
			for _, side := range [2]float64{-axis[2], axis[2]} {
				if at := (side - axis[0]) / axis[1]; at > from && at < to {
					if s := slope(o, d, h, at); s < 0 {
						from, lo = at, s
					} else {
						to, hi = at, s
					}
				}
			}
		}
		t = from + float64((to-from)*(lo/(lo-hi)))
	}
	pa := a.p.AddMul(t, a.e)
	pointBox(r, pa, b)
	if r.dist > faint*max(a.size, b.size) {
		return true
	}
	if q >= askDepth {
		*r = separateFew(a, b, a.p.Sub(b.p), geom.DVec3{}, 0, 0)
		// rounding alone keeps the segment from a flat box
	} else if r.dist <= touching*max(a.size, b.size) {
		r.dist, r.pb = 0, r.pa
	}
	return true
}

// toBox returns a point in the local space of the box.
func (s *Shape) toBox(p geom.DVec3) geom.DVec3 { return s.along(p.Sub(s.p)) }

// slope is half the derivative of the squared distance of o + t·d from the box with the half
// extents h.
func slope(o, d, h geom.DVec3, t float64) float64 {
	x, y, z := o.X+float64(t*d.X), o.Y+float64(t*d.Y), o.Z+float64(t*d.Z)
	return float64(d.X*(x-max(-h.X, min(x, h.X)))) + float64(d.Y*(y-max(-h.Y, min(y, h.Y)))) + float64(d.Z*(z-max(-h.Z, min(z, h.Z))))
}

// segmentTriangle returns the relation of a capsule's core and a triangle.
func segmentTriangle(r *relation, a, b *Shape, limit float64, q question) bool {
	gap := a.p.Sub(b.p)
	h0, h1 := gap.Dot(b.u), gap.Add(a.e).Dot(b.u)
	near, h, far := a.p, h0, a.end()
	if math.Abs(h1) < math.Abs(h0) {
		near, h, far = far, h1, near
	}
	if h0 > 0 != (h1 > 0) || h == 0 {
		x := near
		if h0 != h1 {
			x = a.p.AddMul(h0/(h0-h1), a.e)
		}
		if pointTriangle(r, x, b); r.dist <= faint*max(a.size, b.size) {
			if q >= askDepth {
				*r = separateFew(a, b, gap, geom.DVec3{}, 0, 0)
			} else {
				r.dist, r.pa, r.pb = 0, x, x
			}
			return true
		}
	} else if math.Abs(h) > limit {
		return false
	}
	if pointTriangle(r, near, b); r.dist <= math.Abs(h) && (h0 > 0) == (h1 > 0) {
		return true // over the triangle, and the whole segment is at least as high
	}
	var other relation
	if pointTriangle(&other, far, b); other.dist < r.dist {
		*r = other
	}
	corners := b.triangle()
	for i := range corners {
		pa, pb := nearestOnSegments(a.p, a.e, corners[i], corners[(i+1)%3].Sub(corners[i]))
		// An edge must be nearer by more than rounding, so that a segment along the triangle keeps
		// the triangle's normal.
		if d := pb.Sub(pa); d.Dot(d) < float64(r.dist*r.dist)*(1-asNear) {
			r.between(pa, pb, a.e)
		}
	}
	if r.dist <= faint*max(a.size, b.size) && q >= askDepth {
		*r = separateFew(a, b, gap, geom.DVec3{}, 0, 0)
	}
	return true
}

// nearest returns the point of the core that is nearest to q; both are relative to the origin. The
// core is that of a sphere, a capsule, a triangle or a box.
func (s *Shape) nearest(q geom.DVec3) geom.DVec3 {
	switch s.kind {
	case KindCapsule:
		return s.e.Mul(max(0, min(q.Dot(s.e)/s.e.Dot(s.e), 1)))
	case KindTriangle:
		u, v := nearestInTriangle(q.Neg(), s.e.Sub(q), s.f.Sub(q))
		return s.e.Mul(u).AddMul(v, s.f)
	case KindAABB, KindBox:
		l := s.along(q)
		l.X, l.Y, l.Z = max(-s.half.X, min(l.X, s.half.X)), max(-s.half.Y, min(l.Y, s.half.Y)), max(-s.half.Z, min(l.Z, s.half.Z))
		return s.image(l)
	}
	return geom.DVec3{}
}
