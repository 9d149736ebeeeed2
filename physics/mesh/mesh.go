package mesh

import (
	"errors"
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// MaxTriangles is the largest number of triangles a [Mesh] can hold: 2²⁷, 134 million, limited by
// the 29 bits with which the tree numbers its nodes and leaves.
const MaxTriangles = wide.MaxTriangles

// ErrEmpty is wrapped by the error of [New] if there is no triangle.
var ErrEmpty = errors.New("no triangles")

// Mesh is an immutable triangle surface with a tree for queries. Make one with [New] or [Build], or
// from another one with [Mesh.Refit]. The zero Mesh has no triangles, and no query finds anything
// in it.
type Mesh struct {
	vertices []geom.Vec3
	indices  indices
	tree     wide.Tree
	grid     *wide.Grid // of a height field, in place of all above
	stout    bool       // no triangle of the grid is degenerate

	builtCost float64 // Cost when the tree was built, of a mesh that was refitted; else 0
	edges     edges
}

// New returns the mesh whose triangle i has the corners vertices[indices[3i]],
// vertices[indices[3i+1]] and vertices[indices[3i+2]], counter-clockwise seen from its front. It
// copies both slices.
//
// Triangles may be degenerate, duplicated or intersecting, and vertices may be unused. The error
// names the triangle or the vertex at fault: an index out of range, a coordinate that is NaN or
// infinite, a number of indices that is no multiple of three, more than [MaxTriangles]. It wraps
// [ErrEmpty] if there is no triangle.
func New(vertices []geom.Vec3, indices []uint32) (*Mesh, error) {
	if err := check(vertices, indices); err != nil {
		return nil, fmt.Errorf("mesh: New: %w", err)
	}
	return build(append([]geom.Vec3(nil), vertices...), indices), nil
}

// build returns the mesh of triangles that check has accepted. It keeps the vertices.
func build(vertices []geom.Vec3, indices []uint32) *Mesh {
	return &Mesh{vertices: vertices, indices: pack(indices), tree: wide.Build(vertices, indices, 0)}
}

func check(vertices []geom.Vec3, indices []uint32) error {
	switch {
	case len(indices) == 0:
		return ErrEmpty
	case len(indices)%3 != 0:
		return fmt.Errorf("%d indices: triangle %d has only %d", len(indices), len(indices)/3, len(indices)%3)
	case len(indices)/3 > MaxTriangles:
		return fmt.Errorf("%d triangles: at most %d can be held", len(indices)/3, MaxTriangles)
	}
	if err := checkVertices(vertices); err != nil {
		return err
	}
	for i, index := range indices {
		if uint64(index) >= uint64(len(vertices)) {
			return fmt.Errorf("triangle %d: index %d out of range (%d vertices)", i/3, index, len(vertices))
		}
	}
	return nil
}

func checkVertices(vertices []geom.Vec3) error {
	for i, v := range vertices {
		if !v.IsFinite() {
			return fmt.Errorf("vertex %d: %v is not finite", i, v)
		}
	}
	return nil
}

// Bounds returns the smallest box around all triangles; empty for the zero Mesh.
func (m *Mesh) Bounds() geom.AABB {
	if m.grid != nil {
		return m.grid.Bounds()
	}
	return m.tree.Bounds()
}

// NumTriangles returns the number of triangles.
func (m *Mesh) NumTriangles() int {
	if m.grid != nil {
		return m.grid.NumTriangles()
	}
	return m.indices.triangles
}

// Triangle returns the triangle i. Panics if there is no such triangle.
func (m *Mesh) Triangle(i int) geom.Triangle {
	if uint(i) >= uint(m.indices.triangles) { // never those of a grid, so that others pay nothing
		m.mustHave("Triangle", i)
		return m.grid.Triangle(i)
	}
	a, b, c := m.indices.Corners(i)
	return geom.Triangle{A: m.vertices[a], B: m.vertices[b], C: m.vertices[c]}
}

func (m *Mesh) mustHave(caller string, triangle int) {
	if triangle < 0 || triangle >= m.NumTriangles() {
		panic(fmt.Sprintf("mesh: Mesh.%s: no triangle %d of %d", caller, triangle, m.NumTriangles()))
	}
}

// Vertices returns the vertices of the mesh itself, which must not be changed; those of a [Field]
// in a new slice.
func (m *Mesh) Vertices() []geom.Vec3 {
	if m.grid != nil {
		return m.grid.Vertices()
	}
	return m.vertices
}

// Indices returns the indices, three per triangle, in a new slice: the mesh stores them compressed.
// Those of a triangle in a hole of a [Field] are equal.
func (m *Mesh) Indices() []uint32 {
	if m.grid != nil {
		return m.grid.Indices()
	}
	return m.indices.list()
}
