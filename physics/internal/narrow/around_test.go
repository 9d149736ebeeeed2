package narrow

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

// What the box around a hull misses is further away than the margin, and of what is far from a log
// that leans it misses most.
func TestAroundMissesOnlyWhatIsFar(t *testing.T) {
	n := golden.Numbers(71)
	log, err := hull.New([]geom.Vec3{{X: 1, Y: 3}, {X: -1, Y: 3}, {Y: 3, Z: 1}, {X: 1, Y: -5}, {X: -1, Y: -5}, {Y: -5, Z: -1}})
	require.NoError(t, err)
	const margin = 0.1
	far, missed := 0, 0
	for range 20000 {
		at := geom.Transform{Position: n.Vec(100), Rotation: geom.QuatAxisAngle(n.Vec(1), float64(n.Float(3)))}
		scale := 1 + n.Float(0.9)
		at.Scale = geom.V(scale, scale, -scale)
		var s, o Shape
		s.SetHull(log, at.Affine())
		around, ok := s.Around(margin)
		require.True(t, ok)
		corner := at.Position.Add(n.Vec(8))
		tri := geom.Triangle{A: corner, B: corner.Add(n.Vec(2)), C: corner.Add(n.Vec(2))}
		o.SetTriangle(tri)
		d, misses := Distance(&o, &s, math.Inf(1)).Distance, around.Misses(&tri)
		if misses {
			require.Greater(t, d, float64(margin))
			missed++
		}
		if d > 1 {
			far++
		}
	}
	require.Greater(t, missed, far*3/4)
	var s Shape
	s.SetHull(log, geom.Transform{Scale: geom.V(1, 2, 1)}.Affine())
	_, ok := s.Around(margin)
	require.False(t, ok, "its axes may not be those of a box")
}
