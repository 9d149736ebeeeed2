package narrow

import (
	"math"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A face of a box that is clipped by that of another has the corners, with their features, that
// clipping by one side after the other leaves (Sutherland and Hodgman 1974).
func TestFacesOfBoxesAreClipped(t *testing.T) {
	r := testenv.Rand(71, 72)
	drawn := map[int]int{}
	for range 4000 {
		box := func(at geom.Vec3, turn geom.Quat) (s Shape) {
			little := func() float32 { return 0.45 + 0.1*r.Float32() }
			s.SetBox(geom.Box{Center: at, HalfExtents: geom.V(little(), little(), little()), Rotation: turn})
			return s
		}
		// One lies on the other, turned about an axis and tilted.
		turn := geom.QuatAxisAngle(randomVec(r), r.Float64()*6)
		a := box(randomVec(r).Mul(10), turn)
		up := a.axis(r.IntN(3)).Narrow()
		tilted := geom.QuatAxisAngle(randomVec(r), r.Float64()*0.08).Mul(geom.QuatAxisAngle(up, 0.6+r.Float64()*0.4))
		b := box(a.p.Narrow().Add(up).Add(randomVec(r).Mul(r.Float32()*0.5)), tilted.Mul(turn))
		var f, g Finder
		if !f.axes.find(&a, &b, 1) || f.axes.axis >= 3 || f.axes.close != 0 {
			continue // edges may replace the faces
		}
		f.boxes(&a, &b, 1)
		n := f.axes.n
		g.Normal = n
		a.patch(n, &g.patchA)
		b.patch(n.Neg(), &g.patchB)
		want := map[[2]Feature]spot{}
		for _, s := range g.clip(&g.patchA, &g.patchB, 1, touching*a.size, false) {
			want[[2]Feature{s.ref, s.inc}] = s
		}
		c := &f.clipped
		left, axis := c.clip(), g.patchA.face/2
		require.Equal(t, len(want), bits.OnesCount32(left))
		x, y := a.axis(next[axis]), a.axis(next[axis+1])
		for ; left != 0; left &= left - 1 {
			q := bits.TrailingZeros32(left)
			inc := q
			if c.rims[q] < noRim {
				inc |= 4
			}
			w, ok := want[[2]Feature{boxFeatures[g.patchA.face].reference[c.rims[q]], boxFeatures[g.patchB.face].incident[inc]}]
			require.True(t, ok)
			// Each way sums a few products of the coordinates. A crossing is off by their rounding,
			// and by the slack, over the sine of the angle between the sides.
			sine := 1.0
			if rim := c.rims[q]; rim < noRim {
				d := [2]geom.DVec3{c.e, c.g}[q%2]
				sine = math.Abs([2]float64{d.X, d.Y}[rim/2]) / d.Len()
			}
			near := (touching*a.size + 64*0x1p-53*(a.size+b.size)) / sine
			p := a.p.Sub(w.p).AddMul(c.at[0][q], *x).AddMul(c.at[1][q], *y)
			require.InDelta(t, 0, flat(p, n).Len(), near)
			require.InDelta(t, w.depth, c.at[2][q], near)
		}
		drawn[len(want)]++
	}
	for n := 4; n <= 7; n++ {
		testenv.Drawn(t, drawn[n], 20)
	}
}

// The corners kept of more than four are the deepest, and span nearly as large an area as any four.
func TestKeepsTheCornersThatSpan(t *testing.T) {
	r := testenv.Rand(73, 74)
	for range 2000 {
		var c boxClip
		n := 5 + r.IntN(4)
		at := r.Perm(12)[:n]
		left, deepest := uint32(0), at[0]
		angles := make([]float64, n)
		for i := range angles {
			angles[i] = r.Float64() * 2 * math.Pi
		}
		for i, q := range at {
			left |= 1 << q
			c.at[0][q], c.at[1][q], c.at[2][q] = math.Cos(angles[i]), math.Sin(angles[i]), r.Float64()
			if c.at[2][q] > c.at[2][deepest] {
				deepest = q
			}
		}
		kept := c.reduce(left)
		require.Equal(t, 4, bits.OnesCount32(kept))
		require.Zero(t, kept&^left)
		require.NotZero(t, kept>>deepest&1)
	}
}
