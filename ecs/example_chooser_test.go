package physecs_test

import (
	"fmt"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// The mouse of a strategy game: a click on a turret selects its tank, one on a button of the HUD
// leaves the selection as it is, and a click of the other button sends the tank to a point of the
// ground.
func ExampleChooser() {
	type Unit struct{ Number int32 }
	world := ecs.NewWorld()
	unit := ecs.ComponentID[Unit](&world)

	sim := physecs.Simulation{Marquee: &physecs.MarqueeSystem{}}
	sim.Pick.Choose = physecs.ChooseAncestor(unit)
	sim.Marquee.Choose = sim.Pick.Choose
	sim.Raycast.Backends = []physecs.Backend{&stopButton}
	sim.Initialize(&world)

	size := picking.Size{Width: 100, Height: 100}
	view := ecs.GetResource[physecs.View](&world)
	// From above, a metre to a unit of the window.
	view.Projection = picking.Ortho(0, 100, 100, 0, 0, 50)
	view.Viewport = picking.FullViewport(size, size)

	tanks := generic.NewMap3[physecs.Transform, physecs.Collider, Unit](&world)
	turrets := generic.NewMap4[physecs.Transform, physecs.Collider, physecs.Parent, physecs.LocalTransform](&world)
	grounds := generic.NewMap3[physecs.Transform, physecs.Collider, physecs.Pickable](&world)
	tank := tanks.NewWith(new(geom.At(50, 50, -20)), new(physecs.Box(geom.V(6, 6, 2))), &Unit{7})
	turrets.NewWith(&physecs.Transform{}, new(physecs.Sphere(3)), &physecs.Parent{Entity: tank}, &physecs.LocalTransform{Position: geom.V(0, 0, 3)})
	// A cover is background: a click on it clears the selection, and its event has the hit.
	grounds.NewWith(&physecs.Transform{}, new(physecs.Plane(geom.V(0, 0, 1), -22)), &physecs.Pickable{Mode: physecs.PickCover})
	stopButton.entity = world.NewEntity()

	selection, handlers := ecs.GetResource[physecs.Selection](&world), ecs.GetResource[physecs.Handlers](&world)
	handlers.On(stopButton.entity, picking.Click, func(w *ecs.World, e *physecs.Event) {
		fmt.Println("stop:", selection.Len())
	})
	handlers.OnBackground(picking.Click, func(w *ecs.World, e *physecs.Event) {
		if e.Button == picking.Right && e.HasHit { // else it is the sky
			fmt.Println("go to", e.Hit.Point, "ordered:", selection.Len())
		}
	})

	pointer := ecs.GetResource[physecs.Pointer](&world)
	click := func(x, y float64, b picking.Button) {
		pointer.Input = picking.Input{X: x, Y: y, Inside: true, Pressed: picking.ButtonSet(b)}
		sim.Update(&world)
	}
	click(50, 50, picking.Left)
	fmt.Println("selected the tank:", selection.Contains(tank))
	click(80.5, 20.5, picking.Right)
	click(5, 5, picking.Left)
	click(80.5, 20.5, picking.Left)
	fmt.Println("selected:", selection.Len())
	// Output:
	// selected the tank: true
	// go to (80.5, 20.5, -22) ordered: 1
	// stop: 1
	// selected: 0
}

// button is a HUD of one button, in the upper left corner.
type button struct{ entity ecs.Entity }

var stopButton button

func (b *button) Pick(_ *ecs.World, in picking.Input, dst []physecs.Pick) []physecs.Pick {
	if in.X < 10 && in.Y < 10 {
		dst = append(dst, physecs.Pick{Target: b.entity, Order: 1})
	}
	return dst
}
