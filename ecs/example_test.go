package physecs_test

import (
	"fmt"
	"math"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// A game with a camera, a crate and a ball: the pointer goes to the ball and clicks it.
func Example() {
	world := ecs.NewWorld()
	sim := physecs.Simulation{}
	sim.Initialize(&world) // adds the resources and registers the components

	view := ecs.GetResource[physecs.View](&world)
	view.Projection = picking.Perspective(1, 0.1, 100)
	view.LookAt(geom.V(0, 2, 10), geom.V(0, 0, 0), geom.V(0, 1, 0))
	window := picking.Size{Width: 800, Height: 600}
	view.Viewport = picking.FullViewport(window, window)

	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	box, sphere := physecs.Box(geom.V(1, 1, 1)), physecs.Sphere(1)
	left, right := geom.At(-2, 0, 0), geom.At(2, 0, 0)
	crate := things.NewWith(&left, &box)
	ball := things.NewWith(&right, &sphere)
	names := map[ecs.Entity]string{crate: "crate", ball: "ball"}

	pointer := ecs.GetResource[physecs.Pointer](&world)
	hover := ecs.GetResource[physecs.Hover](&world)
	selection := ecs.GetResource[physecs.Selection](&world)
	x, y, _, _ := view.Project(right.Position)
	// The mouse, frame by frame.
	for _, down := range []picking.Buttons{0, picking.ButtonSet(picking.Left), 0} {
		pointer.Input = picking.Input{X: x, Y: y, Inside: true, Down: down}
		sim.Update(&world)
		fmt.Print("over the ", names[hover.Entity], ", selected:")
		for _, e := range selection.List() {
			fmt.Print(" ", names[e])
		}
		fmt.Println()
	}
	// Output:
	// over the ball, selected:
	// over the ball, selected:
	// over the ball, selected: ball
}

// A 2D game seen from above: rectangles, rotated or not, are flat boxes in the plane Z = 0, and a
// turret shoots at an angle.
func Example_game2D() {
	world := ecs.NewWorld()
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	wall := things.NewWith(new(geom.At2D(5, 0, 0)), new(physecs.Box(geom.V(1, 2, 0)))) // 2 m × 4 m
	gate := things.NewWith(new(geom.At2D(0, 4, math.Pi/4)), new(physecs.Box(geom.V(2, 0.5, 0))))
	coin := things.NewWith(new(geom.At2D(-3, 0, 0)), new(physecs.Sphere(0.5)))
	names := map[ecs.Entity]string{wall: "wall", gate: "gate", coin: "coin"}
	space := physecs.Sync(&world)

	for _, degrees := range []float64{0, 100, 180, 270} {
		shot := geom.RayAtAngle(geom.V(0, 0, 0), degrees*math.Pi/180)
		if hit, ok := space.CastRay(shot, physecs.Filter{}); ok {
			fmt.Printf("%g°: the %s at %.2f m, normal (%.2f, %.2f)\n", degrees, names[hit.Entity], hit.T, hit.Normal.X, hit.Normal.Y)
		} else {
			fmt.Printf("%g°: nothing\n", degrees)
		}
	}
	// Output:
	// 0°: the wall at 4.00 m, normal (-1.00, 0.00)
	// 100°: the gate at 2.84 m, normal (0.71, -0.71)
	// 180°: the coin at 2.50 m, normal (1.00, 0.00)
	// 270°: nothing
}

// A 2D game seen from the side: in a planar space, flat crates fall on each other.
func ExampleNewPlanarSpace() {
	world := ecs.NewWorld()
	ecs.AddResource(&world, physecs.NewPlanarSpace())
	sim := physecs.Simulation{}
	sim.Initialize(&world)
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	bodies := generic.NewMap3[physecs.Transform, physecs.Collider, physecs.Body](&world)
	things.NewWith(new(geom.At2D(0, -1, 0)), new(physecs.Box(geom.V(20, 1, 0))))
	low := bodies.NewWith(new(geom.At2D(0, 0.5, 0)), new(physecs.Box(geom.V(1, 0.5, 0))), new(physecs.Body{}))
	high := bodies.NewWith(new(geom.At2D(0.2, 2, 0.2)), new(physecs.Box(geom.V(0.5, 0.5, 0))), new(physecs.Body{}))
	for range 300 {
		sim.Update(&world)
	}
	for _, e := range []ecs.Entity{low, high} {
		at, _, _ := bodies.Get(e)
		fmt.Printf("height %.1f, z %g\n", at.Position.Y, at.Position.Z)
	}
	// Output:
	// height 0.5, z 0
	// height 1.5, z 0
}

func ExampleQueries_CastRay() {
	world := ecs.NewWorld()
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	at, shape := geom.At(0, 0, -10), physecs.Sphere(1)
	target := things.NewWith(&at, &shape)
	at = geom.At(0, 0, -5)
	shooter := things.NewWith(&at, &shape)
	space := physecs.Sync(&world)

	ray := geom.Segment(geom.V(0, 0, -5), geom.V(0, 0, -20))
	hit, ok := space.CastRay(ray, physecs.Filter{Exclude: []ecs.Entity{shooter}})
	fmt.Println(ok, hit.Entity == target, hit.Point, hit.Normal)
	// Output: true true (0, 0, -9) (0, 0, 1)
}

// The entities within 15 m of a guard, and whether a wall hides them.
func ExampleQueries_CastRayAny() {
	const (
		walls physics.Layers = physics.DefaultLayer << (iota + 1)
		actors
	)
	world := ecs.NewWorld()
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	wall, actor := physecs.Box(geom.V(0.1, 2, 2)), physecs.Capsule(0.5, 0.4)
	wall.Layer, actor.Layer = walls, actors
	things.NewWith(new(geom.At(5, 0, 0)), &wall)
	guard := things.NewWith(new(geom.At(0, 0, 0)), &actor)
	for _, x := range []float32{-10, 10, 20} {
		things.NewWith(new(geom.At(x, 0, 0)), &actor)
	}
	space := physecs.Sync(&world)

	at := func(e ecs.Entity) geom.Vec3 { t, _ := things.Get(e); return t.Position }
	near := physecs.Filter{Mask: actors, Exclude: []ecs.Entity{guard}}
	for _, e := range space.OverlapSphere(nil, geom.Sphere{Center: at(guard), Radius: 15}, near) {
		hidden := space.CastRayAny(geom.Segment(at(guard), at(e)), physecs.Filter{Mask: walls})
		fmt.Println(at(e), "hidden:", hidden)
	}
	// Output:
	// (-10, 0, 0) hidden: false
	// (10, 0, 0) hidden: true
}

// Walls block a line of sight, glass does not.
func ExampleFilter() {
	type Glass struct{}
	world := ecs.NewWorld()
	walls := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	panes := generic.NewMap3[physecs.Transform, physecs.Collider, Glass](&world)
	at, pane := geom.At(0, 0, -5), physecs.Box(geom.V(2, 2, 0.01))
	panes.NewWith(&at, &pane, &Glass{})
	space := physecs.Sync(&world)

	through := physecs.Filter{Without: ecs.All(ecs.ComponentID[Glass](&world))}
	sight := geom.Segment(geom.V(0, 0, 0), geom.V(0, 0, -10))
	fmt.Println("blocked:", space.CastRayAny(sight, through))

	at = geom.At(0, 0, -7)
	walls.NewWith(&at, &pane)
	physecs.Sync(&world)
	fmt.Println("blocked:", space.CastRayAny(sight, through))
	// Output:
	// blocked: false
	// blocked: true
}

func ExampleQueries_Hits() {
	world := ecs.NewWorld()
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	for i := range 100 {
		at, shape := geom.At(0, 0, -10*float32(i+1)), physecs.Sphere(1)
		shape.User = uint64(i)
		things.NewWith(&at, &shape)
	}
	space := physecs.Sync(&world)

	ray := geom.NewRay(geom.Vec3{}, geom.V(0, 0, -1))
	// A shot that penetrates two entities and stops at the third.
	for hit := range space.Hits(ray, physecs.Filter{}) {
		fmt.Println("number", hit.User, "at", hit.T)
		if hit.User == 2 {
			break
		}
	}
	// Output:
	// number 0 at 9
	// number 1 at 19
	// number 2 at 29
}

// Colliders that no query can find are counted and listed, with the reason.
func ExampleSpace_Nowhere() {
	world := ecs.NewWorld()
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	at, statue, forgotten := geom.At(0, 0, 0), physecs.Mesh(7), physecs.Collider{}
	things.NewWith(&at, &statue)
	things.NewWith(&at, &forgotten)

	space := physecs.Sync(&world)
	fmt.Println(space.Stats().Nowhere, "of", space.Stats().Colliders)
	for e, fault := range space.Nowhere() {
		fmt.Printf("entity %d: %v\n", e.ID(), fault)
	}
	// Output:
	// 2 of 2
	// entity 1: unknown mesh
	// entity 2: no shape
}
