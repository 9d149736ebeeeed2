package physics_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/measuring"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

func sharedMesh(b *testing.B, name string) *mesh.Mesh {
	b.Helper()
	model, err := meshio.ReadFile(testenv.Data(b, "meshes/"+name+".obj"))
	require.NoError(b, err)
	m, err := model.Mesh()
	require.NoError(b, err)
	return m
}

// sweepWorld is a space for casts of shapes, with positions at which a character may stand.
type sweepWorld struct {
	space  *physics.Space
	stands []geom.Vec3          // just above the ground, the feet
	self   []physics.ColliderID // the collider that stands there, if any
}

// man is a capsule as tall as a man, with its feet at the origin.
var man = geom.Capsule{A: geom.V(0, 0.3, 0), B: geom.V(0, 1.5, 0), Radius: 0.3}

// arena is a level of 66,570 long triangles, 40 of whose units are a metre, with as many men in it
// as wanted.
func arena(b *testing.B, men int) sweepWorld {
	const metre = 1.0 / 40
	w := sweepWorld{space: physics.NewSpace()}
	m := sharedMesh(b, "arena1")
	w.space.Add(physics.Collider{Shape: m, Static: true, Transform: geom.Transform{Scale: geom.V(metre, metre, metre)}})
	rng := rand.New(rand.NewPCG(3, 4))
	low, size := m.Bounds().Min.Mul(metre), m.Bounds().Max.Sub(m.Bounds().Min).Mul(metre)
	for len(w.stands) < max(men, 1024) {
		p := low.Add(size.MulVec(geom.V(rng.Float32(), rng.Float32(), rng.Float32())))
		floor, ok := w.space.CastRay(geom.NewRay(p, geom.V(0, -1, 0)), physics.Filter{Cull: geom.CullBack})
		if !ok || floor.Normal.Y < 0.7 {
			continue
		}
		at := geom.Transform{Position: floor.Point.Add(geom.V(0, 0.02, 0))}
		if !w.space.CastShapeAny(physics.ShapeCast{Shape: man, Transform: at}, physics.Filter{}) {
			w.stands = append(w.stands, at.Position)
		}
	}
	for _, p := range w.stands[:men] {
		w.self = append(w.self, w.space.Add(physics.Collider{Shape: man, Layer: physics.DefaultLayer << 1, Transform: geom.Transform{Position: p}}))
	}
	w.space.Update()
	return w
}

// bunnyWorld is a bunny of 69,451 triangles and 2 m, and places where a man is 2 cm from it on a
// way towards its middle.
func bunnyWorld(b *testing.B) sweepWorld {
	w := sweepWorld{space: physics.NewSpace()}
	m := sharedMesh(b, "bunny")
	half := m.Bounds().HalfExtents()
	scale := 1 / max(half.X, half.Y, half.Z)
	w.space.Add(physics.Collider{Shape: m, Static: true, Transform: geom.Transform{Position: m.Bounds().Center().Mul(-scale), Scale: geom.V(scale, scale, scale)}})
	rng := rand.New(rand.NewPCG(5, 6))
	for len(w.stands) < 1024 {
		way := geom.V(float32(rng.NormFloat64()), float32(rng.NormFloat64()), float32(rng.NormFloat64())).Normalize()
		feet := way.Mul(-5).Sub(geom.V(0, 0.9, 0))
		if hit, ok := w.space.CastShape(physics.ShapeCast{Shape: man, Transform: geom.Transform{Position: feet}, Motion: way}, physics.Filter{}); ok {
			w.stands = append(w.stands, feet.Add(way.Mul(hit.T-0.02)))
		}
	}
	w.space.Update()
	return w
}

// boxesWorld is 100,000 boxes and spheres.
func boxesWorld(b *testing.B) sweepWorld {
	w := sweepWorld{space: physics.NewSpace()}
	for _, one := range bodies(b) {
		w.space.Add(physics.Collider{Shape: one.shape, Transform: geom.Transform{Position: one.at}})
	}
	for _, r := range measuring.Rays(b, "worlds/boxes100k.rays")[:1024] {
		w.stands = append(w.stands, r.Origin)
	}
	w.space.Update()
	return w
}

