package physics

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
)

// Overlaps reports whether two shapes have a point in common. Touching counts. A mesh and a plane
// are surfaces with nothing inside: what lies within a closed mesh does not touch it. Two planes
// never overlap.
//
// Panics if a shape is nil, or none of those that [Shape] lists.
func Overlaps(a, b Placed) bool {
	w := takeScratch()
	defer w.give()
	return w.a.place(&a, "Overlaps") && w.b.place(&b, "Overlaps") && w.overlaps(w.a.pieces, w.b.pieces)
}

// overlaps reports whether any of the pieces a touches any of b.
func (w *scratch) overlaps(a, b []piece) bool {
	x, y := &w.x, &w.y
	for i := range a {
		for j := range b {
			w.facets = facetsNear(w.facets[:0], &a[i], &b[j], 0)
			for _, k := range w.facets {
				if k.shapes(x, y, &a[i], &b[j]); narrow.Overlaps(x, y) {
					return true
				}
			}
		}
	}
	return false
}

// Closest is how far two shapes are apart, and where, in world space.
type Closest struct {
	// Distance is how far they are apart, in metres; 0 if they touch or overlap.
	Distance float32
	// PointA and PointB are the points of A and of B nearest to each other. They are the same
	// point, of both, if the Distance is 0.
	PointA, PointB geom.Vec3
	// Normal is the unit vector from A to B. It is zero if they overlap; [Penetrate] knows the way
	// out.
	Normal geom.Vec3
	// ChildA and ChildB are the numbers of the nearest children of a [Compound], TriangleA and
	// TriangleB those of the nearest triangles of a mesh; −1 of every other shape.
	ChildA, ChildB, TriangleA, TriangleB int32
}

// ClosestPoints returns how far two shapes are apart and their points nearest to each other, and
// false if that is more than maxDistance or either is nowhere; +Inf looks everywhere. Of several at
// the same distance those count that come first by ChildA, ChildB, TriangleA and TriangleB. Two
// planes have no distance.
//
// Panics if a shape is nil, or none of those that [Shape] lists.
func ClosestPoints(a, b Placed, maxDistance float32) (Closest, bool) {
	w := takeScratch()
	defer w.give()
	var best Closest
	ok := maxDistance >= 0 && w.a.place(&a, "ClosestPoints") && w.b.place(&b, "ClosestPoints") &&
		closest(&best, w.a.pieces, w.b.pieces, maxDistance)
	return best, ok
}

// closest finds what is nearest of the pieces a and b, within a limit.
func closest(best *Closest, a, b []piece, limit float32) (found bool) {
	for i := range a {
		for j := range b {
			if closestOf(best, &a[i], &b[j], limit, found) {
				found, limit = true, best.Distance
			}
		}
	}
	return found
}

// closestOf finds what is nearest of two pieces, within a limit, and writes it to best unless that,
// if found, comes before.
func closestOf(best *Closest, a, b *piece, limit float32, found bool) (better bool) {
	if a.kind == kindPlane && b.kind == kindPlane {
		return false
	}
	var x, y narrow.Shape
	try := func(k facets) {
		k.shapes(&x, &y, a, b)
		c := narrow.Distance(&x, &y, float64(justBeyond(limit)))
		d := float32(c.Distance)
		if !(d <= limit && finite(d)) {
			return
		}
		n := Closest{d, c.PointA.Narrow(), c.PointB.Narrow(), c.Normal.Narrow(), a.child, b.child, k.a(), k.b()}
		if d == 0 {
			n.Normal = geom.Vec3{}
		}
		if !found || n.before(best) {
			*best, found, better, limit = n, true, true, d
		}
	}
	switch {
	case a.kind == kindMesh && b.kind == kindMesh:
		visitNearest(a, &b.bounds, nil, &limit, func(i int) {
			around := a.local.triangle(i).Bounds()
			visitNearest(b, &around, nil, &limit, func(j int) { try(facetsOf(int32(i), int32(j))) })
		})
	case a.kind == kindMesh:
		visitNearest(a, &b.bounds, b, &limit, func(i int) { try(facetsOf(int32(i), whole)) })
	case b.kind == kindMesh:
		visitNearest(b, &a.bounds, a, &limit, func(i int) { try(facetsOf(whole, int32(i))) })
	default:
		try(facetsOf(whole, whole))
	}
	return better
}

