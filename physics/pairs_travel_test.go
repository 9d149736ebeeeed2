package physics

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The path of a collider is no shorter than the way of any point of it, whichever poses it takes
// and whichever states are restored, and a change of its shape makes all gaps invalid.
func TestPathsAreNoShorterThanWays(t *testing.T) {
	r := testenv.Rand(81, 82)
	any := func(far float32) geom.Vec3 {
		return geom.V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5).Mul(far)
	}
	for range 20 {
		s := NewSpace()
		box := geom.Box{Center: any(5), HalfExtents: any(2).Abs()}
		at := geom.Transform{Position: any(9), Rotation: geom.QuatEuler(r.Float64(), r.Float64(), r.Float64())}
		id := s.Add(Collider{Shape: box, Transform: at})
		tracker := ContactTracker{Margin: 0.02}
		tracker.Update(s)
		path := func() float64 { return tracker.table.travels[id.index()].path }
		corner := func(at *geom.Transform, k int) geom.DVec3 {
			sign := func(axis int) float32 { return float32(k>>axis&1)*2 - 1 }
			h := box.HalfExtents
			p := box.Center.Add(geom.V(sign(0)*h.X, sign(1)*h.Y, sign(2)*h.Z))
			return at.Position.Add(at.Rotation.Rotate(p)).Wide()
		}
		var ways [8]float64
		last, start := at, path()
		follow := func(to geom.Transform) {
			for k := range ways {
				ways[k] += corner(&to, k).Sub(corner(&last, k)).Len()
			}
			last = to
		}
		var state TrackerState
		var snapshot *Space
		var saved geom.Transform
		slack := 0.0
		for step := range 60 {
			far := []float32{0, 1e-4, 1e-2, 1}[r.IntN(4)]
			at.Position = at.Position.Add(any(far))
			if r.IntN(2) > 0 {
				at.Rotation = geom.QuatAxisAngle(any(1), float64(r.Float32()*far)).Mul(at.Rotation)
			}
			s.SetTransform(id, at)
			tracker.Update(s)
			follow(at)
			switch {
			case step == 20:
				snapshot, saved = s.Snapshot(), at
				tracker.Save(&state)
			case step > 20 && r.IntN(10) == 0:
				s.Restore(snapshot)
				tracker.Restore(&state)
				at = saved
				follow(at)
			}
			// Coordinates up to 32 m are rounded to single precision a few times at both ends.
			slack += 2 * 4 * 32 * 0x1p-24
			for k := range ways {
				require.GreaterOrEqual(t, path()-start, ways[k]-slack)
			}
		}
		before := path()
		s.Set(id, Collider{Shape: unitSphere, Transform: at})
		tracker.Update(s)
		require.GreaterOrEqual(t, path()-before, float64(pathJump))
	}
}
