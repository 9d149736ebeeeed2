package physecs

import (
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// BenchmarkSeparateSystem pushes 5,000 units apart that stand on a terrain of 20,000 triangles, up
// to 0.3 m off their places, as dense as they fit or in a formation: with the terrain in the way,
// which Up makes ground, and with a terrain that their layers leave out.
func BenchmarkSeparateSystem(b *testing.B) {
	for _, c := range []struct {
		name  string
		mask  bool
		pitch float32 // metres
	}{{"on terrain", false, 0.9}, {"without it", true, 0.9}, {"formation on terrain", false, 1.2}, {"formation without it", true, 1.2}} {
		b.Run(c.name, func(b *testing.B) {
			g := newGame()
			vertices, indices := mesh.Plane(400, 400, 100, 100)
			height := func(x, z float32) float32 {
				return 2 + float32(math.Sin(float64(x)/9)+math.Sin(float64(z)/7))
			}
			for i := range vertices {
				vertices[i].Y = height(vertices[i].X, vertices[i].Z)
			}
			m, err := mesh.New(vertices, indices)
			require.NoError(b, err)
			ground := Mesh(resourceOf[Meshes](g.World).Add(m))
			ground.Layer = 2
			g.Add(g.add(geom.Transform{}, ground), g.static)
			unit := Capsule(0.5, 0.35)
			if c.mask {
				unit.Mask = 1
			}
			r := golden.Numbers(17)
			var places []geom.Transform
			var units []ecs.Entity
			for i := range 5000 {
				v := r.Vec(0.3)
				x, z := float32(float32(i%71)*c.pitch)+v.X, float32(float32(i/71)*c.pitch)+v.Z
				places = append(places, geom.At(x, height(x, z)+0.85, z))
				units = append(units, put(g, Movable{}, g.transform, g.collider))
				*g.colliders.Get(units[i]) = unit
			}
			s := SeparateSystem{Up: geom.V(0, 1, 0)}
			for b.Loop() {
				b.StopTimer()
				for i, e := range units {
					*g.transforms.Get(e) = places[i]
				}
				Sync(g.World)
				b.StartTimer()
				s.Update(g.World)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(units)), "ns/unit")
		})
	}
}
