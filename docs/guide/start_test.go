package guide

import (
	"fmt"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

func Example_quickstart() {
	world := ecs.NewWorld()
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	crate := things.NewWith(new(geom.At(0, 0, -10)), new(physecs.Box(geom.V(1, 1, 1))))

	space := physecs.Sync(&world) // copies what has changed; queries see it
	hit, ok := space.CastRay(geom.NewRay(geom.V(0, 0, 0), geom.V(0, 0, -1)), physecs.Filter{})
	fmt.Println(ok, hit.Entity == crate, hit.T, hit.Normal)
	// Output: true true 9 (0, 0, 1)
}

type Health struct{ Points int }

func Example_arche() {
	world := ecs.NewWorld()
	units := generic.NewMap2[physecs.Transform, Health](&world)
	unit := units.NewWith(new(geom.At(1, 2, 3)), &Health{100})
	at, health := units.Get(unit) // pointers, valid until components are added or removed
	health.Points -= 30

	query := generic.NewFilter1[Health]().Query(&world)
	for query.Next() { // to its end, or call query.Close: until then the world is locked
		fmt.Println(at.Position, query.Get().Points)
	}
	world.RemoveEntity(unit)
	fmt.Println(world.Alive(unit))
	// Output:
	// (1, 2, 3) 70
	// false
}

func Example_picking() {
	world := ecs.NewWorld()
	sim := physecs.Simulation{}
	sim.Initialize(&world)
	view := physecs.Resource[physecs.View](&world)
	window := picking.Size{Width: 800, Height: 600}
	view.Viewport = picking.FullViewport(window, window)
	view.Projection = picking.Perspective(1, 0.1, 100)
	view.LookAt(geom.V(0, 2, 10), geom.V(0, 0, 0), geom.V(0, 1, 0))
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	ball := things.NewWith(new(geom.At(0, 0, 0)), new(physecs.Sphere(1)))

	handlers := physecs.Resource[physecs.Handlers](&world)
	handlers.On(ball, picking.Click, func(w *ecs.World, e *physecs.Event) { fmt.Println("clicked") })
	pointer, hover := physecs.Resource[physecs.Pointer](&world), physecs.Resource[physecs.Hover](&world)
	for _, down := range []picking.Buttons{0, picking.ButtonSet(picking.Left), 0} {
		// render.Window.Feed does this.
		pointer.Input = picking.Input{X: 400, Y: 300, Inside: true, Down: down}
		sim.Update(&world)
	}
	fmt.Println(hover.OK, hover.Entity == ball)
	// Output:
	// clicked
	// true true
}

type Unit struct{}

func Example_selection() {
	world := ecs.NewWorld()
	sim := physecs.Simulation{Marquee: &physecs.MarqueeSystem{}}
	// On what has no Unit, such as the ground, a click clears the selection and a marquee begins.
	sim.Pick.Choose = physecs.ChooseAncestor(ecs.ComponentID[Unit](&world))
	sim.Marquee.Choose = sim.Pick.Choose
	sim.Initialize(&world)
	view := physecs.Resource[physecs.View](&world)
	window := picking.Size{Width: 800, Height: 600}
	view.Viewport = picking.FullViewport(window, window)
	view.Projection = picking.Orthographic(6, 0.1, 100) // 100 pixels a metre
	view.LookAt(geom.V(0, 10, 0), geom.V(0, 0, 0), geom.V(0, 0, -1))
	ground := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	ground.NewWith(new(geom.At(0, 0, 0)), new(physecs.Plane(geom.V(0, 1, 0), 0)))
	units := generic.NewMap3[physecs.Transform, physecs.Collider, Unit](&world)
	for x := float32(-2); x <= 2; x++ {
		units.NewWith(new(geom.At(x, 0.5, 0)), new(physecs.Sphere(0.4)), &Unit{})
	}

	pointer := physecs.Resource[physecs.Pointer](&world)
	left := picking.ButtonSet(picking.Left)
	for _, in := range []picking.Input{{X: 130, Y: 200}, {X: 130, Y: 200, Down: left}, {X: 420, Y: 400, Down: left}, {X: 420, Y: 400}} {
		in.Inside = true
		pointer.Input = in
		sim.Update(&world)
	}
	fmt.Println(physecs.Resource[physecs.Selection](&world).Len(), "selected")
	// Output: 3 selected
}

const (
	walls physics.Layers = 1 << iota
	enemies
)

func Example_rays() {
	world := ecs.NewWorld()
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	add := func(x float32, layer physics.Layers) ecs.Entity {
		c := physecs.Sphere(0.5)
		c.Layer = layer
		return things.NewWith(new(geom.At(x, 0, 0)), &c)
	}
	shooter, wall, enemy := add(0, enemies), add(3, walls), add(6, enemies)
	space := physecs.Sync(&world)
	ray := geom.NewRay(geom.V(0, 0, 0), geom.V(1, 0, 0))

	hit, _ := space.CastRay(ray, physecs.Filter{Exclude: []ecs.Entity{shooter}})
	fmt.Println("first:", hit.Entity == wall, hit.T)
	hit, _ = space.CastRay(ray, physecs.Filter{Exclude: []ecs.Entity{shooter}, Mask: enemies})
	fmt.Println("enemy:", hit.Entity == enemy, hit.T)
	// Front to back; leave the loop when you like.
	for hit := range space.Hits(ray, physecs.Filter{Exclude: []ecs.Entity{shooter}}) {
		fmt.Println("through", hit.Point)
	}
	sees := !space.CastRayAny(geom.Segment(geom.V(0, 0, 0), geom.V(6, 0, 0)), physecs.Filter{Mask: walls})
	fmt.Println("in sight:", sees)
	// Output:
	// first: true 2.5
	// enemy: true 5.5
	// through (2.5, 0, 0)
	// through (5.5, 0, 0)
	// in sight: false
}
