package physics_test

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Why is the crate not hit? The ray misses one sphere, and its filter excludes the pane of glass,
// but another sphere is in the way.
func ExampleSpace_Explain() {
	const glass physics.Layers = 2
	space := physics.NewSpace()
	space.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(2, 2, 0.125)}, Transform: geom.At(0, 0, -5), Layer: glass})
	space.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(0, 0, -8)})
	space.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(0.9, 0.9, -3)})
	crate := space.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(1, 1, 1)}, Transform: geom.At(0, 0, -15)})

	ray := geom.NewRay(geom.V(0, 0, 0), geom.V(0, 0, -1))
	why := space.Explain(ray, physics.Filter{Mask: physics.DefaultLayer})
	fmt.Print(why)

	for _, c := range why.Colliders {
		if c.Collider == crate {
			fmt.Println("the crate:", c.Verdict)
		}
	}
	// Output:
	// ray (0, 0, 0) → (0, 0, -1) [0, +Inf]
	// hits collider 1.1 at T 7, (0, 0, -7)
	// nodes: 1 visited
	// colliders: 1 box behind what was hit, 1 rejected, 1 missed, 1 closest
	// collider 2.1: missed
	// collider 0.1: rejected by Mask
	// collider 1.1: closest, at T 7
	// the crate: box behind what was hit
}
