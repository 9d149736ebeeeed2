package meshio_test

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

// Shots through a fence, whose holes are in its texture.
func ExamplePart_UVAt() {
	model, err := meshio.DecodeOBJ(strings.NewReader("v -1 0 0\nv 1 0 0\nv 1 2 0\nv -1 2 0\nvt 0 0\nvt 8 0\nvt 8 8\nvt 0 8\nf 1/1 2/2 3/3 4/4\n"))
	if err != nil {
		panic(err)
	}
	m, err := model.Mesh()
	if err != nil {
		panic(err)
	}
	// Two pixels of wire and two of air along both axes; it repeats eight times.
	wire := image.NewAlpha(image.Rect(0, 0, 4, 4))
	for i := range wire.Pix {
		if x, y := i%4, i/4; x < 2 || y < 2 {
			wire.Set(x, y, color.Opaque)
		}
	}
	space := physics.NewSpace()
	fence := space.Add(physics.Collider{Shape: m})
	space.Add(physics.Collider{Shape: geom.Plane{Normal: geom.V(0, 0, 1)}, Transform: geom.At(0, 0, -5)})
	filter := physics.Filter{HitPredicate: func(h physics.Hit) bool {
		if h.Collider != fence {
			return true
		}
		part, triangle := model.PartOf(h.Triangle)
		uv, ok := part.UVAt(triangle, h.U, h.V)
		pixel := func(t float32) int { return int(math.Floor(float64(4*t))) & 3 }
		return !ok || wire.AlphaAt(pixel(uv.U), pixel(uv.V)).A > 0
	}}
	for _, at := range []geom.Vec3{geom.V(0.05, 1.05, 3), geom.V(0.2, 1.05, 3)} {
		hit, _ := space.CastRay(geom.NewRay(at, geom.V(0, 0, -1)), filter)
		fmt.Println(hit.Point, "fence:", hit.Collider == fence)
	}
	// Output:
	// (0.05, 1.05, 0) fence: true
	// (0.2, 1.05, -5) fence: false
}
