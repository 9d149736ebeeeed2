package meshio_test

import (
	"fmt"
	"strings"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

func ExampleReadFile() {
	model, err := meshio.ReadFile("testdata/cube.glb")
	if err != nil {
		fmt.Println(err)
		return
	}
	mesh, err := model.Mesh()
	if err != nil {
		fmt.Println(err)
		return
	}
	hit, ok := mesh.CastRay(geom.NewRay(geom.V(0.2, 5, 0.3), geom.V(0, -1, 0)), geom.CullBack)
	fmt.Println(mesh.NumTriangles(), "triangles; hit:", ok, "at", hit.Point)
	// Output: 12 triangles; hit: true at (0.2, 1, 0.3)
}

// An error has the line of the damage.
func ExampleDecodeOBJ_damaged() {
	_, err := meshio.DecodeOBJ(strings.NewReader("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n"))
	fmt.Println(err)
	// Output: meshio: line 4: corner "4": vertex 4 is out of range, there are 3 so far
}

// Normals computed from triangles. With a crease of 0.5 radians a cube keeps its sharp edges.
func ExamplePart_Smooth() {
	model, err := meshio.ReadFile("testdata/cube.obj")
	if err != nil {
		fmt.Println(err)
		return
	}
	part := model.Parts[0]
	sharp := part.Smooth(0.5)
	fmt.Println(len(part.Vertices), "vertices become", len(sharp.Vertices))
	fmt.Println(sharp.Vertices[0], "faces", sharp.Normals[0])
	// Output:
	// 8 vertices become 24
	// (-1, -1, -1) faces (0, 0, -1)
}
