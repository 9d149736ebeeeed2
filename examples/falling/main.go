// Falling drops five crates onto the ground of an Arche world, pushes the top one off, and prints
// where they come to rest. It needs no window.
package main

import (
	"fmt"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
)

func main() {
	world := ecs.NewWorld()
	dynamics := physecs.DynamicsSystem{} // run it before a SyncSystem
	dynamics.Initialize(&world)
	bodies := ecs.GetResource[physecs.Dynamics](&world)

	ground := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	ground.NewWith(new(geom.At(0, 0, 0)), new(physecs.Plane(geom.V(0, 1, 0), 0)))
	crates := generic.NewMap3[physecs.Transform, physecs.Collider, physecs.Body](&world)
	var tower []ecs.Entity
	for i := range 5 { // of 1,000 kg
		place := geom.At(0, 1+1.5*float32(i), 0)
		tower = append(tower, crates.NewWith(&place, new(physecs.Box(geom.V(0.5, 0.5, 0.5))), &physecs.Body{}))
	}

	for tick := range 300 { // five seconds
		if tick == 120 {
			bodies.ApplyImpulse(tower[4], geom.V(6000, 0, 0)) // 6 m/s
		}
		dynamics.Update(&world)
		for _, hit := range bodies.Hits {
			fmt.Printf("%.2f s: an impact at %.1f m/s\n", float32(tick)/60, hit.Speed)
		}
	}
	for i, crate := range tower {
		at, _, _ := crates.Get(crate)
		fmt.Printf("crate %d is at %.2f %.2f %.2f, awake: %t\n", i, at.Position.X, at.Position.Y, at.Position.Z, bodies.IsAwake(crate))
	}
	for _, problem := range physecs.Check(&world) {
		fmt.Println(problem)
	}
}
