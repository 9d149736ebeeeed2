package geom_test

import (
	"fmt"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

func ExampleBox_OverlapsSphere() {
	crate := geom.Box{HalfExtents: geom.V(1, 1, 1), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), math.Pi/4)}
	ball := geom.Sphere{Center: geom.V(1.9, 0, 0), Radius: 0.5}
	fmt.Println(crate.OverlapsSphere(ball), crate.OverlapsSphere(geom.Sphere{Center: geom.V(2, 0, 0), Radius: 0.5}))
	// Output: true false
}

func ExampleTriangle_OverlapsTriangle() {
	floor := geom.Triangle{A: geom.V(-1, 0, 1), B: geom.V(1, 0, 1), C: geom.V(0, 0, -1)}
	sail := geom.Triangle{A: geom.V(0, 0, 0), B: geom.V(1, 2, 0), C: geom.V(-1, 2, 0)}
	fmt.Println(floor.OverlapsTriangle(sail)) // a corner of the sail touches the floor
	// Output: true
}

// A sphere is contained in a shape if its centre is at least its radius deep in the shape.
func ExampleAABB_SignedDistance() {
	room := geom.AABBAround(geom.V(0, 0, 0), geom.V(5, 5, 5))
	ball := geom.Sphere{Center: geom.V(4, 0, 0), Radius: 1}
	fmt.Println(-room.SignedDistance(ball.Center) >= ball.Radius)
	// Output: true
}

func ExampleSphere_ClosestPoint() {
	s := geom.Sphere{Center: geom.V(0, 1, 0), Radius: 1}
	p := geom.V(0, 5, 0)
	fmt.Println(s.ClosestPoint(p), s.Distance(p), s.Contains(p))
	// Output: (0, 2, 0) 3 false
}

func ExampleRay_Distance() {
	// To pick points with a tolerance, compare it with how near the ray passes.
	ray := geom.NewRay(geom.V(0, 0, 0), geom.V(0, 0, -1))
	fmt.Println(ray.Distance(geom.V(3, 4, -100)))
	// Output: 5
}

func ExamplePlane_SignedDistance() {
	ground := geom.PlaneThrough(geom.V(0, 2, 0), geom.V(0, 1, 0))
	fmt.Println(ground.SignedDistance(geom.V(7, 5, 7)), ground.SignedDistance(geom.V(7, 0, 7)))
	// Output: 3 -2
}
