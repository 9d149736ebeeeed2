package physics_test

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A character falls to the floor, walks to a step and up it, and on to a wall.
func ExampleMover_Move() {
	space := physics.NewSpace()
	space.Add(physics.Collider{Shape: geom.Plane{Normal: geom.V(0, 1, 0)}, Static: true})
	space.Add(physics.Collider{Shape: geom.AABB{Min: geom.V(2, 0, -5), Max: geom.V(9, 0.25, 5)}, Static: true})
	space.Add(physics.Collider{Shape: geom.AABB{Min: geom.V(4, 0, -5), Max: geom.V(9, 3, 5)}, Static: true, User: 7})

	mover := physics.Mover{} // 1.8 m high
	character := physics.MoverState{Transform: geom.At(0, 0.5, 0)}
	var cache physics.MoverCache
	var hits []physics.MoverHit
	const dt = 1. / 60
	for tick := range 120 {
		velocity := geom.V(3, 0, 0)
		if character.Ground != physics.OnGround {
			velocity = character.Velocity.Add(geom.V(0, -9.81*dt, 0))
		}
		hits = cache.Move(&mover, space, &character, velocity, dt, physics.Filter{}, hits[:0])
		if tick%40 == 39 {
			p := character.Transform.Position
			fmt.Printf("(%.2f, %.2f) %v, %d in the way\n", p.X, p.Y, character.Ground, len(hits))
		}
	}
	fmt.Println("stopped by", hits[0].User)
	// Output:
	// (1.05, 0.02) on the ground, 0 in the way
	// (3.05, 0.27) on the ground, 0 in the way
	// (3.68, 0.27) on the ground, 1 in the way
	// stopped by 7
}
