package hull

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Corners go counter-clockwise, all points are within, and each corner is one of the points.
func TestNewPolygon(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		points := make([]geom.Vec3, 3+random.IntN(12))
		for i := range points {
			points[i] = geom.V(float32(random.NormFloat64()), float32(random.NormFloat64()), float32(random.NormFloat64()))
		}
		h, err := NewPolygon(points)
		require.NoError(t, err)
		c := h.Corners()
		require.GreaterOrEqual(t, len(c), 3)
		require.Equal(t, 2*len(c), h.NumVertices())
		area := 0.0
		for i, v := range c {
			w := c[(i+1)%len(c)]
			d := w.Sub(v)
			area += float64(v.X)*float64(w.Y)/2 - float64(v.Y)*float64(w.X)/2
			known := false
			for _, p := range points {
				e := p.Sub(v)
				require.Greater(t, float64(d.X)*float64(e.Y)-float64(d.Y)*float64(e.X), -1e-5)
				known = known || p.X == v.X && p.Y == v.Y
			}
			require.True(t, known)
			require.Equal(t, geom.V(v.X, v.Y, -0.5), h.Vertices()[len(c)+i])
		}
		require.InDelta(t, area, h.Volume(), 1e-5)
	}
}

func TestNewPolygonErrors(t *testing.T) {
	circle := func(n int) (points []geom.Vec3) {
		for i := range n {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			points = append(points, geom.V(float32(cos), float32(sin), 0))
		}
		return points
	}
	_, err := NewPolygon(circle(MaxCorners))
	assert.NoError(t, err)
	_, err = NewPolygon(circle(MaxCorners + 1))
	assert.EqualError(t, err, "hull: NewPolygon: 17 corners: at most 16 can be held")
	for _, points := range [][]geom.Vec3{nil, {{X: 1}, {X: 1}}, {{}, {X: 1, Y: 1}, {X: 2, Y: 2}, {X: 3, Y: 3}}, {{}, {X: 1}, {X: 2, Y: 1e-7}}} {
		_, err = NewPolygon(points)
		assert.ErrorIs(t, err, ErrFlat)
	}
	for _, x := range []float64{math.NaN(), math.Inf(1)} {
		_, err = NewPolygon([]geom.Vec3{{}, {X: 1}, {Y: float32(x)}})
		assert.ErrorContains(t, err, "point 2")
	}
	// A cube is no polygon.
	h, err := New(boxPoints(1, 1, 1, identity))
	require.NoError(t, err)
	assert.Empty(t, h.Corners())
}
