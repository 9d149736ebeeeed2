package mesh_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/measuring"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// Every operation is one ray, one box or one point; the mesh is a torus of 70,000 triangles or,
// with the measuring data beside the project, a mesh and its rays from there.

func torus(t testing.TB) *mesh.Mesh {
	m, err := mesh.New(mesh.Torus(3, 1, 350, 100))
	require.NoError(t, err)
	return m
}

// torusRays are incoherent: from a sphere around the torus to points within.
func torusRays() []geom.Ray {
	rng := rand.New(rand.NewPCG(1, 2))
	list := make([]geom.Ray, 1<<14)
	for i := range list {
		from := geom.V(rng.Float32()-0.5, rng.Float32()-0.5, rng.Float32()-0.5).Normalize().Mul(8)
		to := geom.V(8*rng.Float32()-4, 2*rng.Float32()-1, 8*rng.Float32()-4)
		list[i] = geom.NewRay(from, to.Sub(from).Normalize())
	}
	return list
}

func benchRays(b *testing.B, rays []geom.Ray, cast func(geom.Ray)) {
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		cast(rays[i%len(rays)])
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrays/s")
}

func BenchmarkCastRay(b *testing.B) {
	m, rays := torus(b), torusRays()
	var buffer []geom.Hit
	b.Run("closest", func(b *testing.B) {
		benchRays(b, rays, func(r geom.Ray) { m.CastRay(r, geom.CullNone) })
	})
	b.Run("any", func(b *testing.B) {
		benchRays(b, rays, func(r geom.Ray) { m.CastRayAny(r, geom.CullNone) })
	})
	b.Run("all", func(b *testing.B) {
		benchRays(b, rays, func(r geom.Ray) { buffer = m.CastRayAll(buffer[:0], r, geom.CullNone) })
	})
	vertices, indices := m.Vertices(), m.Indices()
	b.Run("brute force", func(b *testing.B) {
		benchRays(b, rays, func(r geom.Ray) { bruteForce(vertices, indices, r) })
	})
}

// bruteForce is the closest hit by the triangle test alone.
func bruteForce(vertices []geom.Vec3, indices []uint32, r geom.Ray) (best float32) {
	c := geom.NewTriangleCaster(r)
	_, best = r.Range()
	for i := 0; i+2 < len(indices); i += 3 {
		corner := indices[i : i+3]
		if t, _, _, _, ok := c.Cast(vertices[corner[0]], vertices[corner[1]], vertices[corner[2]], best, geom.CullNone); ok {
			best = t
		}
	}
	return best
}

func BenchmarkShared(b *testing.B) {
	for _, name := range []string{"bunny", "arena1"} {
		m := sharedMesh(b, name)
		vertices, indices := m.Vertices(), m.Indices()
		for _, kind := range []string{"primary", "random", "ao"} {
			rays := measuring.Rays(b, "rays/"+name+"_"+kind+".rays")
			b.Run(name+" "+kind, func(b *testing.B) {
				benchRays(b, rays, func(r geom.Ray) { m.CastRay(r, geom.CullNone) })
			})
			b.Run(name+" "+kind+" brute force", func(b *testing.B) {
				benchRays(b, rays, func(r geom.Ray) { bruteForce(vertices, indices, r) })
			})
		}
		b.Run(name+" build", func(b *testing.B) {
			for b.Loop() {
				_, _ = mesh.New(vertices, indices)
			}
		})
	}
}

func BenchmarkOverlapAABB(b *testing.B) {
	m, rays := torus(b), torusRays()
	var buffer []int32
	b.Run("tree", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			box := geom.AABBAround(rays[i%len(rays)].At(8), geom.V(0.1, 0.1, 0.1))
			buffer = m.OverlapAABB(buffer[:0], box)
		}
	})
	b.Run("brute force", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			box := geom.AABBAround(rays[i%len(rays)].At(8), geom.V(0.1, 0.1, 0.1))
			buffer = buffer[:0]
			for j := range m.NumTriangles() {
				if box.OverlapsTriangle(m.Triangle(j)) {
					buffer = append(buffer, int32(j))
				}
			}
		}
	})
}

func BenchmarkClosestPoint(b *testing.B) {
	m, rays := torus(b), torusRays()
	b.Run("tree", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			m.ClosestPoint(rays[i%len(rays)].At(8), 100)
		}
	})
	b.Run("brute force", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			p, best := rays[i%len(rays)].At(8), float32(100)
			for j := range m.NumTriangles() {
				best = min(best, m.Triangle(j).Distance(p))
			}
		}
	})
}