// visitNearest visits the triangles of a mesh by their distance from a box, or from a plane, up to
// a limit that visit may lower.
func visitNearest(p *piece, box *geom.AABB, other *piece, limit *float32, visit func(triangle int)) {
	slack := float32(relativeSlack * p.extent())
	if isPlane := other != nil && other.kind == kindPlane; !isPlane {
		other = nil
		slack = float32(relativeSlack * max(p.extent(), largest(box.Min), largest(box.Max)))
	}
	p.local.mesh.VisitNearest(float64(justBeyond(*limit)),
		func(node geom.AABB) float64 {
			b := p.local.to.Bounds(node).Grow(slack)
			if other != nil {
				return other.distanceTo(&b) * (1 - relativeSlack)
			}
			return boundsDistance(&b, box) * (1 - relativeSlack)
		},
		func(i int) float64 {
			visit(i)
			return float64(justBeyond(*limit))
		})
}

// before reports whether n comes before o in the order of all that is near.
func (n *Closest) before(o *Closest) bool {
	switch {
	case n.Distance != o.Distance:
		return n.Distance < o.Distance
	case n.ChildA != o.ChildA:
		return n.ChildA < o.ChildA
	case n.ChildB != o.ChildB:
		return n.ChildB < o.ChildB
	case n.TriangleA != o.TriangleA:
		return n.TriangleA < o.TriangleA
	}
	return n.TriangleB < o.TriangleB
}

// Penetration is how deep two shapes are in each other, in world space.
type Penetration struct {
	// Depth is how far, in metres, B must be moved along Normal until the two only touch, here.
	Depth float32
	// Normal is the unit vector from A to B along the shortest way out.
	Normal geom.Vec3
	// PointA is the point of A that is deepest in B, PointB that of B in A: PointA − PointB is
	// Depth times Normal, but for rounding.
	PointA, PointB geom.Vec3
	// ChildA and ChildB are the numbers of the children of a [Compound] concerned, TriangleA and
	// TriangleB those of the triangles of a mesh; −1 of every other shape.
	ChildA, ChildB, TriangleA, TriangleB int32
}

// Penetrate returns how deep two shapes are in each other and the shortest way out, and false if
// they are apart or either is nowhere: wherever [Overlaps] reports false, and nowhere else. Where
// several ways are equally short it returns one of them, a face's rather than an edge's.
//
// Between compounds, and of meshes, it is the deepest of what is found between single children and
// triangles; the way out of one may lead into another. [Collide] tells of all. Out of a plane or a
// triangle leads the way to the side where the shape's middle is.
//
// Panics if a shape is nil, or none of those that [Shape] lists.
func Penetrate(a, b Placed) (Penetration, bool) {
	w := takeScratch()
	defer w.give()
	if !w.a.place(&a, "Penetrate") || !w.b.place(&b, "Penetrate") {
		return Penetration{}, false
	}
	return w.penetrate(w.a.pieces, w.b.pieces)
}

func (w *scratch) penetrate(a, b []piece) (best Penetration, found bool) {
	x, y := &w.x, &w.y
	depth := math.Inf(-1)
	for i := range a {
		for j := range b {
			a, b := &a[i], &b[j]
			w.facets = facetsNear(w.facets[:0], a, b, 0)
			slices.Sort(w.facets) // of equals the first counts
			for _, k := range w.facets {
				k.shapes(x, y, a, b)
				if p, ok := w.finder.Penetrate(x, y); ok && p.Depth > depth {
					depth, found = p.Depth, true
					best = Penetration{
						float32(p.Depth), p.Normal.Narrow(), p.PointA.Narrow(), p.PointB.Narrow(), a.child, b.child, k.a(), k.b()}
				}
			}
		}
	}
	return best, found
}
