package physics

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// Overlaps reports whether two shapes have a point in common. Touching counts. A mesh and a plane
// are surfaces with nothing inside: a shape within a closed mesh does not touch it. Two planes
// never overlap.
//
// Panics if a shape is nil, or not one of those that [Shape] lists.
func Overlaps(a, b Placed) bool {
	w := takeScratch()
	defer w.give()
	return w.place(&a, &b, "Overlaps", false) && w.overlaps(w.a.subshapes, w.b.subshapes)
}

// overlaps reports whether any of the subshapes a touches any of b.
func (w *scratch) overlaps(a, b []placed.Subshape) bool {
	for i := range a {
		for j := range b {
			if w.overlap(&a[i], &b[j]) {
				return true
			}
		}
	}
	return false
}

func (w *scratch) overlap(a, b *placed.Subshape) bool {
	x, y := &w.x, &w.y
	switch {
	case a.Kind == placed.KindMesh && b.IsConvex() && b.Kind != placed.KindPlane:
		return a.IsTouchedBy(b, x, y)
	case b.Kind == placed.KindMesh && a.IsConvex() && a.Kind != placed.KindPlane:
		return b.IsTouchedBy(a, x, y)
	}
	w.parts = placed.PartsNear(w.parts[:0], a, b, 0)
	for _, k := range w.parts {
		if k.Shapes(x, y, a, b); narrow.Overlaps(x, y) {
			return true
		}
	}
	return false
}

// Closest is the distance between two shapes and their witness points, in world space.
type Closest struct {
	// Distance is the distance in metres; 0 if the shapes touch or overlap.
	Distance float32
	// PointA and PointB are the witness points: the points of A and of B that are closest to each
	// other. If Distance is 0 they are the same point, which both shapes have in common.
	PointA, PointB geom.Vec3
	// Normal is the unit vector from A to B; zero if they overlap. See [Penetrate] for the shortest
	// way out.
	Normal geom.Vec3
	// ChildA and ChildB are the numbers of the closest children of a [Compound], TriangleA and
	// TriangleB those of the closest triangles of a mesh; −1 of any other shape.
	ChildA, ChildB, TriangleA, TriangleB int32
	// Inexact is set if the search ended before it had converged, as it may between shapes a
	// million times longer than thick: Distance is a lower bound.
	Inexact bool
}

// ClosestPoints returns the distance between two shapes and their witness points, and false if the
// distance is more than maxDistance, in metres, or either shape is nowhere; +Inf sets no limit. Of
// several at the same distance it returns those that come first by ChildA, ChildB, TriangleA and
// TriangleB. Two planes have no distance.
//
// Panics if a shape is nil, or not one of those that [Shape] lists.
func ClosestPoints(a, b Placed, maxDistance float32) (Closest, bool) {
	w := takeScratch()
	defer w.give()
	var best Closest
	ok := maxDistance >= 0 && w.place(&a, &b, "ClosestPoints", false) &&
		closest(&best, w.a.subshapes, w.b.subshapes, maxDistance)
	return best, ok
}

// closest finds the closest of the subshapes a and b, within a limit.
func closest(best *Closest, a, b []placed.Subshape, limit float32) (found bool) {
	for i := range a {
		for j := range b {
			if closestOf(best, &a[i], &b[j], limit, found) {
				found, limit = true, best.Distance
			}
		}
	}
	return found
}

// closestOf finds the closest parts of two subshapes, within a limit. It writes them to best and
// returns true, unless best holds an answer, as found says, that comes before.
func closestOf(best *Closest, a, b *placed.Subshape, limit float32, found bool) (better bool) {
	var x, y narrow.Shape
	placed.VisitNearest(a, b, &limit, func(k placed.Parts) {
		k.Shapes(&x, &y, a, b)
		c := narrow.Distance(&x, &y, float64(placed.JustBeyond(limit)))
		d := float32(c.Distance)
		if !(d <= limit && placed.Finite(d)) {
			return
		}
		if d == 0 {
			c.Normal = geom.DVec3{}
			if a.Kind == placed.KindPlane {
				c.PointA = onPlane(a, c.PointA, y.Center())
				c.PointB = c.PointA
			} else if b.Kind == placed.KindPlane {
				c.PointB = onPlane(b, c.PointB, x.Center())
				c.PointA = c.PointB
			}
		}
		n := Closest{d, c.PointA.Narrow(), c.PointB.Narrow(), c.Normal.Narrow(), a.Child, b.Child, k.A(), k.B(), c.Inexact}
		if !found || n.before(best) {
			*best, found, better, limit = n, true, true, d
		}
	})
	return better
}

