package mesh

import (
	"errors"
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Refit makes dst the mesh of m's triangles over moved vertices, as many as m has and in the same
// order. Triangles keep their leaves; only boxes and leaves are rewritten, on the caller's
// goroutine, in about a tenth of the time of [New]. The answers are those of a mesh made by New,
// bit by bit. As vertices move on, boxes overlap more and rays get slower: [Mesh.Cost] shows when
// to rebuild.
//
// Refit does not change m, so other goroutines may query m meanwhile and never see a half-finished
// refit. The memory of dst is reused. A game that deforms a mesh each frame therefore needs two
// meshes and then allocates nothing: refit the one in use into the other, swap them, and pass the
// new one to whatever holds the mesh, such as a collider. While Refit runs, no goroutine may query
// dst or use slices its methods returned. The tables of [Mesh.EdgeConvexity] and
// [Mesh.AdjacentVertices] are rebuilt on their next use. The first dst may be a zero Mesh.
//
// The error names the vertex at fault, if one is NaN or infinite, or reports a wrong number of
// vertices; dst is then unchanged. The mesh of a [Field] has no refit. Panics if dst is m or nil.
func (m *Mesh) Refit(dst *Mesh, vertices []geom.Vec3) error {
	switch dst {
	case m:
		panic("mesh: Mesh.Refit: into the mesh itself")
	case nil:
		panic("mesh: Mesh.Refit: into a nil mesh")
	}
	if m.grid != nil {
		return errors.New("mesh: Mesh.Refit: the mesh is that of a Field, which can be edited")
	}
	if len(vertices) != len(m.vertices) {
		return fmt.Errorf("mesh: Mesh.Refit: %d vertices, should be %d", len(vertices), len(m.vertices))
	}
	if err := checkVertices(vertices); err != nil {
		return fmt.Errorf("mesh: Mesh.Refit: %w", err)
	}
	dst.vertices = append(dst.vertices[:0], vertices...)
	dst.indices, dst.grid = m.indices, nil
	dst.builtCost = m.BuiltCost()
	dst.edges.forget()
	m.tree.Refit(&dst.tree, dst.vertices, &m.indices)
	return nil
}

// Cost returns the expected work of a ray through the mesh's bounds by the surface-area heuristic
// (Goldsmith and Salmon 1987), in node visits; 0 for the zero Mesh. It traverses the whole tree, in
// a few hundredths of the time of a refit.
//
// Compare it with [Mesh.BuiltCost]: rebuild when it has grown by half. By then rays through a torus
// that is being twisted take about 1.3 times as long as through a rebuilt one, and 1.6 times when
// the cost has tripled (BenchmarkRefittedRays); for a twisted or bent scan it is up to 1.4 and 1.9.
// The cost is relative to the mesh's own bounds, so costs of different meshes are not comparable.
func (m *Mesh) Cost() float64 {
	if m.grid != nil {
		return m.grid.Cost()
	}
	return m.tree.Cost()
}

// BuiltCost returns the [Mesh.Cost] at the time the tree was built, which [Mesh.Refit] passes on.
func (m *Mesh) BuiltCost() float64 {
	if m.builtCost == 0 {
		return m.Cost()
	}
	return m.builtCost
}
