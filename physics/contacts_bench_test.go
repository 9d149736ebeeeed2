package physics

import (
	"math"
	"testing"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// terrain is a field of n times n squares of two triangles, each a metre wide, with low hills.
func terrain(n int) *mesh.Mesh {
	var vertices []geom.Vec3
	var indices []uint32
	for z := range n + 1 {
		for x := range n + 1 {
			vertices = append(vertices, geom.V(float32(x), float32(0.1*math.Sin(float64(x))*math.Cos(0.7*float64(z))), float32(z)))
		}
	}
	at := func(x, z int) uint32 { return uint32(z*(n+1) + x) }
	for z := range n {
		for x := range n {
			indices = append(indices, at(x, z), at(x, z+1), at(x+1, z), at(x+1, z), at(x, z+1), at(x+1, z+1))
		}
	}
	return mustMesh(vertices, indices)
}

// crates returns 10,000 crates that rest on a floor, in stacks of two.
func crates(floor Shape) (s *Space, ids []ColliderID, at []geom.Transform) {
	s = NewSpace()
	s.Add(Collider{Shape: floor, Static: true})
	for i := range 10_000 {
		column, level := i/2, i%2
		t := geom.Transform{
			Position: geom.V(float32(column%70)*2+5, float32(level)*0.99+0.5, float32(column/70)*2+5),
			Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), float64(i)),
		}
		at = append(at, t)
		ids = append(ids, s.Add(Collider{Shape: unitCrate, Transform: t}))
	}
	s.Update()
	return s, ids, at
}

var unitCrate = geom.Box{HalfExtents: geom.V(0.5, 0.5, 0.5)}

func BenchmarkContacts(b *testing.B) {
	const margin = 0.02
	measure := func(b *testing.B, s *Space, before func()) {
		t := ContactTracker{Margin: margin}
		t.Update(s)
		n := len(s.Pairs(nil))
		perPair := func(b *testing.B) {
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/pair")
		}
		b.Run("broad phase alone", func(b *testing.B) {
			var pairs []Pair
			for b.Loop() {
				pairs = s.Pairs(pairs[:0])
			}
			perPair(b)
		})
		b.Run("all", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				before()
				b.StartTimer()
				t.Update(s)
			}
			perPair(b)
			b.ReportMetric(float64(n), "pairs")
			b.ReportMetric(float64(len(t.All)), "touches")
		})
	}
	for _, floor := range []struct {
		name  string
		shape Shape
	}{
		{"floor", geom.AABB{Min: geom.V(-1, -1, -1), Max: geom.V(160, 0, 160)}},
		{"terrain", terrain(160)},
	} {
		s, ids, at := crates(floor.shape)
		b.Run("crates on "+floor.name+", asleep", func(b *testing.B) { measure(b, s, func() {}) })
		b.Run("crates on "+floor.name+", awake", func(b *testing.B) {
			measure(b, s, func() {
				for i, id := range ids {
					s.SetTransform(id, at[i])
				}
				s.Update()
			})
		})
	}
	w := newMovingWorld(100_000)
	b.Run("boxes100k", func(b *testing.B) { measure(b, w.space, w.tick) })
}
