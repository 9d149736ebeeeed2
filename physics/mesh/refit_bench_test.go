package mesh_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// twisted returns the vertices of a mesh twisted about the X axis, by a number of turns from one
// end to the other.
func twisted(m *mesh.Mesh, turns float64) []geom.Vec3 {
	c, h := m.Bounds().Center(), m.Bounds().HalfExtents()
	list := make([]geom.Vec3, len(m.Vertices()))
	for i, v := range m.Vertices() {
		p := v.Sub(c)
		sin, cos := math.Sincos(math.Pi * turns * float64(p.X/h.X))
		list[i] = c.Add(geom.V(p.X, p.Y*float32(cos)-p.Z*float32(sin), p.Y*float32(sin)+p.Z*float32(cos)))
	}
	return list
}

func BenchmarkRefit(b *testing.B) {
	m := torus(b)
	vertices := twisted(m, 0.5)
	perTriangle := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(m.NumTriangles()), "ns/triangle")
	}
	b.Run("refit", func(b *testing.B) {
		var two [2]mesh.Mesh
		require.NoError(b, m.Refit(&two[0], vertices))
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			_ = two[i%2].Refit(&two[1-i%2], vertices)
		}
		perTriangle(b)
	})
	b.Run("cost", func(b *testing.B) {
		for b.Loop() {
			m.Cost()
		}
		perTriangle(b)
	})
	for _, q := range []mesh.Quality{mesh.Fast, mesh.Medium, mesh.High} {
		b.Run(q.String(), func(b *testing.B) {
			for b.Loop() {
				_, _ = mesh.Build(context.Background(), vertices, m.Indices(), mesh.BuildOptions{Quality: q})
			}
			perTriangle(b)
		})
	}
}

// race returns the ratio of the times of rays through two meshes. Both are cast alternately, and
// the median counts, so that other load on the machine matters little.
func race(b *testing.B, rays []geom.Ray, one, other *mesh.Mesh) float64 {
	const batch = 2048
	var ratios []float64
	for i := 0; b.Loop(); i += batch {
		var spent [2]time.Duration
		for turn := range 2 {
			k := (turn + len(ratios)) % 2 // the first one has the rays to fetch
			m := [2]*mesh.Mesh{one, other}[k]
			start := time.Now()
			for j := range batch {
				m.CastRay(rays[(i+j)%len(rays)], geom.CullNone)
			}
			spent[k] = time.Since(start)
		}
		ratios = append(ratios, float64(spent[0])/float64(spent[1]))
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/2]
}

// BenchmarkRefittedRays measures when to rebuild: how the cost of a refitted mesh has grown, and
// how many times as long its rays take as those of a rebuilt one.
func BenchmarkRefittedRays(b *testing.B) {
	m, rays := torus(b), torusRays()
	for _, turns := range []float64{0, 0.125, 0.25, 0.5, 1, 2} {
		b.Run(fmt.Sprint(turns, " turns"), func(b *testing.B) {
			var refitted mesh.Mesh
			require.NoError(b, m.Refit(&refitted, twisted(m, turns)))
			rebuilt, err := mesh.New(refitted.Vertices(), m.Indices())
			require.NoError(b, err)
			ratio := race(b, rays, &refitted, rebuilt)
			b.ReportMetric(refitted.Cost()/refitted.BuiltCost(), "cost-grown")
			b.ReportMetric(ratio, "times-rebuilt")
		})
	}
}
