package physecs

import (
	"testing"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// 10,000 casters among 100,000 spheres, each with a direction of its own, and the same rays as one
// batch and one by one.
func BenchmarkCasterSystem(b *testing.B) {
	const n = 10_000
	rays := make([]geom.Ray, n)
	for i := range rays {
		rays[i] = geom.NewRay(geom.V(float32(i%100-50)*1.8, float32(i/100-50)*1.8, 5), geom.V(float32(i*7919%101-50)*0.01, float32(i*104729%103-51)*0.01, -1))
	}
	for _, bench := range []struct {
		name string
		make func(p *casterGame, r geom.Ray)
	}{
		{"rays", func(p *casterGame, r geom.Ray) { p.probe(Transform{}, RayCaster{Ray: r}) }},
		{"rays of three masks", func(p *casterGame, r geom.Ray) {
			p.probe(Transform{}, RayCaster{Ray: r, Mask: [...]physics.Layers{1, 3, 5}[int(r.Origin.X+r.Origin.Y+200)%3]})
		}},
		{"rays from inside colliders", func(p *casterGame, r geom.Ray) {
			p.onRay(p.add(Transform{Position: r.Origin}, Sphere(0.1)), RayCaster{Ray: geom.NewRay(geom.Vec3{}, r.Dir)})
		}},
		{"rays, all hits", func(p *casterGame, r geom.Ray) { p.probe(Transform{}, RayCaster{Ray: r, Mode: CastAll}) }},
		{"rays, any hit", func(p *casterGame, r geom.Ray) { p.probe(Transform{}, RayCaster{Ray: r, Mode: CastAny}) }},
		{"spheres", func(p *casterGame, r geom.Ray) {
			p.onShape(p.bare(Transform{Position: r.Origin}), ShapeCaster{Shape: Sphere(0.2), Motion: r.Dir})
		}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			p := &casterGame{game: crowd(100_000)}
			p.bindCasters()
			for _, r := range rays {
				bench.make(p, r)
			}
			p.tick()
			b.ReportAllocs()
			for b.Loop() {
				p.system.Update(p.World)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/caster")
		})
	}
	g := crowd(100_000)
	b.Run("batch", func(b *testing.B) {
		hits := make([]Hit, 0, n)
		for b.Loop() {
			hits = g.space().CastRays(hits[:0], rays, Filter{})
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/caster")
	})
	b.Run("one by one", func(b *testing.B) {
		f := Filter{Exclude: []ecs.Entity{{}}}
		for b.Loop() {
			for _, r := range rays {
				g.space().CastRay(r, f)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/caster")
	})
}
