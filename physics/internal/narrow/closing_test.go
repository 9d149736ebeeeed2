package narrow

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// TestClosing moves shapes that get contacts only because nothing is known of how they will move.
// At no place on their way are they nearer than the limit. All others have the same contacts.
func TestClosing(t *testing.T) {
	r := testenv.Rand(37, 38)
	var with, without Finder
	ruledOut, kept := map[Kind]int{}, map[Kind]int{}
	for range 10000 {
		k := []Kind{KindSphere, KindCapsule, KindBox, KindHull}[r.IntN(4)]
		l := []Kind{KindBox, KindHull}[r.IntN(2)]
		a, _ := randomShape(r, k, 1, 0.3, 1)
		b, _ := randomShape(r, l, 1, 0.3, 1)
		b = b.Moved(b.Center().Sub(a.Center()).Mul(r.Float64()))
		const margin, limit = 0.5, 0.02
		closing := Closing{randomVec(r).Wide().Normalize().Mul(0.4 * r.Float64()), limit}
		before := closing
		with.Closing = &closing
		with.Collide(&a, &b, margin)
		require.Equal(t, before, closing)
		without.Collide(&a, &b, margin)
		if with.N > 0 || without.N == 0 {
			require.Equal(t, without.N, with.N)
			if with.N > 0 {
				require.Equal(t, without.Manifold.Normal, with.Normal)
				require.Equal(t, without.Contacts(), with.Contacts())
				kept[l]++
			}
			continue
		}
		ruledOut[l]++
		for i := range 9 {
			moved := b.Moved(closing.Way.Mul(float64(i) / 8))
			require.Greater(t, Distance(&a, &moved, math.Inf(1)).Distance, limit*(1-1e-6))
		}
		require.NotEqual(t, geom.DVec3{}, with.Apart)
	}
	for _, l := range []Kind{KindBox, KindHull} {
		testenv.Drawn(t, ruledOut[l], 100)
		testenv.Drawn(t, kept[l], 100)
	}
}
