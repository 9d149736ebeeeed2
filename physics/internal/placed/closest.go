package placed

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
)

// Closest is the point of a subshape that is closest to another point.
type Closest struct {
	Point    geom.Vec3
	Distance float32 // in metres; 0 in a solid
	Triangle int32   // of a mesh; −1 of any other shape
}

// ClosestPoint returns the point of a subshape that is closest to a point in the world, and false
// if it is further away than limit. Of triangles at the same distance it returns the lowest.
func (p *Subshape) ClosestPoint(at geom.Vec3, limit float32) (c Closest, ok bool) {
	c.Triangle = -1
	switch p.Kind {
	case KindAABB:
		c.Point = p.Bounds.ClosestPoint(at)
	case KindBox:
		c.Point = p.Box().ClosestPoint(at)
	case KindSphere:
		c.Point = p.Sphere().ClosestPoint(at)
	case KindCapsule:
		c.Point = p.Capsule().ClosestPoint(at)
	case KindSegment:
		c.Point = p.asCapsule().ClosestPoint(at)
	case KindLocalBox, KindEllipsoid, KindLocalCapsule, KindCone, KindTaperedCapsule, KindHull:
		if c.Point, ok = p.closestOfConvex(at, limit); !ok {
			return c, false
		}
	case KindPlane:
		l := p.Local
		c.Point = at.Wide().AddMul(-at.Wide().Sub(l.Point).Dot(l.Normal), l.Normal).Narrow()
	case KindMesh:
		return p.closestOfMesh(at, limit)
	default:
		return c, false
	}
	c.Distance = at.Distance(c.Point)
	return c, c.Distance <= limit
}

// closestOfConvex returns false only if the point is further than the limit by more than rounding
// it to single precision may take off.
func (p *Subshape) closestOfConvex(at geom.Vec3, limit float32) (geom.Vec3, bool) {
	var x, y narrow.Shape
	x.SetSphere(geom.Sphere{Center: at})
	p.SetPart(&y, Whole)
	slack := float64(RelativeSlack * max(Largest(at), p.farthest()))
	c := narrow.Distance(&x, &y, (float64(limit)+slack)*(1+RelativeSlack))
	if c.Distance == 0 {
		return at, true
	}
	return c.PointB.Narrow(), !math.IsInf(c.Distance, 1)
}

// closestOfMesh measures the distances to the triangles in world space, where a non-uniform scale
// of the mesh does not matter.
func (p *Subshape) closestOfMesh(at geom.Vec3, limit float32) (best Closest, found bool) {
	l := p.Local
	// A box of the mesh's tree is bounded in the world by another box, grown for rounding.
	slack := RelativeSlack * max(Largest(at), p.farthest())
	bound := func(box geom.AABB) float64 {
		return float64(l.To.Bounds(box).Grow(slack).Distance(at)) * (1 - RelativeSlack)
	}
	l.Mesh.VisitNearest(float64(JustBeyond(limit)), bound, func(i int) float64 {
		c := Closest{Point: l.Triangle(i).ClosestPoint(at), Triangle: int32(i)}
		c.Distance = at.Distance(c.Point)
		if c.Distance <= limit && (!found || c.Distance < best.Distance || c.Distance == best.Distance && c.Triangle < best.Triangle) {
			best, found, limit = c, true, c.Distance
		}
		return float64(JustBeyond(limit))
	})
	return best, found
}
