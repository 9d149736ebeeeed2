package physics_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Every operation is one query whether a shape touches a bunny of 69,451 triangles that is 1.5 m
// high, turned or not. The shapes are near its surface, of which about half touch it.
func BenchmarkOverlapMesh(b *testing.B) {
	m := sharedMesh(b, "bunny")
	center, half := m.Bounds().Center(), m.Bounds().HalfExtents()
	scale := 0.75 / max(half.X, half.Y, half.Z)
	for _, turned := range []bool{false, true} {
		to := geom.Transform{Scale: geom.V(scale, scale, scale), Position: center.Mul(-scale)}
		if turned {
			to.Rotation = geom.QuatEuler(0.7, 0.4, 0.2)
			to.Position = to.Rotation.Rotate(to.Position)
		}
		s := physics.NewSpace()
		s.Add(physics.Collider{Shape: m, Static: true, Transform: to})
		s.Update()
		for _, size := range []float32{0.1, 0.4} {
			rng := rand.New(rand.NewPCG(1, 2))
			at, turn := make([]geom.Vec3, 1024), make([]geom.Quat, 1024)
			for i := range at {
				t := m.Triangle(rng.IntN(m.NumTriangles()))
				out := t.B.Sub(t.A).Cross(t.C.Sub(t.A)).Normalize()
				off := size * (0.5 + rng.Float32()) / scale
				at[i] = to.Affine().Point(t.A.Add(out.Mul(off)))
				turn[i] = geom.Quat{X: rng.Float32(), Y: rng.Float32(), Z: rng.Float32(), W: 0.3}.Normalize()
			}
			f := physics.Filter{}
			ids := make([]physics.ColliderID, 0, 1)
			box := geom.V(size, size*0.6, size*0.8)
			capsule := geom.Capsule{A: geom.V(0, -size, 0), B: geom.V(0, size, 0), Radius: size / 2}
			for _, q := range []struct {
				name  string
				touch func(i int) bool
			}{
				{"OverlapSphere", func(i int) bool {
					return len(s.OverlapSphere(ids, geom.Sphere{Center: at[i], Radius: size}, f)) > 0
				}},
				{"OverlapBox", func(i int) bool {
					return len(s.OverlapBox(ids, geom.Box{Center: at[i], HalfExtents: box, Rotation: turn[i]}, f)) > 0
				}},
				{"OverlapAABB", func(i int) bool { return len(s.OverlapAABB(ids, geom.AABBAround(at[i], box), f)) > 0 }},
				{"sphere", func(i int) bool {
					return len(s.OverlapShape(ids, physics.Placed{Shape: geom.Sphere{Radius: size}, Transform: geom.Transform{Position: at[i]}}, f)) > 0
				}},
				{"capsule", func(i int) bool {
					return len(s.OverlapShape(ids, physics.Placed{Shape: capsule, Transform: geom.Transform{Position: at[i], Rotation: turn[i]}}, f)) > 0
				}},
				{"box", func(i int) bool {
					return len(s.OverlapShape(ids, physics.Placed{Shape: geom.Box{HalfExtents: box}, Transform: geom.Transform{Position: at[i], Rotation: turn[i]}}, f)) > 0
				}},
			} {
				b.Run(fmt.Sprintf("%s of %g m, turned %v", q.name, size, turned), func(b *testing.B) {
					b.ReportAllocs()
					touches := 0
					for i := range at {
						if q.touch(i) {
							touches++
						}
					}
					for i := 0; b.Loop(); i++ {
						q.touch(i & 1023)
					}
					b.ReportMetric(float64(touches)/1024, "touches/op")
				})
			}
		}
	}
}
