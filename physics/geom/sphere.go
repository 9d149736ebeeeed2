package geom

import "math"

// Sphere is a solid sphere, surface included. With Radius 0 it is a point, which can still be hit.
// If Radius is negative, or any number is NaN or infinite, the sphere is empty.
type Sphere struct {
	Center Vec3    // metres
	Radius float32 // metres
}

// IsEmpty reports whether the sphere contains no point.
func (s Sphere) IsEmpty() bool {
	return !(s.Radius >= 0 && s.Radius <= math.MaxFloat32 && s.Center.IsFinite())
}

// Bounds returns the smallest box around the sphere, rounded outward; [EmptyAABB] if the sphere is
// empty.
func (s Sphere) Bounds() AABB {
	if s.IsEmpty() {
		return EmptyAABB()
	}
	c, r := s.Center.wide(), float64(s.Radius)
	return AABB{c.Sub(DVec3{r, r, r}).down(), c.Add(DVec3{r, r, r}).up()}
}

// CastRay returns where the ray hits the sphere. A tangent ray hits. See [StartMode] for a ray that
// starts inside.
func (s Sphere) CastRay(r Ray, mode StartMode) (Hit, bool) {
	if !r.IsValid() {
		return Hit{}, false
	}
	t, at, ok := s.span(r).resolve(r, mode)
	if !ok {
		return Hit{}, false
	}
	return r.hit(t, at, s.outward(r.at(t)))
}

// Crossings returns where the ray's line enters and leaves the sphere. The ray's range is ignored,
// so T may be negative. Both normals face the ray; exit has BackFace set.
func (s Sphere) Crossings(r Ray) (enter, exit Hit, ok bool) {
	sp := s.span(r)
	if !r.isLine() || !(sp.enter <= sp.exit) {
		return Hit{}, Hit{}, false
	}
	return r.crossings(sp, s.outward(r.at(sp.enter)), s.outward(r.at(sp.exit)))
}

// outward returns the normal at a point of the surface; its length is not 1.
func (s Sphere) outward(p DVec3) DVec3 {
	if s.Radius == 0 {
		return DVec3{} // p differs from the centre by rounding only
	}
	return p.Sub(s.Center.wide())
}

// span returns where the line is in the sphere. The discriminant r²·d² − |m×d|² compares the radius
// with the distance of the line from the centre. In this form, unlike in the form b² − a·c, it
// keeps its digits for a far origin, and for numbers of moderate size it is exact, so that a
// tangent hits.
func (s Sphere) span(r Ray) span {
	if s.IsEmpty() {
		return nowhere
	}
	return sphereSpan(r.Origin.wide().Sub(s.Center.wide()), r.Dir.wide(), float64(s.Radius))
}

// sphereSpan returns where the line m + t·d is in the solid sphere of a radius around the origin.
func sphereSpan(m, d DVec3, radius float64) span {
	x := m.Cross(d)
	a, rr := d.Dot(d), float64(radius*radius)
	disc := float64(rr*a) - x.Dot(x)
	if disc < 0 {
		return nowhere
	}
	return roots(a, m.Dot(d), m.Dot(m)-rr, math.Sqrt(disc))
}
