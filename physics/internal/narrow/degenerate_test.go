package narrow

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// flatBox draws a box of which the last of the half extents are zero, as many as given: with two it
// is a needle, with three a point.
func flatBox(r *rand.Rand, zeros int) (Shape, body) {
	h := [3]float32{r.Float32() + 0.1, r.Float32() + 0.1, r.Float32() + 0.1}
	for i := range zeros {
		h[2-i] = 0
	}
	b := geom.Box{HalfExtents: geom.V(h[0], h[1], h[2])}
	if r.IntN(2) == 0 {
		b.Rotation = randomTurn(r)
	}
	if r.IntN(3) > 0 {
		b.Center = randomVec(r).Mul(0.3)
	}
	x, y, z := b.Axes()
	half := b.HalfExtents.Wide()
	return Box(b), body{points: cornersOf(half.Neg(), half, func(p geom.DVec3) geom.DVec3 {
		return b.Center.Wide().AddMul(p.X, x).AddMul(p.Y, y).AddMul(p.Z, z)
	})}
}

// The points of a depth and of every contact are on their shapes, also of plates, needles and
// points, and of edges that cross at a small angle.
func TestPointsOfFlatBoxes(t *testing.T) {
	testenv.NoRace(t)
	r := testenv.Rand(31, 32)
	// Half of what edges that run side by side may be apart, of boxes up to 1.1 m long to either
	// side; a sum of roundings otherwise.
	const off = apartSides / 2 * 2.2
	deep := 0
	for i := range 12_000 {
		a, ra := flatBox(r, i%4)
		k := allKinds[r.IntN(len(allKinds))]
		b, rb := randomShape(r, k, 0.5, 0.3, 3)
		if i%3 == 0 {
			b, rb = flatBox(r, r.IntN(4))
		}
		p, ok := Penetrate(&a, &b)
		if !ok {
			continue
		}
		deep++
		size := max(a.size, b.size)
		require.LessOrEqual(t, ra.outside(p.PointA), wayOff*size, "%d %s", i, kindName(k))
		require.LessOrEqual(t, rb.outside(p.PointB), wayOff*size, "%d %s", i, kindName(k))
		m := Collide(&a, &b, 0.01)
		require.Positive(t, m.N)
		for _, c := range m.Contacts() {
			require.LessOrEqual(t, ra.outside(c.PointA), off, "%d %s", i, kindName(k))
			require.LessOrEqual(t, rb.outside(c.PointB), off, "%d %s", i, kindName(k))
		}
	}
	testenv.Drawn(t, deep, 5000)
}
