package mesh

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// CastRay returns the closest hit of a ray, in the mesh's space; of several at the same T, that of the lowest triangle.
// U and V weigh the triangle's second and third corner. A triangle that is seen edge-on is missed.
//
// The hit is that of [geom.Triangle.CastRay], bit by bit, with one exception: where a triangle, seen along the ray, is
// thinner than single precision can tell, the T of that test may be far off, and the mesh moves it to where the ray crosses
// the triangle's bounds, or misses if it does not. [geom.TriangleCaster] tells the other limits of the test. See
// [Mesh.CastRayAny] if it matters only whether there is a hit.
func (m *Mesh) CastRay(r geom.Ray, cull geom.Cull) (geom.Hit, bool) {
	return m.CastRayAfter(r, cull, -1, -1)
}

// CastRayAfter returns the first hit of a ray that comes after the given T and triangle, in the order of T and then of
// triangles. With the T and the Triangle of a hit it returns the next one, so that hits can be had one by one, front to
// back; [Mesh.CastRayAll] is faster where all are wanted. A T that is NaN or before the ray's range leaves nothing out.
func (m *Mesh) CastRayAfter(r geom.Ray, cull geom.Cull, t float32, triangle int32) (geom.Hit, bool) {
	var c caster
	if !c.init(m, r, cull) {
		return geom.Hit{}, false
	}
	after := impact{t: c.tMin, index: -1}
	if t >= after.t {
		after = impact{t: t, index: triangle}
	}
	best := impact{t: c.tMax, index: math.MaxInt32}
	c.start(after.t)
	for leaf := c.next(best.t); leaf != nil; leaf = c.next(best.t) {
		for i := range leaf {
			if h, ok := c.cast(&leaf[i]); ok && h.before(&best) && after.before(&h) {
				best = h
			}
		}
	}
	if best.index == math.MaxInt32 {
		return geom.Hit{}, false
	}
	return m.hit(r, &best), true
}

// CastRayAny reports whether a ray hits any triangle. It stops at the first it finds.
func (m *Mesh) CastRayAny(r geom.Ray, cull geom.Cull) bool {
	var c caster
	if !c.init(m, r, cull) {
		return false
	}
	c.start(c.tMin)
	for leaf := c.next(c.tMax); leaf != nil; leaf = c.next(c.tMax) {
		for i := range leaf {
			if h, ok := c.cast(&leaf[i]); ok && c.tMin <= h.t && h.t <= c.tMax {
				return true
			}
		}
	}
	return false
}

// CastRayAll appends every hit of a ray to dst, sorted by T and then by triangle, and returns the longer slice. What was in
// dst before stays as it is. A ray through an edge hits the triangles on both its sides.
func (m *Mesh) CastRayAll(dst []geom.Hit, r geom.Ray, cull geom.Cull) []geom.Hit {
	var c caster
	if !c.init(m, r, cull) {
		return dst
	}
	old := len(dst)
	c.start(c.tMin)
	for leaf := c.next(c.tMax); leaf != nil; leaf = c.next(c.tMax) {
		for i := range leaf {
			if h, ok := c.cast(&leaf[i]); ok && c.tMin <= h.t && h.t <= c.tMax {
				dst = append(dst, m.hit(r, &h))
			}
		}
	}
	slices.SortFunc(dst[old:], func(g, h geom.Hit) int {
		return cmp.Or(cmp.Compare(g.T, h.T), cmp.Compare(g.Triangle, h.Triangle))
	})
	return dst
}

// caster is the state of one query of a ray: its walk over the tree and its test for triangles.
type caster struct {
	rayWalk
	kernel     geom.TriangleCaster
	cull       geom.Cull
	tMin, tMax float32
}

// impact is a hit in the form in which hits are compared.
type impact struct {
	t, u, v  float32
	index    int32
	backFace bool
}

func (h *impact) before(o *impact) bool {
	return h.t < o.t || h.t == o.t && h.index < o.index
}

// init prepares the query; false if nothing can be hit.
func (c *caster) init(m *Mesh, r geom.Ray, cull geom.Cull) bool {
	if !r.IsValid() || len(m.tree.tris) == 0 {
		return false
	}
	c.tMin, c.tMax = r.Range()
	c.tMax = min(c.tMax, math.MaxFloat32) // a T that overflows names no point
	c.cull = cull
	c.tree, c.slabs = &m.tree, newSlabs(r, m.tree.bounds)
	// The range is left to the query, because settle may move a T into it or out of it.
	r.MinT = 0
	c.kernel = geom.NewTriangleCaster(r)
	return true
}

// cast returns where the ray, without its range, hits a triangle.
func (c *caster) cast(tri *triangle) (h impact, ok bool) {
	t, u, v, backFace, ok := c.kernel.Cast(tri.a, tri.b, tri.c, inf32, c.cull)
	if !ok {
		return h, false
	}
	t, ok = c.settle(tri, t)
	return impact{t, u, v, tri.index, backFace}, ok
}

func (m *Mesh) hit(r geom.Ray, h *impact) geom.Hit {
	full := m.Triangle(int(h.index)).Hit(r, h.t, h.u, h.v, h.backFace)
	full.Triangle = h.index
	return full
}
