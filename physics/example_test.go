package physics_test

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

func Example() {
	space := physics.NewSpace()
	space.Add(physics.Collider{Shape: geom.Plane{Normal: geom.V(0, 1, 0)}}) // the ground
	crate := space.Add(physics.Collider{
		Shape:     geom.Box{HalfExtents: geom.V(1, 1, 1)},
		Transform: geom.At(0, 1, 0),
		User:      42,
	})

	ray := geom.NewRay(geom.V(0, 1.5, 10), geom.V(0, 0, -1))
	if hit, ok := space.CastRay(ray, physics.Filter{}); ok {
		fmt.Println(hit.Collider == crate, hit.User, hit.T, hit.Point, hit.Normal)
	}

	space.SetTransform(crate, geom.At(5, 1, 0))
	fmt.Println(space.CastRayAny(ray, physics.Filter{}))
	// Output:
	// true 42 9 (0, 1.5, 1) (0, 0, 1)
	// false
}

// A bullet passes through glass and stops at the first collider that is not glass.
func ExampleSpace_Hits() {
	const glass physics.Layers = 2
	space := physics.NewSpace()
	pane := geom.Box{HalfExtents: geom.V(2, 2, 0.125)}
	space.Add(physics.Collider{Shape: pane, Transform: geom.At(0, 0, -5), Layer: glass})
	space.Add(physics.Collider{Shape: pane, Transform: geom.At(0, 0, -10), Layer: glass})
	space.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(0, 0, -15)})

	for hit := range space.Hits(geom.NewRay(geom.V(0, 0, 0), geom.V(0, 0, -1)), physics.Filter{}) {
		c, _ := space.Collider(hit.Collider)
		fmt.Println(hit.T, c.Layer == glass)
		if c.Layer != glass {
			break
		}
	}
	// Output:
	// 4.875 true
	// 9.875 true
	// 14 false
}

// A bullet that penetrates wood loses speed by the thickness of what it passes.
func ExampleSpace_Crossings() {
	space := physics.NewSpace()
	space.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(2, 2, 0.125)}, Transform: geom.At(0, 0, -5)})
	space.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(0, 0, -10)})

	for _, c := range space.Crossings(nil, geom.Segment(geom.V(0, 0, 0), geom.V(0, 0, -20)), physics.Filter{}) {
		fmt.Println(c.Enter.Point, c.Exit.Point, c.Thickness())
	}
	// Output:
	// (0, 0, -4.875) (0, 0, -5.125) 0.25
	// (0, 0, -9) (0, 0, -11) 2
}

// A table is one collider of two shapes; the hit holds the number of the shape.
func ExampleCompound() {
	table := physics.NewCompound(
		physics.Child{Shape: geom.Box{HalfExtents: geom.V(1, 0.125, 1)}, Transform: geom.At(0, 1, 0)},
		physics.Child{Shape: geom.Capsule{B: geom.V(0, 1, 0), Radius: 0.25}},
	)
	space := physics.NewSpace()
	space.Add(physics.Collider{Shape: table, Transform: geom.At(3, 0, 0)})

	top, _ := space.CastRay(geom.NewRay(geom.V(3.5, 5, 0), geom.V(0, -1, 0)), physics.Filter{})
	leg, _ := space.CastRay(geom.NewRay(geom.V(0, 0.5, 0), geom.V(1, 0, 0)), physics.Filter{})
	fmt.Println(top.Child, top.Point)
	fmt.Println(leg.Child, leg.Point)
	// Output:
	// 0 (3.5, 1.125, 0)
	// 1 (2.75, 0.5, 0)
}

func ExampleSpace_OverlapSphere() {
	space := physics.NewSpace()
	for i := range 5 {
		space.Add(physics.Collider{Shape: geom.Sphere{Radius: 0.5}, Transform: geom.At(float32(2*i), 0, 0), User: uint64(i)})
	}
	blast := geom.Sphere{Center: geom.V(4, 1, 0), Radius: 2}
	for _, id := range space.OverlapSphere(nil, blast, physics.Filter{}) {
		c, _ := space.Collider(id)
		fmt.Print(c.User, " ")
	}
	// Output:
	// 1 2 3
}

func ExampleSpace_Nearest() {
	space := physics.NewSpace()
	space.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(0, 0, 0)})
	space.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(10, 0, 0)})
	nearest, _ := space.Nearest(geom.V(6, 0, 0), 100, physics.Filter{})
	fmt.Println(nearest.PointA, nearest.Distance)
	// Output:
	// (9, 0, 0) 3
}

// A crate falls onto a floor and past a collider beside its path.
func ExampleSpace_CastShape() {
	space := physics.NewSpace()
	floor := space.Add(physics.Collider{Shape: geom.Plane{Normal: geom.V(0, 1, 0)}})
	space.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(3, 2, 0)})

	fall := physics.ShapeCast{
		Shape:     geom.Box{HalfExtents: geom.V(0.5, 0.5, 0.5)},
		Transform: geom.At(0, 10, 0),
		Motion:    geom.V(0, -4, 0), // metres a second, so that T is in seconds
		MaxT:      5,
	}
	hit, ok := space.CastShape(fall, physics.Filter{})
	fmt.Println(ok, hit.Collider == floor, hit.T, hit.Normal, hit.Overlaps)
	// Output:
	// true true 2.375 (0, 1, 0) false
}
