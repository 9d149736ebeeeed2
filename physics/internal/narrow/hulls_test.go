package narrow

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// TestPrunedAxes compares the axes that the spheres leave with all axes: of hulls and of the other
// polytopes with hulls, from all but apart to one within the other.
func TestPrunedAxes(t *testing.T) {
	r := testenv.Rand(31, 32)
	compared := map[Kind]int{}
	for range 6000 {
		k := []Kind{KindAABB, KindBox, KindTriangle, KindParallelepiped, KindHull}[r.IntN(5)]
		a, _ := randomShape(r, k, 1, 0.3, []float64{1, 5}[r.IntN(2)])
		if k == KindHull {
			s := 0.2 + r.Float32()
			a = Hull(hulls[r.IntN(len(hulls))], geom.Transform{Scale: geom.V(s, s, s), Rotation: randomTurn(r)}.Affine())
		}
		h := hulls[r.IntN(len(hulls))]
		way := randomVec(r).Normalize()
		b := Hull(h, geom.Transform{Rotation: randomTurn(r)}.Affine())
		gap := separate(&a, &b)
		b = b.Moved(way.Mul(float32(r.Float64() * math.Abs(gap.dist))).Wide())
		var got relation
		if !b.isPrunable() || k == KindHull && !a.isPrunable() || !relateHull(&got, &a, &b, 0, askDepth) {
			continue
		}
		want := separate(&a, &b)
		size := max(a.size, b.size)
		// Both sum the same numbers in different orders.
		require.InDelta(t, want.dist, got.dist, summed*size)
		require.InDelta(t, got.dist, -a.Reach(got.n)-b.Reach(got.n.Neg()), summed*size, "the support points are as far apart along it")
		compared[k]++
	}
	for _, k := range []Kind{KindAABB, KindBox, KindTriangle, KindParallelepiped, KindHull} {
		testenv.Drawn(t, compared[k], 100)
	}
}
