package picking

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestViewportPixel(t *testing.T) {
	window := Size{800, 600}
	full := func(scaleX, scaleY float64) Viewport {
		return FullViewport(window, Size{int(800 * scaleX), int(600 * scaleY)})
	}
	part := Viewport{X: 100, Y: 50, Width: 200, Height: 100, Window: window, Framebuffer: Size{1600, 1200}}
	tests := []struct {
		name   string
		v      Viewport
		cx, cy float64
		px, py int
		ok     bool
	}{
		{"scale 1, upper left", full(1, 1), 0, 0, 0, 599, true},
		{"scale 1, lower right", full(1, 1), 799.99, 599.99, 799, 0, true},
		{"scale 1, the right edge is outside", full(1, 1), 800, 10, 0, 0, false},
		{"scale 1, the lower edge is outside", full(1, 1), 10, 600, 0, 0, false},
		{"scale 1, left of it", full(1, 1), -0.001, 10, 0, 0, false},
		{"scale 1.25, middle", full(1.25, 1.25), 400, 300, 500, 374, true},
		{"scale 1.25, one unit covers one pixel or two", full(1.25, 1.25), 3, 3, 3, 746, true},
		{"scale 1.25, the next unit skips one", full(1.25, 1.25), 4, 4, 5, 744, true},
		{"scale 1.25, lower right", full(1.25, 1.25), 799, 599, 998, 1, true},
		{"scale 1.5, odd unit", full(1.5, 1.5), 1, 1, 1, 898, true},
		{"scale 1.5, even unit", full(1.5, 1.5), 2, 2, 3, 896, true},
		{"scale 2, whole unit", full(2, 2), 10, 10, 20, 1179, true},
		{"scale 2, half unit", full(2, 2), 10.5, 10.5, 21, 1178, true},
		{"scale below 1", full(0.5, 0.5), 799, 599, 399, 0, true},
		{"another scale on each axis", full(2, 0.5), 101, 101, 202, 249, true},
		{"framebuffer that is no multiple of the window", FullViewport(Size{1366, 768}, Size{1707, 959}), 1365, 767, 1705, 1, true},
		{"part, lower left pixel", part, 50, 574.5, 100, 50, true},
		{"part, left of it", part, 49.9, 574.5, 99, 50, false},
		{"part, below it", part, 50, 575, 100, 49, false},
		{"part, upper right pixel", part, 149.9, 525, 299, 149, true},
		{"part, right of it", part, 150, 525, 300, 149, false},
		{"part, above it", part, 149.9, 524.9, 299, 150, false},
		{"viewport beyond the framebuffer", Viewport{X: -10, Width: 2000, Height: 2000, Window: window, Framebuffer: window}, 0, 0, 0, 599, true},
		{"minimised", FullViewport(window, Size{}), 10, 10, 0, 0, false},
		{"no window", FullViewport(Size{}, window), 10, 10, 0, 0, false},
		{"empty part", Viewport{Window: window, Framebuffer: window}, 0, 0, 0, 0, false},
		{"NaN", full(1, 1), math.NaN(), 10, 0, 0, false},
		{"infinite", full(1, 1), math.Inf(1), math.Inf(-1), 0, 0, false},
		{"far away", full(1, 1), 1e300, 1e300, 0, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			px, py, ok := tt.v.Pixel(tt.cx, tt.cy)
			assert.Equal(t, tt.ok, ok)
			assert.Equal(t, [2]int{tt.px, tt.py}, [2]int{px, py})
		})
	}
}

func drawViewport(t *rapid.T) Viewport {
	size := rapid.IntRange(1, 4000)
	v := FullViewport(
		Size{size.Draw(t, "window width"), size.Draw(t, "window height")},
		Size{size.Draw(t, "framebuffer width"), size.Draw(t, "framebuffer height")})
	if rapid.Bool().Draw(t, "part") {
		v.X = rapid.IntRange(0, v.Framebuffer.Width-1).Draw(t, "x")
		v.Y = rapid.IntRange(0, v.Framebuffer.Height-1).Draw(t, "y")
		v.Width = rapid.IntRange(1, v.Framebuffer.Width-v.X).Draw(t, "width")
		v.Height = rapid.IntRange(1, v.Framebuffer.Height-v.Y).Draw(t, "height")
	}
	return v
}

func TestViewportPixelIsTheInverseOfCursor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawViewport(t)
		px := rapid.IntRange(v.X, v.X+v.Width-1).Draw(t, "px")
		py := rapid.IntRange(v.Y, v.Y+v.Height-1).Draw(t, "py")
		gotX, gotY, ok := v.Pixel(v.Cursor(px, py))
		require.True(t, ok)
		require.Equal(t, [2]int{px, py}, [2]int{gotX, gotY})
	})
}

// Every cursor over the window is over exactly one pixel, and that pixel's rectangle in the window
// contains it.
func TestViewportPixelContainsTheCursor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawViewport(t)
		v = FullViewport(v.Window, v.Framebuffer)
		cx := rapid.Float64Range(0, float64(v.Window.Width)).Draw(t, "cx")
		cy := rapid.Float64Range(0, float64(v.Window.Height)).Draw(t, "cy")
		px, py, ok := v.Pixel(cx, cy)
		if cx == float64(v.Window.Width) || cy == float64(v.Window.Height) {
			require.False(t, ok)
			return
		}
		x, y := v.toFramebuffer(cx, cy)
		if !ok { // only by rounding at the edge of the window
			require.True(t, x >= float64(v.Framebuffer.Width) || y <= 1e-9)
			return
		}
		require.InDelta(t, float64(px)+0.5, x, 0.5+1e-9)
		require.InDelta(t, float64(py)+0.5, y, 0.5+1e-9)
	})
}

func TestViewportAspect(t *testing.T) {
	assert.Equal(t, 2.0, Viewport{Width: 200, Height: 100}.Aspect())
	assert.Zero(t, Viewport{Width: 200}.Aspect())
	assert.Zero(t, Viewport{Width: -1, Height: 3}.Aspect())
}
