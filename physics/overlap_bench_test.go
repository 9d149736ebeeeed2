package physics

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// benchKinds returns a shape of each kind of subshape, about one metre across, and the scale of its
// transform.
func benchKinds(b *testing.B) (names []string, shapes map[string]Shape, scales map[string]geom.Vec3) {
	even, uneven := geom.V(1, 1, 1), geom.V(1.5, 0.75, 1)
	shapes, scales = map[string]Shape{}, map[string]geom.Vec3{}
	add := func(name string, s Shape, scale geom.Vec3) {
		names, shapes[name], scales[name] = append(names, name), s, scale
	}
	points, triangles := mesh.Icosphere(0.5, 2)
	ball, err := mesh.New(points, triangles)
	require.NoError(b, err)
	small, err := hull.New([]geom.Vec3{{X: 0.5}, {X: -0.5}, {Y: 0.5}, {Y: -0.5}, {Z: 0.5}, {Z: -0.5}, {X: 0.3, Y: 0.3, Z: 0.3}})
	require.NoError(b, err)
	large, err := hull.New(points)
	require.NoError(b, err)
	box := geom.Box{HalfExtents: geom.V(0.5, 0.4, 0.3), Rotation: geom.QuatEuler(0.4, 0.2, 0.1)}
	capsule := geom.Capsule{A: geom.V(0, -0.3, 0), B: geom.V(0, 0.3, 0), Radius: 0.3}
	add("aabb", geom.AABBAround(geom.Vec3{}, geom.V(0.5, 0.4, 0.3)), even)
	add("sphere", geom.Sphere{Radius: 0.5}, even)
	add("box", box, even)
	add("capsule", capsule, even)
	add("ellipsoid", geom.Sphere{Radius: 0.5}, uneven)
	add("sheared box", box, uneven)
	add("scaled capsule", capsule, uneven)
	add("hull of 7", small, even)
	add("hull of 162", large, even)
	add("scaled hull", large, uneven)
	add("mesh", ball, uneven)
	return names, shapes, scales
}

// BenchmarkVolumes queries worlds of one kind, so dense that the tests of shapes dominate the time.
func BenchmarkVolumes(b *testing.B) {
	const n, span = 2000, 8
	names, shapes, scales := benchKinds(b)
	for _, name := range names {
		s := newScene(0, geom.Vec3{}, 1)
		for range n {
			t := geom.Transform{Position: s.vec(span), Rotation: geom.QuatEuler(s.Float64()*6, s.Float64()*6, 0), Scale: scales[name]}
			s.space.Add(Collider{Shape: shapes[name], Transform: t})
		}
		s.space.Update()
		var at [64]geom.Vec3
		var turned [64]geom.Quat
		var frusta [64]geom.Frustum
		for i := range at {
			at[i], turned[i] = s.vec(span), geom.QuatEuler(s.Float64()*6, s.Float64()*6, 0)
			frusta[i] = viewFrustum(geom.Transform{Position: at[i], Rotation: turned[i]}, [4]float64{0.2, 0.2, 0.2, 0.2}, 0.1, 6)
		}
		ids := make([]ColliderID, 0, n)
		ask := func(query string, f func(i int)) {
			b.Run(fmt.Sprintf("%s/%s", name, query), func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i = (i + 1) % len(at) {
					f(i)
				}
			})
		}
		ask("sphere", func(i int) { ids = s.space.OverlapSphere(ids[:0], geom.Sphere{Center: at[i], Radius: 1}, Filter{}) })
		ask("aabb", func(i int) { ids = s.space.OverlapAABB(ids[:0], geom.AABBAround(at[i], geom.V(1, 1, 1)), Filter{}) })
		ask("box", func(i int) {
			ids = s.space.OverlapBox(ids[:0], geom.Box{Center: at[i], HalfExtents: geom.V(1, 1, 1), Rotation: turned[i]}, Filter{})
		})
		ask("point", func(i int) { ids = s.space.OverlapPoint(ids[:0], at[i], Filter{}) })
		ask("closest", func(i int) { s.space.Nearest(at[i], infinity, Filter{}) })
		ask("frustum", func(i int) { ids = s.space.OverlapFrustum(ids[:0], &frusta[i], Filter{}) })
		ask("inside", func(i int) { ids = s.space.ContainedInFrustum(ids[:0], &frusta[i], Filter{}) })
		ask("shape", func(i int) {
			ids = s.space.OverlapShape(ids[:0], Placed{Shape: geom.Sphere{Radius: 1}, Transform: geom.Transform{Position: at[i]}}, Filter{})
		})
	}
}

// BenchmarkPlace moves one collider of each kind, and reports its memory.
func BenchmarkPlace(b *testing.B) {
	names, shapes, scales := benchKinds(b)
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			s := NewSpace()
			t := geom.Transform{Rotation: geom.QuatEuler(1, 2, 3), Scale: scales[name]}
			id := s.Add(Collider{Shape: shapes[name], Transform: t})
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				t.Position.X = float32(i & 7)
				s.SetTransform(id, t)
			}
			r := &s.records[0]
			size := unsafe.Sizeof(*r) + unsafe.Sizeof(detail{})
			if l := r.single[0].Local; l != nil {
				size += unsafe.Sizeof(*l)
				if l.Planar != nil {
					size += unsafe.Sizeof(*l.Planar)
				}
			}
			b.ReportMetric(float64(size), "B/collider")
		})
	}
}
