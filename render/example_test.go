package render_test

import (
	"fmt"
	"log"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// A window with a box that is outlined under the cursor.
func Example() {
	window, err := render.Open(render.Options{Title: "Box"})
	if err != nil {
		log.Fatal(err)
	}
	defer window.Close()
	renderer, err := render.NewRenderer()
	if err != nil {
		log.Fatal(err)
	}
	defer renderer.Close()

	world := ecs.NewWorld()
	var systems physecs.Simulation
	systems.Initialize(&world)
	box, paint := physecs.Box(geom.V(0.5, 0.5, 0.5)), render.Paint(0xE07A5F)
	objects := generic.NewMap3[physecs.Transform, physecs.Collider, render.Material](&world)
	objects.NewWith(&physecs.Transform{}, &box, &paint)

	view := ecs.GetResource[physecs.View](&world)
	view.Projection = picking.Perspective(0.8, 0.05, 500)
	view.LookAt(geom.V(3, 2, 4), geom.Vec3{}, geom.V(0, 1, 0))
	for !window.ShouldClose() {
		window.Poll()
		window.Feed(&world, &renderer.HUD)
		systems.Update(&world)
		if hover := ecs.GetResource[physecs.Hover](&world); hover.OK {
			renderer.HUD.Card(16, 16, 0, "Hit", render.Row{Key: "T", Value: fmt.Sprintf("%.2f m", hover.T)})
		}
		if err := renderer.Draw(&world, *view); err != nil {
			log.Fatal(err)
		}
		window.Present(renderer)
	}
}

// An image without a visible window, of any size.
func ExampleRenderer_Screenshot() {
	window, err := render.Open(render.Options{Hidden: true})
	if err != nil {
		log.Fatal(err)
	}
	defer window.Close()
	renderer, err := render.NewRenderer()
	if err != nil {
		log.Fatal(err)
	}
	defer renderer.Close()

	world := ecs.NewWorld()
	size := picking.Size{Width: 1920, Height: 1080}
	view := picking.View{Viewport: picking.FullViewport(size, size)}
	view.Projection = picking.Perspective(0.8, 0.05, 500)
	renderer.Lines.Axes(geom.At(0, 0, -3), 1)
	if err := renderer.Draw(&world, view); err != nil {
		log.Fatal(err)
	}
	if err := renderer.Screenshot("axes.png"); err != nil {
		log.Fatal(err)
	}
}
