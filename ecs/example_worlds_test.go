package physecs_test

import (
	"fmt"
	"math"
	"sync"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A tank with a turret with a barrel: the hull drives, the turret rotates, and a ray hits the
// muzzle where they move it.
func ExampleParent() {
	world := ecs.NewWorld()
	parts := generic.NewMap4[physecs.Transform, physecs.Collider, physecs.Parent, physecs.LocalTransform](&world)
	hulls := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	at := func(x, y, z float32) physecs.LocalTransform { return physecs.LocalTransform(geom.At(x, y, z)) }
	collider := func(x, y, z float32) *physecs.Collider { return new(physecs.Box(geom.V(x, y, z))) }

	hull := hulls.NewWith(new(geom.At(0, 1, 0)), collider(2, 0.5, 3))
	turret := parts.NewWith(unplaced(), collider(1, 0.4, 1), &physecs.Parent{Entity: hull}, new(at(0, 1, 0)))
	muzzle := parts.NewWith(unplaced(), collider(0.1, 0.1, 0.1), &physecs.Parent{Entity: turret}, new(at(0, 0, -4)))

	transform, _, _, _ := parts.Get(muzzle)
	space := physecs.Sync(&world)
	fmt.Println("muzzle at", transform.Position)

	body, _ := hulls.Get(hull)
	body.Position.X = 100 // drives
	_, _, _, local := parts.Get(turret)
	local.Rotation = geom.QuatAxisAngle(geom.V(0, 1, 0), math.Pi/2) // turns to the left
	physecs.Sync(&world)
	fmt.Println("muzzle at", transform.Position)

	hit, _ := space.CastRay(geom.NewRay(geom.V(90, 2, 0), geom.V(1, 0, 0)), physecs.Filter{})
	fmt.Println("the muzzle is hit:", hit.Entity == muzzle, "at", hit.Point)
	// Output:
	// muzzle at (0, 2, -4)
	// muzzle at (96, 2, 0)
	// the muzzle is hit: true at (95.9, 2, 0)
}

// unplaced returns the Transform of a child, which Sync writes.
func unplaced() *physecs.Transform { return new(physecs.Transform) }

// A child whose parent has died stays where it is, and is listed.
func ExampleSpace_Orphans() {
	world := ecs.NewWorld()
	things := generic.NewMap1[physecs.Transform](&world)
	children := generic.NewMap3[physecs.Transform, physecs.Parent, physecs.LocalTransform](&world)
	cart := things.NewWith(new(geom.At(5, 0, 0)))
	load := children.NewWith(new(physecs.Transform), &physecs.Parent{Entity: cart}, new(physecs.LocalTransform(geom.At(0, 1, 0))))
	physecs.Sync(&world)

	world.RemoveEntity(cart)
	space := physecs.Sync(&world)
	for e, fault := range space.Orphans() {
		at, _, _ := children.Get(e)
		fmt.Println(e == load, "at", at.Position, "because:", fault)
	}
	fmt.Println(space.Stats().Orphans, "orphan")
	// Output:
	// true at (5, 1, 0) because: parent gone
	// 1 orphan
}

// TransformSystem is for games that need the Transforms of children before the sync, such as for a
// camera.
func ExampleTransformSystem() {
	world := ecs.NewWorld()
	place := physecs.TransformSystem{}
	place.Initialize(&world)
	things := generic.NewMap1[physecs.Transform](&world)
	children := generic.NewMap3[physecs.Transform, physecs.Parent, physecs.LocalTransform](&world)
	head := things.NewWith(&physecs.Transform{Position: geom.V(3, 1.75, 0), Scale: geom.V(2, 2, 2)})
	camera := children.NewWith(new(physecs.Transform), &physecs.Parent{Entity: head}, new(physecs.LocalTransform(geom.At(0, 0.25, 0))))

	place.Update(&world)
	at, _, _ := children.Get(camera)
	fmt.Println(at.Position)
	// Output: (3, 2.25, 0)
}

// Two coins a millimetre apart, 100 km from the fixed zero. In single precision they are at one
// place unless the origin is near.
func ExampleRebaseSystem() {
	world := ecs.NewWorld()
	rebase := physecs.RebaseSystem{Distance: 500}
	rebase.Initialize(&world)
	things := generic.NewMap3[physecs.Transform, physecs.Collider, physecs.WorldPosition](&world)
	coin := new(physecs.Sphere(0.0004))
	left := things.NewWith(new(physecs.Transform), coin, &physecs.WorldPosition{X: 100_000})
	right := things.NewWith(new(physecs.Transform), coin, &physecs.WorldPosition{X: 100_000.001})
	camera := generic.NewMap1[physecs.WorldPosition](&world)
	rebase.Target = camera.NewWith(&physecs.WorldPosition{})
	rebase.Rebased = func(_ *ecs.World, from, to geom.DVec3) { fmt.Println("origin", to) }

	look := func() {
		rebase.Update(&world)
		physecs.Sync(&world)
		a, _, _ := things.Get(left)
		b, _, _ := things.Get(right)
		fmt.Println(a.Position.X, b.Position.X)
	}
	look()
	*camera.Get(rebase.Target) = physecs.WorldPosition{X: 99_999, Z: 1}
	look()
	space := ecs.GetResource[physecs.Space](&world)
	hit, _ := space.CastRay(geom.NewRay(geom.V(1.001, 0, 1), geom.V(0, 0, -1)), physecs.Filter{})
	fmt.Println("the right one is hit:", hit.Entity == right)
	// Output:
	// 100000 100000
	// origin {99999 0 1}
	// 1 1.001
	// the right one is hit: true
}

// The camera of a game without an entity for it moves with the origin.
func ExampleRebase() {
	world := ecs.NewWorld()
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	tree := things.NewWith(new(geom.At(4000, 0, -10)), new(physecs.Capsule(3, 0.5)))
	space := physecs.Sync(&world)

	eye := geom.V(4000, 1.5, 0)
	from, to := space.Origin(), geom.DVec3{X: 4000}
	physecs.Rebase(&world, to)
	eye = eye.Add(from.Sub(to).Narrow())

	at, _ := things.Get(tree)
	hit, _ := space.CastRay(geom.NewRay(eye, geom.V(0, 0, -1)), physecs.Filter{})
	fmt.Println("eye", eye, "tree", at.Position, "hit", hit.Point)
	// Output: eye (0, 1.5, 0) tree (0, 0, -10) hit (0, 1.5, -9.5)
}

// A shotgun: all pellets at once.
func ExampleQueries_CastRays() {
	world := ecs.NewWorld()
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	crate := things.NewWith(new(geom.At(0, 0, -10)), new(physecs.Box(geom.V(1, 1, 1))))
	things.NewWith(new(geom.At(3, 0, -10)), new(physecs.Sphere(1)))
	space := physecs.Sync(&world)

	var pellets []geom.Ray
	for i := range 5 {
		pellets = append(pellets, geom.NewRay(geom.Vec3{}, geom.V(float32(i-2)*0.1, 0, -1)))
	}
	for i, hit := range space.CastRays(nil, pellets, physecs.Filter{}) {
		fmt.Printf("pellet %d: T %.2f, hit %t, the crate %t\n", i, hit.T, !hit.Entity.IsZero(), hit.Entity == crate)
	}
	// Output:
	// pellet 0: T +Inf, hit false, the crate false
	// pellet 1: T 9.00, hit true, the crate true
	// pellet 2: T 9.00, hit true, the crate true
	// pellet 3: T 9.00, hit true, the crate true
	// pellet 4: T 10.00, hit true, the crate false
}

// Which of many guards see the player? One line of sight each.
func ExampleQueries_CastRaysAny() {
	world := ecs.NewWorld()
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	things.NewWith(new(geom.At(5, 0, 0)), new(physecs.Box(geom.V(0.1, 2, 2)))) // a wall
	space := physecs.Sync(&world)

	player := geom.V(0, 0, 0)
	var lines []geom.Ray
	for _, guard := range []geom.Vec3{geom.V(10, 0, 0), geom.V(10, 0, 20), geom.V(-10, 0, 0)} {
		lines = append(lines, geom.Segment(guard, player))
	}
	fmt.Println("blocked:", space.CastRaysAny(nil, lines, physecs.Filter{}))
	// Output: blocked: [true false false]
}

// Where does each of a crowd get to, if it leaves out itself?
func ExampleQueries_CastShapesEach() {
	world := ecs.NewWorld()
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	var crowd []ecs.Entity
	var casts []physics.ShapeCast
	var filters []physecs.Filter
	for i := range 2 {
		at := geom.At(4*float32(i), 0, 0)
		man := things.NewWith(&at, new(physecs.Sphere(0.5)))
		crowd = append(crowd, man)
		casts = append(casts, physics.ShapeCast{Shape: geom.Sphere{Radius: 0.5}, Transform: at, Motion: geom.V(1-2*float32(i), 0, 0)})
		filters = append(filters, physecs.Filter{Exclude: []ecs.Entity{man}})
	}
	for i, h := range physecs.Sync(&world).CastShapesEach(nil, casts, filters) {
		fmt.Println(i, "meets the other one:", h.Entity == crowd[1-i], "T", h.T)
	}
	// Output:
	// 0 meets the other one: true T 3
	// 1 meets the other one: true T 3
}

// The three nearest of many, nearest first.
func ExampleQueries_NearestK() {
	world := ecs.NewWorld()
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	for i := range 100 {
		ball := physecs.Sphere(1)
		ball.User = uint64(i)
		things.NewWith(new(geom.At(float32(10*i), 0, 0)), &ball)
	}
	space := physecs.Sync(&world)
	for _, n := range space.NearestK(nil, geom.V(52, 0, 0), 3, 100, physecs.Filter{}) {
		fmt.Println("number", n.User, "at", n.PointA, n.Distance, "m")
	}
	// Output:
	// number 5 at (51, 0, 0) 1 m
	// number 6 at (59, 0, 0) 7 m
	// number 4 at (41, 0, 0) 11 m
}

// The pairs that begin and end.
func ExamplePairSystem() {
	world := ecs.NewWorld()
	pairing := physecs.PairSystem{}
	pairing.Initialize(&world)
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	door := things.NewWith(new(geom.At(0, 0, 0)), new(physecs.Box(geom.V(1, 1, 1))))
	guest := things.NewWith(new(geom.At(5, 0, 0)), new(physecs.Sphere(1)))

	pairs := ecs.GetResource[physecs.Pairs](&world)
	for _, x := range []float32{5, 1.5, 1, -5} {
		at, _ := things.Get(guest)
		at.Position.X = x
		physecs.Sync(&world)
		pairing.Update(&world)
		for _, p := range pairs.Began {
			fmt.Println(x, "in the door:", p.A == door, p.B == guest)
		}
		for range pairs.Ended {
			fmt.Println(x, "left the door")
		}
	}
	// Output:
	// 1.5 in the door: true true
	// -5 left the door
}

// Goroutines query a snapshot, while the game goes on.
func ExampleSpace_Snapshot() {
	world := ecs.NewWorld()
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	target := things.NewWith(new(geom.At(0, 0, -10)), new(physecs.Sphere(1)))
	snapshot := physecs.Sync(&world).Snapshot()

	var thinking sync.WaitGroup
	var seen physecs.Hit
	thinking.Go(func() {
		seen, _ = snapshot.CastRay(geom.NewRay(geom.Vec3{}, geom.V(0, 0, -1)), physecs.Filter{})
	})
	world.RemoveEntity(target) // meanwhile
	space := physecs.Sync(&world)
	thinking.Wait()
	snapshot.Release()

	fmt.Println("seen:", seen.Entity == target, "at", seen.T, "and alive:", world.Alive(seen.Entity))
	fmt.Println("colliders now:", space.Stats().Colliders)
	// Output:
	// seen: true at 9 and alive: false
	// colliders now: 0
}
