package physics

import "github.com/hitscan-go/hitscan/physics/geom"

// cast finds where the ray, in world space, hits the piece first. The hit is written where it is
// wanted, as handing it from function to function would cost as much as many casts do.
func (p *piece) cast(h *geom.Hit, r *geom.Ray, f *Filter) (ok bool) {
	switch p.kind {
	case kindMesh:
		if *h, ok = p.local.mesh.CastRay(p.local.back.Ray(*r), f.Cull); ok {
			p.local.toWorld(h, r)
		}
	case kindAABB:
		*h, ok = p.bounds.CastRay(*r, f.Start)
	case kindBox:
		*h, ok = p.shape.box().CastRay(*r, f.Start)
	case kindSphere:
		*h, ok = p.shape.sphere().CastRay(*r, f.Start)
	case kindCapsule:
		*h, ok = p.shape.capsule().CastRay(*r, f.Start)
	case kindNowhere:
	default:
		if *h, ok = p.castLocal(p.local.back.Ray(*r), f); ok {
			p.local.toWorld(h, r)
		}
	}
	return ok
}

// castLocal casts a ray in the shape's own space. T is the same in both.
func (p *piece) castLocal(r geom.Ray, f *Filter) (geom.Hit, bool) {
	switch p.kind {
	case kindLocalBox:
		return p.shape.box().CastRay(r, f.Start)
	case kindEllipsoid:
		return p.shape.sphere().CastRay(r, f.Start)
	case kindLocalCapsule:
		return p.shape.capsule().CastRay(r, f.Start)
	case kindHull:
		return p.local.hull.CastRay(r, f.Start)
	case kindPlane:
		return p.local.plane.CastRay(r, f.Cull)
	}
	return geom.Hit{}, false
}

// castAll appends all hits of the ray: every triangle of a mesh, and one of anything else.
func (p *piece) castAll(dst []geom.Hit, r geom.Ray, f *Filter) []geom.Hit {
	if p.kind != kindMesh {
		var h geom.Hit
		if p.cast(&h, &r, f) {
			dst = append(dst, h)
		}
		return dst
	}
	start := len(dst)
	dst = p.local.mesh.CastRayAll(dst, p.local.back.Ray(r), f.Cull)
	for i := start; i < len(dst); i++ {
		p.local.toWorld(&dst[i], &r)
	}
	return dst
}

// castAfter returns the hit that follows another. Only meshes are hit more than once.
func (p *piece) castAfter(r geom.Ray, f *Filter, last *geom.Hit) (geom.Hit, bool) {
	if p.kind != kindMesh {
		return geom.Hit{}, false
	}
	h, ok := p.local.mesh.CastRayAfter(p.local.back.Ray(r), f.Cull, last.T, last.Triangle)
	if ok {
		p.local.toWorld(&h, &r)
	}
	return h, ok
}

// toWorld takes a hit from the shape's own space to the ray's. The front stays the front in a
// mirror, and a normal that faces the ray still does.
func (l *local) toWorld(h *geom.Hit, r *geom.Ray) {
	if h.Inside {
		h.Point, h.Normal = r.At(h.T), r.Dir.Normalize().Neg()
		return
	}
	h.Point, h.Normal = l.to.Point(h.Point), l.back.Normal(h.Normal)
}
