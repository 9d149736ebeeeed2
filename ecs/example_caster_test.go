package physecs_test

import (
	"fmt"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A car drives over an edge. Each wheel is a child that casts a ray down, which passes all parts of
// the car.
func ExampleCasterSystem() {
	world := ecs.NewWorld()
	sync, casting := physecs.SyncSystem{}, physecs.CasterSystem{}
	sync.Initialize(&world)
	casting.Initialize(&world)

	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	things.NewWith(new(geom.At(0, -1, 0)), new(physecs.Box(geom.V(10, 1, 10)))) // ends at X = 10
	car := things.NewWith(new(geom.At(0, 1, 0)), new(physecs.Box(geom.V(2, 0.3, 1))))

	wheels := generic.NewMap4[physecs.Transform, physecs.Parent, physecs.LocalTransform, physecs.RayCaster](&world)
	suspension := physecs.RayCaster{
		Ray:    geom.Ray{Dir: geom.V(0, -1, 0), MaxT: 1.5}, // 1.5 m down, in the car's space
		Ignore: physecs.IgnoreFamily,
	}
	names := map[ecs.Entity]string{}
	for _, at := range []geom.Vec3{{X: 1.8, Z: 0.9}, {X: 1.8, Z: -0.9}, {X: -1.8, Z: 0.9}, {X: -1.8, Z: -0.9}} {
		wheel := wheels.NewWith(new(physecs.Transform), &physecs.Parent{Entity: car}, &physecs.LocalTransform{Position: at}, &suspension)
		names[wheel] = fmt.Sprint("the wheel at ", at)
	}

	hits := ecs.GetResource[physecs.CasterHits](&world)
	for _, x := range []float32{0, 9} {
		at, _ := things.Get(car)
		at.Position.X = x
		sync.Update(&world)
		casting.Update(&world)
		for wheel, hit := range hits.Rays() {
			fmt.Println(names[wheel], "is", hit.T, "m above the ground")
		}
		for _, change := range hits.RaysChanged {
			if change.Now.IsZero() {
				fmt.Println(names[change.Caster], "has left the ground")
			}
		}
	}
	// Output:
	// the wheel at (1.8, 0, 0.9) is 1 m above the ground
	// the wheel at (1.8, 0, -0.9) is 1 m above the ground
	// the wheel at (-1.8, 0, 0.9) is 1 m above the ground
	// the wheel at (-1.8, 0, -0.9) is 1 m above the ground
	// the wheel at (-1.8, 0, 0.9) is 1 m above the ground
	// the wheel at (-1.8, 0, -0.9) is 1 m above the ground
	// the wheel at (1.8, 0, 0.9) has left the ground
	// the wheel at (1.8, 0, -0.9) has left the ground
}

// A guard looks for a player behind a wall.
func ExampleCasterHits_Sees() {
	world := ecs.NewWorld()
	casting := physecs.CasterSystem{}
	casting.Initialize(&world)
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	things.NewWith(new(geom.At(5, 1, 0)), new(physecs.Box(geom.V(0.1, 1, 3))))
	player := things.NewWith(new(geom.At(10, 1, 0)), new(physecs.Capsule(0.5, 0.4)))
	guards := generic.NewMap2[physecs.Transform, physecs.RayCaster](&world)
	guard := guards.NewWith(new(geom.At(0, 1, 0)), &physecs.RayCaster{Target: player})

	hits := ecs.GetResource[physecs.CasterHits](&world)
	for _, z := range []float32{0, 2, 10} {
		at, _ := things.Get(player)
		at.Position.Z = z
		physecs.Sync(&world)
		casting.Update(&world)
		hit, _ := hits.Ray(guard)
		fmt.Println("Z", z, "seen:", hits.Sees(guard), "the player is hit:", hit.Entity == player)
	}
	// Output:
	// Z 0 seen: false the player is hit: false
	// Z 2 seen: false the player is hit: false
	// Z 10 seen: true the player is hit: true
}

// A ball is lowered under a crate that tumbles: down stays down however the crate rotates.
func ExampleShapeCaster() {
	world := ecs.NewWorld()
	casting := physecs.CasterSystem{}
	casting.Initialize(&world)
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	things.NewWith(new(physecs.Transform), new(physecs.Plane(geom.V(0, 1, 0), 0)))
	casters := generic.NewMap3[physecs.Transform, physecs.Collider, physecs.ShapeCaster](&world)
	tumbling := geom.Transform{Position: geom.V(0, 5, 0), Rotation: geom.QuatAxisAngle(geom.V(1, 1, 0), 1)}
	crate := casters.NewWith(&tumbling, new(physecs.Box(geom.V(1, 1, 1))), &physecs.ShapeCaster{
		Shape:  physecs.Sphere(0.5),
		Motion: geom.V(0, -1, 0),
		Follow: physecs.FollowPosition,
	})
	physecs.Sync(&world)
	casting.Update(&world)
	hit, ok := ecs.GetResource[physecs.CasterHits](&world).Shape(crate)
	fmt.Println(ok, hit.T, hit.Point)
	// Output: true 4.5 (0, 0, 0)
}
