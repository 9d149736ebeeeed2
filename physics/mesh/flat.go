package mesh

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Of returns the mesh of an engine's buffers: positions holds X, Y and Z of each vertex, in the
// mesh's own space, and indices three vertices for each triangle, counter-clockwise seen from its
// front. Without indices (nil or empty) each three vertices are a triangle; write
// Of[uint32](positions, nil). It copies both slices.
//
// What is in C's memory, such as the Mesh of raylib, is a slice by unsafe.Slice. The error is that
// of [New], or of a number of positions that is no multiple of three.
func Of[I uint16 | uint32](positions []float32, indices []I) (*Mesh, error) {
	if n := len(positions); n%3 != 0 {
		return nil, fmt.Errorf("mesh: Of: %d positions: vertex %d has only %d", n, n/3, n%3)
	}
	vertices := make([]geom.Vec3, len(positions)/3)
	for i := range vertices {
		vertices[i] = geom.VecOf([3]float32(positions[3*i:]))
	}
	var list []uint32
	if len(indices) == 0 {
		list = make([]uint32, len(vertices))
		for i := range list {
			list[i] = uint32(i)
		}
	} else {
		list = make([]uint32, len(indices))
		for i, index := range indices {
			list[i] = uint32(index)
		}
	}
	if err := check(vertices, list); err != nil {
		return nil, fmt.Errorf("mesh: Of: %w", err)
	}
	return build(vertices, list), nil
}
