package geom

import "math"

// Cone is a solid cone, frustum of a cone or cylinder: the convex hull of two discs that lie across
// the segment from A to B, around its ends. A disc of radius 0 is a point, the apex of a cone. With
// equal radii it is a cylinder; see [Cylinder]. With both radii 0 it is the segment, which can
// still be hit. If A and B are equal, a radius is negative, or any number is NaN or infinite, the
// cone is empty.
type Cone struct {
	A, B             Vec3    // the centres of the two discs, metres
	RadiusA, RadiusB float32 // metres
}

// Cylinder returns the cone with the same radius, in metres, at both ends.
func Cylinder(a, b Vec3, radius float32) Cone { return Cone{a, b, radius, radius} }

// IsEmpty reports whether the cone contains no point.
func (c Cone) IsEmpty() bool {
	return !(c.RadiusA >= 0 && c.RadiusA <= math.MaxFloat32 && c.RadiusB >= 0 && c.RadiusB <= math.MaxFloat32 &&
		c.A.IsFinite() && c.B.IsFinite() && c.A != c.B)
}

// Bounds returns the smallest box around the cone, rounded outward; [EmptyAABB] if the cone is
// empty.
func (c Cone) Bounds() AABB {
	if c.IsEmpty() {
		return EmptyAABB()
	}
	a, b, u := c.A.wide(), c.B.wide(), c.B.wide().Sub(c.A.wide()).Normalize()
	// A disc across the unit vector u reaches as far along an axis as u does across it; a few
	// roundings further.
	across := func(y, z float64) float64 { return math.Sqrt(float64(y*y)+float64(z*z)) * (1 + 0x1p-50) }
	reach := DVec3{across(u.Y, u.Z), across(u.Z, u.X), across(u.X, u.Y)}
	ra, rb := reach.Mul(float64(c.RadiusA)), reach.Mul(float64(c.RadiusB))
	return AABB{lesser(a.Sub(ra), b.Sub(rb)).down(), greater(a.Add(ra), b.Add(rb)).up()}
}

func lesser(a, b DVec3) DVec3 { return DVec3{min(a.X, b.X), min(a.Y, b.Y), min(a.Z, b.Z)} }

func greater(a, b DVec3) DVec3 { return DVec3{max(a.X, b.X), max(a.Y, b.Y), max(a.Z, b.Z)} }

// CastRay returns where the ray hits the cone. A ray that lies in a cap, runs along the side or
// touches a rim or the apex hits. See [StartMode] for a ray that starts inside.
func (c Cone) CastRay(r Ray, mode StartMode) (Hit, bool) {
	return c.castRay(r, r.Origin.wide(), r.Dir.wide(), mode, nil)
}

// CastRayIn returns where the ray hits the image of the cone under the map that back inverts. It is
// as exact as CastRay: the ray is not rounded on its way to the cone's own space.
func (c Cone) CastRayIn(back *InverseAffine, r Ray, mode StartMode) (Hit, bool) {
	o, d := back.line(r)
	return c.castRay(r, o, d, mode, back)
}

// castRay casts the line o + t·d, which is the image of the ray under back if that is not nil.
func (c Cone) castRay(r Ray, o, d DVec3, mode StartMode, back *InverseAffine) (Hit, bool) {
	if !r.IsValid() {
		return Hit{}, false
	}
	sp, near, far := c.span(o, d)
	t, at, ok := sp.resolve(r, mode)
	if !ok {
		return Hit{}, false
	}
	if at == leaving {
		near = far
	}
	return r.hit(t, at, back.outward(c.outward(o.AddMul(t, d), near)))
}

// line returns origin and direction of a ray mapped back.
func (m *InverseAffine) line(r Ray) (o, d DVec3) {
	return m.rows(r.Origin.wide().Sub(m.origin)), m.rows(r.Dir.wide())
}

// outward maps a normal forward; nil is the identity.
func (m *InverseAffine) outward(n DVec3) DVec3 {
	if m == nil {
		return n
	}
	return m.x.Mul(n.X).AddMul(n.Y, m.y).AddMul(n.Z, m.z)
}

// Crossings returns where the ray's line enters and leaves the cone. The ray's range is ignored, so
// T may be negative. Both normals face the ray; exit has BackFace set.
func (c Cone) Crossings(r Ray) (enter, exit Hit, ok bool) {
	sp, near, far := c.span(r.Origin.wide(), r.Dir.wide())
	if !r.isLine() || !(sp.enter <= sp.exit) {
		return Hit{}, Hit{}, false
	}
	return r.crossings(sp, c.outward(r.at(sp.enter), near), c.outward(r.at(sp.exit), far))
}

// conePart is a part of the surface of a cone.
type conePart uint8

const (
	coneSide conePart = iota
	coneCapA
	coneCapB
)

