package mesh

import (
	"cmp"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// CastRay returns the closest hit of a ray, in the mesh's space; of several at the same T, that of
// the lowest triangle. U and V are the barycentric weights of the second and third corner. A
// triangle seen exactly edge-on is missed.
//
// The hit is that of [geom.Triangle.CastRay], bit by bit, with one exception: if a triangle, seen
// along the ray, is thinner than float32 resolves, the T of that test may be far off. The mesh then
// clamps T to the interval in which the ray crosses the triangle's bounds, or misses if there is
// none. [geom.TriangleCaster] documents the other limits of the test. [Mesh.CastRayAny] is faster
// if only the existence of a hit matters.
func (m *Mesh) CastRay(r geom.Ray, cull geom.Cull) (hit geom.Hit, ok bool) {
	ok = m.CastRayInto(&hit, &r, cull)
	return hit, ok
}

// CastRayInto is [Mesh.CastRay], but writes the hit to memory of the caller, which is meaningless
// after a miss. For many casts that saves the time in which the ray and the hit are copied.
func (m *Mesh) CastRayInto(hit *geom.Hit, r *geom.Ray, cull geom.Cull) bool {
	if m.grid != nil {
		return m.grid.CastRay(hit, r, cull)
	}
	return m.tree.CastRay(hit, r, cull)
}

// CastRayAfter returns the first hit of a ray after the given T and triangle, in the order of T and
// then of triangles. With T and Triangle of one hit it returns the next, which steps through the
// hits front to back; [Mesh.CastRayAll] is faster if all are needed. A T that is NaN or before the
// range of the ray excludes nothing.
func (m *Mesh) CastRayAfter(r geom.Ray, cull geom.Cull, t float32, triangle int32) (hit geom.Hit, ok bool) {
	if m.grid != nil {
		ok = m.grid.CastRayAfter(&hit, &r, cull, t, triangle)
	} else {
		ok = m.tree.CastRayAfter(&hit, &r, cull, t, triangle)
	}
	return hit, ok
}

// CastRayAny reports whether a ray hits any triangle. It stops at the first hit it finds.
func (m *Mesh) CastRayAny(r geom.Ray, cull geom.Cull) bool {
	if m.grid != nil {
		return m.grid.CastRayAny(&r, cull)
	}
	return m.tree.CastRayAny(&r, cull)
}

// CastRayAll appends every hit of a ray to dst, sorted by T and then by triangle, and returns the
// extended slice. Elements already in dst are kept. A ray through an edge hits the triangles on
// both sides.
func (m *Mesh) CastRayAll(dst []geom.Hit, r geom.Ray, cull geom.Cull) []geom.Hit {
	old := len(dst)
	if m.grid != nil {
		dst = m.grid.CastRayAll(dst, &r, cull)
	} else {
		dst = m.tree.CastRayAll(dst, &r, cull)
	}
	return m.inOrder(dst, old)
}

// inOrder sorts the hits from old on, and removes repeated hits of triangles that are in several
// leaves.
func (m *Mesh) inOrder(hits []geom.Hit, old int) []geom.Hit {
	slices.SortFunc(hits[old:], func(g, h geom.Hit) int {
		return cmp.Or(cmp.Compare(g.T, h.T), cmp.Compare(g.Triangle, h.Triangle))
	})
	if m.tree.HasDuplicates() {
		once := slices.CompactFunc(hits[old:], func(g, h geom.Hit) bool { return g.T == h.T && g.Triangle == h.Triangle })
		return hits[:old+len(once)]
	}
	return hits
}
