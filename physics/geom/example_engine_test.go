package geom_test

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The placement of an object whose matrix an engine has: 2 m to the right, turned by a right angle
// about Y and three times as large.
func ExampleTransformOf() {
	engine := [16]float32{
		0, 0, -3, 0, // the object's X axis
		0, 3, 0, 0,
		3, 0, 0, 0,
		2, 0, 0, 1, // its position
	}
	m, ok := geom.Mat4Of(engine).Affine()
	if !ok {
		fmt.Println("a perspective")
		return
	}
	t, ok := geom.TransformOf(m)
	fmt.Println(t.Position, t.Rotation.Rotate(geom.V(1, 0, 0)), t.Scale, ok)
	// Output: (2, 0, 0) (0, 0, -1) (3, 3, 3) true
}

// The angle by which a sprite is drawn.
func ExampleTransform_Angle2D() {
	t := geom.At2D(3, 4, 1.25)
	fmt.Printf("%.2f\n", t.Angle2D())
	// Output: 1.25
}
