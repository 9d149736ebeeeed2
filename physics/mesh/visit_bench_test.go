package mesh_test

import (
	"math/rand/v2"
	"testing"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// BenchmarkVisit finds the triangles around a standing human, 0.6 m wide and 1.8 m high with a
// margin of 5 cm, somewhere in the arena, where 32 units are a metre. Every operation is one query.
func BenchmarkVisit(b *testing.B) {
	m := sharedMesh(b, "arena1")
	boxes, capsules := men(m)
	visited, touched := 0, 0
	for i, box := range boxes {
		m.VisitAABB(box, func(int) bool { visited++; return true })
		for _, k := range m.OverlapAABB(nil, box) {
			if (geom.Sphere{Center: capsules[i].A, Radius: capsules[i].Radius}).OverlapsTriangle(m.Triangle(int(k))) {
				touched++
			}
		}
	}
	report := func(b *testing.B) {
		b.ReportMetric(float64(visited)/float64(len(boxes)), "visited")
		b.ReportMetric(float64(touched)/float64(len(boxes)), "touched")
	}
	b.Run("VisitAABB", func(b *testing.B) {
		b.ReportAllocs()
		n := 0
		for i := 0; b.Loop(); i++ {
			m.VisitAABB(boxes[i%len(boxes)], func(int) bool { n++; return true })
		}
		report(b)
	})
}

// men returns the bounds and the capsules of humans on the ground.
func men(m *mesh.Mesh) (boxes []geom.AABB, capsules []geom.Capsule) {
	const metre = 32
	r := rand.New(rand.NewPCG(1, 2))
	bounds := m.Bounds()
	for len(boxes) < 4096 {
		size := bounds.Max.Sub(bounds.Min)
		at := bounds.Min.Add(size.MulVec(geom.V(r.Float32(), r.Float32(), r.Float32())))
		hit, ok := m.CastRay(geom.NewRay(at, geom.V(0, -1, 0)), geom.CullNone)
		if !ok || hit.Normal.Y < 0.7 {
			continue
		}
		at = at.Add(geom.V(0, -hit.T, 0))
		c := geom.Capsule{A: at.Add(geom.V(0, 0.3*metre, 0)), B: at.Add(geom.V(0, 1.5*metre, 0)), Radius: 0.3 * metre}
		boxes = append(boxes, c.Bounds().Grow(0.05*metre))
		capsules = append(capsules, c)
	}
	return boxes, capsules
}
