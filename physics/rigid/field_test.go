package rigid_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// Bodies on a height field move as on the mesh of the same triangles, to the bit, also after it is
// edited under them.
func TestBodiesOnAFieldMoveAsOnItsMesh(t *testing.T) {
	testenv.NoRace(t)
	const side = 70
	heights := make([]float32, side*side)
	for i := range heights {
		x, z := float64(i%side-side/2), float64(i/side-side/2)
		heights[i] = float32(0.02*(x*x+z*z) + 0.3*math.Sin(x)*math.Cos(z))
		if i%7 == 0 {
			heights[i] = float32(math.Round(float64(heights[i])))
		}
	}
	field, err := mesh.NewField(mesh.FieldOptions{Columns: side, Rows: side, CellX: 0.7, CellZ: 0.7, StartX: -24.5, StartZ: -24.5, Low: -5, High: 60}, heights)
	require.NoError(t, err)
	surfaces := func() [2]*mesh.Mesh {
		m := field.Mesh()
		twin, err := mesh.New(m.Vertices(), m.Indices())
		require.NoError(t, err)
		return [2]*mesh.Mesh{m, twin}
	}
	prism, err := hull.New([]geom.Vec3{geom.V(-0.3, -0.2, -0.2), geom.V(0.3, -0.2, -0.2), geom.V(0, 0.3, -0.2), geom.V(-0.3, -0.2, 0.2), geom.V(0.3, -0.2, 0.2), geom.V(0, 0.3, 0.2)})
	require.NoError(t, err)
	shapes := []physics.Shape{
		geom.Box{HalfExtents: geom.V(0.5, 0.3, 0.4)}, geom.Sphere{Radius: 0.4}, prism,
		geom.Capsule{A: geom.V(0, -0.4, 0), B: geom.V(0, 0.4, 0), Radius: 0.2},
		geom.Cylinder(geom.V(0, -0.2, 0), geom.V(0, 0.2, 0), 0.4),
		physics.NewCompound(physics.Child{Shape: geom.Box{HalfExtents: geom.V(0.8, 0.1, 0.1)}}, physics.Child{Shape: geom.Sphere{Radius: 0.3}, Transform: geom.At(0.8, 0, 0)}),
	}
	for _, place := range []geom.Transform{{}, {Position: geom.V(1, -2, 3), Rotation: geom.QuatAxisAngle(geom.V(0.1, 1, 0), 0.3)}, {Scale: geom.V(1.2, 0.8, -1)}} {
		both := surfaces()
		var worlds [2]*rigid.Dynamics
		var ground [2]physics.ColliderID
		for k, m := range both {
			rng := testenv.Rand(20, 20)
			worlds[k] = rigid.New(physics.NewSpace())
			ground[k] = worlds[k].Space().Add(physics.Collider{Shape: m, Transform: place, Static: true})
			for i := range 60 {
				id := worlds[k].Space().Add(physics.Collider{Shape: shapes[i%len(shapes)], Transform: geom.At(rng.Float32()*10-5, 3+rng.Float32()*8, rng.Float32()*10-5)})
				_, err := worlds[k].Add(rigid.Body{Bullet: i%9 == 0, Velocity: geom.V(rng.Float32()*8-4, -2, 0)}, id)
				require.NoError(t, err)
			}
		}
		rng := testenv.Rand(21, 21)
		for step := range 150 {
			if step%50 == 49 {
				region := make([]float32, 49)
				for i := range region {
					region[i] = rng.Float32()
				}
				require.NoError(t, field.SetHeights(30+rng.IntN(5), 30, 7, region))
				for k, m := range surfaces() {
					require.True(t, worlds[k].Space().Set(ground[k], physics.Collider{Shape: m, Transform: place, Static: true}))
				}
			}
			worlds[0].Step()
			worlds[1].Step()
			for id, c := range worlds[0].Space().All() {
				twin, ok := worlds[1].Space().Collider(id)
				require.True(t, ok)
				require.Equal(t, twin.Transform, c.Transform, "step %d", step)
			}
		}
	}
}
