package physics_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

// BenchmarkCollide measures Space.Collide for pairs of shapes that are turned at random and 5 cm deep in each other. Examples/collidebench
// sets the same beside Bullet.
func BenchmarkCollide(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	corners := make([]geom.Vec3, 20)
	for i := range corners {
		corners[i] = geom.V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5).Normalize().Mul(0.5)
	}
	rock, err := hull.New(corners)
	require.NoError(b, err)
	shapes := []struct {
		name  string
		shape physics.Shape
	}{
		{"sphere", geom.Sphere{Radius: 0.5}},
		{"capsule", geom.Capsule{A: geom.V(0, -0.4, 0), B: geom.V(0, 0.4, 0), Radius: 0.3}},
		{"box", geom.Box{HalfExtents: geom.V(0.5, 0.4, 0.6)}},
		{"hull", rock},
	}
	turn := func() geom.Quat {
		return geom.QuatEuler(r.Float64()*2*math.Pi, r.Float64()*2*math.Pi, r.Float64()*2*math.Pi)
	}
	for i, x := range shapes {
		for _, y := range shapes[i:] {
			b.Run(x.name+"-"+y.name, func(b *testing.B) {
				s := physics.NewSpace()
				var ids [256][2]physics.ColliderID
				for k := range ids {
					at := physics.Placed{Shape: x.shape, Transform: geom.Transform{Rotation: turn()}}
					to := physics.Placed{Shape: y.shape, Transform: geom.Transform{Rotation: turn()}}
					dir := geom.V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5).Normalize()
					for near, far := float32(0), float32(3); far-near > 1e-4; {
						mid := (near + far) / 2
						to.Transform.Position = dir.Mul(mid)
						if p, ok := physics.Penetrate(at, to); ok && p.Depth > 0.05 {
							near = mid
						} else {
							far = mid
						}
					}
					ids[k] = [2]physics.ColliderID{
						s.Add(physics.Collider{Shape: at.Shape, Transform: at.Transform}),
						s.Add(physics.Collider{Shape: to.Shape, Transform: to.Transform}),
					}
				}
				var m []physics.Manifold
				k := 0
				for b.Loop() {
					m = s.Collide(m[:0], ids[k&255][0], ids[k&255][1], 0.01)
					k++
				}
				require.NotEmpty(b, m)
			})
		}
	}
}
