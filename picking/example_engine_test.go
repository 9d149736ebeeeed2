package picking_test

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// What is under the cursor of an engine whose camera has a matrix in single precision.
func ExampleViewOf() {
	space := physics.NewSpace()
	space.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(0, 0, -10)})
	// A perspective with its near plane at 0.1 m.
	matrix := [16]float32{1.5, 0, 0, 0, 0, 2, 0, 0, 0, 0, -1, -1, 0, 0, -0.2, 0}

	view := picking.ViewOf(geom.Mat4Of(matrix), picking.ClipMinusOneToOne, picking.Size{Width: 800, Height: 600}, picking.Size{Width: 1600, Height: 1200})
	ray, _ := view.Ray(400, 300)
	hit, ok := space.CastRay(ray, picking.PickFilter())
	fmt.Printf("%.1f %t\n", hit.Point.Z, ok)
	// Output: -9.0 true
}

// GeoM is the map with which Ebitengine draws: 32 pixels a metre, with the origin in the middle of
// the screen and Y upward.
type GeoM [2][3]float64

func (g *GeoM) Element(row, column int) float64 { return g[row][column] }

// What is under the cursor of a 2D game.
func ExampleView2D() {
	space := physics.NewPlanarSpace()
	space.Add(physics.Collider{Shape: geom.AABBAround(geom.V(3, 2, 0), geom.V(1, 1, 0))})
	camera := &GeoM{{32, 0, 320}, {0, -32, 240}}

	view := picking.View2D(camera.Element, picking.Size{Width: 640, Height: 480})
	ray, _ := view.Ray(410, 180)
	hit, ok := space.CastRay(ray, picking.PickFilter())
	fmt.Printf("%.2f %.2f %t\n", hit.Point.X, hit.Point.Y, ok)
	// Output: 2.83 1.86 true
}