// span returns where the line o + t·d is in the cone, and the parts by which it enters and leaves.
func (c Cone) span(o, d DVec3) (s span, near, far conePart) {
	if c.IsEmpty() {
		return nowhere, coneSide, coneSide
	}
	a := c.A.wide()
	return coneSpan(o.Sub(a), d, c.B.wide().Sub(a), float64(c.RadiusA), float64(c.RadiusB))
}

// outward returns the normal of a part of the surface at a point of it; its length is not 1.
func (c Cone) outward(p DVec3, part conePart) DVec3 {
	a := c.A.wide()
	e := c.B.wide().Sub(a)
	switch part {
	case coneCapA:
		return e.Neg()
	case coneCapB:
		return e
	}
	l := e.Len()
	u := e.Mul(1 / l)
	m := p.Sub(a)
	q := m.AddMul(-m.Dot(u), u).Normalize()
	if c.RadiusA == 0 && c.RadiusB == 0 {
		return DVec3{} // p differs from the segment by rounding only
	}
	return q.Mul(l).AddMul(float64(c.RadiusA)-float64(c.RadiusB), u)
}

// coneSpan returns where the line m + t·d is in the convex hull of two discs across e, around the
// origin and around e, and by which parts of the surface it enters and leaves.
//
// A point p is in the infinite double cone through the rims where e·e·|p×e|² ≤ (e·e·radius)², and
// e·e·radius is linear in p. Along the line this is a quadratic inequality a·t² + 2b·t + c ≤ 0. It
// holds between the roots if a > 0. A line steeper than the side has a < 0 and is within one nappe
// from one of the roots on. The slab between the discs leaves out the other nappe.
func coneSpan(m, d, e DVec3, ra, rb float64) (s span, near, far conePart) {
	// Powers of two bring all lengths near 1, so that no product leaves the range of float64.
	length, speed := powerOfTwo(max(largest(e), ra, rb)), powerOfTwo(largest(d))
	m, e, ra, rb, d = m.Mul(length), e.Mul(length), float64(ra*length), float64(rb*length), d.Mul(speed)
	// From far away, the line starts where it is nearest to A; what it misses by far is not near.
	from, size := 0.0, e.Dot(e)+float64(max(ra, rb)*max(ra, rb))
	if m.Dot(m) > 64*size {
		from = -m.Dot(d) / d.Dot(d)
		if m = m.AddMul(from, d); m.Dot(m) > 64*size {
			return nowhere, coneSide, coneSide
		}
	}
	at, rate, ee := m.Dot(e), d.Dot(e), e.Dot(e)
	s, near, far = slab(at, rate, 0, ee), coneCapA, coneCapB
	if rate < 0 {
		near, far = coneCapB, coneCapA
	}
	if ee < 0x1p-54*size { // the slope of the side is beyond double precision: a disc
		ra, rb = max(ra, rb), max(ra, rb)
	}
	// The side is met where the line is in the slab and near the discs. Counted from there, no
	// number of the quadratic is far larger than its discriminant, even if the discs nearly touch.
	mid := 0.0
	if ra != rb {
		middle, reach := -m.Dot(d)/d.Dot(d), 2*math.Sqrt(size/d.Dot(d))
		from, to := max(s.enter, middle-reach), min(s.exit, middle+reach)
		if !(from <= to) {
			return nowhere, coneSide, coneSide
		}
		mid = (from + to) / 2
	}
	side := nappe(m.AddMul(mid, d), d, e, ra, rb)
	side.enter, side.exit = side.enter+mid, side.exit+mid
	if side.enter > s.enter {
		s.enter, near = side.enter, coneSide
	}
	if side.exit < s.exit {
		s.exit, far = side.exit, coneSide
	}
	if !(s.enter <= s.exit) {
		return nowhere, coneSide, coneSide
	}
	scale := speed / length
	return span{float64((s.enter + from) * scale), float64((s.exit + from) * scale)}, near, far
}

