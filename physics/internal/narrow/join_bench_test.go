package narrow

import (
	"math/rand/v2"
	"testing"

	"github.com/hitscan-go/hitscan/physics/geom"
)

func BenchmarkJoin(b *testing.B) {
	floor := plain(rand.New(rand.NewPCG(1, 1)), 24, 0.8, 0)
	box := func(half float32) Shape {
		return Box(geom.Box{Center: geom.V(12.1, 0.45, 12.2), HalfExtents: geom.V(half, 0.5, half), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), 0.3)})
	}
	man := func(x float32) Shape {
		return Capsule(geom.Capsule{A: geom.V(x, 0.29, 12.2), B: geom.V(x, 1.5, 12.2), Radius: 0.3})
	}
	for _, test := range []struct {
		name string
		s    Shape
	}{{"man on 1", man(12.1)}, {"man on 2", man(11.917)}, {"crate on 4", box(0.3)}, {"slab on 19", box(1)}, {"slab on 341", box(6)}} {
		s := test.s
		var at []int
		for i := range floor.shapes {
			if m := Collide(&floor.shapes[i], &s, 0); m.N > 0 {
				at = append(at, i)
			}
		}
		var j Joiner
		var dst []MeshManifold
		b.Run(test.name+"/triangles alone", func(b *testing.B) {
			var f Finder
			for b.Loop() {
				for _, i := range at {
					f.Collide(&floor.shapes[i], &s, 0)
				}
			}
		})
		b.Run(test.name+"/joined", func(b *testing.B) {
			for b.Loop() {
				j.Reset(s.Center(), 0)
				for _, i := range at {
					j.Collide(int32(i), &floor.edges[i], &floor.shapes[i], &s, 0)
				}
				dst = j.Join(dst[:0])
			}
			b.ReportMetric(float64(len(at)), "triangles")
		})
	}
}
