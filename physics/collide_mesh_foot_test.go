package physics

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// pillar returns a floor with a square pillar of 0.6 by 0.6 m and 1.2 m of height on it.
func pillar() *mesh.Mesh {
	var vertices []geom.Vec3
	var indices []uint32
	quad := func(a, b, c, d geom.Vec3) {
		k := uint32(len(vertices))
		vertices = append(vertices, a, b, c, d)
		indices = append(indices, k, k+1, k+2, k, k+2, k+3)
	}
	at := [4]float32{-4, -0.3, 0.3, 4}
	for i := range 3 {
		for k := range 3 {
			y := float32(0)
			if i == 1 && k == 1 {
				y = 1.2
			}
			quad(geom.V(at[i], y, at[k]), geom.V(at[i], y, at[k+1]), geom.V(at[i+1], y, at[k+1]), geom.V(at[i+1], y, at[k]))
		}
	}
	corners, up := [5]geom.Vec3{{X: 0.3, Z: 0.3}, {X: 0.3, Z: -0.3}, {X: -0.3, Z: -0.3}, {X: -0.3, Z: 0.3}, {X: 0.3, Z: 0.3}}, geom.V(0, 1.2, 0)
	for i, a := range corners[:4] {
		b := corners[i+1]
		quad(a, b, b.Add(up), a.Add(up))
	}
	return mustMesh(vertices, indices)
}

// A crate that has sunk into the floor by a millimetre, and leans a little, is nearest to an edge
// of a pillar below the floor. It has a contact with the edge ahead of the impact.
func TestBesideTheFootOfAPillar(t *testing.T) {
	m := pillar()
	at := geom.Transform{Position: geom.V(0.6071229, 0.4992201, -0.77200747),
		Rotation: geom.Quat{X: -0.00019454541, Y: 0.9971389, Z: -3.8080292e-05, W: 0.07559075}}
	for i := range 4 {
		turn := geom.QuatAxisAngle(geom.V(0, 1, 0), float64(i)*1.5707963267948966)
		crate := Placed{unitCrate, geom.Transform{Position: turn.Rotate(at.Position), Rotation: turn.Mul(at.Rotation)}}
		all := Collide(nil, Placed{Shape: m}, crate, 0.02)
		require.GreaterOrEqual(t, len(all), 2)
		assert.InDelta(t, 0.001, all[0].Depth(), 1e-5)
		assert.InDelta(t, -0.012888, all[1].Depth(), 2e-5)
		assert.InDelta(t, 1, all[1].Normal.Dot(turn.Rotate(geom.V(0.15074895, 0, -0.98857206))), 1e-5)
		for _, c := range all[1].ContactPoints() {
			assert.InDelta(t, 0.3, max(c.PointA.Abs().X, c.PointA.Abs().Z), 1e-5)
			assert.Less(t, c.Depth, float32(0))
		}
		// Further away than the margin there is none.
		assert.Len(t, Collide(nil, Placed{Shape: m}, crate, 0.012), 1)
	}
}
