package mesh_test

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// A terrain of 1 km, in which a crater is made while others still cast at the old one. A collider's
// Shape is such a mesh, and so is what a MeshID stands for.
func ExampleField() {
	const side = 1001
	field, err := mesh.NewField(mesh.FieldOptions{
		Columns: side, Rows: side, CellX: 1, CellZ: 1,
		StartX: -500, StartZ: -500, Low: -100, High: 300, // two bytes a height
	}, make([]float32, side*side))
	if err != nil {
		fmt.Println(err)
		return
	}
	before := field.Mesh()
	// Two rows of two.
	if err := field.SetHeights(500, 500, 2, []float32{-3, -3, -3, -3}); err != nil {
		fmt.Println(err)
		return
	}
	after := field.Mesh()
	down := geom.NewRay(geom.V(0.5, 100, 0.5), geom.V(0, -1, 0))
	for _, m := range []*mesh.Mesh{before, after} {
		hit, _ := m.CastRay(down, geom.CullBack)
		fmt.Printf("%.2f m, ", hit.Point.Y)
	}
	fmt.Printf("within %.3f m", field.Precision())
	// Output: 0.00 m, -3.00 m, within 0.003 m
}
