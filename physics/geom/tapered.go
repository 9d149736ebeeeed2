package geom

import "math"

// TaperedCapsule is a solid tapered capsule: the convex hull of two balls. If one of them contains
// the other, it is that ball. With equal radii it is a [Capsule]. If a radius is negative, or any
// number is NaN or infinite, it is empty.
type TaperedCapsule struct {
	A, B             Vec3    // the centres of the two balls, metres
	RadiusA, RadiusB float32 // metres
}

// IsEmpty reports whether the capsule contains no point.
func (c TaperedCapsule) IsEmpty() bool {
	return !(c.RadiusA >= 0 && c.RadiusA <= math.MaxFloat32 && c.RadiusB >= 0 && c.RadiusB <= math.MaxFloat32 &&
		c.A.IsFinite() && c.B.IsFinite())
}

// Bounds returns the smallest box around the capsule, rounded outward; [EmptyAABB] if the capsule
// is empty.
func (c TaperedCapsule) Bounds() AABB {
	if c.IsEmpty() {
		return EmptyAABB()
	}
	a, b, ra, rb := c.A.wide(), c.B.wide(), float64(c.RadiusA), float64(c.RadiusB)
	p, q := DVec3{ra, ra, ra}, DVec3{rb, rb, rb}
	return AABB{lesser(a.Sub(p), b.Sub(q)).down(), greater(a.Add(p), b.Add(q)).up()}
}

// taper is a tapered capsule prepared for queries.
type taper struct {
	a, e, u   DVec3   // the first centre, the way to the other, and the unit vector along it
	l, ra, rb float64 // the length of the way, and the radii
	// The sine and the cosine of the angle between the side and the axis, positive if the radius
	// shrinks from A to B. If one ball contains the other, the cosine is 0, and both are that ball.
	sin, cos float64
}

func (c TaperedCapsule) taper() (t taper) {
	t.a, t.ra, t.rb = c.A.wide(), float64(c.RadiusA), float64(c.RadiusB)
	t.e = c.B.wide().Sub(t.a)
	t.l = t.e.Len()
	k := t.ra - t.rb
	if math.Abs(k) >= t.l {
		if k < 0 {
			t.a, t.ra = c.B.wide(), t.rb
		}
		t.rb, t.e, t.l = t.ra, DVec3{}, 0
		return t
	}
	t.u = t.e.Mul(1 / t.l)
	t.sin, t.cos = k/t.l, math.Sqrt(float64((t.l-k)*(t.l+k)))/t.l
	return t
}

// CastRay returns where the ray hits the capsule. A tangent ray hits. See [StartMode] for a ray
// that starts inside.
func (c TaperedCapsule) CastRay(r Ray, mode StartMode) (Hit, bool) {
	return c.castRay(r, r.Origin.wide(), r.Dir.wide(), mode, nil)
}

// CastRayIn returns where the ray hits the image of the capsule under the map that back inverts. It
// is as exact as CastRay: the ray is not rounded on its way to the capsule's own space.
func (c TaperedCapsule) CastRayIn(back *InverseAffine, r Ray, mode StartMode) (Hit, bool) {
	o, d := back.line(r)
	return c.castRay(r, o, d, mode, back)
}

// castRay casts the line o + t·d, which is the image of the ray under back if that is not nil.
func (c TaperedCapsule) castRay(r Ray, o, d DVec3, mode StartMode, back *InverseAffine) (Hit, bool) {
	if !r.IsValid() || c.IsEmpty() {
		return Hit{}, false
	}
	f := c.taper()
	t, at, ok := f.span(o, d).resolve(r, mode)
	if !ok {
		return Hit{}, false
	}
	return r.hit(t, at, back.outward(f.outward(o.AddMul(t, d))))
}

