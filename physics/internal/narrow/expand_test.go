package narrow

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// beginAt begins an expansion where a search has ended with one point: that of the difference which
// lies furthest along n.
func beginAt(p *polytope, a, b *Shape, n geom.DVec3) (g search, solid bool) {
	g = searchOf(a, b)
	w, on := g.support(n.Neg())
	g.s.n, g.s.v[0], g.s.weight[0] = 1, vertex{w, on}, 1
	return g, p.begin(&g)
}

// Around the centre of an ellipsoid the expansion begins with points far from each other's span:
// they span no less than both ends of one axis, one of the second, and one of the third.
func TestExpansionBeginsFarApart(t *testing.T) {
	a := Ellipsoid(geom.Sphere{Radius: 1}, geom.Transform{Scale: geom.V(3, 2, 1)}.Affine())
	b := Box(geom.Box{})
	for _, n := range []geom.DVec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		var p polytope
		_, solid := beginAt(&p, &a, &b, n)
		require.True(t, solid)
		from := p.v[0].w
		volume := p.v[1].w.Sub(from).Dot(p.v[2].w.Sub(from).Cross(p.v[3].w.Sub(from)))
		assert.GreaterOrEqual(t, math.Abs(volume), 2*3*2*1-1e-6, "from %v: %v", n, p.v[:4])
	}
}

// The difference of two shapes in one plane has no inside. Its depth is 0, across that plane.
func TestExpansionOfWhatIsFlat(t *testing.T) {
	r := testenv.Rand(37, 38)
	for range 100 {
		turn := randomTurn(r)
		a := Box(geom.Box{HalfExtents: geom.V(1, 1, 0), Rotation: turn})
		b := Box(geom.Box{HalfExtents: geom.V(0.5, 0.3, 0), Rotation: turn})
		var p polytope
		g, solid := beginAt(&p, &a, &b, randomVec(r).Wide())
		require.False(t, solid)
		flat := p.flat(&g)
		assert.InDelta(t, 1, math.Abs(flat.n.Dot(turn.Rotate(geom.V(0, 0, 1)).Wide())), 1e-6)
		assert.Zero(t, flat.dist)
	}
}

// Around what is almost a ball the way out hardly depends on the direction, and Newton's method
// leads too far in its first step: the point on the triangle was 0.18 mm beside it.
func TestPenetrationOfAlmostABall(t *testing.T) {
	corner := geom.V(0.0040024438, 0.0006011919, -0.0018791558)
	a := Triangle(geom.Triangle{
		A: corner,
		B: corner.Add(geom.V(0.0020757149, -0.0093301022, 0.0053755986)),
		C: corner.Add(geom.V(-0.0046386343, -0.0006742663, 0.0039764836)),
	})
	b := Ellipsoid(geom.Sphere{Radius: 1}, geom.Transform{
		Position: geom.V(0.0017115411, 0.0016340337, -0.0018664149),
		Scale:    geom.V(0.1166189054, 0.1080598187, 0.1079956692),
	}.Affine())
	p, ok := Penetrate(&a, &b)
	require.True(t, ok)
	require.InDelta(t, 0.1068874676, p.Depth, 1e-8, "by a search over random directions")
	require.InDelta(t, 0, p.PointA.Sub(corner.Wide()).Len(), 1e-8)
	require.InDelta(t, p.Depth, p.PointA.Sub(p.PointB).Len(), 1e-12)
}
