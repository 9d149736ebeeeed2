package mesh_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/measuring"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// girders is a sheet of 28,800 small triangles with 2,000 long thin ones over and through it, in
// all directions.
func girders(t testing.TB) *mesh.Mesh {
	vertices, indices := mesh.Plane(60, 60, 120, 120)
	rng := rand.New(rand.NewPCG(3, 4))
	end := func() geom.Vec3 { return geom.V(60*rng.Float32()-30, 4*rng.Float32()-1, 60*rng.Float32()-30) }
	for range 1000 {
		from, to, wide, k := end(), end(), geom.V(0.05, 0, 0), uint32(len(vertices))
		vertices = append(vertices, from, to, to.Add(wide), from.Add(wide))
		indices = append(indices, k, k+1, k+2, k, k+2, k+3)
	}
	m, err := mesh.New(vertices, indices)
	require.NoError(t, err)
	return m
}

func build(t testing.TB, m *mesh.Mesh, q mesh.Quality) *mesh.Mesh {
	built, err := mesh.Build(context.Background(), m.Vertices(), m.Indices(), mesh.BuildOptions{Quality: q})
	require.NoError(t, err)
	return built
}

// BenchmarkQuality compares the qualities with medium: in time to build and in rays a second.
func BenchmarkQuality(b *testing.B) {
	type set struct {
		name string
		rays []geom.Ray
	}
	compare := func(name string, m *mesh.Mesh, sets []set) {
		for _, q := range []mesh.Quality{mesh.Fast, mesh.High} {
			other := build(b, m, q)
			b.Run(name+"/"+q.String()+"/build", func(b *testing.B) {
				var ratios []float64
				for b.Loop() {
					start := time.Now()
					build(b, m, mesh.Medium)
					middle := time.Now()
					build(b, m, q)
					ratios = append(ratios, float64(time.Since(middle))/float64(middle.Sub(start)))
				}
				slices.Sort(ratios)
				b.ReportMetric(ratios[len(ratios)/2], "times-medium")
			})
			for _, s := range sets {
				b.Run(name+"/"+q.String()+"/"+s.name, func(b *testing.B) {
					b.ReportMetric(1/race(b, s.rays, other, m), "speed-of-medium")
				})
			}
		}
	}
	rng := rand.New(rand.NewPCG(5, 6))
	rays := make([]geom.Ray, 1<<14)
	for i := range rays {
		from, to := geom.V(80*rng.Float32()-40, 20*rng.Float32(), 80*rng.Float32()-40), geom.V(60*rng.Float32()-30, 0, 60*rng.Float32()-30)
		rays[i] = geom.NewRay(from, to.Sub(from).Normalize())
	}
	compare("girders", girders(b), []set{{"random", rays}})
	for _, name := range []string{"bunny", "teapot", "arena1"} {
		var sets []set
		for _, kind := range []string{"primary", "random", "ao"} {
			sets = append(sets, set{kind, measuring.Rays(b, "rays/"+name+"_"+kind+".rays")})
		}
		compare(name, sharedMesh(b, name), sets)
	}
}
