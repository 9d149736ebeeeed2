// Quickstart casts rays at two entities of an Arche world and prints the hits. It needs no window.
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
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	crate := things.NewWith(new(geom.At(0, 0, -10)), new(physecs.Box(geom.V(1, 1, 1)))) // 2 m wide
	ball := things.NewWith(new(geom.At(0, 2, -5)), new(physecs.Sphere(0.5)))
	names := map[ecs.Entity]string{crate: "crate", ball: "ball"}

	// Queries see what was changed before Sync, which a SyncSystem calls every tick.
	space := physecs.Sync(&world)

	for _, height := range []float32{0, 2, 4} {
		ray := geom.NewRay(geom.V(0, height, 0), geom.V(0, 0, -1))
		if hit, ok := space.CastRay(ray, physecs.Filter{}); ok {
			fmt.Printf("%v hits the %s at %g m: point %v, normal %v\n", ray.Origin, names[hit.Entity], hit.T, hit.Point, hit.Normal)
		} else {
			fmt.Printf("%v hits nothing\n", ray.Origin)
		}
	}
	for _, problem := range physecs.Check(&world) { // what does nothing, in words: here nothing
		fmt.Println(problem)
	}
}
