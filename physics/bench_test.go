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

func BenchmarkCastRay(b *testing.B) {
	for _, n := range sizes {
		s, rays := benchWorld(n)
		b.Run(fmt.Sprintf("tree/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				s.space.CastRay(rays[i%len(rays)], Filter{})
			}
		})
		b.Run(fmt.Sprintf("brute/%d", n), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				var best Hit
				found := false
				s.space.placed(func(r *record) {
					found = r.castBefore(&rays[i%len(rays)], &Filter{}, &best, found) || found
				})
			}
		})
	}
}

func BenchmarkCastRayAny(b *testing.B) {
	for _, n := range sizes {
		s, rays := benchWorld(n)
		b.Run(fmt.Sprintf("tree/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				s.space.CastRayAny(rays[i%len(rays)], Filter{})
			}
		})
		b.Run(fmt.Sprintf("brute/%d", n), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				for k := range s.space.records {
					if s.space.records[k].castAny(&rays[i%len(rays)], &Filter{}) {
						break
					}
				}
			}
		})
	}
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
	for _, n := range sizes {
		s, rays := benchWorld(n)
		var ids []ColliderID
		b.Run(fmt.Sprintf("tree/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				ids = s.space.OverlapSphere(ids[:0], geom.Sphere{Center: rays[i%len(rays)].Origin, Radius: 5}, Filter{})
			}
		})
		b.Run(fmt.Sprintf("brute/%d", n), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				v := placed.SphereVolume(geom.Sphere{Center: rays[i%len(rays)].Origin, Radius: 5})
				ids = ids[:0]
				s.space.placed(func(r *record) {
					if r.overlaps(&v) {
						ids = append(ids, r.id)
					}
				})
			}
		})
	}
}

func BenchmarkClosestPoint(b *testing.B) {
	for _, n := range sizes {
		s, rays := benchWorld(n)
		b.Run(fmt.Sprintf("tree/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				s.space.Nearest(rays[i%len(rays)].Origin, infinity, Filter{})
			}
		})
		b.Run(fmt.Sprintf("brute/%d", n), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				best, limit := Closest{}, infinity
				s.space.placed(func(r *record) {
					if near, ok := r.closest(rays[i%len(rays)].Origin, limit); ok {
						best, limit = near, near.Distance
					}
				})
				_ = best
			}
		})
	}
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