// Every operation is one cast of a shape by a length, level or nearly so, from one of 1024 places.
func BenchmarkSweep(b *testing.B) {
	shapes := []struct {
		name  string
		shape physics.Shape
	}{
		{"capsule", man},
		{"sphere", geom.Sphere{Center: geom.V(0, 0.4, 0), Radius: 0.3}},
		{"box", geom.Box{Center: geom.V(0, 0.9, 0), HalfExtents: geom.V(0.3, 0.6, 0.3), Rotation: geom.QuatEuler(0, 0.5, 0)}},
	}
	worlds := []struct {
		name string
		make func() sweepWorld
	}{
		{"arena", func() sweepWorld { return arena(b, 0) }},
		{"arena with 10000", func() sweepWorld { return arena(b, 10_000) }},
		{"bunny", func() sweepWorld { return bunnyWorld(b) }},
		{"boxes", func() sweepWorld { return boxesWorld(b) }},
	}
	for _, in := range worlds {
		w := in.make()
		rng := rand.New(rand.NewPCG(7, 8))
		var ways [1024]geom.Vec3
		for i := range ways {
			ways[i] = geom.V(rng.Float32()-0.5, 0.2*(rng.Float32()-0.5), rng.Float32()-0.5).Normalize()
			if in.name == "bunny" {
				ways[i] = w.stands[i].Add(geom.V(0, 0.9, 0)).Neg().Normalize().Add(ways[i].Mul(0.5))
			}
		}
		for _, s := range shapes {
			if in.name == "arena with 10000" && s.name != "capsule" {
				continue
			}
			for _, length := range []float32{0.05, 1, 20} {
				casts := make([]physics.ShapeCast, 1024)
				for i := range casts {
					casts[i] = physics.ShapeCast{
						Shape: s.shape, Transform: geom.Transform{Position: w.stands[i]}, Motion: ways[i].Mul(length), MaxT: 1, Start: physics.StartIgnoreSeparating,
					}
				}
				filters := make([]physics.Filter, 1024)
				for i := range min(len(w.self), 1024) {
					filters[i].Exclude = w.self[i : i+1]
				}
				name := fmt.Sprintf("%s/%s/%gm", in.name, s.name, length)
				b.Run(name, func(b *testing.B) {
					b.ReportAllocs()
					hits := 0
					for i := 0; b.Loop(); i++ {
						if _, ok := w.space.CastShape(casts[i&1023], filters[i&1023]); ok {
							hits++
						}
					}
					b.ReportMetric(float64(hits)/float64(b.N), "hits/op")
				})
				if s.name == "capsule" {
					b.Run(name+"/any", func(b *testing.B) {
						for i := 0; b.Loop(); i++ {
							w.space.CastShapeAny(casts[i&1023], filters[i&1023])
						}
					})
				}
			}
		}
	}
}

// Every operation is a step of 10,000 men in a level: each goes level by 8 cm, and looks for the
// ground below.
func BenchmarkCastShapes(b *testing.B) {
	const men = 10_000
	w := arena(b, men)
	rng := rand.New(rand.NewPCG(9, 10))
	casts := make([]physics.ShapeCast, 0, 2*men)
	for _, p := range w.stands[:men] {
		way := geom.V(rng.Float32()-0.5, 0, rng.Float32()-0.5).Normalize().Mul(0.08)
		for _, motion := range []geom.Vec3{way, geom.V(0, -0.3, 0)} {
			casts = append(casts, physics.ShapeCast{Shape: man, Transform: geom.Transform{Position: p}, Motion: motion, MaxT: 1, Start: physics.StartIgnoreSeparating})
		}
	}
	isLevel := physics.Filter{Mask: physics.DefaultLayer} // the men are on another one
	hits := make([]physics.ShapeHit, 0, len(casts))
	b.ReportAllocs()
	for b.Loop() {
		hits = w.space.CastShapes(hits[:0], casts, isLevel)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(casts)), "ns/cast")
}
