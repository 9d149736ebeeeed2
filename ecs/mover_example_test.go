package physecs_test

import (
	"fmt"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A capsule walks over a floor and stops at a crate.
func ExampleMoverSystem() {
	world := ecs.NewWorld()
	sync, movers := physecs.SyncSystem{}, physecs.MoverSystem{DT: 1. / 60}
	sync.Initialize(&world)
	movers.Initialize(&world)

	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	origin, floor := physecs.Transform{}, physecs.Plane(geom.V(0, 1, 0), 0)
	things.NewWith(&origin, &floor)
	place, box := geom.At(3, 0.5, 0), physecs.Box(geom.V(0.5, 0.5, 0.5))
	crate := things.NewWith(&place, &box)

	walkers := generic.NewMap4[physecs.Transform, physecs.Collider, physecs.Mover, physecs.MoverState](&world)
	start, capsule := geom.At(0, 0.92, 0), physecs.Capsule(0.6, 0.3)
	walker := walkers.NewWith(&start, &capsule, &physecs.Mover{Velocity: geom.V(4, 0, 0)}, &physecs.MoverState{})

	for range 60 {
		sync.Update(&world)
		movers.Update(&world)
	}
	transform, _, _, state := walkers.Get(walker)
	fmt.Printf("x %.2f, %v\n", transform.Position.X, state.Ground)
	for _, hit := range ecs.GetResource[physecs.MoverHits](&world).List {
		fmt.Println("stopped by the crate:", hit.Entity == crate, hit.Normal)
	}
	// Output:
	// x 2.18, on the ground
	// stopped by the crate: true (-1, 0, 0)
}
