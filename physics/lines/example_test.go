package lines_test

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/lines"
	"github.com/hitscan-go/hitscan/picking"
)

// Debug lines in any engine: here in one that draws lines between points of its screen.
func Example() {
	space := physics.NewPlanarSpace()
	space.Add(physics.Collider{Shape: geom.AABBAround(geom.V(3, 2, 0), geom.V(1, 1, 0))})
	camera := [2][3]float64{{32, 0, 320}, {0, -32, 240}} // 32 pixels a metre, Y upward
	view := picking.View2D(func(i, j int) float64 { return camera[i][j] }, picking.Size{Width: 640, Height: 480})

	var list lines.List // kept, and cleared every frame
	list.Clear()
	list.Space(space, lines.RGB(0x2F6FDE))
	for _, s := range list.Segments() {
		x0, y0, _, _ := view.Project(s.A)
		x1, y1, _, _ := view.Project(s.B)
		fmt.Printf("line from %.0f %.0f to %.0f %.0f, %g pixels wide\n", x0, y0, x1, y1, s.Width)
	}
	// Output:
	// line from 384 208 to 448 208, 1.5 pixels wide
	// line from 448 208 to 448 144, 1.5 pixels wide
	// line from 448 144 to 384 144, 1.5 pixels wide
	// line from 384 144 to 384 208, 1.5 pixels wide
}
