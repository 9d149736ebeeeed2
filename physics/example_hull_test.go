package physics_test

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

// A roof is the hull of the ends of its ridge and of its corners. It is solid: a point under the
// roof is inside of it.
func Example_hull() {
	roof, err := hull.New([]geom.Vec3{
		{X: -2, Z: -1}, {X: 2, Z: -1}, {X: 2, Z: 1}, {X: -2, Z: 1},
		{X: -2, Y: 1}, {X: 2, Y: 1},
	})
	if err != nil {
		panic(err)
	}
	space := physics.NewSpace()
	house := space.Add(physics.Collider{Shape: roof, Transform: geom.Transform{Position: geom.V(0, 3, 0), Scale: geom.V(1, 2, 1)}})

	rain, _ := space.CastRay(geom.NewRay(geom.V(0, 10, 0.5), geom.V(0, -1, 0)), physics.Filter{})
	fmt.Println(rain.T, rain.Point, rain.Collider == house)
	fmt.Println(len(space.OverlapPoint(nil, geom.V(1, 3.5, 0.2), physics.Filter{})))

	crate := physics.ShapeCast{Shape: roof, Transform: geom.At(0, 9, 0), Motion: geom.V(0, -1, 0)}
	hit, _ := space.CastShape(crate, physics.Filter{})
	fmt.Println(hit.T, hit.Normal)
	// Output:
	// 6 (0, 4, 0.5) true
	// 1
	// 4 (0, 1, 0)
}
