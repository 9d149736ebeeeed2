package physics

import (
	"fmt"
	"testing"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// benchWorld is n boxes and spheres at one density, and rays of 100 m through them.
func benchWorld(n int) (*scene, []geom.Ray) {
	s := newScene(0, geom.Vec3{}, 1)
	span := float32(1)
	for span*span*span*8 < float32(n)*200 {
		span *= 1.1
	}
	for range n {
		c := Collider{Shape: unitSphere, Transform: geom.Transform{Position: s.vec(span)}}
		if s.IntN(2) == 0 {
			c.Shape, c.Transform.Rotation = unitBox, geom.QuatEuler(s.Float64()*6, s.Float64()*6, 0)
		}
		s.add(c)
	}
	rays := make([]geom.Ray, 256)
	for i := range rays {
		rays[i] = geom.Ray{Origin: s.vec(span), Dir: s.vec(1).Normalize(), MaxT: 100}
	}
	return s, rays
}

// placed visits the colliders of a space without its tree, for the brute-force benchmarks.
func (s *Space) placed(visit func(r *record)) {
	for i := range s.records {
		visit(&s.records[i])
	}
}

var sizes = []int{1000, 10_000}

// benchTwins measures a query for a ray by the tree and by its brute-force twin.
func benchTwins(b *testing.B, tree, brute func(s *scene, r *geom.Ray)) {
	for _, n := range sizes {
		s, rays := benchWorld(n)
		for name, query := range map[string]func(s *scene, r *geom.Ray){"tree": tree, "brute": brute} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					query(s, &rays[i%len(rays)])
				}
			})
		}
	}
}

func BenchmarkCastRay(b *testing.B) {
	benchTwins(b, func(s *scene, r *geom.Ray) { s.space.CastRay(*r, Filter{}) }, func(s *scene, r *geom.Ray) {
		var best Hit
		found := false
		s.space.placed(func(rec *record) { found = rec.castBefore(r, &Filter{}, &best, found) || found })
	})
}

func BenchmarkCastRayAny(b *testing.B) {
	benchTwins(b, func(s *scene, r *geom.Ray) { s.space.CastRayAny(*r, Filter{}) }, func(s *scene, r *geom.Ray) {
		for k := range s.space.records {
			if s.space.records[k].castAny(r, &Filter{}) {
				break
			}
		}
	})
}

func BenchmarkCastRayAll(b *testing.B) {
	s, rays := benchWorld(10_000)
	b.Run("appended", func(b *testing.B) {
		b.ReportAllocs()
		var hits []Hit
		for i := 0; b.Loop(); i++ {
			hits = s.space.CastRayAll(hits[:0], rays[i%len(rays)], Filter{})
		}
	})
	b.Run("iterated", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			for range s.space.Hits(rays[i%len(rays)], Filter{}) {
			}
		}
	})
	b.Run("iterated to the first", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			for range s.space.Hits(rays[i%len(rays)], Filter{}) {
				break
			}
		}
	})
}

func BenchmarkOverlapSphere(b *testing.B) {
	var ids []ColliderID
	benchTwins(b, func(s *scene, r *geom.Ray) {
		ids = s.space.OverlapSphere(ids[:0], geom.Sphere{Center: r.Origin, Radius: 5}, Filter{})
	}, func(s *scene, r *geom.Ray) {
		v := placed.SphereVolume(geom.Sphere{Center: r.Origin, Radius: 5})
		ids = ids[:0]
		s.space.placed(func(rec *record) {
			if rec.overlaps(&v) {
				ids = append(ids, rec.id)
			}
		})
	})
}

func BenchmarkClosestPoint(b *testing.B) {
	benchTwins(b, func(s *scene, r *geom.Ray) { s.space.Nearest(r.Origin, infinity, Filter{}) }, func(s *scene, r *geom.Ray) {
		limit := infinity
		s.space.placed(func(rec *record) {
			if near, ok := rec.closest(r.Origin, limit); ok {
				limit = near.Distance
			}
		})
	})
}

// BenchmarkMoveAll moves every collider by one step of 60 a second at walking pace; per collider.
func BenchmarkMoveAll(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("%d", n), func(b *testing.B) {
			s, _ := benchWorld(n)
			velocity := make([]geom.Vec3, n)
			for i := range velocity {
				velocity[i] = s.vec(1.0 / 30)
			}
			b.ReportAllocs()
			for b.Loop() {
				for i, id := range s.ids {
					c, _ := s.space.Collider(id)
					c.Transform.Position = c.Transform.Position.Add(velocity[i])
					s.space.SetTransform(id, c.Transform)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/collider")
		})
	}
}

func BenchmarkAdd(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("%d", n), func(b *testing.B) {
			s, _ := benchWorld(n)
			for b.Loop() {
				space := NewSpace()
				for _, id := range s.ids {
					c, _ := s.space.Collider(id)
					space.Add(c)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/collider")
		})
	}
}
