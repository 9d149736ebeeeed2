package physecs_test

import (
	"fmt"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A ball is fired at a wall and comes back.
func ExampleProjectileSystem() {
	world := ecs.NewWorld()
	var sync physecs.SyncSystem
	projectiles := physecs.ProjectileSystem{DT: 0.125}
	sync.Initialize(&world)
	projectiles.Initialize(&world)

	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	place, shape := geom.At(10, 0, 0), physecs.Box(geom.V(0.5, 4, 4))
	wall := things.NewWith(&place, &shape)

	shots := generic.NewMap2[physecs.Transform, physecs.Projectile](&world)
	muzzle := geom.At(0, 0, 0)
	ball := shots.NewWith(&muzzle, &physecs.Projectile{Velocity: geom.V(40, 0, 0), Radius: 0.25, Bounces: 1, Restitution: 0.5, Life: 1})

	for tick := range 10 {
		sync.Update(&world)
		projectiles.Update(&world)
		for _, h := range ecs.GetResource[physecs.ProjectileHits](&world).List {
			fmt.Printf("tick %d: %v %v %.2f\n", tick, h.Event, h.Entity == wall, h.Position.X)
		}
	}
	t, _ := shots.Get(ball)
	fmt.Printf("%.2f\n", t.Position.X)
	// Output:
	// tick 1: bounced true 9.25
	// tick 7: expired false -6.13
	// -6.13
}
