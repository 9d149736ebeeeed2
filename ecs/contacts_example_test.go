package physecs_test

import (
	"fmt"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A door that opens while somebody stands in front of it.
func ExampleContactSystem() {
	world := ecs.NewWorld()
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	transforms := generic.NewMap[physecs.Transform](&world)

	mat := physecs.AABB(geom.V(1, 1, 1))
	mat.Sensor = true
	door := things.NewWith(new(geom.At(0, 1, 0)), &mat)
	capsule := physecs.Capsule(0.5, 0.3)
	anna := things.NewWith(new(geom.At(-3, 0.8, 0)), &capsule)
	bert := things.NewWith(new(geom.At(-5, 0.8, 0.7)), &capsule)

	var sync physecs.SyncSystem
	contacts := physecs.ContactSystem{Margin: 0.01}
	sync.Initialize(&world)
	contacts.Initialize(&world)
	open := false
	for tick := range 9 {
		transforms.Get(anna).Position.X++
		transforms.Get(bert).Position.X++
		sync.Update(&world)
		contacts.Update(&world)

		before := 0
		for range ecs.GetResource[physecs.Contacts](&world).Of(door) {
			before++
		}
		if open != (before > 0) {
			open = !open
			fmt.Printf("tick %d: open %v, %d before the door\n", tick, open, before)
		}
	}
	// Output:
	// tick 1: open true, 1 before the door
	// tick 6: open false, 0 before the door
}
