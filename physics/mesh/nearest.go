package mesh

import (
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Closest is the point of a mesh that is closest to a point asked about, in the mesh's space.
type Closest struct {
	Point    geom.Vec3
	Distance float32 // of the two points
	Triangle int32   // that Point lies on
}

// ClosestPoint returns the point of the surface closest to p, if one is no further than maxDistance
// (+Inf: look everywhere); of several at the same Distance, that of the lowest triangle. The inside
// of a closed mesh counts for nothing. A NaN or negative maxDistance and a p that is not finite
// find nothing. See [Mesh.VisitNearest] for other distances.
func (m *Mesh) ClosestPoint(p geom.Vec3, maxDistance float32) (Closest, bool) {
	best := Closest{Distance: maxDistance, Triangle: -1}
	if !(maxDistance >= 0) || !p.IsFinite() {
		return Closest{}, false
	}
	m.VisitNearest(float64(maxDistance),
		// Rounding may also put the point a hair outside the part of the triangle that a leaf of
		// High has; so a little is taken off.
		func(box geom.AABB) float64 { return float64(p.Distance(clamp(p, box))) * (1 - 0x1p-20) },
		func(i int) float64 {
			t := m.Triangle(i)
			// Rounding may put the point a hair outside the box of the triangle, and so nearer than
			// the box; clamping keeps the answer free of the shape of the tree.
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

// VisitNearest walks to the triangles that are nearest by a measure of the caller's, for instance
// by the distance in a space in which the mesh is unevenly scaled. It calls visit once for every
// triangle that may be within the limit, the nearer ones first where that is cheap to know; visit
// returns the limit from then on, as a rule the least distance it has seen.
//
// bound returns a distance that no triangle within the box is nearer than: where it promises too
// much, triangles are left out. What it puts exactly at the limit is visited, so that visit can
// prefer the lowest of equally near triangles; NaN leaves out. Both functions take what is in the
// mesh's space.
func (m *Mesh) VisitNearest(limit float64, bound func(box geom.AABB) float64, visit func(triangle int) float64) {
	m.tree.VisitNearest(limit, bound, visit)
}
