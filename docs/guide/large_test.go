package guide

import (
	"fmt"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

func Example_large() {
	world := ecs.NewWorld()
	things := generic.NewMap3[physecs.Transform, physecs.Collider, physecs.WorldPosition](&world)
	far := geom.DVec3{X: 100_000, Y: 0.001} // metres, in double precision
	things.NewWith(new(physecs.Transform), new(physecs.Sphere(0.5)), new(physecs.WorldPosition(far)))
	physecs.Rebase(&world, geom.DVec3{X: 100_000}) // a RebaseSystem does it as the camera moves
	hit, _ := physecs.Sync(&world).CastRay(geom.NewRay(geom.V(0, 5, 0), geom.V(0, -1, 0)), physecs.Filter{})
	fmt.Println(hit.Point)
	// Output: (0, 0.501, 0)
}

func Example_rollback() {
	world := ecs.NewWorld()
	sim := physecs.Simulation{Headless: true} // as on a server
	sim.Initialize(&world)
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	things.NewWith(new(geom.At(0, 0, 0)), new(physecs.Plane(geom.V(0, 1, 0), 0)))
	crates := generic.NewMap3[physecs.Transform, physecs.Collider, physecs.Body](&world)
	crate := crates.NewWith(new(geom.At(0, 3, 0)), new(physecs.Box(geom.V(0.5, 0.5, 0.5))), &physecs.Body{})
	dynamics := physecs.Resource[physecs.Dynamics](&world)
	run := func(steps int) geom.Transform {
		for range steps {
			sim.Update(&world)
		}
		at, _, _ := crates.Get(crate)
		return *at
	}
	run(30)
	var state physecs.DynamicsState
	dynamics.Save(&world, &state)
	first := run(60)
	dynamics.Restore(&world, &state)
	fmt.Println("the same bits:", run(60) == first)
	// Output: the same bits: true
}

func Example_meshes() {
	world := ecs.NewWorld()
	sim := physecs.Simulation{}
	sim.Initialize(&world)
	ramp, err := mesh.New([]geom.Vec3{{X: -5, Z: 5}, {X: 5, Z: 5}, {X: 5, Y: 2, Z: -5}, {X: -5, Y: 2, Z: -5}}, []uint32{0, 1, 2, 0, 2, 3})
	if err != nil { // names the triangle at fault
		panic(err)
	}
	id := physecs.Resource[physecs.Meshes](&world).Add(ramp) // or of meshio.ReadFile("level.glb")
	things := generic.NewMap3[physecs.Transform, physecs.Collider, physecs.Static](&world)
	things.NewWith(new(geom.At(0, 0, 0)), new(physecs.Mesh(id)), &physecs.Static{})
	hit, _ := physecs.Sync(&world).CastRay(geom.NewRay(geom.V(1, 9, 0), geom.V(0, -1, 0)), physecs.Filter{})
	fmt.Println(hit.Point, "triangle", hit.Triangle)
	// Output: (1, 1, 0) triangle 0
}

func Example_performance() {
	world := ecs.NewWorld()
	things := generic.NewMap3[physecs.Transform, physecs.Collider, physecs.Static](&world)
	for i := range 10_000 {
		things.NewWith(new(geom.At(float32(i%100)*2, 0, float32(i/100)*2)), new(physecs.Sphere(0.5)), &physecs.Static{})
	}
	space := physecs.Sync(&world)
	rays := make([]geom.Ray, 1000)
	for i := range rays {
		rays[i] = geom.NewRay(geom.V(float32(i%100)*2, 9, 2), geom.V(0, -1, 0))
	}
	var hits []physecs.Hit
	// On all processors, into memory that is used again.
	hits = space.CastRays(hits[:0], rays, physecs.Filter{})
	fmt.Println(len(hits), hits[7].T)
	// Output: 1000 8.5
}

func Example_nothing() {
	world := ecs.NewWorld()
	sim := physecs.Simulation{}
	sim.Initialize(&world)
	things := generic.NewMap3[physecs.Transform, physecs.Collider, physecs.Mover](&world)
	things.NewWith(new(geom.At(0, 0, 0)), new(physecs.Sphere(-1)), &physecs.Mover{})
	sim.Update(&world)
	for _, problem := range physecs.Check(&world) {
		fmt.Println(problem)
	}
	ray := geom.NewRay(geom.V(0, 0, 5), geom.V(0, 0, -1))
	explanation := physecs.Resource[physecs.Space](&world).Explain(ray, physecs.Filter{})
	fmt.Println(explanation.Colliders[0].Verdict)
	// Output:
	// View: it was never set: the pointer hovers nothing
	// entity 1: Collider: no query finds it: shape or transform empty or not finite
	// entity 1: Mover: no MoverState: it does not move
	// nowhere
}
