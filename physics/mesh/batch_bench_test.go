package mesh_test

import (
	"runtime"
	"testing"

	"github.com/hitscan-go/hitscan/internal/measuring"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// cameraRays are coherent: a picture of the torus, row by row.
func cameraRays() []geom.Ray {
	const columns, rows = 128, 128
	eye := geom.V(4, 7, 5)
	list := make([]geom.Ray, 0, columns*rows)
	for y := range rows {
		for x := range columns {
			to := geom.V(8*float32(x)/columns-4, 4*float32(y)/rows-2, 0)
			list = append(list, geom.NewRay(eye, to.Sub(eye)))
		}
	}
	return list
}

// BenchmarkCastRays casts on one processor: all rays together, and the same one at a time. An
// operation is all rays.
func BenchmarkCastRays(b *testing.B) {
	benchBatch(b, "torus primary", torus(b), cameraRays())
	benchBatch(b, "torus random", torus(b), torusRays())
}

func BenchmarkSharedCastRays(b *testing.B) {
	for _, name := range []string{"bunny", "teapot", "arena1"} {
		m := sharedMesh(b, name)
		for _, kind := range []string{"primary", "random", "ao"} {
			benchBatch(b, name+" "+kind, m, measuring.Rays(b, "rays/"+name+"_"+kind+".rays"))
		}
	}
}

func benchBatch(b *testing.B, name string, m *mesh.Mesh, rays []geom.Ray) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	hits, blocked := make([]geom.Hit, len(rays)), make([]bool, len(rays))
	run := func(name string, cast func()) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				cast()
			}
			b.ReportMetric(float64(b.N)*float64(len(rays))/b.Elapsed().Seconds()/1e6, "Mrays/s")
		})
	}
	run(name+" closest", func() { m.CastRays(hits[:0], rays, geom.CullNone) })
	run(name+" closest one at a time", func() {
		for i, r := range rays {
			hits[i], _ = m.CastRay(r, geom.CullNone)
		}
	})
	run(name+" any", func() { m.CastRaysAny(blocked[:0], rays, geom.CullNone) })
	run(name+" any one at a time", func() {
		for i, r := range rays {
			blocked[i] = m.CastRayAny(r, geom.CullNone)
		}
	})
}