// nappe returns where the line m + t·d is in the infinite cone, or in one of its nappes, of
// [coneSpan].
func nappe(m, d, e DVec3, ra, rb float64) span {
	all := span{math.Inf(-1), math.Inf(1)}
	x, y, ee := m.Cross(e), d.Cross(e), e.Dot(e)
	k := rb - ra
	p, q := float64(ra*ee)+float64(k*m.Dot(e)), float64(k*d.Dot(e))
	a := float64(ee*y.Dot(y)) - float64(q*q)
	b := float64(ee*x.Dot(y)) - float64(p*q)
	c := float64(ee*x.Dot(x)) - float64(p*p)
	disc := float64(b*b) - float64(a*c)
	if k == 0 {
		// As for a sphere, the discriminant compares the radius with the distance of the line from
		// the axis.
		n := d.Cross(e)
		h := m.Dot(n)
		disc = float64(ee*ee) * float64(ee*(float64(float64(ra*ra)*n.Dot(n))-float64(h*h)))
	}
	switch {
	case a == 0 && b == 0:
		if c <= 0 {
			return all
		}
		return nowhere
	case a == 0 && b > 0:
		return span{all.enter, -c / (2 * b)}
	case a == 0:
		return span{-c / (2 * b), all.exit}
	case a > 0 && !(disc >= 0):
		return nowhere
	case a > 0:
		return roots(a, b, c, math.Sqrt(disc))
	}
	// The line crosses the plane through the apex, where it is not within the cone except by
	// rounding.
	r := roots(-a, -b, -c, math.Sqrt(max(0, disc)))
	if q > 0 {
		return span{r.exit, all.exit}
	}
	return span{all.enter, r.enter}
}

// powerOfTwo returns the power of two whose product with x, which is positive, is from 1/2 to 1.
func powerOfTwo(x float64) float64 {
	_, e := math.Frexp(x)
	return math.Ldexp(1, -e)
}

// largest returns the largest magnitude in v.
func largest(v DVec3) float64 { return max(math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z)) }

// ClosestPoint returns the point of the cone closest to p: p itself if p is inside. NaN in all
// components if the cone is empty or p is NaN or infinite.
func (c Cone) ClosestPoint(p Vec3) Vec3 {
	if c.IsEmpty() || !p.IsFinite() {
		return noPoint()
	}
	f := c.profile(p)
	x, y, dist := f.nearest()
	if dist <= 0 {
		return p
	}
	return c.A.wide().AddMul(x, f.u).AddMul(y, f.v).Narrow()
}

// Contains reports whether p is in the cone, surface included; false if p is NaN or infinite. A
// point within rounding in double precision of the surface counts as on it.
func (c Cone) Contains(p Vec3) bool {
	if c.IsEmpty() || !p.IsFinite() {
		return false
	}
	f := c.profile(p)
	_, _, dist := f.nearest()
	return dist <= slack*(sum(c.A.wide().abs())+sum(p.wide().abs())+f.l+f.ra+f.rb)
}

// Distance returns the distance of p from the cone, in metres: 0 inside, +Inf if the cone is empty
// or p is NaN or infinite.
func (c Cone) Distance(p Vec3) float32 { return max(0, c.SignedDistance(p)) }

// SignedDistance returns the distance of p from the surface of the cone, in metres: negative
// inside, +Inf if the cone is empty or p is NaN or infinite.
func (c Cone) SignedDistance(p Vec3) float32 {
	if c.IsEmpty() || !p.IsFinite() {
		return float32(math.Inf(1))
	}
	f := c.profile(p)
	_, _, dist := f.nearest()
	return float32(dist)
}

// coneProfile is the half-plane through the axis of a cone and a point: the point is x along the
// axis from A and y from it.
type coneProfile struct {
	u, v         DVec3 // unit, along the axis and across it
	x, y         float64
	l, ra, rb    float64 // the length of the axis and the radii
	slope, slant float64 // how much the radius shrinks along the axis, and the length of the side
}

func (c Cone) profile(p Vec3) (f coneProfile) {
	a := c.A.wide()
	e, m := c.B.wide().Sub(a), p.wide().Sub(a)
	f.l, f.ra, f.rb = e.Len(), float64(c.RadiusA), float64(c.RadiusB)
	f.u = e.Mul(1 / f.l)
	f.x = m.Dot(f.u)
	v := m.AddMul(-f.x, f.u)
	f.y, f.v = v.Len(), v.Normalize()
	f.slope = f.ra - f.rb
	f.slant = math.Sqrt(float64(f.l*f.l) + float64(f.slope*f.slope))
	return f
}

// nearest returns the point of the surface that is nearest to the point, and the signed distance.
// The profile of a cone is a trapezoid.
func (f *coneProfile) nearest() (x, y, dist float64) {
	beyond := (float64((f.y-f.ra)*f.l) + float64(f.x*f.slope)) / f.slant // the side
	if inside := max(-f.x, f.x-f.l, beyond); inside <= 0 {
		return f.x, f.y, inside
	}
	dist = math.Inf(1)
	try := func(u, v float64) {
		if d := math.Sqrt(float64((f.x-u)*(f.x-u)) + float64((f.y-v)*(f.y-v))); d < dist {
			x, y, dist = u, v, d
		}
	}
	try(0, min(f.y, f.ra))
	try(f.l, min(f.y, f.rb))
	t := (float64(f.x*f.l) - float64((f.y-f.ra)*f.slope)) / float64(f.slant*f.slant)
	t = max(0, min(t, 1))
	try(float64(t*f.l), f.ra-float64(t*f.slope))
	return x, y, dist
}
