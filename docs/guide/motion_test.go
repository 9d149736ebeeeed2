package guide

import (
	"fmt"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

func Example_contacts() {
	world := ecs.NewWorld()
	sim := physecs.Simulation{Contact: &physecs.ContactSystem{}}
	sim.Initialize(&world)
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	zone := physecs.Box(geom.V(1, 1, 1))
	zone.Sensor = true // it reports, and never blocks
	things.NewWith(new(geom.At(0, 0, 0)), &zone)
	guest := things.NewWith(new(geom.At(-2, 0, 0)), new(physecs.Sphere(0.5)))
	sim.AfterStep("zone", func(w *ecs.World) {
		contacts := physecs.Resource[physecs.Contacts](w)
		for range contacts.Began {
			fmt.Println("came in")
		}
		for range contacts.Ended {
			fmt.Println("went out")
		}
	})
	for range 5 {
		at, _ := things.Get(guest)
		at.Position.X++
		sim.Update(&world)
	}
	space := physecs.Resource[physecs.Space](&world)
	fmt.Println(len(space.OverlapSphere(nil, geom.Sphere{Radius: 9}, physecs.Filter{Sensors: true})), "within 9 m")
	// Output:
	// came in
	// went out
	// 2 within 9 m
}

func Example_joints() {
	world := ecs.NewWorld()
	sim := physecs.Simulation{}
	sim.Initialize(&world)
	ground := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	ground.NewWith(new(geom.At(0, 0, 0)), new(physecs.Plane(geom.V(0, 1, 0), 0)))
	bodies := generic.NewMap3[physecs.Transform, physecs.Collider, physecs.Body](&world)
	hook := bodies.NewWith(new(geom.At(0, 1.3, 0)), new(physecs.Sphere(0.3)), &physecs.Body{Mass: 50})
	crate := bodies.NewWith(new(geom.At(0, 0.5, 0)), new(physecs.Box(geom.V(0.5, 0.5, 0.5))), &physecs.Body{Mass: 200})
	dynamics := physecs.Resource[physecs.Dynamics](&world)
	joints := generic.NewMap1[physecs.Joint](&world)

	// A winch on the hook. The other side is the world, which is the zero Entity.
	winch := dynamics.JointAt(&world, rigid.SliderJoint, ecs.Entity{}, hook, geom.V(0, 1.3, 0), geom.V(0, 1, 0))
	winch.MotorSpeed, winch.MotorForce = 1, 10_000 // upward at 1 m/s, by at most 10 kN
	winch.Limited, winch.Lower, winch.Upper = true, 0, 2
	lift := joints.NewWith(&winch)
	grip := dynamics.JointAt(&world, rigid.FixedJoint, hook, crate, geom.V(0, 1, 0), geom.V(0, 1, 0))
	grip.BreakForce = 20_000 // newtons; what broke is in dynamics.Broken
	held := joints.NewWith(&grip)
	for range 180 {
		sim.Update(&world)
	}
	state, _ := dynamics.JointState(lift)
	fmt.Printf("lifted by %.1f m\n", state.Value)

	world.RemoveEntity(held) // lets go
	for range 120 {
		sim.Update(&world)
	}
	at, _, _ := bodies.Get(crate)
	fmt.Printf("the crate is at %.1f m\n", at.Position.Y)
	// Output:
	// lifted by 2.0 m
	// the crate is at 0.5 m
}

func Example_bodies() {
	world := ecs.NewWorld()
	sim := physecs.Simulation{}
	sim.Initialize(&world)
	ground := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	ground.NewWith(new(geom.At(0, 0, 0)), new(physecs.Plane(geom.V(0, 1, 0), 0)))
	crates := generic.NewMap3[physecs.Transform, physecs.Collider, physecs.Body](&world)
	crate := crates.NewWith(new(geom.At(0, 3, 0)), new(physecs.Box(geom.V(0.5, 0.5, 0.5))), &physecs.Body{Mass: 20})
	dynamics := physecs.Resource[physecs.Dynamics](&world)
	sim.AfterStep("impacts", func(w *ecs.World) {
		for _, hit := range dynamics.Hits {
			fmt.Printf("an impact at %.1f m/s\n", hit.Speed)
		}
	})
	for range 120 { // two seconds
		sim.Update(&world)
	}
	at, _, _ := crates.Get(crate)
	fmt.Printf("at %.2f m, awake: %t\n", at.Position.Y, dynamics.IsAwake(crate))
	fmt.Println("pushed:", dynamics.ApplyImpulse(crate, geom.V(100, 0, 0)))
	// Output:
	// an impact at 7.0 m/s
	// at 0.50 m, awake: false
	// pushed: true
}

func Example_characters() {
	world := ecs.NewWorld()
	sim := physecs.Simulation{}
	sim.Initialize(&world)
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	things.NewWith(new(geom.At(0, 0, 0)), new(physecs.Plane(geom.V(0, 1, 0), 0)))
	things.NewWith(new(geom.At(3, 1, 0)), new(physecs.Box(geom.V(0.5, 1, 2)))) // a wall
	walkers := generic.NewMap4[physecs.Transform, physecs.Collider, physecs.Mover, physecs.MoverState](&world)
	body := physecs.Capsule(0.6, 0.3)
	body.Center.Y = 0.9 // its Transform is at its feet
	hero := walkers.NewWith(new(geom.At(0, 0.02, 0)), &body, &physecs.Mover{Velocity: geom.V(4, 0, 0)}, &physecs.MoverState{})
	highest := float32(0)
	for step := range 120 {
		at, _, mover, _ := walkers.Get(hero)
		if step == 60 {
			mover.Jump = 4.5 // m/s: 1 m high
		}
		sim.Update(&world)
		highest = max(highest, at.Position.Y)
	}
	at, _, _, state := walkers.Get(hero)
	fmt.Printf("%.2f m, %v, jumped %.1f m high\n", at.Position.X, state.Ground, highest)
	// Output: 2.18 m, on the ground, jumped 1.1 m high
}

func Example_projectiles() {
	world := ecs.NewWorld()
	sim := physecs.Simulation{}
	sim.Initialize(&world)
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	const half = 0.01 // of a wall of 2 cm
	wall := things.NewWith(new(geom.At(50, 0, 0)), new(physecs.Box(geom.V(half, 5, 5))))
	shots := generic.NewMap2[physecs.Transform, physecs.Projectile](&world)
	shots.NewWith(new(geom.At(0, 1, 0)), &physecs.Projectile{
		Velocity: geom.V(900, 0, 0), Acceleration: physecs.DefaultGravity, Remove: true,
	})
	sim.AfterStep("hits", func(w *ecs.World) {
		for _, hit := range physecs.Resource[physecs.ProjectileHits](w).List {
			fmt.Printf("the wall: %t, stopped: %t, at %.2f m\n", hit.Entity == wall, hit.Event == physics.ProjectileStopped, hit.Position.X)
		}
	})
	for range 10 {
		sim.Update(&world)
	}
	// Output: the wall: true, stopped: true, at 49.99 m
}

func Example_planar() {
	world := ecs.NewWorld()
	ecs.AddResource(&world, physecs.NewPlanarSpace()) // before Initialize
	sim := physecs.Simulation{}
	sim.Initialize(&world)
	ground := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	ground.NewWith(new(geom.At2D(0, -1, 0)), new(physecs.Box(geom.V(10, 1, 1))))
	balls := generic.NewMap3[physecs.Transform, physecs.Collider, physecs.Body](&world)
	disc := physecs.Sphere(0.5)
	ball := balls.NewWith(new(geom.At2D(0, 3, 0)), &disc, &physecs.Body{})
	for range 180 {
		sim.Update(&world)
	}
	at, _, _ := balls.Get(ball)
	fmt.Printf("%.2f %.2f %v\n", at.Position.X, at.Position.Y, at.Position.Z)
	// Output: 0.00 0.50 0
}
