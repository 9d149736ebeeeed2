package physics_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// BenchmarkCollide measures Space.Collide for pairs of shapes that are turned at random and 5 cm
// deep in each other. Examples/collidebench sets the same beside Bullet.
func BenchmarkCollide(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	turn := func() geom.Quat {
		return geom.QuatEuler(r.Float64()*2*math.Pi, r.Float64()*2*math.Pi, r.Float64()*2*math.Pi)
	}
	shapes := shapesToCollide(b, r)
	for i, x := range shapes {
		for _, y := range shapes[i:] {
			if x.name == "plane" && y.name == "plane" {
				continue // they have no contacts
			}
			b.Run(x.name+"-"+y.name, func(b *testing.B) {
				s := physics.NewSpace()
				var ids [256][2]physics.ColliderID
				for k := range ids {
					at, to := geom.Transform{Rotation: turn()}, geom.Transform{Rotation: turn()}
					dir := geom.V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5).Normalize()
					if x.name == "plane" { // has the other shape in front
						dir = at.Rotation.Rotate(geom.V(0, 1, 0))
					} else if y.name == "plane" {
						dir = to.Rotation.Rotate(geom.V(0, -1, 0))
					}
					for near, far := float32(0), float32(3); far-near > 1e-4; {
						mid := (near + far) / 2
						to.Position = dir.Mul(mid)
						p, ok := physics.Penetrate(physics.Placed{Shape: x.solid, Transform: at}, physics.Placed{Shape: y.solid, Transform: to})
						if ok && p.Depth > 0.05 {
							near = mid
						} else {
							far = mid
						}
					}
					ids[k] = [2]physics.ColliderID{
						s.Add(physics.Collider{Shape: x.shape, Transform: at}),
						s.Add(physics.Collider{Shape: y.shape, Transform: to}),
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

// shapeToCollide is a shape about a metre across. Solid measures its depth in another shape: a mesh
// is a surface, so its depth is that of the solid it bounds.
type shapeToCollide struct {
	name         string
	shape, solid physics.Shape
}

// shapesToCollide returns one of each kind; the hull is of random points.
func shapesToCollide(b *testing.B, r *rand.Rand) (all []shapeToCollide) {
	corners := make([]geom.Vec3, 20)
	for i := range corners {
		corners[i] = geom.V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5).Normalize().Mul(0.5)
	}
	rock, err := hull.New(corners)
	require.NoError(b, err)
	bar := func(x, y, z float32) physics.Child {
		return physics.Child{Shape: geom.Box{HalfExtents: geom.V(x, y, z)}}
	}
	add := func(name string, s physics.Shape) { all = append(all, shapeToCollide{name, s, s}) }
	add("sphere", geom.Sphere{Radius: 0.5})
	add("capsule", geom.Capsule{A: geom.V(0, -0.4, 0), B: geom.V(0, 0.4, 0), Radius: 0.3})
	add("box", geom.Box{HalfExtents: geom.V(0.5, 0.4, 0.6)})
	add("hull", rock)
	add("AABB", geom.AABB{Min: geom.V(-0.5, -0.4, -0.6), Max: geom.V(0.5, 0.4, 0.6)})
	add("plane", geom.Plane{Normal: geom.V(0, 1, 0)})
	add("compound", physics.NewCompound(bar(0.5, 0.15, 0.15), bar(0.15, 0.5, 0.15), bar(0.15, 0.15, 0.5)))
	ball, err := mesh.New(mesh.Icosphere(0.5, 2))
	require.NoError(b, err)
	filled, err := hull.New(ball.Vertices())
	require.NoError(b, err)
	return append(all, shapeToCollide{"mesh", ball, filled})
}
