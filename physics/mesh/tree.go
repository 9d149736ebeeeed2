package mesh

import (
	"fmt"
	"iter"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// Node is one box of the tree, for drawing and for statistics.
type Node struct {
	Bounds geom.AABB // of all triangles below, in the mesh's space
	Level  int       // 0 for the root
	Leaf   bool      // has triangles rather than child nodes
	// In a leaf; with High a triangle may be in several leaves. 0 in inner nodes.
	Triangles int
}

// Nodes returns all boxes of the tree, each before its children. The layout of the tree may change
// between releases.
func (m *Mesh) Nodes() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		each := func(n wide.Node) bool { return yield(Node(n)) }
		if m.grid != nil {
			m.grid.Nodes(each)
		} else {
			m.tree.Nodes(each)
		}
	}
}

// Validate returns an error if an invariant of the tree is broken: each triangle is in one leaf,
// unchanged, or in several that cover it together; each box is the smallest around its content; no
// path is deeper than the stack of a traversal. A mesh made by [New], [Build] or [Mesh.Refit] is
// always valid; Validate is for tests and for files from strangers.
func (m *Mesh) Validate() error {
	var err error
	if m.grid != nil {
		err = m.grid.Validate()
	} else {
		err = m.tree.Validate(m.NumTriangles(), m.Triangle)
	}
	if err != nil {
		return fmt.Errorf("mesh: Validate: %w", err)
	}
	return nil
}

var inf32 = float32(math.Inf(1))
