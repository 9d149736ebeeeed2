package geom

// Triangle is a flat surface with three corners. Its front is the side from which they go
// counter-clockwise. Where a number is NaN or infinite it is empty.
type Triangle struct{ A, B, C Vec3 }

// IsEmpty reports whether a corner is NaN or infinite. A triangle that is flattened to a line or a
// point is not empty.
func (t Triangle) IsEmpty() bool { return !(t.A.IsFinite() && t.B.IsFinite() && t.C.IsFinite()) }

// Bounds returns the smallest box around the triangle.
func (t Triangle) Bounds() AABB {
	if t.IsEmpty() {
		return EmptyAABB()
	}
	return AABB{t.A.Min(t.B).Min(t.C), t.A.Max(t.B).Max(t.C)}
}

// Normal returns the unit normal of the front, and the zero vector if the corners lie on one line.
func (t Triangle) Normal() Vec3 { return t.cross().Normalize().Narrow() }

// cross returns the normal of the front with twice the triangle's area as its length.
func (t Triangle) cross() DVec3 {
	a := t.A.wide()
	return t.B.wide().Sub(a).Cross(t.C.wide().Sub(a))
}

// CastRay returns where the ray hits the triangle, by the method of [TriangleCaster], whose limits
// it shares. U and V of the hit are the weights of B and C. Edges and corners count. A ray in the
// triangle's own plane sees it edge-on and misses. A triangle that is flattened to a line or a
// point is missed by every ray, though rounding may let it be hit where it does not lie along an
// axis; its normal is then −Dir, made unit.
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

// Hit builds the hit of a ray that a [TriangleCaster] found to meet the triangle. Its Triangle is
// 0.
func (t Triangle) Hit(r Ray, at, u, v float32, backFace bool) Hit {
	n := t.cross()
	if n.Dot(r.Dir.wide()) > 0 {
		n = n.Neg()
	}
	return Hit{T: at, Point: r.At(at), Normal: r.facing(n.Normalize()), U: u, V: v, BackFace: backFace}
}
