package mesh

import (
	"cmp"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// CastRay returns the closest hit of a ray, in the mesh's space; of several at the same T, that of
// the lowest triangle. U and V weigh the triangle's second and third corner. A triangle that is
// seen edge-on is missed.
//
// The hit is that of [geom.Triangle.CastRay], bit by bit, with one exception: where a triangle,
// seen along the ray, is thinner than single precision can tell, the T of that test may be far off,
// and the mesh moves it to where the ray crosses the triangle's bounds, or misses if it does not.
// [geom.TriangleCaster] tells the other limits of the test. See [Mesh.CastRayAny] if it matters
// only whether there is a hit.
func (m *Mesh) CastRay(r geom.Ray, cull geom.Cull) (hit geom.Hit, ok bool) {
	ok = m.tree.CastRay(&hit, &r, cull)
	return hit, ok
}

// CastRayAfter returns the first hit of a ray that comes after the given T and triangle, in the
// order of T and then of triangles. With the T and the Triangle of a hit it returns the next one,
// so that hits can be had one by one, front to back; [Mesh.CastRayAll] is faster where all are
// wanted. A T that is NaN or before the ray's range leaves nothing out.
func (m *Mesh) CastRayAfter(r geom.Ray, cull geom.Cull, t float32, triangle int32) (hit geom.Hit, ok bool) {
	ok = m.tree.CastRayAfter(&hit, &r, cull, t, triangle)
	return hit, ok
}

// CastRayAny reports whether a ray hits any triangle. It stops at the first it finds.
func (m *Mesh) CastRayAny(r geom.Ray, cull geom.Cull) bool { return m.tree.CastRayAny(&r, cull) }

// CastRayAll appends every hit of a ray to dst, sorted by T and then by triangle, and returns the
// longer slice. What was in dst before stays as it is. A ray through an edge hits the triangles on
// both its sides.
func (m *Mesh) CastRayAll(dst []geom.Hit, r geom.Ray, cull geom.Cull) []geom.Hit {
	old := len(dst)
	dst = m.tree.CastRayAll(dst, &r, cull)
	return m.inOrder(dst, old)
}

// inOrder sorts the hits from old on, and leaves out what was found in several leaves.
func (m *Mesh) inOrder(hits []geom.Hit, old int) []geom.Hit {
	slices.SortFunc(hits[old:], func(g, h geom.Hit) int {
		return cmp.Or(cmp.Compare(g.T, h.T), cmp.Compare(g.Triangle, h.Triangle))
	})
	if m.tree.HasDoubles() {
		once := slices.CompactFunc(hits[old:], func(g, h geom.Hit) bool { return g.T == h.T && g.Triangle == h.Triangle })
		return hits[:old+len(once)]
	}
	return hits
}
