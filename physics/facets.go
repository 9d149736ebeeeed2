package physics

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
)

// Two pieces are compared facet by facet: a mesh is its triangles, a plane the half-space behind
// it, and every other piece is one facet itself. So package narrow, which knows convex shapes only,
// tells of all of them.

// facets names a facet of each of two pieces: the numbers of triangles, in the order in which they
// are compared.
type facets uint64

func facetsOf(a, b int32) facets { return facets(uint32(a))<<32 | facets(uint32(b)) }

// a returns the triangle of the first piece, −1 if that is no mesh; b that of the second.
func (k facets) a() int32 { return int32(k >> 32) }
func (k facets) b() int32 { return int32(k) }

// whole is the facet of what is no mesh.
const whole = int32(-1)

// shapes writes the two facets as shapes in the world.
func (k facets) shapes(x, y *narrow.Shape, a, b *piece) {
	if a.kind == kindPlane {
		b.facet(y, k.b())
		a.behind(x, y)
		return
	}
	a.facet(x, k.a())
	if b.kind == kindPlane {
		b.behind(y, x)
	} else {
		b.facet(y, k.b())
	}
}

// facet writes a facet of what is no plane.
func (p *piece) facet(s *narrow.Shape, triangle int32) {
	switch p.kind {
	case kindAABB:
		s.SetAABB(p.bounds)
	case kindBox:
		s.SetBox(p.shape.box())
	case kindSphere:
		s.SetSphere(p.shape.sphere())
	case kindCapsule:
		s.SetCapsule(p.shape.capsule())
	case kindLocalBox:
		s.SetShearedBox(p.shape.box(), p.local.to)
	case kindEllipsoid:
		s.SetEllipsoid(p.shape.sphere(), p.local.to)
	case kindLocalCapsule:
		s.SetScaledCapsule(p.shape.capsule(), p.local.to)
	case kindHull:
		s.SetHull(p.local.hull, p.local.to)
	case kindMesh:
		s.SetTriangle(p.local.triangle(int(triangle)))
	default:
		s.SetNothing()
	}
}

// behind writes a plane as a solid that lets a shape be on the side on which its middle is. For a
// plane is a surface with two sides, as a mesh is.
func (p *piece) behind(s, other *narrow.Shape) {
	n := p.local.normal
	if n.Dot(other.Center().Sub(p.local.point)) < 0 {
		n = n.Neg()
	}
	s.SetHalfSpace(n, p.local.point)
}

// pad returns how far two pieces that touch may seem to be apart by their bounds, besides a margin.
func pad(a, b *piece, margin float32) float32 {
	return margin + float32(relativeSlack*max(a.extent(), b.extent()))
}

// extent returns the largest coordinate that has a part in where the piece is.
func (p *piece) extent() float32 {
	switch {
	case p.kind == kindPlane:
		return 0 // the other piece's say what there is to round
	case p.local != nil && p.kind >= kindLocalBox:
		return p.farthest()
	}
	return max(largest(p.bounds.Min), largest(p.bounds.Max))
}

// mayTouch reports whether two pieces may be within a margin of each other, told by their bounds.
// Two planes never are.
func mayTouch(a, b *piece, margin float32) bool {
	switch {
	case a.kind == kindPlane && b.kind == kindPlane:
		return false
	case a.kind == kindPlane:
		return a.distanceTo(&b.bounds) <= float64(pad(b, b, margin))
	case b.kind == kindPlane:
		return b.distanceTo(&a.bounds) <= float64(pad(a, a, margin))
	}
	// The pad is only asked for by what the margin leaves in doubt.
	v, w := &a.bounds, &b.bounds
	if v.Min.X-margin <= w.Max.X && v.Min.Y-margin <= w.Max.Y && v.Min.Z-margin <= w.Max.Z &&
		w.Min.X <= v.Max.X+margin && w.Min.Y <= v.Max.Y+margin && w.Min.Z <= v.Max.Z+margin {
		return true
	}
	return v.Grow(pad(a, b, margin)).OverlapsAABB(*w)
}

