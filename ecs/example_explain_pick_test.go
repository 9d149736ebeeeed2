package physecs_test

import (
	"fmt"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Why a click selects the fourth of some spheres: the pointer ignores the first, sees what is
// behind the second, and the third is a trigger.
func ExampleExplainPick() {
	world := ecs.NewWorld()
	var sim physecs.Simulation
	sim.Initialize(&world)
	things := generic.NewMap3[physecs.Transform, physecs.Collider, physecs.Pickable](&world)
	for i, how := range []physecs.Pickable{{Mode: physecs.PickIgnore}, {Mode: physecs.PickThrough}, {}, {}, {}} {
		at, sphere := geom.At(0, 0, -5*float32(i+1)), physecs.Sphere(1)
		sphere.Sensor = i == 2
		things.NewWith(&at, &sphere, &how)
	}
	sim.Update(&world)

	ray := geom.NewRay(geom.V(0, 0, 0), geom.V(0, 0, -1)) // in a game: that of Hover
	fmt.Print(physecs.ExplainPick(&world, ray, sim.Raycast.Filter))
	// Output:
	// ray (0, 0, 0) → (0, 0, -1) [0, +Inf]
	// hits entity 2 at T 9, (0, 0, -9)
	// nodes: 1 visited
	// colliders: 1 box behind what was hit, 2 rejected, 1 hit, but farther, 1 closest
	// entity 1: rejected by Pickable
	// entity 2: closest, at T 9
	// entity 3: rejected by Sensors
	// entity 4: hit, but farther, at T 19
	// the pointer meets entity 2: hovered, and lets through
	// the pointer meets entity 4: hovered
}
