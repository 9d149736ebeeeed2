package mesh

import "github.com/hitscan-go/hitscan/physics/geom"

// CastSphere returns the first hit of a solid sphere whose centre moves along a ray, in the mesh's
// space; of several at the same T, that of the lowest triangle. radius is in metres, and T counts
// multiples of Dir. The hit is that of [geom.Triangle.CastSphere], bit by bit: T is where the
// sphere first touches the surface, edges and corners too; Point is the point it touches and Normal
// points from there to the centre, which is then at [geom.Ray.At] of T.
//
// If the sphere touches the mesh already where the range of the ray starts, Inside is set and T is
// that start; to see what lies beyond, leave such hits out of those of [Mesh.CastSphereAll]. A
// sphere that lies within a closed mesh and touches no triangle is not inside anything. A ray that
// is not valid and a radius that is negative, NaN or infinite hit nothing.
func (m *Mesh) CastSphere(r geom.Ray, radius float32, cull geom.Cull) (hit geom.Hit, ok bool) {
	ok = m.tree.CastSphere(&hit, &r, radius, cull)
	return hit, ok
}

// CastSphereAny reports whether a solid sphere whose centre moves along a ray touches any triangle
// on its way. It stops at the first it finds.
func (m *Mesh) CastSphereAny(r geom.Ray, radius float32, cull geom.Cull) bool {
	return m.tree.CastSphereAny(&r, radius, cull)
}

// CastSphereAll appends, for every triangle that a sphere touches on its way along a ray, the first
// hit with it to dst, sorted by T and then by triangle, and returns the longer slice. What was in
// dst before stays as it is. See [Mesh.CastSphere].
func (m *Mesh) CastSphereAll(dst []geom.Hit, r geom.Ray, radius float32, cull geom.Cull) []geom.Hit {
	old := len(dst)
	dst = m.tree.CastSphereAll(dst, &r, radius, cull)
	return m.inOrder(dst, old)
}
