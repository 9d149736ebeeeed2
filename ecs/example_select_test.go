package physecs_test

import (
	"fmt"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// A marquee around two of three units, and a click with a modifier key that takes one of them out.
func ExampleMarqueeSystem() {
	world := ecs.NewWorld()
	var sim physecs.Simulation
	sim.Initialize(&world)
	var marquee physecs.MarqueeSystem
	marquee.Initialize(&world)
	units := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	for i := range 3 {
		at, ball := geom.At(float32(20+30*i), 50, 0), physecs.Sphere(5)
		units.NewWith(&at, &ball)
	}
	size := picking.Size{Width: 100, Height: 100}
	view := ecs.GetResource[physecs.View](&world)
	view.Projection = picking.Ortho(0, 100, 100, 0, -50, 50)
	view.Viewport = picking.FullViewport(size, size)

	pointer, selection := ecs.GetResource[physecs.Pointer](&world), ecs.GetResource[physecs.Selection](&world)
	frame := func(x, y float64, down ...picking.Button) {
		pointer.Input = picking.Input{X: x, Y: y, Inside: true, Down: picking.ButtonSet(down...)}
		sim.Update(&world)
		marquee.Update(&world)
	}
	frame(10, 40, picking.Left)
	frame(60, 60, picking.Left)
	fmt.Println("in the marquee:", len(marquee.Preview), "selected:", selection.Len())
	frame(60, 60)
	fmt.Println("selected:", selection.Len())
	pointer.Toggle = true
	frame(20, 50, picking.Left)
	frame(20, 50)
	fmt.Println("selected:", selection.Len())
	// Output:
	// in the marquee: 2 selected: 0
	// selected: 2
	// selected: 1
}
