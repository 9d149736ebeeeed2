package physics

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// Volumes and shapes touch a mesh of many small triangles where a loop over all of them finds one
// that they touch.
func TestOverlapsOfMeshesByAllTriangles(t *testing.T) {
	testenv.NoRace(t)
	points, triangles := mesh.Icosphere(1, 4)
	for i, p := range points {
		points[i] = p.Mul(1 + 0.1*float32(math.Sin(float64(9*p.X+7*p.Y))))
	}
	rough, err := mesh.New(points, triangles)
	require.NoError(t, err)
	shapes := []Shape{
		geom.Sphere{Radius: 1}, geom.Sphere{Center: geom.V(0.3, 0, 0), Radius: 0.7}, unitBox, boxHull, testHulls[0], unitAABB,
		geom.Capsule{A: geom.V(0, -1, 0), B: geom.V(0, 1, 0), Radius: 0.1}, geom.Capsule{A: geom.V(0, -1, 0), B: geom.V(0.5, 1, 0), Radius: 0.6},
		geom.Cone{A: geom.V(0, -1, 0), B: geom.V(0, 1, 0), RadiusA: 0.5}, geom.TaperedCapsule{A: geom.V(0, -1, 0), B: geom.V(0, 1, 0), RadiusA: 0.5, RadiusB: 0.2},
	}
	for _, far := range []float32{0, 1000} {
		for _, scale := range []geom.Vec3{{X: 1, Y: 1, Z: 1}, {X: -2, Y: 0.5, Z: 3}, {X: 0.01, Y: 0.01, Z: 0.01}} {
			for _, turn := range []geom.Quat{{}, geom.QuatEuler(0.4, 1, 2)} {
				t.Run(fmt.Sprintf("%g at %g, %v", scale, far, turn), func(t *testing.T) {
					rng := testenv.Rand(uint64(far), 44)
					vec := func() geom.Vec3 { return geom.V(rng.Float32()-0.5, rng.Float32()-0.5, rng.Float32()-0.5) }
					s := NewSpace()
					m := Placed{rough, geom.Transform{Position: geom.V(far, -far, far/2), Rotation: turn, Scale: scale}}
					id := s.Add(Collider{Shape: rough, Transform: m.Transform})
					on := &s.records[0].single[0]
					world := make([]geom.Triangle, rough.NumTriangles())
					for i := range world {
						world[i] = on.Local.Triangle(i)
					}
					found, none := 0, 0
					check := func(got []ColliderID, touches func(t geom.Triangle) bool, what any) {
						t.Helper()
						for _, one := range world {
							if touches(one) {
								found++
								require.Equal(t, []ColliderID{id}, got, "%v", what)
								return
							}
						}
						none++
						require.Empty(t, got, "%v", what)
					}
					for range 40 {
						one := world[rng.IntN(len(world))]
						size := float32(math.Pow(10, -1.5*rng.Float64())) * scale.Abs().Y
						out := one.B.Sub(one.A).Cross(one.C.Sub(one.A)).Normalize()
						at := geom.Transform{Position: one.A.Add(out.Mul(size * (2*rng.Float32() - 0.2)))}
						half := vec().Abs().Mul(2 * size)
						box := geom.AABBAround(at.Position, half)
						check(s.OverlapAABB(nil, box, Filter{}), box.OverlapsTriangle, box)
						ball := geom.Sphere{Center: at.Position, Radius: size}
						check(s.OverlapSphere(nil, ball, Filter{}), ball.OverlapsTriangle, ball)
						at.Rotation = geom.QuatAxisAngle(vec().Normalize(), 6*rng.Float64())
						turned := geom.Box{Center: at.Position, HalfExtents: half, Rotation: at.Rotation}
						check(s.OverlapBox(nil, turned, Filter{}), turned.OverlapsTriangle, turned)
						at.Scale = geom.V(size, size, size)
						if rng.IntN(3) == 0 {
							at.Scale = vec().Mul(2 * size)
						}
						for _, shape := range shapes {
							var o placed.Subshape
							if !o.PlaceAt(shape, &at) {
								continue
							}
							var a, b narrow.Shape
							o.SetPart(&a, placed.Whole)
							p := Placed{shape, at}
							got := s.OverlapShape(nil, p, Filter{})
							check(got, func(t geom.Triangle) bool {
								b.SetTriangle(t)
								return narrow.Overlaps(&a, &b)
							}, p)
							require.Equal(t, len(got) > 0, Overlaps(m, p))
							require.Equal(t, len(got) > 0, Overlaps(p, m))
						}
					}
					testenv.Drawn(t, found, 100)
					testenv.Drawn(t, none, 50)
				})
			}
		}
	}
}
