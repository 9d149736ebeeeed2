package geom_test

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// A ball that falls past the edge of a floor touches it on its way.
func ExampleTriangle_CastSphere() {
	floor := geom.Triangle{A: geom.V(0, 0, 0), B: geom.V(0, 0, 8), C: geom.V(8, 0, 0)}
	fall := geom.NewRay(geom.V(2, 10, -3), geom.V(0, -1, 0))
	hit, ok := floor.CastSphere(fall, 5, geom.CullBack)
	fmt.Println(ok, hit.T, hit.Point, hit.Normal)
	// Output: true 6 (2, 0, 0) (0, 0.8, -0.6)
}

// One ball against many triangles: the first of equals is kept, and what lies beyond the best is
// passed over early.
func ExampleSphereCaster() {
	steps := []geom.Triangle{
		{A: geom.V(-4, 0, -4), B: geom.V(0, 0, 4), C: geom.V(4, 0, -4)},
		{A: geom.V(-4, 1, -4), B: geom.V(0, 1, 4), C: geom.V(4, 1, -4)},
	}
	k := geom.NewSphereCaster(geom.Ray{Origin: geom.V(0, 5, 0), Dir: geom.V(0, -1, 0), MaxT: 9}, 0.5)
	best := geom.Hit{T: 9, Triangle: -1}
	for i, step := range steps {
		if hit, ok := k.Cast(step, best.T, geom.CullNone); ok && (hit.T < best.T || best.Triangle < 0) {
			best = hit
			best.Triangle = int32(i)
		}
	}
	fmt.Println("step", best.Triangle, "after", best.T, "m")
	// Output: step 1 after 3.5 m
}
