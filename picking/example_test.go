package picking_test

import (
	"fmt"
	"math"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// From the cursor to the click.
func Example() {
	space := physics.NewSpace()
	ball := space.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(0, 0, -10)})
	size := picking.Size{Width: 800, Height: 600}
	view := picking.View{
		Camera:   picking.Camera{Projection: picking.Perspective(math.Pi/3, 0.1, 1000)},
		Viewport: picking.FullViewport(size, size),
	}
	var pointer picking.Pointer[physics.ColliderID]

	x, y, _, _ := view.Project(geom.V(0.5, 0.5, -10))
	for _, down := range []picking.Buttons{picking.ButtonSet(), picking.ButtonSet(picking.Left), picking.ButtonSet()} {
		ray, inside := view.Ray(x, y)
		hit, ok := space.CastRay(ray, picking.PickFilter())
		input := picking.Input{X: x, Y: y, Inside: inside, Down: down}
		for _, e := range pointer.Update(input, hit.Collider, ok) {
			fmt.Println(e.Kind, e.Target == ball)
		}
	}
	// Output:
	// Over true
	// Enter true
	// Down true
	// Up true
	// Click true
}

// From the cursor to a ray, in a window with two framebuffer pixels per window pixel.
func ExampleView_Ray() {
	camera := picking.Camera{Projection: picking.Perspective(math.Pi/3, 0.1, 1000)}
	camera.LookAt(geom.V(0, 2, 10), geom.V(0, 2, 0), geom.V(0, 1, 0))
	view := picking.View{
		Camera:   camera,
		Viewport: picking.FullViewport(picking.Size{Width: 800, Height: 600}, picking.Size{Width: 1600, Height: 1200}),
	}

	ray, ok := view.Ray(600, 150)
	fmt.Println(ok)
	fmt.Printf("%.3f %.3f %.3f\n", ray.Dir.X, ray.Dir.Y, ray.Dir.Z)

	_, ok = view.Ray(900, 150) // beside the window
	fmt.Println(ok)
	// Output:
	// true
	// 0.347 0.260 -0.901
	// false
}

// A label is placed where its point is seen.
func ExampleView_Project() {
	view := picking.View{
		Camera:   picking.Camera{Projection: picking.Orthographic(10, 0, 100).WithReversedDepth()},
		Viewport: picking.FullViewport(picking.Size{Width: 800, Height: 600}, picking.Size{Width: 800, Height: 600}),
	}
	x, y, depth, ok := view.Project(geom.V(1, 2, -25))
	fmt.Printf("%.1f %.1f %.3f %v\n", x, y, depth, ok)
	// Output: 460.0 180.0 0.750 true
}

func ExampleView_Frustum() {
	view := picking.View{
		Camera:   picking.Camera{Projection: picking.Perspective(math.Pi/2, 1, 100)},
		Viewport: picking.FullViewport(picking.Size{Width: 100, Height: 100}, picking.Size{Width: 100, Height: 100}),
	}
	frustum := view.Frustum()
	for _, z := range []float32{10, 0, -10, -100} {
		fmt.Println(z, frustum.ClassifyAABB(geom.AABBAround(geom.V(0, 0, z), geom.V(2, 2, 2))))
	}
	// Output:
	// 10 Outside
	// 0 Intersecting
	// -10 Contained
	// -100 Intersecting
}

func ExamplePointer() {
	var pointer picking.Pointer[string]
	frames := []struct {
		input picking.Input
		hover string
	}{
		{picking.Input{X: 10, Y: 10, Inside: true}, ""},
		{picking.Input{X: 50, Y: 40, Inside: true}, "door"},
		{picking.Input{X: 50, Y: 40, Inside: true, Down: picking.ButtonSet(picking.Left)}, "door"},
		{picking.Input{X: 51, Y: 40, Inside: true}, "door"},
		{picking.Input{X: 90, Y: 40, Inside: true}, "key"},
	}
	for _, f := range frames {
		for _, e := range pointer.Update(f.input, f.hover, f.hover != "") {
			switch e.Kind { // the kinds that this game uses
			case picking.Over, picking.Out, picking.Click:
				fmt.Println(e.Kind, e.Target)
			}
		}
	}
	// Output:
	// Over door
	// Click door
	// Out door
	// Over key
}

func ExampleOrbit() {
	viewport := picking.FullViewport(picking.Size{Width: 800, Height: 600}, picking.Size{Width: 800, Height: 600})
	orbit := picking.Orbit{Distance: 10, MinDistance: 1, Projection: picking.Perspective(math.Pi/2, 0.1, 100)}
	orbit.Turn(math.Pi/2, 0)
	orbit.ZoomTo(viewport, 400, 300, 0.5)
	fmt.Printf("%.1f\n", orbit.Camera().Position.X)
	orbit.Zoom(0.001)
	fmt.Printf("%.1f\n", orbit.Camera().Position.X)
	// Output:
	// 5.0
	// 1.0
}

func ExampleCamera_Rebase() {
	camera := picking.Camera{Position: geom.V(998, 2, 0), Projection: picking.Perspective(1, 0.1, 1000)}
	space := physics.NewSpace()
	// The camera has moved far: the origin of the coordinates follows it.
	from, to := space.Origin(), geom.DVec3{X: 1000}
	space.Rebase(to)
	camera.Rebase(from, to)
	fmt.Println(camera.Position)
	// Output:
	// (-2, 2, 0)
}
