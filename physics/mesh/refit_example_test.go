package mesh_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// A trampoline sinks a little further each frame. Two meshes alternate: one is drawn and queried
// while the other is refitted. When rays have become too slow the mesh is rebuilt.
func ExampleMesh_Refit() {
	seen, err := mesh.New(mesh.Plane(4, 4, 32, 32))
	if err != nil {
		fmt.Println(err)
		return
	}
	next := &mesh.Mesh{}
	vertices, indices := slices.Clone(seen.Vertices()), seen.Indices()
	for frame := range 4 {
		for i, v := range vertices {
			vertices[i].Y = (v.X*v.X + v.Z*v.Z - 8) * float32(frame) / 16
		}
		if err := seen.Refit(next, vertices); err != nil {
			fmt.Println(err)
			return
		}
		grown := next.Cost() / next.BuiltCost()
		if grown > 1.5 {
			next, err = mesh.Build(context.Background(), vertices, indices, mesh.BuildOptions{Quality: mesh.Fast})
			if err != nil {
				fmt.Println(err)
				return
			}
		}
		seen, next = next, seen
		hit, _ := seen.CastRay(geom.NewRay(geom.V(0, 9, 0), geom.V(0, -1, 0)), geom.CullNone)
		fmt.Printf("at %.2f m, built again: %v\n", hit.Point.Y, grown > 1.5)
	}
	// Output:
	// at 0.00 m, built again: false
	// at -0.50 m, built again: false
	// at -1.00 m, built again: true
	// at -1.50 m, built again: false
}
