package physecs_test

import (
	"fmt"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// A lamp stands on a cart. The user drags it along the world's X axis, and it rides on from there.
func ExampleSetTransform() {
	world := ecs.NewWorld()
	var sim physecs.Simulation
	sim.Initialize(&world)
	view := ecs.GetResource[physecs.View](&world)
	window := picking.Size{Width: 800, Height: 600}
	view.Viewport = picking.FullViewport(window, window)
	view.Projection = picking.Orthographic(6, 0.1, 100)
	view.LookAt(geom.V(0, 0, 10), geom.V(0, 0, 0), geom.V(0, 1, 0))

	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	follows := generic.NewMap2[physecs.Parent, physecs.LocalTransform](&world)
	transforms := generic.NewMap[physecs.Transform](&world)
	box := physecs.Box(geom.V(0.5, 0.5, 0.5))
	cart, lamp := things.NewWith(&physecs.Transform{}, &box), things.NewWith(&physecs.Transform{}, &box)
	onTop := physecs.LocalTransform(geom.At(0, 1, 0))
	follows.Assign(lamp, &physecs.Parent{Entity: cart}, &onTop)
	sim.Update(&world)

	var gizmo picking.Gizmo
	ray, _ := view.Ray(450, 200) // on the arrow along X
	fmt.Println(gizmo.Begin(*view, *transforms.Get(lamp), ray), gizmo.Handle())
	ray, _ = view.RayBeyond(475, 230)
	physecs.SetTransform(&world, lamp, gizmo.Drag(ray))
	sim.Update(&world)
	fmt.Println(transforms.Get(lamp).Position)

	transforms.Get(cart).Position.Y = 5
	sim.Update(&world)
	fmt.Println(transforms.Get(lamp).Position)
	// Output:
	// true X
	// (0.25, 1, 0)
	// (0.25, 6, 0)
}

// A hand takes up a sword that lies in the world, and the sword stays where it is.
func ExampleLocalOf() {
	hand := physecs.Transform{Position: geom.V(4, 1, 0), Scale: geom.V(2, 2, 2)}
	sword := geom.At(4, 0, 1)
	local, ok := physecs.LocalOf(hand, sword)
	fmt.Println(local.Position, local.Scale, ok)
	// Output:
	// (0, -0.5, 0.5) (0.5, 0.5, 0.5) true
}

// A chair with a cushion is dragged from the floor onto a table.
func ExampleSurfaceDrag() {
	world := ecs.NewWorld()
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	add := func(t physecs.Transform, c physecs.Collider) ecs.Entity { return things.NewWith(&t, &c) }
	add(geom.At(0, 0, 0), physecs.Plane(geom.V(0, 1, 0), 0))              // the floor
	add(geom.At(4, 0.5, 0), physecs.Box(geom.V(1, 0.5, 1)))               // the table
	chair := add(geom.At(0, 0.4, 0), physecs.Box(geom.V(0.4, 0.4, 0.4)))  // on the floor
	cushion := add(geom.Transform{}, physecs.Box(geom.V(0.3, 0.05, 0.3))) // on the chair
	follows := generic.NewMap2[physecs.Parent, physecs.LocalTransform](&world)
	onTop := physecs.LocalTransform(geom.At(0, 0.45, 0))
	follows.Assign(cushion, &physecs.Parent{Entity: chair}, &onTop)
	physecs.Sync(&world)

	var drag physecs.SurfaceDrag // which passes chair and cushion
	start, _ := things.Get(chair)
	from := *start
	down := geom.V(0, -1, 0) // the pointer's rays, seen from above
	fmt.Println(drag.Begin(&world, chair, geom.NewRay(geom.V(0, 10, 0), down)))
	if move, _, ok := drag.Drag(&world, geom.NewRay(geom.V(4, 10, 0), down)); ok {
		to := from
		to.Position = to.Position.Add(move)
		physecs.SetTransform(&world, chair, to)
	}
	at, _ := things.Get(chair)
	fmt.Println(at.Position)
	// Output:
	// true
	// (4, 1.4, 0)
}
