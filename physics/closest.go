package physics

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
)

// closest returns the closest point of any piece within a distance, as PointA. PointB and Normal
// are left to [Closest.toPoint].
func (r *record) closest(p geom.Vec3, limit float32) (best Closest, found bool) {
	pieces := r.pieces()
	for i := range pieces {
		n, ok := pieces[i].closest(p, limit)
		if !ok {
			continue
		}
		n.ChildA = pieces[i].child
		if !found || n.before(&best) {
			best, found, limit = n, true, n.Distance
		}
	}
	return best, found
}

// toPoint adds what follows from the point on the collider and the point p of the query.
func (n *Closest) toPoint(p geom.Vec3) {
	n.PointB = p
	if n.Distance > 0 {
		n.Normal = p.Wide().Sub(n.PointA.Wide()).Normalize().Narrow()
	}
}

func (p *piece) closest(at geom.Vec3, limit float32) (n Closest, ok bool) {
	n.ChildB, n.TriangleA, n.TriangleB = -1, -1, -1
	switch p.kind {
	case kindAABB:
		n.PointA = p.bounds.ClosestPoint(at)
	case kindBox:
		n.PointA = p.shape.box().ClosestPoint(at)
	case kindSphere:
		n.PointA = p.shape.sphere().ClosestPoint(at)
	case kindCapsule:
		n.PointA = p.shape.capsule().ClosestPoint(at)
	case kindLocalBox, kindEllipsoid, kindLocalCapsule, kindHull:
		if n.PointA, ok = p.closestOfConvex(at, limit); !ok {
			return n, false
		}
	case kindPlane:
		l := p.local
		n.PointA = at.Wide().AddMul(-at.Wide().Sub(l.point).Dot(l.normal), l.normal).Narrow()
	case kindMesh:
		return p.closestOfMesh(at, limit)
	default:
		return n, false
	}
	n.Distance = at.Distance(n.PointA)
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
func (p *piece) closestOfMesh(at geom.Vec3, limit float32) (best Closest, found bool) {
	l := p.local
	// What a box of the mesh's tree is in the world is bounded by another box, and a little is
	// taken off for rounding.
	slack := relativeSlack * max(largest(at), p.farthest())
	bound := func(box geom.AABB) float64 {
		return float64(l.to.Bounds(box).Grow(slack).Distance(at)) * (1 - relativeSlack)
	}
	l.mesh.VisitNearest(float64(justBeyond(limit)), bound, func(i int) float64 {
		n := Closest{PointA: l.triangle(i).ClosestPoint(at), ChildB: -1, TriangleA: int32(i), TriangleB: -1}
		n.Distance = at.Distance(n.PointA)
		if n.Distance <= limit && (!found || n.before(&best)) {
			best, found, limit = n, true, n.Distance
		}
		return float64(justBeyond(limit))
	})
	return best, found
}
