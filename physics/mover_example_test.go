package physics_test

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A character falls to the floor, climbs a step and walks on to a wall.
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

// A character that crouches checks the space above it before it stands up.
func ExampleMover_crouching() {
	space := physics.NewSpace()
	space.Add(physics.Collider{Shape: geom.Plane{Normal: geom.V(0, 1, 0)}, Static: true})
	space.Add(physics.Collider{Shape: geom.AABB{Min: geom.V(-1, 1.2, -1), Max: geom.V(1, 3, 1)}, Static: true})
	standing := geom.Capsule{A: geom.V(0, 0.3, 0), B: geom.V(0, 1.5, 0), Radius: 0.3}
	crouching := geom.Capsule{A: geom.V(0, 0.3, 0), B: geom.V(0, 0.8, 0), Radius: 0.3}

	mover := physics.Mover{Shape: crouching}
	character := physics.MoverState{Transform: geom.At(0, 0.02, 0)}
	const dt = 1. / 60
	for mover.Shape != standing {
		mover.Move(space, &character, geom.V(2, 0, 0), dt, physics.Filter{}, nil)
		if len(space.OverlapShape(nil, physics.Placed{Shape: standing, Transform: character.Transform}, physics.Filter{})) == 0 {
			mover.Shape = standing
		}
	}
	fmt.Printf("stands up at x %.2f\n", character.Transform.Position.X)
	// Output:
	// stands up at x 1.30
}
