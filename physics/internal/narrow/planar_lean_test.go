package narrow

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// A box that lies on another, over its end or not, has two contacts however little it leans: at the
// ends of what the two sides have in common, as deep as the upper side is there.
func TestBoxThatLeansHasTwoContacts(t *testing.T) {
	tilts := []float64{0}
	for tilt := 1e-8; tilt < 1.1e-2; tilt *= 1.5 {
		tilts = append(tilts, tilt, -tilt)
	}
	for size := 0.1; size <= 100; size *= 1.7 {
		for _, tilt := range tilts {
			for _, offset := range []float64{-1.55, -1.2, -0.9, -0.4, -1e-5, 0, 0.3, 0.4, 0.4 + 1e-6, 0.41, 0.9, 1.2, 1.55} {
				for _, gap := range []float64{-1e-3, -4e-5, 0, 1e-3} {
					testBoxThatLeans(t, size, tilt, offset, gap)
				}
			}
		}
	}
}

func testBoxThatLeans(t *testing.T, size, tilt, offset, gap float64) {
	of := func(f float64) float32 { return float32(f * size) }
	low := geom.Box{Center: geom.V(of(1), of(-1), 0), HalfExtents: geom.V(of(1), of(1), 0)}
	high := geom.Box{Center: geom.V(of(1+offset), of(0.6+gap), 0), HalfExtents: geom.V(of(0.6), of(0.6), 0), Rotation: geom.At2D(0, 0, tilt).Rotation}
	var a, b Shape
	a.SetBox(low)
	b.SetBox(high)
	a.SetPlanar(true)
	b.SetPlanar(true)

	// The lower side of the upper box is at y + slope·(x − middle) from left to right.
	turn := 2 * math.Atan2(float64(high.Rotation.Z), float64(high.Rotation.W))
	sin, cos := math.Sincos(turn)
	slope, middle, h := sin/cos, float64(high.Center.X), float64(high.HalfExtents.X)
	y := float64(high.Center.Y) - h/cos
	left, right := max(middle+h*sin-h*cos, 0), min(middle+h*sin+h*cos, 2*float64(low.HalfExtents.X))
	// Which of the two sides the depths are measured from differs by 1 − cos and by the depth times
	// the slope; contacts beside a side by rounding are off by the bias.
	near := planarBias(&a, &b) + 0.02*math.Abs(sin)*size
	for _, pair := range [2][2]*Shape{{&a, &b}, {&b, &a}} {
		var f Finder
		f.Collide(pair[0], pair[1], 0.05*size)
		require.Equal(t, 2, f.N, "size %v, tilt %v, offset %v, gap %v", size, tilt, offset, gap)
		p, q := f.Points[0], f.Points[1]
		if p.PointA.X > q.PointA.X {
			p, q = q, p
		}
		require.InDelta(t, left, p.PointA.X, near, "size %v, tilt %v, offset %v", size, tilt, offset)
		require.InDelta(t, right, q.PointA.X, near, "size %v, tilt %v, offset %v", size, tilt, offset)
		require.InDelta(t, y+slope*(left-middle), -p.Depth, near, "size %v, tilt %v, offset %v", size, tilt, offset)
		require.InDelta(t, y+slope*(right-middle), -q.Depth, near, "size %v, tilt %v, offset %v", size, tilt, offset)
	}
}
