package mesh_test

import (
	"math/rand/v2"
	"testing"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// Every operation is one cast of a shape at a bunny of 69,451 triangles, scaled to a height of
// about 1.5 m: from a sphere around it to a point of its bounds, on a path through it.
func BenchmarkCastConvex(b *testing.B) {
	m := sharedMesh(b, "bunny")
	center, half := m.Bounds().Center(), m.Bounds().HalfExtents()
	scale := 0.75 / max(half.X, half.Y, half.Z)
	to := geom.Transform{Scale: geom.V(scale, scale, scale), Position: center.Mul(-scale)}.Affine()
	uneven := to
	uneven.X = uneven.X.Mul(-1.5)
	corners, _ := mesh.Icosphere(1, 1)
	for _, size := range []float32{0.01, 0.1, 0.4} {
		for _, s := range []struct {
			name string
			at   func(p geom.Vec3, turn geom.Quat) mesh.Convex
		}{
			{"sphere", func(p geom.Vec3, _ geom.Quat) mesh.Convex {
				return mesh.ConvexSphere(geom.Sphere{Center: p, Radius: size})
			}},
			{"capsule", func(p geom.Vec3, _ geom.Quat) mesh.Convex {
				return mesh.ConvexCapsule(geom.Capsule{A: p.Sub(geom.V(0, size, 0)), B: p.Add(geom.V(0, size, 0)), Radius: size / 2})
			}},
			{"box", func(p geom.Vec3, turn geom.Quat) mesh.Convex {
				return mesh.ConvexBox(geom.Box{Center: p, HalfExtents: geom.V(size, size*0.6, size*0.8), Rotation: turn})
			}},
			{"hull of 42", func(p geom.Vec3, turn geom.Quat) mesh.Convex {
				return mesh.ConvexHull(corners, geom.Transform{Position: p, Rotation: turn, Scale: geom.V(size, size, size)}.Affine(), 0)
			}},
		} {
			rng := rand.New(rand.NewPCG(1, 2))
			shapes, paths := make([]mesh.Convex, 1024), make([]mesh.Path, 1024)
			for i := range shapes {
				v := func() geom.Vec3 {
					return geom.V(float32(rng.NormFloat64()), float32(rng.NormFloat64()), float32(rng.NormFloat64()))
				}
				from := v().Normalize().Mul(3)
				turn := geom.Quat{X: rng.Float32(), Y: rng.Float32(), Z: rng.Float32(), W: 0.3}
				shapes[i] = s.at(from, turn)
				paths[i] = mesh.Path{Motion: v().Mul(0.3).Sub(from).Wide(), Max: 2}
			}
			run := func(name string, cast func(i int) bool) {
				b.Run(name, func(b *testing.B) {
					b.ReportAllocs()
					hits := 0
					for i := range shapes {
						if cast(i) {
							hits++
						}
					}
					for i := 0; b.Loop(); i++ {
						cast(i & 1023)
					}
					b.ReportMetric(float64(hits)/1024, "hits/op")
				})
			}
			name := s.name + map[float32]string{0.01: " of 1 cm", 0.1: " of 10 cm", 0.4: " of 40 cm"}[size]
			run(name, func(i int) bool {
				_, ok := m.CastConvex(&shapes[i], &paths[i], to, geom.CullNone)
				return ok
			})
			if size == 0.1 {
				run(name+", any", func(i int) bool { return m.CastConvexAny(&shapes[i], &paths[i], to, geom.CullNone) })
				run(name+", non-uniformly scaled mesh", func(i int) bool {
					_, ok := m.CastConvex(&shapes[i], &paths[i], uneven, geom.CullNone)
					return ok
				})
			}
		}
	}
}

// Every operation is one step of a capsule as tall as a human that stands or walks somewhere in a
// level of 66,570 long triangles at 5 m/s, in a tick of 1/60 s: mostly it touches nothing, or the
// ground.
func BenchmarkCastConvexStep(b *testing.B) {
	m := sharedMesh(b, "arena1")
	bounds := m.Bounds()
	size := bounds.Max.Sub(bounds.Min)
	to := geom.AffineIdentity()
	// About 32 units of the level are a metre.
	const metre = 32
	rng := rand.New(rand.NewPCG(3, 4))
	capsules, paths := make([]mesh.Convex, 0, 1024), make([]mesh.Path, 0, 1024)
	for len(capsules) < cap(capsules) {
		p := bounds.Min.Add(size.MulVec(geom.V(rng.Float32(), rng.Float32(), rng.Float32())))
		floor, ok := m.CastRay(geom.NewRay(p, geom.V(0, -1, 0)), geom.CullBack)
		if !ok {
			continue
		}
		low := floor.Point.Add(geom.V(0, 0.42*metre, 0))
		shape := mesh.ConvexCapsule(geom.Capsule{A: low, B: low.Add(geom.V(0, metre, 0)), Radius: 0.4 * metre})
		way := geom.V(rng.Float32()-0.5, 0.1*(rng.Float32()-0.5), rng.Float32()-0.5).Normalize().Mul(5 * metre / 60.)
		path := mesh.Path{Motion: way.Wide(), Max: 1, Start: mesh.StartIgnoreSeparating}
		if hit, ok := m.CastConvex(&shape, &path, to, geom.CullNone); !ok || !hit.Overlaps {
			capsules, paths = append(capsules, shape), append(paths, path)
		}
	}
	for _, c := range []struct {
		name string
		by   float64
	}{{"a tick", 1}, {"a second", 60}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			hits := 0
			for i := 0; b.Loop(); i++ {
				path := paths[i&1023]
				path.Motion = path.Motion.Mul(c.by)
				if _, ok := m.CastConvex(&capsules[i&1023], &path, to, geom.CullNone); ok {
					hits++
				}
			}
			b.ReportMetric(float64(hits)/float64(b.N), "hits/op")
		})
	}
}
