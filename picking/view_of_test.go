package picking

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The view of a camera's matrix has the camera's rays, up to their rounding.
func TestViewOfHasTheRaysOfTheCamera(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawView(t)
		v.Position = drawVec(t, 10, "position")
		v.Viewport = FullViewport(v.Window, v.Framebuffer)
		of := ViewOf(v.Camera.Matrix(v.Aspect()), v.Projection.Clip(), v.Window, v.Framebuffer)
		require.Equal(t, v.Viewport, of.Viewport)
		x, y := drawPlace(t, v)
		want, ok := v.Ray(x, y)
		got, gotOK := of.Ray(x, y)
		require.Equal(t, ok, gotOK)
		require.InDelta(t, 0, want.Origin.Distance(got.Origin), 1e-4)
		require.InDelta(t, 0, want.Dir.Distance(got.Dir), 1e-4)
	})
}

// elements returns the function for View2D of a map in rows.
func elements(m [2][3]float64) func(row, column int) float64 {
	return func(row, column int) float64 { return m[row][column] }
}

// The map that places a sprite is the map that View2D reads: the ray through a pixel meets the
// plane where the map shows that pixel's centre, and Project is the map.
func TestView2DIsTheMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// A rotation, a scale and a shear: the area of a pixel is sx times |sy|, at least 0.1.
		angle := rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "angle")
		sx := rapid.Float64Range(0.4, 4).Draw(t, "sx")
		sy := rapid.Float64Range(0.25, 4).Draw(t, "sy")
		if rapid.Bool().Draw(t, "mirrored") {
			sy = -sy
		}
		shear := rapid.Float64Range(-2, 2).Draw(t, "shear")
		shift := rapid.Float64Range(-400, 400)
		sin, cos := math.Sincos(angle)
		m := [2][3]float64{
			{cos * sx, cos*shear - sin*sy, shift.Draw(t, "tx")},
			{sin * sx, sin*shear + cos*sy, shift.Draw(t, "ty")},
		}
		v := View2D(elements(m), Size{640, 480})
		x, y := drawPlace(t, v)
		r, ok := v.Ray(x, y)
		require.Equal(t, x < 640 && y < 480, ok)
		if !ok {
			return
		}
		require.Equal(t, geom.V(0, 0, -1), r.Dir)
		require.Equal(t, float32(depth2D), r.Origin.Z)
		require.Equal(t, float32(2*depth2D), r.MaxT)
		px, py := float64(r.Origin.X), float64(r.Origin.Y)
		size := 1e-6 * (640 + 480 + math.Abs(m[0][2]) + math.Abs(m[1][2])) / 0.1 * 8
		require.InDelta(t, math.Floor(x)+0.5, m[0][0]*px+m[0][1]*py+m[0][2], size)
		require.InDelta(t, math.Floor(y)+0.5, m[1][0]*px+m[1][1]*py+m[1][2], size)
		gotX, gotY, depth, ok := v.Project(geom.V(3, -7, 0))
		require.True(t, ok)
		require.InDelta(t, m[0][0]*3-m[0][1]*7+m[0][2], gotX, 1e-9*1e3)
		require.InDelta(t, m[1][0]*3-m[1][1]*7+m[1][2], gotY, 1e-9*1e3)
		require.InDelta(t, 0.5, depth, 1e-12)
	})
}

// A ray begins outside of a large circle, and so hits it, where pixels are units.
func TestView2DHitsLargeCircles(t *testing.T) {
	space := physics.NewPlanarSpace()
	circle := space.Add(physics.Collider{Shape: geom.Sphere{Radius: 20_000}})
	r, ok := View2D(elements([2][3]float64{{1, 0, 0}, {0, 1, 0}}), Size{640, 480}).Ray(100, 100)
	require.True(t, ok)
	hit, ok := space.CastRay(r, PickFilter())
	require.True(t, ok)
	require.Equal(t, circle, hit.Collider)
	assert.Equal(t, float32(100.5), hit.Point.X)
}

func TestView2DThatShowsNothing(t *testing.T) {
	whole := [2][3]float64{{1, 0, 0}, {0, 1, 0}}
	for name, change := range map[string]func(m *[2][3]float64, s *Size){
		"flat":           func(m *[2][3]float64, _ *Size) { m[1] = [3]float64{2, 0, 5} },
		"zero":           func(m *[2][3]float64, _ *Size) { *m = [2][3]float64{} },
		"NaN":            func(m *[2][3]float64, _ *Size) { m[0][1] = math.NaN() },
		"infinite":       func(m *[2][3]float64, _ *Size) { m[1][2] = math.Inf(-1) },
		"no screen":      func(_ *[2][3]float64, s *Size) { *s = Size{} },
		"a screen below": func(_ *[2][3]float64, s *Size) { s.Height = -480 },
	} {
		m, s := whole, Size{640, 480}
		change(&m, &s)
		_, ok := View2D(elements(m), s).Ray(10, 10)
		assert.False(t, ok, name)
	}
	assert.PanicsWithValue(t, "picking: View2D: element is nil", func() { View2D(nil, Size{1, 1}) })
	assert.Panics(t, func() { ViewOf(geom.Mat4{}, 7, Size{}, Size{}) })
}
