package mesh

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Refit makes dst the mesh of m's triangles over vertices that have moved, as many as m has and in
// the same order. Triangles keep their place in the tree, and only boxes and leaves are made anew,
// on the caller's goroutine, in about a tenth of the time that [New] takes. The answers are those
// of a mesh made by New, bit by bit. As the vertices move on, boxes overlap more and rays get
// slower: [Mesh.Cost] says when to build again.
//
// Nothing of m changes, so that others may query it meanwhile, and nobody ever sees half a refit.
// The memory of dst is used again, so that a game that deforms a mesh each frame needs two and then
// allocates nothing: refit the one that is seen into the other, then show that, and tell whoever
// keeps the mesh, as a collider does. Nobody may query dst while Refit runs, or hold what its
// methods returned. What [Mesh.Bends] and [Mesh.Across] need is made anew when it is next asked
// for. The zero Mesh is good for a first dst.
//
// The error names the vertex at fault, if one is NaN or infinite, or says that there are too many
// or too few; dst is then as before. Panics if dst is m.
func (m *Mesh) Refit(dst *Mesh, vertices []geom.Vec3) error {
	if dst == m {
		panic("mesh: Mesh.Refit: into the mesh itself")
	}
	if len(vertices) != len(m.vertices) {
		return fmt.Errorf("mesh: Mesh.Refit: %d vertices, should be %d", len(vertices), len(m.vertices))
	}
	if err := checkVertices(vertices); err != nil {
		return fmt.Errorf("mesh: Mesh.Refit: %w", err)
	}
	dst.vertices = append(dst.vertices[:0], vertices...)
	dst.indices = m.indices
	dst.builtCost = m.BuiltCost()
	dst.edges.forget()
	m.tree.Refit(&dst.tree, dst.vertices, &m.indices)
	return nil
}

// Cost returns how much work a ray through the mesh's bounds is by the surface-area heuristic
// (Goldsmith and Salmon 1987), in visits of a node of the tree; 0 for the zero Mesh. It looks at
// the whole tree, in a few hundredths of the time of a refit.
//
// Compare it with [Mesh.BuiltCost]: when it has grown by half, build again. By then rays through a
// torus that is being twisted take about 1.3 times as long as through one built anew, and 1.6 times
// when the cost is threefold (BenchmarkRefittedRays); for a twisted or bent scan it is up to 1.4
// and 1.9. As it counts for a ray at the bounds, compare no meshes with each other.
func (m *Mesh) Cost() float64 { return m.tree.Cost() }

// BuiltCost returns what [Mesh.Cost] was when the tree was built, which [Mesh.Refit] hands on.
func (m *Mesh) BuiltCost() float64 {
	if m.builtCost == 0 {
		return m.Cost()
	}
	return m.builtCost
}
