package physecs_test

import (
	"fmt"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Which colliders the ray passes, and where it ends.
func ExampleQueries_Explain() {
	world := ecs.NewWorld()
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	sphere := physecs.Sphere(1)
	for i := range 4 {
		at := geom.At(0, 0, -5*float32(i+1))
		e := things.NewWith(&at, &sphere)
		if i == 0 {
			world.Add(e, ecs.ComponentID[physecs.Unpickable](&world))
		}
	}
	space := physecs.Sync(&world)

	ray := geom.NewRay(geom.V(0, 0, 0), geom.V(0, 0, -1))
	unpickable := ecs.All(ecs.ComponentID[physecs.Unpickable](&world))
	fmt.Print(space.Explain(ray, physecs.Filter{Without: unpickable}))
	// Output:
	// ray (0, 0, 0) → (0, 0, -1) [0, +Inf]
	// hits entity 2 at T 9, (0, 0, -9)
	// nodes: 1 visited
	// colliders: 2 box behind what was hit, 1 rejected, 1 closest
	// entity 1: rejected by Without
	// entity 2: closest, at T 9
}
