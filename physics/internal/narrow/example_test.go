package narrow_test

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
)

func ExampleCollide() {
	// A crate that has sunk a little into the floor, half over its edge.
	floor := narrow.AABB(geom.AABB{Min: geom.V(-10, -1, -10), Max: geom.V(10, 0, 10)})
	crate := narrow.AABB(geom.AABB{Min: geom.V(9, -0.125, 0), Max: geom.V(11, 1.875, 2)})
	m := narrow.Collide(&floor, &crate, 0.01)
	fmt.Println("normal", m.Normal.Narrow())
	for _, c := range m.Contacts() {
		fmt.Println(c.PointA.Narrow(), "by", c.Depth, "where", c.FeatureA, "meets", c.FeatureB)
	}
	// Output:
	// normal (0, 1, 0)
	// (9, 0, 0) by 0.125 where face 3 meets vertex 0
	// (10, 0, 0) by 0.125 where edge 11 meets edge 0
	// (10, 0, 2) by 0.125 where edge 11 meets edge 2
	// (9, 0, 2) by 0.125 where face 3 meets vertex 4
}
