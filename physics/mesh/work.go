package mesh

import (
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// Work counts the parts of a mesh's tree that a cast visits. It depends on the tree, and so may
// change between releases; within one release it is the same on every machine.
type Work struct {
	Nodes     int // nodes whose child boxes were tested
	Leaves    int // leaves whose triangles were tested
	Triangles int // triangles in those leaves
}

// CastRayWork is [Mesh.CastRay] and counts the work. It is slower, and meant for statistics and for
// drawing: a ray with much work runs along a surface, or through a part of the mesh with long, thin
// or many triangles.
//
// Every node that the ray enters no later than at the hit's T must be opened to find the closest
// hit; others are opened only before that T is found. A ray that misses the bounds opens the root
// alone. A zero, NaN or infinite ray does no work.
func (m *Mesh) CastRayWork(r geom.Ray, cull geom.Cull) (hit geom.Hit, ok bool, work Work) {
	var w wide.Work
	if m.grid != nil {
		w, ok = m.grid.CastRayWork(&hit, &r, cull)
	} else {
		w, ok = m.tree.CastRayWork(&hit, &r, cull)
	}
	return hit, ok, Work(w)
}
