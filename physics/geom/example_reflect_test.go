package geom_test

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// A laser between two mirrors goes on from hit to hit, until its 12 m are used up.
func ExampleRay_Reflect() {
	floor := geom.Plane{Normal: geom.V(0, 1, 0)}
	ceiling := geom.Plane{Normal: geom.V(0, -1, 0), D: -3}
	laser := geom.Ray{Origin: geom.V(0, 1, 0), Dir: geom.V(0.8, -0.6, 0), MaxT: 12}
	for mirrors := []geom.Plane{floor, ceiling}; ; mirrors[0], mirrors[1] = mirrors[1], mirrors[0] {
		hit, ok := mirrors[0].CastRay(laser, geom.CullNone)
		if !ok {
			break
		}
		fmt.Printf("at %.1f, %.1f\n", hit.Point.X, hit.Point.Y)
		laser = laser.Reflect(hit)
	}
	fmt.Printf("%.1f m are left\n", laser.MaxT)
	// Output:
	// at 1.3, 0.0
	// at 5.3, 3.0
	// at 9.3, 0.0
	// 0.3 m are left
}
