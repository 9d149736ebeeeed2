package physics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hitscan-go/hitscan/internal/cputime"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// BenchmarkCollideOnTriangles measures Collide of a shape of a metre that lies on a flat floor of
// triangles of a metre or of two large ones, on gentle hills, or deep in these.
func BenchmarkCollideOnTriangles(b *testing.B) {
	h, err := hull.New([]geom.Vec3{{X: -0.5, Y: -0.5, Z: -0.5}, {X: 0.5, Y: -0.5, Z: -0.5}, {X: -0.5, Y: -0.5, Z: 0.5}, {X: 0.5, Y: -0.5, Z: 0.5},
		{X: -0.3, Y: 0.5, Z: -0.3}, {X: 0.3, Y: 0.5, Z: -0.3}, {X: -0.3, Y: 0.5, Z: 0.3}, {X: 0.3, Y: 0.5, Z: 0.3}})
	if err != nil {
		b.Fatal(err)
	}
	vertices, indices := mesh.Plane(160, 160, 160, 160)
	flat := mustMesh(vertices, indices)
	vertices, indices = mesh.Plane(160, 160, 1, 1)
	quad := mustMesh(vertices, indices)
	for _, shape := range []struct {
		name string
		s    Shape
	}{{"box", unitCrate}, {"hull", h}, {"capsule", geom.Capsule{A: geom.V(-0.3, -0.3, 0), B: geom.V(0.3, -0.3, 0), Radius: 0.2}}, {"sphere", geom.Sphere{Radius: 0.5}}} {
		for _, scene := range []struct {
			name  string
			floor Shape
			at    geom.Vec3
		}{{"flat", flat, geom.V(-80, 0.495, -80)}, {"quad", quad, geom.V(-80, 0.495, -80)}, {"hills", terrain(160), geom.V(0, 0.495, 0)}, {"deep", terrain(160), geom.V(0, 0.38, 0)}, {"rest", terrain(160), geom.V(0, 0.5, 0)}} {
			b.Run(fmt.Sprintf("%s/%s", shape.name, scene.name), func(b *testing.B) {
				s := NewSpace()
				floor := s.Add(Collider{Shape: scene.floor})
				rng := rand.New(rand.NewPCG(1, 2))
				random := func(by float32) float32 { return (rng.Float32() - 0.5) * by }
				var ids [512]ColliderID
				for i := range ids {
					at := scene.at.Add(geom.V(float32(i%32)*4+10+random(1), random(0.02), float32(i/32)*4+10+random(1)))
					turn := geom.QuatAxisAngle(geom.V(random(1), random(1), random(1)), float64(random(0.02))).Mul(geom.QuatAxisAngle(geom.V(0, 1, 0), float64(i)))
					if scene.name == "rest" { // down to a depth of 1 mm, level with the ground
						at.Y = 0
						x, z := float64(at.X), float64(at.Z)
						turn = geom.QuatAxisAngle(geom.V(0, 0, 1), 0.1*math.Cos(x)*math.Cos(0.7*z)).Mul(geom.QuatAxisAngle(geom.V(1, 0, 0), -0.07*math.Sin(x)*math.Sin(0.7*z))).Mul(turn)
						for lo, hi := float32(-1), float32(2); hi-lo > 1e-4; {
							if at.Y = (lo + hi) / 2; Overlaps(Placed{Shape: scene.floor}, Placed{shape.s, geom.Transform{Position: at, Rotation: turn}}) || at.Y < 0 {
								lo = at.Y
							} else {
								hi = at.Y
							}
						}
						at.Y -= 0.001
					}
					ids[i] = s.Add(Collider{Shape: shape.s, Transform: geom.Transform{Position: at, Rotation: turn}})
				}
				var m []Manifold
				parts, normals := 0, 0
				w := takeScratch()
				for _, id := range ids {
					m = s.Collide(m[:0], floor, id, 0.02)
					normals += len(m)
					parts += len(placed.PartsNear(w.parts[:0], &s.lookup(floor).single[0], &s.lookup(id).single[0], 0.02))
				}
				k, now := 0, cputime.Of(1)
				from, least := now(), time.Duration(math.MaxInt64)
				for b.Loop() {
					m = s.Collide(m[:0], floor, ids[k&511], 0.02)
					if k++; k&511 == 0 { // the fastest pass over all is the least disturbed
						to := now()
						from, least = to, min(least, to-from)
					}
				}
				b.ReportMetric(float64(least)/512, "least-ns/op")
				b.ReportMetric(float64(normals)/512, "manifolds")
				b.ReportMetric(float64(parts)/512, "triangles")
			})
		}
	}
}
