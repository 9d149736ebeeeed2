package mesh_test

import (
	"fmt"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

func Example() {
	ramp, err := mesh.New(
		[]geom.Vec3{{X: -2, Z: 2}, {X: 2, Z: 2}, {X: 2, Y: 2, Z: -2}, {X: -2, Y: 2, Z: -2}},
		[]uint32{0, 1, 2, 0, 2, 3},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	down := geom.NewRay(geom.V(1, 10, 0.5), geom.V(0, -1, 0))
	if hit, ok := ramp.CastRay(down, geom.CullNone); ok {
		fmt.Println("triangle", hit.Triangle, "at", hit.Point, "after", hit.T, "m, facing", hit.Normal)
	}
	// Output: triangle 0 at (1, 0.75, 0.5) after 9.25 m, facing (0, 0.8944272, 0.4472136)
}

func ExampleNew_error() {
	_, err := mesh.New([]geom.Vec3{{}, {X: 1}, {Y: 1}}, []uint32{0, 1, 2, 0, 1, 7})
	fmt.Println(err)
	// Output: mesh: New: triangle 1: index 7 out of range (3 vertices)
}

// Hits one by one, front to back, until enough are found.
func ExampleMesh_CastRayAfter() {
	m, err := mesh.New(mesh.Torus(3, 1, 64, 32))
	if err != nil {
		fmt.Println(err)
		return
	}
	r := geom.NewRay(geom.V(-9, 0.2, 0.1), geom.V(1, 0, 0))
	for h, ok := m.CastRay(r, geom.CullNone); ok; h, ok = m.CastRayAfter(r, geom.CullNone, h.T, h.Triangle) {
		fmt.Printf("x = %.2f, from behind: %v\n", h.Point.X, h.BackFace)
	}
	// Output:
	// x = -3.97, from behind: false
	// x = -2.02, from behind: true
	// x = 2.02, from behind: false
	// x = 3.97, from behind: true
}

// Triangles that touch a shape without a query of its own, here a capsule.
func ExampleMesh_VisitAABB() {
	m, err := mesh.New(mesh.Plane(10, 10, 20, 20))
	if err != nil {
		fmt.Println(err)
		return
	}
	foot := geom.Capsule{A: geom.V(0.3, 0.2, 0.4), B: geom.V(0.3, 1.5, 0.4), Radius: 0.25}
	var touched []int
	m.VisitAABB(foot.Bounds(), func(i int) bool {
		if foot.OverlapsTriangle(m.Triangle(i)) {
			touched = append(touched, i)
		}
		return true
	})
	slices.Sort(touched) // triangles are visited in no particular order
	fmt.Println("stands on triangles", touched)
	// Output: stands on triangles [420 421]
}

func ExampleMesh_CastRays() {
	m, err := mesh.New(mesh.Box(geom.V(1, 1, 1)))
	if err != nil {
		panic(err)
	}
	down := geom.V(0, -1, 0)
	hits := m.CastRays(nil, []geom.Ray{
		geom.NewRay(geom.V(0.5, 5, 0.25), down),
		geom.NewRay(geom.V(3, 5, 0), down),
	}, geom.CullBack)
	for _, h := range hits {
		fmt.Println(h.T, h.Triangle >= 0)
	}
	// Output:
	// 4 true
	// +Inf false
}

// Which of the others a guard sees past a wall.
func ExampleMesh_CastRaysAny() {
	wall, err := mesh.New(mesh.Box(geom.V(0.1, 2, 3)))
	if err != nil {
		panic(err)
	}
	guard := geom.V(-5, 1, 0)
	blocked := wall.CastRaysAny(nil, []geom.Ray{
		geom.Segment(guard, geom.V(5, 1, 0)),
		geom.Segment(guard, geom.V(-2, 1, 4)),
		geom.Segment(guard, geom.V(5, 1, 9)),
	}, geom.CullNone)
	fmt.Println(blocked)
	// Output: [true false false]
}
