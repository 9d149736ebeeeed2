package hull

import (
	"fmt"
	"slices"
)

// validate checks the invariants of a Hull and returns an error that names the first violation:
//
//   - each edge joins two faces, which run along it in opposite directions;
//   - vertices, edges and faces form one closed surface (Euler's formula);
//   - faces are flat and convex, and no vertex is outside of one, within the hull's tolerance;
//   - each vertex has neighbours.
//
// New returns no hull that violates one.
func (h *Hull) validate() error {
	if h.IsEmpty() {
		return nil
	}
	v, e, f := h.NumVertices(), h.NumEdges(), h.NumFaces()
	if v-e+f != 2 {
		return fmt.Errorf("%d vertices − %d edges + %d faces is not 2", v, e, f)
	}
	used := make([]int, e)
	for i := range h.planes {
		if err := h.validateFace(i, used); err != nil {
			return fmt.Errorf("face %d: %w", i, err)
		}
	}
	for i, n := range used {
		if edge := h.edges[i]; n != 2 || edge.Left == edge.Right {
			return fmt.Errorf("edge %d, %v: in %d faces", i, edge, n)
		}
	}
	for i := range h.vertices {
		if len(h.neighbors(i)) < 3 {
			return fmt.Errorf("vertex %d has %d neighbours", i, len(h.neighbors(i)))
		}
		for _, e := range h.EdgesAround(i) {
			if int(h.edges[e].A) != i && int(h.edges[e].B) != i {
				return fmt.Errorf("edge %d, %v, does not end at vertex %d", e, h.edges[e], i)
			}
		}
		for _, f := range h.FacesAround(i) {
			if !slices.Contains(h.Face(int(f)), uint16(i)) {
				return fmt.Errorf("vertex %d is not in face %d", i, f)
			}
		}
	}
	if !(h.volume > 0) {
		return fmt.Errorf("the volume is %g", h.volume)
	}
	return nil
}

func (h *Hull) validateFace(i int, used []int) error {
	corners, sides := h.Face(i), h.FaceEdges(i)
	if len(corners) < 3 || len(sides) != len(corners) {
		return fmt.Errorf("%d corners, %d edges", len(corners), len(sides))
	}
	n, d := h.Plane(i)
	if l := n.Len(); !(l > 1-1e-12 && l < 1+1e-12) {
		return fmt.Errorf("the normal has length %g", l)
	}
	// Corners are within the tolerance of a triangle's plane, and the face's own is one through all
	// of them.
	slack := 4 * h.tolerance
	for k, v := range corners {
		if gap := d - n.Dot(h.wide[v]); !(gap >= -1e-3*slack && gap <= slack) {
			return fmt.Errorf("vertex %d is %g behind", v, gap)
		}
		next, after := h.wide[corners[(k+1)%len(corners)]], h.wide[corners[(k+2)%len(corners)]]
		along := next.Sub(h.wide[v])
		if turn := along.Cross(after.Sub(next)).Dot(n); !(turn >= -slack*along.Len()) {
			return fmt.Errorf("not convex at vertex %d", corners[(k+1)%len(corners)])
		}
		edge := h.edges[sides[k]]
		used[sides[k]]++
		w := corners[(k+1)%len(corners)]
		if forth := (edge == Edge{v, w, uint16(i), edge.Right}); !forth && (edge != Edge{w, v, edge.Left, uint16(i)}) {
			return fmt.Errorf("edge %d is %v", sides[k], edge)
		}
	}
	for v := range h.wide {
		if gap := n.Dot(h.wide[v]) - d; gap > 1e-3*slack {
			return fmt.Errorf("vertex %d is %g in front", v, gap)
		}
	}
	return nil
}
