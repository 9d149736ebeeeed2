package render

import (
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// triangleSource is a shape drawn as triangles: a mesh, a hull or a taper; the other fields are
// zero. It is the key of its geometry on the graphics card.
type triangleSource struct {
	mesh  *mesh.Mesh
	hull  *hull.Hull
	taper taper
}

func (f triangleSource) isTaper() bool { return f.taper != taper{} }

// bounds returns the bounding box in local space.
func (f triangleSource) bounds() geom.AABB {
	switch {
	case f.hull != nil:
		return f.hull.Bounds()
	case f.isTaper():
		return f.taper.bounds()
	}
	return f.mesh.Bounds()
}

// count returns the number of triangles.
func (f triangleSource) count() int {
	switch {
	case f.hull != nil:
		return 2*f.hull.NumVertices() - 4 // by Euler's formula
	case f.isTaper():
		_, indices := f.taper.triangles()
		return len(indices) / 3
	}
	return f.mesh.NumTriangles()
}

// triangles returns vertices and three indices for each triangle, counter-clockwise seen from
// outside. For a hull or a taper it allocates.
func (f triangleSource) triangles() (vertices []geom.Vec3, indices []uint32) {
	switch {
	case f.isTaper():
		return f.taper.triangles()
	case f.hull == nil:
		return f.mesh.Vertices(), f.mesh.Indices()
	}
	indices = make([]uint32, 0, 3*f.count())
	for i := range f.hull.NumFaces() {
		face := f.hull.Face(i)
		for k := 2; k < len(face); k++ {
			indices = append(indices, uint32(face[0]), uint32(face[k-1]), uint32(face[k]))
		}
	}
	return f.hull.Vertices(), indices
}

// geometry returns the lit triangles: a mesh smoothed except at creases, a hull with flat faces.
func (f triangleSource) geometry() (g geometry) {
	if f.hull == nil {
		vertices, indices := f.triangles()
		return meshGeometry(vertices, nil, nil, indices)
	}
	for i := range f.hull.NumFaces() {
		n, _ := f.hull.Plane(i)
		first := uint32(len(g.vertices))
		for k, v := range f.hull.Face(i) {
			g.vertices = append(g.vertices, vertex{offset: f.hull.Vertices()[v], normal: n.Narrow()})
			if at := first + uint32(k); k > 1 {
				g.indices = append(g.indices, first, at-1, at)
			}
		}
	}
	return g
}
