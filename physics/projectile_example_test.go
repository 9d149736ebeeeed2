package physics_test

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A grenade bounces off the ground twice and explodes at the third hit, on a wall.
func ExampleProjectile_Move() {
	space := physics.NewSpace()
	space.Add(physics.Collider{Shape: geom.Plane{Normal: geom.V(0, 1, 0)}, User: 1}) // the ground
	space.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(0.25, 2, 4)}, Transform: geom.At(6.25, 2, 0), User: 2})

	grenade := physics.Projectile{
		Position: geom.V(0, 1, 0), Velocity: geom.V(5, 2, 0), Acceleration: geom.V(0, -10, 0),
		Radius: 0.125, Bounces: 2, Restitution: 0.5,
	}
	var events []physics.ProjectileHit
	for range 180 {
		events = grenade.Move(events, space, 1.0/60, physics.Filter{})
	}
	for _, e := range events {
		fmt.Printf("%v: %d at %.2f, %.2f\n", e.Event, e.User, e.Position.X, e.Position.Y)
	}
	// Output:
	// bounced: 1 at 3.32, 0.13
	// bounced: 1 at 5.64, 0.13
	// stopped: 2 at 5.87, 0.17
}
