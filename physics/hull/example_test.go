package hull_test

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

func ExampleNew() {
	// A roof: four corners on the ground, the ridge, and a point within that changes nothing.
	roof, err := hull.New([]geom.Vec3{
		{X: -2, Z: -1}, {X: 2, Z: -1}, {X: 2, Z: 1}, {X: -2, Z: 1}, {X: -2, Y: 1}, {X: 2, Y: 1}, {Y: 0.5},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(roof.NumVertices(), "vertices,", roof.NumFaces(), "faces, volume", roof.Volume())
	hit, ok := roof.CastRay(geom.NewRay(geom.V(0, 5, 0.5), geom.V(0, -1, 0)), geom.Solid)
	fmt.Println(ok, hit.Point)

	_, err = hull.New([]geom.Vec3{{}, {X: 1}, {Z: 1}, {X: 1, Z: 1}})
	fmt.Println(err)
	// Output:
	// 6 vertices, 5 faces, volume 4
	// true (0, 0.5, 0.5)
	// hull: New: 4 points, all within 0 of one plane: no volume
}
