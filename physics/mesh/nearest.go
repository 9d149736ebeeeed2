package mesh

import (
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Closest is the point of a mesh that is closest to a query point, in the mesh's space.
type Closest struct {
	Point    geom.Vec3
	Distance float32 // between Point and the query point
	Triangle int32   // the index of the triangle with Point
}

// ClosestPoint returns the point of the surface closest to p, if one is no further than maxDistance
// (+Inf: no limit); of several at the same Distance, that of the lowest triangle. A closed mesh is
// a surface too: a point inside it is as far as its boundary. A NaN or negative maxDistance and a p
// that is not finite find nothing. [Mesh.VisitNearest] searches by other distances.
func (m *Mesh) ClosestPoint(p geom.Vec3, maxDistance float32) (Closest, bool) {
	best := Closest{Distance: maxDistance, Triangle: -1}
	if !(maxDistance >= 0) || !p.IsFinite() {
		return Closest{}, false
	}
	m.VisitNearest(float64(maxDistance),
		// Rounding may put the closest point just outside the part of a triangle that a leaf of a
		// High tree covers, so the bound is lowered a little.
		func(box geom.AABB) float64 { return float64(p.Distance(clamp(p, box))) * (1 - 0x1p-20) },
		func(i int) float64 {
			t := m.Triangle(i)
			// Rounding may put the point just outside the bounds of the triangle, and so closer
			// than the bounds. Clamping keeps the answer independent of the tree.
			point := clamp(t.ClosestPoint(p), t.Bounds())
			n := Closest{point, p.Distance(point), int32(i)}
			if n.Distance < best.Distance || n.Distance == best.Distance && (best.Triangle < 0 || n.Triangle < best.Triangle) {
				best = n
			}
			return float64(best.Distance)
		})
	if best.Triangle < 0 {
		return Closest{}, false
	}
	return best, true
}

func clamp(p geom.Vec3, box geom.AABB) geom.Vec3 { return p.Max(box.Min).Min(box.Max) }

// VisitNearest visits the triangles that are nearest by a distance that the caller defines, for
// instance in a space in which the mesh has a non-uniform scale. It calls visit once for every
// triangle that may be within the limit, nearer ones first where that order is cheap; visit returns
// the new limit, usually the least distance so far.
//
// bound returns a lower bound of the distance of all triangles within a box; a bound that is too
// high loses triangles. A bound equal to the limit is visited, so that visit can prefer the lowest
// of equally near triangles; NaN is skipped. Both functions receive coordinates in the mesh's
// space.
func (m *Mesh) VisitNearest(limit float64, bound func(box geom.AABB) float64, visit func(triangle int) float64) {
	if m.grid != nil {
		m.grid.VisitNearest(limit, bound, visit)
	} else {
		m.tree.VisitNearest(limit, bound, visit)
	}
}
