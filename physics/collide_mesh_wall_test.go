package physics

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// A wall of two sheets back to back, not joined at their rims, pushes to the side from which a
// shape comes, as deep as the shape's lowest corner is below the sheet on that side.
func TestThinWalls(t *testing.T) {
	r := testenv.Rand(13, 51)
	drawn := 0
	for range 3000 {
		apart := [3]float32{0, 0.003, 0.05}[r.IntN(3)]
		var corners []geom.Vec3
		var indices []uint32
		for side := range 2 {
			nx, ny := 1+r.IntN(3), 1+r.IntN(3)
			from := uint32(len(corners))
			for i := range nx + 1 {
				for k := range ny + 1 {
					corners = append(corners, geom.V(2*float32(i)/float32(nx)-1, 2*float32(k)/float32(ny)-1, -apart*float32(side)))
				}
			}
			for i := range nx {
				for k := range ny {
					a := from + uint32(i*(ny+1)+k)
					b, c, d := a+uint32(ny)+1, a+uint32(ny)+2, a+1
					quad := []uint32{a, b, c, a, c, d}
					if side == 1 {
						quad = []uint32{a, c, b, a, d, c}
					}
					indices = append(indices, quad...)
				}
			}
		}
		m, err := mesh.New(corners, indices)
		require.NoError(t, err)
		half := geom.V(0.3, 0.02+0.2*r.Float32(), 0.01+0.2*r.Float32())
		at := geom.Transform{Rotation: randomTurn(r)}
		x, y, z := at.Rotation.Rotate(geom.V(half.X, 0, 0)), at.Rotation.Rotate(geom.V(0, half.Y, 0)), at.Rotation.Rotate(geom.V(0, 0, half.Z))
		high := math.Abs(float64(x.Z)) + math.Abs(float64(y.Z)) + math.Abs(float64(z.Z))
		depth := 0.001 + 0.01*r.Float64()
		if high < 4*depth {
			continue
		}
		behind := r.IntN(2) == 0
		at.Position = geom.V(r.Float32()-0.5, r.Float32()-0.5, float32(high-depth))
		if behind {
			at.Position.Z = -apart - at.Position.Z
		}
		drawn++
		got := Collide(nil, Placed{Shape: m}, Placed{geom.Box{HalfExtents: half}, at}, 0.02)
		require.NotEmpty(t, got, "%v of %v on %v %v", at, half, corners, indices)
		deepest := float32(-1)
		for _, g := range got {
			require.Equal(t, behind, g.Normal.Z < 0, "%v of %v on %v %v: %v", at, half, corners, indices, got)
			deepest = max(deepest, g.Depth())
		}
		require.InDelta(t, depth, deepest, 1e-4, "%v of %v on %v %v", at, half, corners, indices)
	}
	testenv.Drawn(t, drawn, 2000)
}
