package mesh

import (
	"fmt"
	"iter"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// Node is a box of the tree, for drawing and for statistics.
type Node struct {
	Bounds    geom.AABB // around all triangles below, in the mesh's space
	Level     int       // 0 for the root
	Leaf      bool      // holds triangles, not nodes
	Triangles int       // in a leaf, though at High they may be in others too; 0 in nodes
}

// Nodes returns all boxes of the tree, each before those within it. How they lie is free to change
// between releases.
func (m *Mesh) Nodes() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		m.tree.Nodes(func(n wide.Node) bool { return yield(Node(n)) })
	}
}

// Validate returns an error if the tree is not what queries rely on: each triangle is in one leaf,
// unchanged, or in several that hold the whole of it together; each box is the smallest around what
// is below; no way down is longer than a walk can remember. A mesh that [New], [Build] or
// [Mesh.Refit] made is always valid; this is for tests.
func (m *Mesh) Validate() error {
	if err := m.tree.Validate(m.NumTriangles(), m.Triangle); err != nil {
		return fmt.Errorf("mesh: Validate: %w", err)
	}
	return nil
}

var inf32 = float32(math.Inf(1))
