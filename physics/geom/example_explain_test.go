package geom_test

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
)

func ExamplePlane_Heights() {
	floor := geom.Plane{Normal: geom.V(0, 1, 0), D: 1}
	h := floor.Heights(geom.NewRay(geom.V(0, 5, 0), geom.V(1, -2, 0)))
	fmt.Printf("%g above, changing by %g: at the plane at T %g, %v\n", h.Start, h.Rate, h.T, h.Point)
	// Output: 4 above, changing by -2: at the plane at T 2, (2, 1, 0)
}

// The discriminant is negative for a line that misses.
func ExampleSphere_Roots() {
	ball := geom.Sphere{Center: geom.V(0, 1, 0), Radius: 2}
	for _, y := range []float32{2, 4} {
		q := ball.Roots(geom.NewRay(geom.V(-4, y, 0), geom.V(1, 0, 0)))
		fmt.Printf("discriminant %g, hit %v, closest at T %g, %g from the centre\n", q.Discriminant, q.Hit, q.TClosest, q.Distance)
	}
	// Output:
	// discriminant 3, hit true, closest at T 4, 1 from the centre
	// discriminant -5, hit false, closest at T 4, 3 from the centre
}

// A negative weight shows the edge outside of which a ray passes: the one opposite to that corner.
func ExampleTriangle_Weights() {
	tri := geom.Triangle{A: geom.V(0, 0, 0), B: geom.V(4, 0, 0), C: geom.V(0, 4, 0)}
	w := tri.Weights(geom.NewRay(geom.V(3, 2, 5), geom.V(0, 0, -1)))
	fmt.Println(w.Hit, w.A, w.B, w.C)
	// Output: false -0.25 0.75 0.5
}