// distanceTo returns how far a plane is from a box, or how far the bounds of any other piece are.
func (p *piece) distanceTo(b *geom.AABB) float64 {
	if p.kind != kindPlane {
		return boundsDistance(&p.bounds, b)
	}
	n := p.local.normal
	lo, hi := b.Min.Wide(), b.Max.Wide()
	c, h := lo.Add(hi).Mul(0.5), hi.Sub(lo).Mul(0.5)
	reach := math.Abs(float64(h.X*n.X)) + math.Abs(float64(h.Y*n.Y)) + math.Abs(float64(h.Z*n.Z))
	if d := math.Abs(n.Dot(c.Sub(p.local.point))) - reach; d > 0 {
		return d
	}
	return 0 // also if the box was grown beyond all numbers, and the difference is none
}

// boundsDistance returns how far two boxes are apart.
func boundsDistance(a, b *geom.AABB) float64 {
	gap := func(lo, hi, lo2, hi2 float32) float64 {
		return max(0, float64(lo2)-float64(hi), float64(lo)-float64(hi2))
	}
	return geom.DVec3{
		X: gap(a.Min.X, a.Max.X, b.Min.X, b.Max.X),
		Y: gap(a.Min.Y, a.Max.Y, b.Min.Y, b.Max.Y),
		Z: gap(a.Min.Z, a.Max.Z, b.Min.Z, b.Max.Z),
	}.Len()
}

// facetsNear appends the facets of two pieces that may be within a margin of each other, told by
// their bounds, in no certain order.
func facetsNear(dst []facets, a, b *piece, margin float32) []facets {
	switch {
	case !mayTouch(a, b, margin):
	case a.kind == kindMesh && b.kind == kindMesh:
		dst = trianglesNear(dst, a, b, margin)
	case a.kind == kindMesh:
		a.visitNear(b, margin, func(i int) bool {
			dst = append(dst, facetsOf(int32(i), whole))
			return true
		})
	case b.kind == kindMesh:
		b.visitNear(a, margin, func(i int) bool {
			dst = append(dst, facetsOf(whole, int32(i)))
			return true
		})
	default:
		dst = append(dst, facetsOf(whole, whole))
	}
	return dst
}

// visitNear visits the triangles of a mesh whose bounds may be within a margin of what is no mesh.
func (p *piece) visitNear(o *piece, margin float32, visit func(triangle int) bool) {
	if o.kind != kindPlane {
		around := o.bounds.Grow(pad(p, o, margin))
		if !p.local.turns() {
			p.local.mesh.VisitAABB(p.boundsIn(around), visit)
			return
		}
		// In the mesh's own space the bounds have turned, and are up to three times as wide; most
		// of what touches them is not near.
		p.local.mesh.VisitAABB(p.boundsIn(around), func(i int) bool {
			return !p.local.triangle(i).Bounds().OverlapsAABB(around) || visit(i)
		})
		return
	}
	limit := float64(pad(p, p, margin))
	p.local.mesh.VisitNearest(limit,
		func(box geom.AABB) float64 {
			b := p.local.to.Bounds(box)
			return o.distanceTo(&b)
		},
		func(i int) float64 {
			visit(i)
			return limit
		})
}

// trianglesNear walks to the triangles of the smaller mesh that are near the other one, and from
// each to those of that one.
func trianglesNear(dst []facets, a, b *piece, margin float32) []facets {
	if a.local.mesh.NumTriangles() > b.local.mesh.NumTriangles() {
		n := len(dst)
		dst = trianglesNear(dst, b, a, margin)
		for i := n; i < len(dst); i++ {
			dst[i] = facetsOf(dst[i].b(), dst[i].a())
		}
		return dst
	}
	g := pad(a, b, margin)
	a.local.mesh.VisitAABB(a.boundsIn(b.bounds.Grow(g)), func(i int) bool {
		around := a.local.triangle(i).Bounds().Grow(g)
		b.local.mesh.VisitAABB(b.boundsIn(around), func(j int) bool {
			dst = append(dst, facetsOf(int32(i), int32(j)))
			return true
		})
		return true
	})
	return dst
}
