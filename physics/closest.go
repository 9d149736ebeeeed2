package physics

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
)

// Nearest returns the point of any collider that is closest to p, in world space and in metres, and
// false if there is none within maxDistance; math.Inf(1) looks everywhere, 0 only where p is. In a
// solid the closest point is p itself. Of points at the same distance the one counts that comes
// first by collider, child and triangle. A NaN or negative maxDistance, and a p that is NaN or
// infinite, find nothing.
func (s *Space) Nearest(p geom.Vec3, maxDistance float32, f Filter) (Nearest, bool) {
	if !p.IsFinite() || !(maxDistance >= 0) {
		return Nearest{}, false
	}
	s.settle()
	var best Nearest
	found := false
	limit := maxDistance
	visit := func(i uint32) float64 {
		if r := &s.records[i]; f.sees(r) {
			if n, ok := r.closest(p, limit); ok && (!found || n.before(&best)) && f.accepts(r.id) {
				best, found, limit = n, true, n.Distance
			}
		}
		return float64(justBeyond(limit))
	}
	for _, i := range s.planes {
		visit(uint32(i))
	}
	s.boxes.VisitNearest(p, float64(justBeyond(limit)), visit)
	return best, found
}

// closest returns the closest point of any piece within a distance.
func (r *record) closest(p geom.Vec3, limit float32) (best Nearest, found bool) {
	pieces := r.pieces()
	for i := range pieces {
		piece := &pieces[i]
		n, ok := piece.closest(p, limit)
		if !ok {
			continue
		}
		n.Collider, n.Child, n.User = r.id, piece.child, r.user
		if !found || n.before(&best) {
			best, found, limit = n, true, n.Distance
		}
	}
	return best, found
}

func (p *piece) closest(at geom.Vec3, limit float32) (n Nearest, ok bool) {
	n.Triangle = -1
	switch p.kind {
	case kindAABB:
		n.Point = p.bounds.ClosestPoint(at)
	case kindBox:
		n.Point = p.shape.box().ClosestPoint(at)
	case kindSphere:
		n.Point = p.shape.sphere().ClosestPoint(at)
	case kindCapsule:
		n.Point = p.shape.capsule().ClosestPoint(at)
	case kindLocalBox, kindEllipsoid, kindLocalCapsule, kindHull:
		if n.Point, ok = p.closestOfConvex(at, limit); !ok {
			return n, false
		}
	case kindPlane:
		l := p.local
		n.Point = at.Wide().AddMul(-at.Wide().Sub(l.point).Dot(l.normal), l.normal).Narrow()
	case kindMesh:
		return p.closestOfMesh(at, limit)
	default:
		return n, false
	}
	n.Distance = at.Distance(n.Point)
	return n, n.Distance <= limit
}

// closestOfConvex asks package narrow, and says false if the point is further than the limit, by
// more than what rounding it to single precision may take off.
func (p *piece) closestOfConvex(at geom.Vec3, limit float32) (geom.Vec3, bool) {
	var x, y narrow.Shape
	x.SetSphere(geom.Sphere{Center: at})
	p.facet(&y, whole)
	slack := float64(relativeSlack * max(largest(at), p.farthest()))
	c := narrow.Distance(&x, &y, (float64(limit)+slack)*(1+relativeSlack))
	if c.Distance == 0 {
		return at, true
	}
	return c.PointB.Narrow(), !math.IsInf(c.Distance, 1)
}

// closestOfMesh takes the triangles of a mesh to world space and asks them there, so that it does
// not matter how the mesh is scaled.
func (p *piece) closestOfMesh(at geom.Vec3, limit float32) (best Nearest, found bool) {
	l := p.local
	// What a box of the mesh's tree is in the world is bounded by another box, and a little is
	// taken off for rounding.
	slack := relativeSlack * max(largest(at), p.farthest())
	bound := func(box geom.AABB) float64 {
		return float64(l.to.Bounds(box).Grow(slack).Distance(at)) * (1 - relativeSlack)
	}
	l.mesh.VisitNearest(float64(justBeyond(limit)), bound, func(i int) float64 {
		n := Nearest{Point: l.triangle(i).ClosestPoint(at), Triangle: int32(i)}
		n.Distance = at.Distance(n.Point)
		if n.Distance <= limit && (!found || n.before(&best)) {
			best, found, limit = n, true, n.Distance
		}
		return float64(justBeyond(limit))
	})
	return best, found
}
