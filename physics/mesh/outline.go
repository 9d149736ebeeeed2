package mesh

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// BoundsUnder returns a box around the image of the mesh under an affine map: it contains
// [geom.Affine.Point] of every vertex of a triangle. Where the map turns the mesh, it is the box
// around a polytope of 26 faces, which may be much smaller than that around the turned
// [Mesh.Bounds]. The first call with such a map computes the polytope.
func (m *Mesh) BoundsUnder(a geom.Affine) (box geom.AABB) {
	b := m.Bounds()
	if m.tree.IsEmpty() || !mixes(&a) {
		return a.Bounds(b) // also of a height field, which seldom turns
	}
	if !m.edges.outlined.Load() {
		m.makeOutline()
	}
	far := max(-b.Min.X, -b.Min.Y, -b.Min.Z, b.Max.X, b.Max.Y, b.Max.Z)
	m.span(&box.Min.X, &box.Max.X, geom.Vec3{X: a.X.X, Y: a.Y.X, Z: a.Z.X}, a.Origin.X, far)
	m.span(&box.Min.Y, &box.Max.Y, geom.Vec3{X: a.X.Y, Y: a.Y.Y, Z: a.Z.Y}, a.Origin.Y, far)
	m.span(&box.Min.Z, &box.Max.Z, geom.Vec3{X: a.X.Z, Y: a.Y.Z, Z: a.Z.Z}, a.Origin.Z, far)
	return box
}

// span sets lo and hi to bounds of u·p + at for all points p of the mesh, whose coordinates are at
// most far.
func (m *Mesh) span(lo, hi *float32, u geom.Vec3, at, far float32) {
	least, most := m.edges.outline.Span(u)
	least += float64(at)
	most += float64(at)
	// More than the rounding of the sums, here and in Affine.Point, and of the results.
	size := math.Abs(float64(u.X)) + math.Abs(float64(u.Y)) + math.Abs(float64(u.Z))
	sums := float64(0x1p-48 * (float64(float64(far)*size) + math.Abs(float64(at))))
	*lo = float32(least - (sums + float64(0x1p-23*math.Abs(least))))
	*hi = float32(most + (sums + float64(0x1p-23*math.Abs(most))))
}

// mixes reports whether a coordinate of an image depends on several of the point.
func mixes(a *geom.Affine) bool {
	several := func(x, y, z float32) bool { return x != 0 && (y != 0 || z != 0) || y != 0 && z != 0 }
	return several(a.X.X, a.Y.X, a.Z.X) || several(a.X.Y, a.Y.Y, a.Z.Y) || several(a.X.Z, a.Y.Z, a.Z.Z)
}

// makeOutline computes the outline, or waits for the goroutine that does.
func (m *Mesh) makeOutline() {
	m.edges.making.Lock()
	defer m.edges.making.Unlock()
	if !m.edges.outlined.Load() {
		m.edges.outline = m.tree.Outline()
		m.edges.outlined.Store(true)
	}
}