// onPlane returns the point of a plane on the way from a point behind it, which the narrow phase
// takes for one of both shapes, to the centre of the other shape, which is in front.
func onPlane(plane *placed.Subshape, p, center geom.DVec3) geom.DVec3 {
	n := plane.Local.Normal
	if plane.Planar {
		center.Z = p.Z // of a box that is thicker on one side
	}
	depth, height := n.Dot(p.Sub(plane.Local.Point)), n.Dot(center.Sub(plane.Local.Point))
	if depth == height {
		return p // both are on it
	}
	return p.AddMul(min(max(depth/(depth-height), 0), 1), center.Sub(p))
}

// before orders by distance, children and triangles.
func (n *Closest) before(o *Closest) bool {
	return cmp.Or(cmp.Compare(n.Distance, o.Distance), cmp.Compare(n.ChildA, o.ChildA), cmp.Compare(n.ChildB, o.ChildB),
		cmp.Compare(n.TriangleA, o.TriangleA), cmp.Compare(n.TriangleB, o.TriangleB)) < 0
}

// Penetration is the depth of the overlap of two shapes and its minimum translation vector, in
// world space.
type Penetration struct {
	// Depth is the distance in metres by which B must be moved along Normal until the two only
	// touch, here.
	Depth float32
	// Normal is the unit vector from A to B along the shortest way out.
	Normal geom.Vec3
	// PointA is the point of A that is deepest in B, PointB that of B in A: PointA − PointB is
	// Depth times Normal, except for rounding.
	PointA, PointB geom.Vec3
	// ChildA and ChildB are the numbers of the children of a [Compound], TriangleA and TriangleB
	// those of the triangles of a mesh; −1 of any other shape.
	ChildA, ChildB, TriangleA, TriangleB int32
	// Inexact is set if no proof was found that no other way out is shorter, as of two ellipsoids
	// that are nearly spheres about one centre.
	Inexact bool
}

// Penetrate returns the penetration depth of two shapes and the shortest way out, and false if they
// are apart or either is nowhere: exactly where [Overlaps] reports false. Where several ways are
// equally short it returns one of them, a face's rather than an edge's.
//
// For compounds and meshes it is the deepest penetration between single children and triangles; its
// way out may lead into another child or triangle. [Collide] returns all of them. The way out of a
// plane or a triangle leads to the side of the other shape's centre.
//
// Panics if a shape is nil, or not one of those that [Shape] lists.
func Penetrate(a, b Placed) (Penetration, bool) {
	w := takeScratch()
	defer w.give()
	if !w.place(&a, &b, "Penetrate", false) {
		return Penetration{}, false
	}
	return w.penetrate(w.a.subshapes, w.b.subshapes)
}

func (w *scratch) penetrate(a, b []placed.Subshape) (best Penetration, found bool) {
	x, y := &w.x, &w.y
	depth := math.Inf(-1)
	for i := range a {
		for j := range b {
			a, b := &a[i], &b[j]
			w.parts = placed.PartsNear(w.parts[:0], a, b, 0)
			slices.Sort(w.parts) // of equals the first counts
			for _, k := range w.parts {
				k.Shapes(x, y, a, b)
				if p, ok := w.finder.Penetrate(x, y); ok && p.Depth > depth {
					depth, found = p.Depth, true
					best = Penetration{
						float32(p.Depth), p.Normal.Narrow(), p.PointA.Narrow(), p.PointB.Narrow(), a.Child, b.Child, k.A(), k.B(), p.Inexact}
				}
			}
		}
	}
	return best, found
}
