package physics_test

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

func ExampleSpace_OverlapFrustum() {
	space := physics.NewSpace()
	for x := range 5 {
		space.Add(physics.Collider{Shape: geom.Sphere{Radius: 0.75}, Transform: geom.At(float32(2*x), 0, 0), User: uint64(x)})
	}
	// What a camera sees comes from a view of package picking, or any six half-spaces: here x from
	// 1.5 to 6.5.
	frustum := geom.Frustum{
		{Normal: geom.DVec3{X: 1}, D: 1.5}, {Normal: geom.DVec3{X: -1}, D: -6.5},
		{Normal: geom.DVec3{Y: 1}, D: -9}, {Normal: geom.DVec3{Y: -1}, D: -9},
		{Normal: geom.DVec3{Z: 1}, D: -9}, {Normal: geom.DVec3{Z: -1}, D: -9},
	}
	show := func(what string, ids []physics.ColliderID) {
		fmt.Print(what)
		for _, id := range ids {
			c, _ := space.Collider(id)
			fmt.Print(" ", c.User)
		}
		fmt.Println()
	}
	show("touched:", space.OverlapFrustum(nil, &frustum, physics.Filter{}))
	show("enclosed:", space.ContainedInFrustum(nil, &frustum, physics.Filter{}))
	// Output:
	// touched: 1 2 3
	// enclosed: 2
}
