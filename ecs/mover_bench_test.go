package physecs

import (
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// BenchmarkMoverSystem updates 5,000 movers on a terrain of 20,000 triangles, of which some walk.
// Sync is not timed.
func BenchmarkMoverSystem(b *testing.B) {
	const n = 5000
	for _, c := range []struct {
		name string
		walk int // number of those that walk
	}{{"at rest", 0}, {"100 walk", 100}, {"all walk", n}} {
		b.Run(c.name, func(b *testing.B) {
			y := newWalkedWorld()
			vertices, indices := mesh.Plane(400, 400, 100, 100)
			for i := range vertices {
				p := &vertices[i]
				p.Y = 2 + float32(math.Sin(float64(p.X)/9)+math.Sin(float64(p.Z)/7))
			}
			m, err := mesh.New(vertices, indices)
			require.NoError(b, err)
			y.Add(y.add(geom.At(0, 0, 0), Mesh(resourceOf[Meshes](y.World).Add(m))), y.static)
			var walkers []ecs.Entity
			for i := range n {
				e := y.walker(float32(i%71)*4-140, float32(i/71)*4-140, Mover{})
				y.transforms.Get(e).Position.Y = 6
				walkers = append(walkers, e)
			}
			y.run(120)
			tick := 0
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				tick++
				for i := range c.walk {
					y.movers.Get(walkers[i*n/c.walk]).Velocity = geom.V(4-8*float32(tick/50%2), 0, 1)
				}
				Sync(y.World)
				b.StartTimer()
				y.system.Update(y.World)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/mover")
		})
	}
}
