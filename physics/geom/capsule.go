package geom

import "math"

// Capsule is a solid capsule: the points no further than Radius from the segment between A and B.
// If A and B are equal it is a sphere. With Radius 0 it is the segment, which can still be hit. If
// Radius is negative, or any number is NaN or infinite, the capsule is empty.
type Capsule struct {
	A, B   Vec3    // the centres of the two caps, metres
	Radius float32 // metres
}

// IsEmpty reports whether the capsule contains no point.
func (c Capsule) IsEmpty() bool {
	return !(c.Radius >= 0 && c.Radius <= math.MaxFloat32 && c.A.IsFinite() && c.B.IsFinite())
}

// Bounds returns the smallest box around the capsule, rounded outward; [EmptyAABB] if the capsule
// is empty.
func (c Capsule) Bounds() AABB {
	if c.IsEmpty() {
		return EmptyAABB()
	}
	r := float64(c.Radius)
	lo, hi := c.A.Min(c.B).wide(), c.A.Max(c.B).wide()
	return AABB{lo.Sub(DVec3{r, r, r}).down(), hi.Add(DVec3{r, r, r}).up()}
}

// CastRay returns where the ray hits the capsule. A tangent ray hits. See [StartMode] for a ray
// that starts inside.
func (c Capsule) CastRay(r Ray, mode StartMode) (Hit, bool) {
	if !r.IsValid() {
		return Hit{}, false
	}
	t, at, ok := c.span(r).resolve(r, mode)
	if !ok {
		return Hit{}, false
	}
	return r.hit(t, at, c.outward(r.at(t)))
}

// Crossings returns where the ray's line enters and leaves the capsule. The ray's range is ignored,
// so T may be negative. Both normals face the ray; exit has BackFace set.
func (c Capsule) Crossings(r Ray) (enter, exit Hit, ok bool) {
	sp := c.span(r)
	if !r.isLine() || !(sp.enter <= sp.exit) {
		return Hit{}, Hit{}, false
	}
	return r.crossings(sp, c.outward(r.at(sp.enter)), c.outward(r.at(sp.exit)))
}

// outward returns the normal at a point of the surface, from the closest point of the segment; its
// length is not 1.
func (c Capsule) outward(p DVec3) DVec3 {
	if c.Radius == 0 {
		return DVec3{} // p differs from the segment by rounding only
	}
	a := c.A.wide()
	m, e := p.Sub(a), c.B.wide().Sub(a)
	ee := e.Dot(e)
	if ee == 0 {
		return m
	}
	return m.AddMul(-min(max(m.Dot(e)/ee, 0), 1), e)
}

// span returns where the line is in the capsule. A capsule is the union of two spheres and a
// cylinder that ends flat at their centres. It is convex, so the spans in the three join to one,
// and there are no cases to distinguish:
//
//	   .-------.         spheres    |=====|     |=====|
//	--/--------+\-->     cylinder      |============|
//	 (    A----+-B )     capsule    |===================|
//	  \________|/
//
// For a line along the axis the spheres suffice.
func (c Capsule) span(r Ray) span {
	if c.IsEmpty() {
		return nowhere
	}
	a, d, radius := c.A.wide(), r.Dir.wide(), float64(c.Radius)
	m := r.Origin.wide().Sub(a)
	s := sphereSpan(m, d, radius)
	e := c.B.wide().Sub(a)
	if e == (DVec3{}) {
		return s
	}
	s = s.join(sphereSpan(r.Origin.wide().Sub(c.B.wide()), d, radius))
	return s.join(cylinderSpan(m, d, e, radius))
}

// join returns the span from the first to the last point of the two.
func (s span) join(o span) span { return span{min(s.enter, o.enter), max(s.exit, o.exit)} }

// cylinderSpan returns where the line m + t·d is in the cylinder of a radius around the segment
// from the origin to e, flat at both ends; nowhere if the line is parallel to e. As for a sphere,
// the discriminant compares the radius with the distance between the line and the axis, |m·n| / |n|
// with n = d×e.
func cylinderSpan(m, d, e DVec3, radius float64) span {
	n := d.Cross(e)
	nn := n.Dot(n)
	if nn == 0 {
		return nowhere
	}
	ee, rr, k := e.Dot(e), float64(radius*radius), m.Dot(n)
	disc := float64(rr*nn) - float64(k*k)
	if disc < 0 {
		return nowhere
	}
	x := m.Cross(e)
	// Two square roots instead of one of the product: no product leaves the range of float64 for
	// any finite single-precision input.
	side := roots(nn, x.Dot(n), x.Dot(x)-float64(rr*ee), math.Sqrt(ee)*math.Sqrt(disc))
	ends := slab(m.Dot(e), d.Dot(e), 0, ee)
	s := span{max(side.enter, ends.enter), min(side.exit, ends.exit)}
	if s.enter > s.exit {
		return nowhere
	}
	return s
}
