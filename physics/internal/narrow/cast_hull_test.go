package narrow

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

// A hull that is walked over is met where the hull of its vertices is, each of which is looked at.
func TestSolidIsTheHullOfItsVertices(t *testing.T) {
	r := testenv.Rand(7, 8)
	f := func() float32 { return r.Float32()*2 - 1 }
	met := 0
	for _, count := range []int{4, 12, 60, 300} { // few are not walked over
		list := make([]geom.Vec3, count)
		for i := range list {
			// Far from its own origin.
			list[i] = geom.V(f(), f(), f()).Normalize().Add(geom.V(3, 0, 0))
		}
		h, err := hull.New(list)
		require.NoError(t, err)
		for range 300 {
			m := geom.Transform{
				Position: geom.V(f(), f(), f()), Rotation: geom.QuatEuler(float64(f())*3, float64(f())*3, float64(f())*3), Scale: geom.V(f(), f(), f()),
			}.Affine()
			s, all := Hull(h, m), Cloud(h.Vertices(), m, 0)
			require.Equal(t, all.Origin(), s.Origin())
			require.GreaterOrEqual(t, s.extent*(1+castUnit), all.extent)
			v := geom.V(f(), f(), f()).Wide()
			least, greatest := s.Span(v)
			low, high := all.Span(v)
			require.InDelta(t, low, least, castUnit)
			require.InDelta(t, high, greatest, castUnit)

			at := m.Point(geom.V(3, 0, 0)).Wide()
			from := geom.V(f(), f(), f()).Normalize().Mul(4).Wide()
			other := Box(geom.Box{Center: at.Add(from).Narrow(), HalfExtents: geom.V(0.2, 0.3, 0.1), Rotation: geom.QuatEuler(1, float64(f()), 0)})
			p := Path{Motion: from.Mul(-1.5).Add(geom.V(f(), f(), f()).Wide()), Max: 1}
			for _, pair := range [2]struct{ a, b, wantA, wantB *Shape }{{&other, &s, &other, &all}, {&s, &other, &all, &other}} {
				hit, ok := Cast(pair.a, pair.b, &p)
				want, wanted := Cast(pair.wantA, pair.wantB, &p)
				require.Equal(t, wanted, ok)
				require.InDelta(t, want.T, hit.T, distanceOff)
				require.InDelta(t, want.Depth, hit.Depth, castDepthOff)
				if ok {
					met++
				}
			}
		}
	}
	testenv.Drawn(t, met, 500)
	torn := geom.Affine{X: geom.V(float32(math.NaN()), 0, 0)}
	h, err := hull.New([]geom.Vec3{{}, {X: 1}, {Y: 1}, {Z: 1}})
	require.NoError(t, err)
	for _, s := range []Shape{Hull(&hull.Hull{}, geom.AffineIdentity()), Hull(h, torn)} {
		assert.True(t, s.IsEmpty())
	}
}
