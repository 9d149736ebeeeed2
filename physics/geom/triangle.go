package geom

// Triangle is a flat surface with three corners, edges included. Its front is the side from which
// the corners run counter-clockwise. If a number is NaN or infinite the triangle is empty.
type Triangle struct{ A, B, C Vec3 } // metres

// IsEmpty reports whether a corner is NaN or infinite. A triangle degenerated to a segment or a
// point is not empty.
func (t Triangle) IsEmpty() bool { return !(t.A.IsFinite() && t.B.IsFinite() && t.C.IsFinite()) }

// Bounds returns the smallest box around the triangle; [EmptyAABB] if the triangle is empty.
func (t Triangle) Bounds() AABB {
	if t.IsEmpty() {
		return EmptyAABB()
	}
	return AABB{t.A.Min(t.B).Min(t.C), t.A.Max(t.B).Max(t.C)}
}

// Normal returns the unit normal of the front; zero if the corners lie on one line.
func (t Triangle) Normal() Vec3 { return t.cross().Normalize().Narrow() }

// cross returns the normal of the front; its length is twice the triangle's area.
func (t Triangle) cross() DVec3 {
	a := t.A.wide()
	return t.B.wide().Sub(a).Cross(t.C.wide().Sub(a))
}

// CastRay returns where the ray hits the triangle, by the method and with the limits of
// [TriangleCaster]. U and V of the hit are the weights of B and C. A hit on an edge or a corner
// counts. A ray in the triangle's plane misses. A triangle degenerated to a segment or a point is
// missed, except that rounding may report a hit if it does not lie along a coordinate axis; the
// normal is then −Dir made unit. Hit.Triangle is 0.
func (t Triangle) CastRay(r Ray, cull Cull) (Hit, bool) {
	if !r.IsValid() || t.IsEmpty() {
		return Hit{}, false
	}
	_, tMax := r.Range()
	c := NewTriangleCaster(r)
	at, u, v, back, ok := c.Cast(t.A, t.B, t.C, tMax, cull)
	if !ok {
		return Hit{}, false
	}
	return t.Hit(r, at, u, v, back), true
}

// Hit returns the hit of a ray for what [TriangleCaster.Cast] returned for it and the triangle. Its
// Triangle is 0.
func (t Triangle) Hit(r Ray, at, u, v float32, backFace bool) Hit {
	n := t.cross()
	if n.Dot(r.Dir.wide()) > 0 {
		n = n.Neg()
	}
	return Hit{T: at, Point: r.At(at), Normal: r.facing(n.Normalize()), U: u, V: v, BackFace: backFace}
}
