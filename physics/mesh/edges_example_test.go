package mesh_test

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

func ExampleMesh_EdgeConvexity() {
	// A step: down from a floor, and on. The last triangle is alone.
	m, err := mesh.New([]geom.Vec3{
		{X: -1}, {Z: 1}, {Z: -1}, {Y: -1}, {X: 1, Y: -1}, {X: 9}, {X: 9, Z: 1}, {X: 10},
	}, []uint32{0, 1, 2, 2, 1, 3, 5, 6, 7})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("over the edge of the step: %.3f, to vertex %d\n", m.EdgeConvexity(0)[1], m.AdjacentVertices(0)[1])
	fmt.Println("alone:", m.AdjacentVertices(2))
	// Output:
	// over the edge of the step: 1.000, to vertex 3
	// alone: [-1 -1 -1]
}
