package mesh_test

import (
	"testing"

	"github.com/hitscan-go/hitscan/physics/mesh"
)

// The table of edge convexity is computed for a mesh of the measuring data, or one triangle is
// looked up in it.
func BenchmarkBends(b *testing.B) {
	for _, name := range []string{"bunny", "arena1"} {
		m := sharedMesh(b, name)
		vertices, indices := m.Vertices(), m.Indices()
		b.Run(name+" make", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				m, _ := mesh.New(vertices, indices)
				b.StartTimer()
				m.EdgeConvexity(0)
			}
			b.ReportMetric(float64(6*m.NumTriangles())/1e6, "MB")
		})
		b.Run(name+" query", func(b *testing.B) {
			n := m.NumTriangles()
			for i := 0; b.Loop(); i += 7919 {
				m.EdgeConvexity(i % n)
			}
		})
	}
}
