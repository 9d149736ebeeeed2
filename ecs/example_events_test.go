package physecs_test

import (
	"fmt"
	"strings"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// A game in which crates are smashed by a double click and dragged into the bin, with handlers.
func ExampleHandlers() {
	world := ecs.NewWorld()
	sim := physecs.Simulation{}
	sim.Initialize(&world)
	view := ecs.GetResource[physecs.View](&world)
	view.LookAt(geom.V(0, 0, 10), geom.V(0, 0, 0), geom.V(0, 1, 0))
	view.Projection = picking.Orthographic(10, 0.1, 100)
	window := picking.Size{Width: 200, Height: 100} // ten pixels a metre
	view.Viewport = picking.FullViewport(window, window)

	type Crate struct{ Number int32 }
	crates := generic.NewMap3[physecs.Transform, physecs.Collider, Crate](&world)
	for i := range 3 {
		crates.NewWith(new(geom.At(float32(4*i-8), 0, 0)), new(physecs.Box(geom.V(1, 1, 1))), &Crate{int32(i)})
	}
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	bin := things.NewWith(new(geom.At(8, 0, 0)), new(physecs.Sphere(1)))
	number := func(e ecs.Entity) int32 { c := generic.NewMap[Crate](&world); return c.Get(e).Number }

	handlers := ecs.GetResource[physecs.Handlers](&world)
	handlers.OnComponent(ecs.ComponentID[Crate](&world), picking.Click, func(w *ecs.World, e *physecs.Event) {
		if e.Count == 2 {
			fmt.Println("crate", number(e.Target), "is smashed")
			w.RemoveEntity(e.Target)
		}
	})
	handlers.On(bin, picking.Drop, func(w *ecs.World, e *physecs.Event) {
		fmt.Println("crate", number(e.Related), "is thrown away")
		w.RemoveEntity(e.Related)
	})

	// A recorded session.
	const session = `hitscan pointers 1
0.1 | size 200x100 200x100 | mouse 60 50 in pressed=left
0.2 | mouse 60 50 in pressed=left
0.5 | mouse 20 50 in down=left
0.6 | mouse 100 50 in down=left
0.7 | mouse 180 50 in down=left
0.8 | mouse 180 50 in
`
	frames, err := picking.ReadFrames("session", strings.NewReader(session))
	if err != nil {
		fmt.Println(err)
	}
	for i := range frames {
		physecs.Play(&world, &frames[i])
		sim.Update(&world)
	}
	// Output:
	// crate 1 is smashed
	// crate 0 is thrown away
}

// Events can be read after the update too, without any handler.
func ExampleEvents_Of() {
	world := ecs.NewWorld()
	sim := physecs.Simulation{}
	sim.Initialize(&world)
	view := ecs.GetResource[physecs.View](&world)
	view.LookAt(geom.V(0, 0, 10), geom.V(0, 0, 0), geom.V(0, 1, 0))
	view.Projection = picking.Orthographic(10, 0.1, 100)
	window := picking.Size{Width: 100, Height: 100}
	view.Viewport = picking.FullViewport(window, window)

	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	cart := things.NewWith(new(geom.At(0, 0, 0)), new(physecs.Box(geom.V(2, 1, 1))))
	parts := generic.NewMap4[physecs.Transform, physecs.Collider, physecs.Parent, physecs.LocalTransform](&world)
	parts.NewWith(&physecs.Transform{}, new(physecs.Sphere(0.5)), &physecs.Parent{Entity: cart},
		&physecs.LocalTransform{Position: geom.V(1, -1, 2)}) // a wheel

	x, y, _, _ := view.Project(geom.V(1, -1, 0))
	ecs.GetResource[physecs.Pointer](&world).Input = picking.Input{X: x, Y: y, Inside: true, Pressed: picking.ButtonSet(picking.Left)}
	sim.Update(&world)
	for e := range ecs.GetResource[physecs.Events](&world).Of(cart) {
		fmt.Println(e.Kind, "of the cart itself:", e.Target == cart)
	}
	// Output:
	// Over of the cart itself: false
	// Enter of the cart itself: true
	// Down of the cart itself: false
	// Up of the cart itself: false
	// Click of the cart itself: false
}
