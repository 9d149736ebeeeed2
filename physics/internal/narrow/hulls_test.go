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
	testenv.NoRace(t)
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

// TestHullIsLeft compares what the faces of a hull show of a triangle with the depths of both.
func TestHullIsLeft(t *testing.T) {
	r := testenv.Rand(33, 34)
	parted, pierced := 0, 0
	var j Joiner
	for range 6000 {
		a, _ := randomShape(r, KindTriangle, 1, 0.3, 1)
		b := Hull(hulls[r.IntN(len(hulls))], geom.Transform{Rotation: randomTurn(r)}.Affine())
		if a.IsThin() {
			continue
		}
		j.Reset(b.Center(), 0)
		j.Collide(0, &Edges{}, &a, &b, 10)
		j.setRounding()
		p := &j.parts[0]
		ways := []way{{n: randomVec(r).Wide().Normalize(), depth: 0.3 * r.Float64()}}
		moved := b.Moved(ways[0].n.Mul(ways[0].depth))
		clear := j.isClear(p, &b)
		if j.isSeparatedByFace(p, ways) {
			parted++
			require.True(t, clear || j.isClear(p, &moved))
		}
		if j.isPierced(p) {
			pierced++
			require.False(t, clear)
		}
	}
	testenv.Drawn(t, parted, 300)
	testenv.Drawn(t, pierced, 300)
}

// TestBestFace compares each face that a single point of the other shape shows to be the best axis
// with all axes of shapes that overlap, and with the distance of shapes that do not.
func TestBestFace(t *testing.T) {
	testenv.NoRace(t)
	r := testenv.Rand(35, 36)
	deep, apart := map[Kind]int{}, map[Kind]int{}
	for range 6000 {
		k := []Kind{KindAABB, KindBox, KindHull}[r.IntN(3)]
		a, _ := randomShape(r, k, 1, 0.3, []float64{1, 5}[r.IntN(2)])
		if k == KindHull {
			s := 0.2 + r.Float32()
			a = Hull(hulls[r.IntN(len(hulls))], geom.Transform{Scale: geom.V(s, s, s), Rotation: randomTurn(r)}.Affine())
		}
		b := Hull(hulls[r.IntN(len(hulls))], geom.Transform{Rotation: randomTurn(r)}.Affine())
		s, n, _ := a.faceAxis(r.IntN(a.numFaces()), &b)
		b = b.Moved(n.Mul(0.4*r.Float64() - 0.2 - s)) // along a face it is as far as this
		if k == KindHull && !a.isPrunable() || !b.isPrunable() {
			continue
		}
		want, size := separate(&a, &b).dist, max(a.size, b.size)
		for i := range a.numFaces() {
			dist, n, p := a.faceAxis(i, &b)
			if !a.isBest(i, dist, p.Sub(a.p), 1e-9) {
				continue
			}
			if dist <= 0 {
				deep[k]++
				require.InDelta(t, want, dist, summed*size)
			} else {
				apart[k]++
				require.InDelta(t, Distance(&a, &b, math.Inf(1)).Distance, dist, 1e-9*size)
			}
			require.InDelta(t, dist, -a.Reach(n)-b.Reach(n.Neg()), summed*size)
		}
	}
	for _, k := range []Kind{KindAABB, KindBox, KindHull} {
		testenv.Drawn(t, deep[k], 100)
		testenv.Drawn(t, apart[k], 100)
	}
}
