package mesh

import "github.com/hitscan-go/hitscan/physics/geom"

// Centroid returns the mean of all points of the surface, which is within its convex hull, as the
// centre of its bounds may not be. Of the mesh of a [Field], and of one whose triangles are all
// degenerate, it is the centre of the bounds. The first call visits all triangles, and
// [Mesh.Refit] has it done again.
func (m *Mesh) Centroid() geom.Vec3 {
	at := m.edges.middle.Load()
	if at == nil {
		at = new(m.findCentroid())
		m.edges.middle.Store(at)
	}
	return *at
}

func (m *Mesh) findCentroid() geom.Vec3 {
	var sum geom.DVec3
	area := 0.0
	if m.grid == nil {
		for i := range m.NumTriangles() {
			t := m.Triangle(i)
			a, b, c := t.A.Wide(), t.B.Wide(), t.C.Wide()
			twice := b.Sub(a).Cross(c.Sub(a)).Len()
			sum = sum.AddMul(twice/3, a.Add(b).Add(c))
			area += twice
		}
	}
	if at := sum.Mul(1 / area).Narrow(); at.IsFinite() {
		return at
	}
	return m.Bounds().Center()
}
