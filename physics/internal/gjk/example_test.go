package gjk_test

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/gjk"
)

func ExampleDistance() {
	// A ball of radius 1 that is stretched to three times its width, and a point to its right.
	egg := gjk.Ellipsoid(geom.V(0, 0, 0), 1, geom.Transform{Scale: geom.V(3, 1, 1)}.Affine())
	d, onEgg, _ := gjk.Distance(egg, gjk.Point(geom.V(5, 0, 0)))
	fmt.Printf("%.3f from %v\n", d, onEgg.Narrow())
	// Output: 2.000 from (3, 0, 0)
}
