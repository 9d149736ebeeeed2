package narrow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// castGap returns how far the plane across n parts a, moved by a way, from b: negative where a is
// on both its sides.
func castGap(a, b *castShape, way, n geom.DVec3) float64 {
	return -a.top(n.Neg()) + way.Dot(n) - b.top(n)
}

// prove asserts that a hit is the first touch of two shapes by what it says itself. The plane
// across its normal parts the shapes up to T, as the motion goes against it, so that there is no
// touch before; and each castShape has its witness point, as far as planes in many directions
// show, and the points are the same, so that there is one then.
func prove(t require.TestingT, rng *rand.Rand, a, b *castShape, p *Path, hit *Impact, eps float64, name string) {
	way := p.Motion.Mul(hit.T)
	require.InDelta(t, 1, hit.Normal.Len(), castUnit, name)
	require.InDelta(t, hit.Depth, hit.PointB.Sub(hit.PointA).Dot(hit.Normal), eps, "%s: %+v", name, hit)
	require.InDelta(t, hit.Depth, hit.PointB.Sub(hit.PointA).Len(), 2*eps, "%s: %+v: the points are one, each off by eps", name, hit)
	// How far the plane is from parting the shapes is how deep they are.
	require.GreaterOrEqual(t, castGap(a, b, way, hit.Normal), -hit.Depth-eps, "%s: %+v: the normal parts", name, hit)
	if hit.Overlaps {
		require.Equal(t, p.Min, hit.T, name)
	} else {
		require.Zero(t, hit.Depth, name)
		require.Less(t, hit.Normal.Dot(p.Motion), 0.0, "%s: %+v: the motion goes against the normal", name, hit)
	}
	outA, outB := math.Inf(-1), math.Inf(-1)
	for range 30 {
		v := vec(rng).Normalize()
		outA = max(outA, hit.PointA.Sub(way).Dot(v)-a.top(v))
		outB = max(outB, hit.PointB.Dot(v)-b.top(v))
	}
	require.LessOrEqual(t, outA, eps, "%s: %+v: on the first", name, hit)
	require.LessOrEqual(t, outB, eps, "%s: %+v: on the second", name, hit)
}

// distanceAt returns how far a, moved by T·Motion, is from b, by the search that finds no T.
func distanceAt(a, b *castShape, p *Path, t float64) float64 {
	q := *p
	q.Min = t
	c := newPair(&a.body, &b.body, &q)
	g := c.search(c.at(t), geom.DVec3{})
	return max(0, g.v.Len()-c.margin)
}

// leastDistance returns how near the shapes come, by thirds: the distance is convex.
func leastDistance(a, b *castShape, p *Path) (t, distance float64) {
	lo, hi := p.Min, p.Max
	for range 100 {
		l, r := lo+(hi-lo)/3, hi-(hi-lo)/3
		if distanceAt(a, b, p, l) <= distanceAt(a, b, p, r) {
			hi = r
		} else {
			lo = l
		}
	}
	t = (lo + hi) / 2
	return t, distanceAt(a, b, p, t)
}

func TestCastOfAllPairs(t *testing.T) {
	testenv.NoRace(t)
	n := 60
	if testing.Short() {
		n = 10
	}
	for _, ka := range castKinds {
		for _, kb := range castKinds {
			t.Run(ka+"/"+kb, func(t *testing.T) {
				rng := testenv.Rand(1, uint64(len(ka)*100+len(kb)))
				all := [3]int{} // hits, starts, misses
				thin := map[string]bool{"point": true, "needle": true, "sliver": true}
				met := func() bool { return all[2] > 0 && (all[0] > 0 || thin[ka] && thin[kb]) }
				// In a campaign the first n may have met nothing. At least one cast in fifty hits
				// and one misses, so that 50·n all fail to with a probability below 1e-26.
				for i := 0; i < n || i < 50*n && !met() && !testing.Short(); i++ {
					a, b := castRandom(rng, ka, vec(rng).Narrow(), 1), castRandom(rng, kb, vec(rng).Narrow(), 1)
					p := Path{Motion: vec(rng).Mul(3), Max: 1 + rng.Float64()}
					if i%3 > 0 { // from afar, at something of the other
						start := vec(rng).Mul(5)
						a = castRandom(rng, ka, start.Narrow(), 1)
						p.Motion = b.corners[0].Add(vec(rng).Mul(0.3)).Sub(start)
						p.Max = 2
					}
					name := fmt.Sprintf("%d", i)
					hit, ok := Cast(&a.body, &b.body, &p)
					if !ok {
						all[2]++
						_, least := leastDistance(&a, &b, &p)
						require.Positive(t, least, name)
						continue
					}
					if hit.Overlaps {
						all[1]++
					} else {
						all[0]++
					}
					eps := castOff
					if a.body.kind == KindRound || b.body.kind == KindRound {
						eps = curvedCastOff
					}
					prove(t, rng, &a, &b, &p, &hit, eps, name)
				}
				if testing.Short() {
					return // too few to have met everything
				}
				require.True(t, met(), "hits, starts and misses: %v", all)
			})
		}
	}
}
