package physics_test

import (
	"fmt"
	"image"
	"image/color"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// A shot through the hole of a leaf: the texture is transparent there. The texture coordinates of a
// hit are those of the triangle's corners, weighted by U and V of the hit.
func ExampleFilter_hitPredicate() {
	const size = 8 // of the texture, in pixels
	indices := []uint32{0, 1, 2, 0, 2, 3}
	card, err := mesh.New([]geom.Vec3{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}}, indices)
	if err != nil {
		panic(err)
	}
	// The texture coordinates of the vertices, from the top left.
	coordinates := [][2]float32{{0, 1}, {1, 1}, {1, 0}, {0, 0}}
	texture := image.NewAlpha(image.Rect(0, 0, size, size))
	for i := range texture.Pix {
		texture.Pix[i] = 255
	}
	texture.SetAlpha(5, 2, color.Alpha{}) // the hole

	space := physics.NewSpace()
	leaf := space.Add(physics.Collider{Shape: card})
	wall := space.Add(physics.Collider{Shape: geom.Plane{Normal: geom.V(0, 0, 1)}, Transform: geom.At(0, 0, -5)})
	filter := physics.Filter{HitPredicate: func(h physics.Hit) bool {
		if h.Collider != leaf {
			return true
		}
		corners := indices[3*h.Triangle:]
		a, b, c := coordinates[corners[0]], coordinates[corners[1]], coordinates[corners[2]]
		x := a[0] + h.U*(b[0]-a[0]) + h.V*(c[0]-a[0])
		y := a[1] + h.U*(b[1]-a[1]) + h.V*(c[1]-a[1])
		return texture.AlphaAt(int(size*x), int(size*y)).A >= 128
	}}
	for _, at := range []geom.Vec3{geom.V(0.1, 0.4, 3), geom.V(0.4, 0.4, 3)} {
		hit, _ := space.CastRay(geom.NewRay(at, geom.V(0, 0, -1)), filter)
		fmt.Println("leaf:", hit.Collider == leaf, "wall:", hit.Collider == wall, hit.Point)
	}
	// Output:
	// leaf: true wall: false (0.1, 0.4, 0)
	// leaf: false wall: true (0.4, 0.4, -5)
}
