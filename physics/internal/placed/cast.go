package placed

import "github.com/hitscan-go/hitscan/physics/geom"

// CastRay writes the first hit of a ray, in world space, to h and reports whether there is one. It
// writes through a pointer because returning a hit from function to function costs as much time as
// many casts do.
func (p *Subshape) CastRay(h *geom.Hit, r *geom.Ray, start geom.StartMode, cull geom.Cull) (ok bool) {
	switch p.Kind {
	case KindMesh:
		own := p.Local.back.Ray(*r)
		if ok = p.Local.Mesh.CastRayInto(h, &own, cull); ok {
			p.Local.toWorld(h, r)
		}
	case KindAABB:
		*h, ok = p.Bounds.CastRay(*r, start)
	case KindBox:
		*h, ok = p.Box().CastRay(*r, start)
	case KindSphere:
		*h, ok = p.Sphere().CastRay(*r, start)
	case KindCapsule:
		*h, ok = p.Capsule().CastRay(*r, start)
	case KindSegment:
		ok = p.castSegment(h, r, cull)
	case KindCone:
		*h, ok = p.Cone().CastRayIn(&p.Local.back, *r, start)
	case KindTaperedCapsule:
		*h, ok = p.TaperedCapsule().CastRayIn(&p.Local.back, *r, start)
	case KindNowhere:
	default:
		if *h, ok = p.castLocal(p.Local.back.Ray(*r), start, cull); ok {
			p.Local.toWorld(h, r)
		}
	}
	return ok
}

// castLocal casts a ray in the shape's own space. T is the same in both.
func (p *Subshape) castLocal(r geom.Ray, start geom.StartMode, cull geom.Cull) (geom.Hit, bool) {
	switch p.Kind {
	case KindLocalBox:
		return p.Box().CastRay(r, start)
	case KindEllipsoid:
		return p.Sphere().CastRay(r, start)
	case KindLocalCapsule:
		return p.Capsule().CastRay(r, start)
	case KindHull:
		return p.Local.Hull.CastRay(r, start)
	case KindPlane:
		return p.Local.plane.CastRay(r, cull)
	}
	return geom.Hit{}, false
}

// CastRayAny reports whether a ray hits a subshape.
func (p *Subshape) CastRayAny(r *geom.Ray, start geom.StartMode, cull geom.Cull) bool {
	if p.Kind == KindMesh {
		return p.Local.Mesh.CastRayAny(p.Local.back.Ray(*r), cull)
	}
	var h geom.Hit
	return p.CastRay(&h, r, start, cull)
}

// CastRayAll appends all hits of a ray: every triangle of a mesh, and at most one hit of any other
// shape.
func (p *Subshape) CastRayAll(dst []geom.Hit, r geom.Ray, start geom.StartMode, cull geom.Cull) []geom.Hit {
	if p.Kind != KindMesh {
		var h geom.Hit
		if p.CastRay(&h, &r, start, cull) {
			dst = append(dst, h)
		}
		return dst
	}
	old := len(dst)
	dst = p.Local.Mesh.CastRayAll(dst, p.Local.back.Ray(r), cull)
	for i := old; i < len(dst); i++ {
		p.Local.toWorld(&dst[i], &r)
	}
	return dst
}

// CastRayAfter returns the hit that follows another. Only a mesh is hit more than once.
func (p *Subshape) CastRayAfter(r geom.Ray, cull geom.Cull, last *geom.Hit) (geom.Hit, bool) {
	if p.Kind != KindMesh {
		return geom.Hit{}, false
	}
	h, ok := p.Local.Mesh.CastRayAfter(p.Local.back.Ray(r), cull, last.T, last.Triangle)
	if ok {
		p.Local.toWorld(&h, &r)
	}
	return h, ok
}

// Strays reports whether a ray taken into the shape's own space may hit what it passes in the
// world. A strong shear magnifies the rounding of such a ray, and so does a strong non-uniform
// scale: at the slanting faces of a hull, or where it makes a capsule all but flat. Whether a hit
// is one is then decided by the bounds.
func (p *Subshape) Strays() bool { return p.Kind >= KindLocalBox && p.Local.strays }

// toWorld maps a hit from the shape's own space to the world. A mirroring map keeps the front the
// front, and a normal that faces the ray still faces it.
func (l *Local) toWorld(h *geom.Hit, r *geom.Ray) {
	if h.Inside {
		h.Point, h.Normal = r.At(h.T), r.Dir.Normalize().Neg()
		return
	}
	h.Point, h.Normal = l.To.Point(h.Point), l.back.Normal(h.Normal)
}
