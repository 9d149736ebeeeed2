package geom_test

import (
	"fmt"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// A 2D rectangle and a ray from the upper left, 35° below the X axis.
func ExampleAABB_Slabs() {
	rect := geom.Rect(3, 2, 7, 4)
	ray := geom.RayAtAngle(geom.V(1, 7, 0), -35*math.Pi/180)

	s := rect.Slabs(ray)
	fmt.Printf("x crossings %.2f and %.2f\n", s.Near[geom.X], s.Far[geom.X])
	fmt.Printf("y crossings %.2f and %.2f\n", s.Near[geom.Y], s.Far[geom.Y])
	fmt.Printf("tNear %.2f by %v, tFar %.2f by %v\n", s.TNear, s.EnterFace, s.TFar, s.ExitFace)

	if hit, ok := rect.CastRay(ray, geom.Solid); ok {
		fmt.Printf("hit at (%.2f, %.2f), normal %v\n", hit.Point.X, hit.Point.Y, hit.Normal)
	}
	// Output:
	// x crossings 2.44 and 10.99
	// y crossings 1.74 and 8.72
	// tNear 2.44 by MinX, tFar 8.72 by MinY
	// hit at (3.00, 5.60), normal (-1, 0, 0)
}

func ExampleSphere_CastRay() {
	ball := geom.Sphere{Center: geom.V(0, 1, 0), Radius: 1}
	hit, ok := ball.CastRay(geom.NewRay(geom.V(-5, 1, 0), geom.V(1, 0, 0)), geom.Ignore)
	fmt.Println(ok, hit.T, hit.Point, hit.Normal)
	// Output: true 4 (-1, 1, 0) (-1, 0, 0)
}

// The hit of a ray that starts inside depends on the mode.
func ExampleStartMode() {
	room := geom.AABBAround(geom.Vec3{}, geom.V(2, 2, 2))
	ray := geom.NewRay(geom.Vec3{}, geom.V(1, 0, 0))
	for _, mode := range []geom.StartMode{geom.Solid, geom.Exit, geom.Ignore} {
		hit, ok := room.CastRay(ray, mode)
		fmt.Println(mode, ok, hit.T)
	}
	// Output:
	// Solid true 0
	// Exit true 2
	// Ignore false 0
}

// The point of the ground under the cursor, as in a strategy game.
func ExampleYPlane() {
	ray := geom.NewRay(geom.V(0, 10, 0), geom.V(0.5, -1, 0.25))
	hit, ok := geom.YPlane(0).CastRay(ray, geom.CullBack)
	fmt.Println(ok, hit.Point)
	// Output: true (5, 0, 2.5)
}

func ExampleTriangle_CastRay() {
	tri := geom.Triangle{A: geom.V(0, 0, 0), B: geom.V(4, 0, 0), C: geom.V(0, 4, 0)}
	hit, ok := tri.CastRay(geom.NewRay(geom.V(1, 2, 5), geom.V(0, 0, -1)), geom.CullBack)
	fmt.Println(ok, hit.T, hit.U, hit.V, hit.Normal)
	// Output: true 5 0.25 0.5 (0, 0, 1)
}
