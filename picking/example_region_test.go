package picking_test

import (
	"fmt"
	"math"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// Three balls in a row; the last is behind a wall, the second extends beyond the rectangle.
func ExampleRegion() {
	space := physics.NewSpace()
	names := map[physics.ColliderID]string{}
	for i, name := range []string{"left", "middle", "right"} {
		names[space.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(float32(4*i-4), 0, -20)})] = name
	}
	names[space.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(1.5, 1.5, 0.1)}, Transform: geom.At(3.2, 0, -16)})] = "wall"
	size := picking.Size{Width: 800, Height: 600}
	view := picking.View{
		Camera:   picking.Camera{Projection: picking.Perspective(math.Pi/3, 0.1, 1000)},
		Viewport: picking.FullViewport(size, size),
	}
	show := func(what string, ids []physics.ColliderID) {
		fmt.Print(what, ":")
		for _, id := range ids {
			fmt.Print(" ", names[id])
		}
		fmt.Println()
	}

	var region picking.Region
	region.SetRectangle(view, 200, 200, 400, 400)
	show("touching", region.Overlap(space, nil, physics.Filter{}))
	show("contained", region.Contained(space, nil, physics.Filter{}))

	region.SetLasso(view, []picking.Point{{X: 360, Y: 250}, {X: 600, Y: 200}, {X: 600, Y: 400}, {X: 360, Y: 350}})
	touching := region.Overlap(space, nil, physics.Filter{})
	show("in the lasso", touching)
	show("and visible", region.Visible(space, touching, 1, picking.PickFilter()))
	// Output:
	// touching: left middle
	// contained: left
	// in the lasso: middle right wall
	// and visible: middle wall
}

// A drag that begins in the left half of a split screen stays there.
func ExampleViews() {
	full := picking.FullViewport(picking.Size{Width: 800, Height: 600}, picking.Size{Width: 1600, Height: 1200})
	camera := picking.Camera{Projection: picking.Perspective(1, 0.1, 1000)}
	views := picking.Views{List: []picking.View{
		{Camera: camera, Viewport: full.Part(0, 0, 0.5, 1)},
		{Camera: camera, Viewport: full.Part(0.5, 0, 1, 1)},
	}}
	for _, in := range []picking.Input{
		{X: 600, Y: 300, Inside: true},
		{X: 200, Y: 300, Inside: true, Down: picking.ButtonSet(picking.Left)},
		{X: 600, Y: 300, Inside: true, Down: picking.ButtonSet(picking.Left)},
	} {
		i, _ := views.Update(in)
		_, ok := views.List[i].RayBeyond(in.X, in.Y)
		fmt.Println("view", i, "captured", views.Captured(), "ray", ok)
	}
	// Output:
	// view 1 captured false ray true
	// view 0 captured true ray true
	// view 0 captured true ray true
}

// A chair is moved over the floor in steps of half a metre.
func ExamplePlaneDrag() {
	eye, chair := geom.V(0, 3, 5), geom.V(0, 0, 0)
	// The pointer.
	under := func(x, z float32) geom.Ray { return geom.NewRay(eye, geom.V(x, 0, z).Sub(eye)) }

	drag := picking.PlaneDrag{Snap: picking.Snap{Step: 0.5}}
	drag.Begin(under(0.1, 0.1), chair, geom.V(1, 0, 0), geom.V(0, 0, 1))
	fmt.Println(chair.Add(drag.Drag(under(0.2, 0.1))))
	fmt.Println(chair.Add(drag.Drag(under(1.2, -0.8))))
	// Output:
	// (0, 0, 0)
	// (1, 0, -1)
}

// A crate is turned by a quarter about the world's Y axis.
func ExampleGizmo() {
	size := picking.Size{Width: 800, Height: 600}
	view := picking.View{Camera: picking.Camera{Projection: picking.Perspective(1, 0.1, 100)}, Viewport: picking.FullViewport(size, size)}
	view.LookAt(geom.V(0, 10, 0.1), geom.Vec3{}, geom.V(0, 1, 0)) // from above
	pointer := func(x, y float64) geom.Ray { r, _ := view.Ray(x, y); return r }
	crate := geom.Transform{}

	gizmo := picking.Gizmo{Mode: picking.GizmoTurn, TurnSnap: picking.Snap{Step: math.Pi / 4}}
	fmt.Println("over", gizmo.Hover(view, crate, pointer(464, 236)))
	if gizmo.Begin(view, crate, pointer(464, 236)) {
		crate = gizmo.Drag(pointer(330, 230))
		gizmo.End()
	}
	x := crate.Rotation.Rotate(geom.V(1, 0, 0))
	fmt.Printf("its X axis points to %.0f, %.0f, %.0f\n", x.X, x.Y, x.Z)
	// Output:
	// over Y
	// its X axis points to 0, 0, -1
}
