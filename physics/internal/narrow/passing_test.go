package narrow

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

// Nowhere on its way a hull comes within the margin of a triangle that it avoids, nor where its
// pivot takes it, and it does not avoid all.
func TestPassingAvoidsOnlyWhatIsFar(t *testing.T) {
	n := golden.Numbers(72)
	log, err := hull.New([]geom.Vec3{{X: 1, Y: 3}, {X: -1, Y: 3}, {Y: 3, Z: 1}, {X: 1, Y: -5}, {X: -1, Y: -5}, {Y: -5, Z: -1}})
	require.NoError(t, err)
	const margin = 0.1
	var p Passing
	avoided, near := 0, 0
	for range 1000 {
		at := geom.Transform{Position: n.Vec(100), Rotation: geom.QuatAxisAngle(n.Vec(1), float64(n.Float(3)))}
		var s, o, moved Shape
		s.SetHull(log, at.Affine())
		shift, turn := n.Vec(2).Wide(), n.Vec(0.3).Wide()
		about := at.Position.Wide()
		require.True(t, p.Set(&s, margin, about, shift, turn, shift))
		corner := at.Position.Add(n.Vec(8))
		tri := geom.Triangle{A: corner, B: corner.Add(n.Vec(4)), C: corner.Add(n.Vec(4))}
		o.SetTriangle(tri)
		avoids := p.Avoids(&tri)
		for k := range 5 {
			part := float64(k) / 4
			points := make([]geom.Vec3, 0, 8)
			for i := range s.hull.NumVertices() {
				v := s.p.Add(s.hullVertex(i))
				points = append(points, v.AddMul(part, shift.Add(turn.Cross(v.Sub(about)))).Narrow())
			}
			then, err := hull.New(points)
			require.NoError(t, err)
			moved.SetHull(then, geom.Transform{}.Affine())
			d := Distance(&o, &moved, math.Inf(1)).Distance
			if avoids {
				require.Greater(t, d, float64(margin))
			} else if d < margin {
				near++
			}
		}
		if avoids {
			avoided++
			along := s.Moved(shift)
			require.Greater(t, Distance(&o, &along, math.Inf(1)).Distance, float64(margin))
		}
	}
	require.Greater(t, avoided, 200)
	require.Greater(t, near, 100)
	s := Shape{}
	s.SetBox(geom.Box{HalfExtents: geom.V(1, 1, 1)})
	require.False(t, p.Set(&s, margin, geom.DVec3{}, geom.DVec3{}, geom.DVec3{}, geom.DVec3{}))
}
