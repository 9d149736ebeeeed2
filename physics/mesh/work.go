package mesh

import "github.com/hitscan-go/hitscan/physics/geom"

// Work tells how much of a mesh's tree a cast looked at. It depends on the tree, and so may change
// between releases; within one it is the same on every machine.
type Work struct {
	Nodes     int // nodes that were opened, to see which of the boxes in them the ray crosses
	Leaves    int // leaves that were looked into
	Triangles int // triangles in those leaves, each of which was tested
}

// CastRayWork is [Mesh.CastRay], and reports what it took. It is slower, and meant for statistics
// and for drawing: a ray with much work goes along a surface, or through a part of the mesh where
// triangles are long, thin or many.
//
// The closest hit can only be told if every node is opened that the ray enters no later than at the
// hit's T; more are opened only before that T is known. A ray that misses the bounds opens the root
// alone. One that is zero, NaN or infinite does no work at all.
func (m *Mesh) CastRayWork(r geom.Ray, cull geom.Cull) (hit geom.Hit, ok bool, work Work) {
	w, ok := m.tree.CastRayWork(&hit, &r, cull)
	return hit, ok, Work(w)
}
