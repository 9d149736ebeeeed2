package physics

import (
	"fmt"
	"math"
	"testing"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// BenchmarkCollideManyTriangles is a slab in a floor, flat or rough, of which it touches about as
// many triangles as the name says; and a plate that leans a little, through which its bumps poke.
func BenchmarkCollideManyTriangles(b *testing.B) {
	for _, rough := range []float64{0, 0.3} {
		vertices, indices := mesh.Plane(100, 100, 200, 200)
		for i := range vertices {
			v := &vertices[i]
			v.Y = float32(rough * math.Sin(float64(v.X)*7+float64(v.Z)*13))
		}
		floor := Placed{Shape: mustMesh(vertices, indices)}
		for _, half := range []float32{5, 10} {
			plate := Placed{geom.Box{HalfExtents: geom.V(half, 0, half), Rotation: geom.QuatEuler(0.3, 0.03, 0.02)}, geom.Transform{Position: geom.V(0.1, 0, 0.2)}}
			var dst []Manifold
			b.Run(fmt.Sprintf("rough %g/plate of %g m", rough, 2*half), func(b *testing.B) {
				for b.Loop() {
					dst = Collide(dst[:0], floor, plate, 0)
				}
			})
		}
		for _, half := range []float32{10, 20, 25, 50} {
			slab := Placed{geom.Box{HalfExtents: geom.V(half, 1, half), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), 0.3)}, geom.Transform{Position: geom.V(0.1, 0.8, 0.2)}}
			var dst []Manifold
			b.Run(fmt.Sprintf("rough %g/%d", rough, int(8*half*half)), func(b *testing.B) {
				for b.Loop() {
					dst = Collide(dst[:0], floor, slab, 0)
				}
			})
		}
	}
}