// Crossings returns where the ray's line enters and leaves the capsule. The ray's range is ignored,
// so T may be negative. Both normals face the ray; exit has BackFace set.
func (c TaperedCapsule) Crossings(r Ray) (enter, exit Hit, ok bool) {
	if !r.isLine() || c.IsEmpty() {
		return Hit{}, Hit{}, false
	}
	f := c.taper()
	sp := f.span(r.Origin.wide(), r.Dir.wide())
	if !(sp.enter <= sp.exit) {
		return Hit{}, Hit{}, false
	}
	return r.crossings(sp, f.outward(r.at(sp.enter)), f.outward(r.at(sp.exit)))
}

// span returns where the line o + t·d is in the capsule: the union of two balls and the frustum of
// a cone between the circles at which it touches them. All are convex, and so is the union.
func (t *taper) span(o, d DVec3) span {
	m := o.Sub(t.a)
	s := sphereSpan(m, d, t.ra)
	if t.l == 0 {
		return s
	}
	s = s.join(sphereSpan(m.Sub(t.e), d, t.rb))
	if t.sin == 0 {
		return s.join(cylinderSpan(m, d, t.e, t.ra))
	}
	from, to := float64(t.ra*t.sin), t.l+float64(t.rb*t.sin)
	frustum, _, _ := coneSpan(m.AddMul(-from, t.u), d, t.u.Mul(to-from), float64(t.ra*t.cos), float64(t.rb*t.cos))
	return s.join(frustum)
}

// outward returns the normal at a point of the surface; its length is not 1.
func (t *taper) outward(p DVec3) DVec3 {
	if t.ra == 0 && t.rb == 0 {
		return DVec3{} // p differs from the segment by rounding only
	}
	return p.Sub(t.core(p))
}

// core returns the centre of the ball between A and B, with a radius between theirs, whose surface
// is nearest to p: the way from there to p is along the normal of the side.
func (t *taper) core(p DVec3) DVec3 {
	if t.l == 0 {
		return t.a
	}
	m := p.Sub(t.a)
	x := m.Dot(t.u)
	y := m.AddMul(-x, t.u).Len()
	return t.a.AddMul(max(0, min(x-float64(y*t.sin/t.cos), t.l)), t.u)
}

// distance returns the core of p, the radius there and the signed distance of p.
func (t *taper) distance(p DVec3) (core DVec3, radius, dist float64) {
	core, radius = t.core(p), t.ra
	if t.l > 0 {
		radius += float64((t.rb - t.ra) * min(core.Sub(t.a).Len()/t.l, 1))
	}
	return core, radius, p.Sub(core).Len() - radius
}

// ClosestPoint returns the point of the capsule closest to p: p itself if p is inside. NaN in all
// components if the capsule is empty or p is NaN or infinite.
func (c TaperedCapsule) ClosestPoint(p Vec3) Vec3 {
	if c.IsEmpty() || !p.IsFinite() {
		return noPoint()
	}
	t := c.taper()
	core, radius, _ := t.distance(p.wide())
	return closestInSphere(core, radius, p)
}

// Contains reports whether p is in the capsule, surface included; false if p is NaN or infinite. A
// point within rounding in double precision of the surface counts as on it.
func (c TaperedCapsule) Contains(p Vec3) bool {
	if c.IsEmpty() || !p.IsFinite() {
		return false
	}
	t := c.taper()
	_, _, dist := t.distance(p.wide())
	return dist <= slack*(sum(t.a.abs())+sum(p.wide().abs())+t.l+t.ra+t.rb)
}

// Distance returns the distance of p from the capsule, in metres: 0 inside, +Inf if the capsule is
// empty or p is NaN or infinite.
func (c TaperedCapsule) Distance(p Vec3) float32 { return max(0, c.SignedDistance(p)) }

// SignedDistance returns the distance of p from the surface of the capsule, in metres: negative
// inside, +Inf if the capsule is empty or p is NaN or infinite.
func (c TaperedCapsule) SignedDistance(p Vec3) float32 {
	if c.IsEmpty() || !p.IsFinite() {
		return float32(math.Inf(1))
	}
	t := c.taper()
	_, _, dist := t.distance(p.wide())
	return float32(dist)
}
