package narrow

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// forPairs calls f for random pairs of all kinds: far apart, near, deep in each other, of one size
// and of very different ones.
func forPairs(t *testing.T, count int, f func(t *testing.T, a, b *Shape, ra, rb *body, size float64)) {
	for i, ka := range allKinds {
		for _, kb := range allKinds[i:] {
			t.Run(kindName(ka)+"-"+kindName(kb), func(t *testing.T) {
				r := testenv.Rand(uint64(ka), uint64(kb))
				for n := range count {
					size := math.Pow(10, r.Float64()*3-2)
					other := size * math.Pow(10, float64(n%3-1)/2)
					aspect := []float64{1, 3, 30}[n%3]
					spread := size * []float64{0.1, 0.7, 2, 5}[n%4]
					a, ra := randomShape(r, ka, size, spread, aspect)
					b, rb := randomShape(r, kb, other, spread, aspect)
					require.False(t, a.IsEmpty() || b.IsEmpty())
					f(t, &a, &b, &ra, &rb, max(a.size, b.size))
					if t.Failed() {
						t.Fatalf("pair %d", n)
					}
				}
			})
		}
	}
}

// An answer proves itself: the direction it gives parts the bodies by as much as it says, its
// points are in the bodies and as far from each other, and no direction that the reference finds
// does better.
func TestAnswersProveThemselves(t *testing.T) {
	testenv.Long(t)
	type measure struct {
		what string
		a, b Kind
	}
	worst := map[measure]float64{}
	forPairs(t, 200, func(t *testing.T, a, b *Shape, ra, rb *body, size float64) {
		note := func(what string, x float64) {
			m := measure{what, a.kind, b.kind}
			worst[m] = max(worst[m], x/size)
		}
		want := largestGap(ra, rb)
		c := Distance(a, b, math.Inf(1))
		p, deep := Penetrate(a, b)
		require.Equal(t, deep, Overlaps(a, b))
		require.Equal(t, c.Distance == 0, deep)
		if a.kind == KindHalfSpace && b.kind == KindHalfSpace {
			return
		}
		require.LessOrEqual(t, ra.outside(c.PointA), memberOff*size)
		require.LessOrEqual(t, rb.outside(c.PointB), memberOff*size)
		if deep {
			require.LessOrEqual(t, want, summed*size)
			require.Equal(t, c.PointA, c.PointB)
			require.InDelta(t, 1, p.Normal.Len(), unitOff)
			require.InDelta(t, -p.Depth, gap(ra, rb, p.Normal), depthOff*size, "the way leads out, and no sooner")
			off := wayOff * size
			if p.Inexact {
				off += inexactOff * p.Depth
			}
			require.GreaterOrEqual(t, -p.Depth, want-off, "and no other is shorter")
			require.InDelta(t, 0, p.PointA.Sub(p.PointB).AddMul(-p.Depth, p.Normal).Len(), summed*size)
			note("A", ra.outside(p.PointA))
			note("B", rb.outside(p.PointB))
			note("depth", max(0, want+p.Depth))
			note("gap", math.Abs(gap(ra, rb, p.Normal)+p.Depth))
			require.LessOrEqual(t, ra.outside(p.PointA), wayOff*size)
			require.LessOrEqual(t, rb.outside(p.PointB), wayOff*size)
			return
		}
		require.InDelta(t, c.Distance, c.PointB.Sub(c.PointA).Len(), summed*size)
		off := apartOff(a, b, c.Distance)
		if a.kind != KindRound && b.kind != KindRound {
			off = min(off, promised*size)
		}
		require.InDelta(t, c.Distance, gap(ra, rb, c.Normal), off)
		require.GreaterOrEqual(t, c.Distance, want-summed*size)
		note("dist", math.Abs(c.Distance-gap(ra, rb, c.Normal)))
		require.True(t, math.IsInf(Distance(a, b, 0.9*c.Distance).Distance, 1))
		require.Equal(t, c, Distance(a, b, 1.1*c.Distance), "a limit changes nothing else")
	})
	for m, x := range worst {
		if x > 1e-8 {
			t.Logf("%s %s-%s: %.1e", m.what, kindName(m.a), kindName(m.b), x)
		}
	}
}

// Of boxes that are all but parallel and all but touch, all queries agree on whether they touch.
func TestBoxesThatAllButTouch(t *testing.T) {
	r := testenv.Rand(21, 22)
	apart, touching := 0, 0
	for range 20_000 {
		turn := geom.QuatEuler(r.Float64()*6, r.Float64()*6, r.Float64()*6)
		little := func() float64 { return (r.Float64() - 0.5) * math.Pow(10, -2-5*r.Float64()) }
		h := geom.V(0.5+r.Float32(), 0.5+r.Float32(), 0.5+r.Float32())
		a := Box(geom.Box{HalfExtents: h, Rotation: turn})
		// Corner to corner, edge to edge or face to face, turned a little.
		way := geom.V(float32(r.IntN(3)-1), float32(r.IntN(3)-1), float32(r.IntN(3)-1))
		off := geom.V(way.X*2*h.X, way.Y*2*h.Y, way.Z*2*h.Z).Mul(1 + float32(little()*1e-3))
		b := Box(geom.Box{Center: turn.Rotate(off), HalfExtents: h, Rotation: turn.Mul(geom.QuatEuler(little(), little(), little()))})
		overlap := Overlaps(&a, &b)
		_, deep := Penetrate(&a, &b)
		require.Equal(t, overlap, deep)
		require.Equal(t, overlap, Distance(&a, &b, math.Inf(1)).Distance == 0)
		if overlap {
			touching++
		} else {
			apart++
		}
	}
	testenv.Drawn(t, apart, 1000)
	testenv.Drawn(t, touching, 1000)
}
