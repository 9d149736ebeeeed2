package picking

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// layouts place cameras in one window, given its size and that of its framebuffer.
var layouts = map[string]func(window, framebuffer Size) []View{
	"one view": func(w, f Size) []View {
		return []View{{eye(0), FullViewport(w, f)}}
	},
	"split in two": func(w, f Size) []View {
		v := FullViewport(w, f)
		return []View{{eye(0), v.Part(0, 0, 0.5, 1)}, {eye(1), v.Part(0.5, 0, 1, 1)}}
	},
	"split in four": func(w, f Size) []View {
		v := FullViewport(w, f)
		return []View{{eye(0), v.Part(0, 0.5, 0.5, 1)}, {eye(1), v.Part(0.5, 0.5, 1, 1)}, {eye(2), v.Part(0, 0, 0.5, 0.5)}, {eye(3), v.Part(0.5, 0, 1, 0.5)}}
	},
	"picture in picture": func(w, f Size) []View {
		v := FullViewport(w, f)
		return []View{{eye(0), v}, {eye(1), v.Part(0.7, 0.65, 0.97, 0.95)}}
	},
	"a map beside a perspective": func(w, f Size) []View {
		v := FullViewport(w, f)
		top := Camera{Projection: Orthographic(50, 0, 100)}
		top.LookAt(geom.V(0, 60, 0), geom.Vec3{}, geom.V(0, 0, -1))
		return []View{{eye(0), v.Part(0, 0, 2./3, 1)}, {top, v.Part(2./3, 0, 1, 1)}}
	},
}

func eye(i int) Camera {
	c := Camera{Projection: Perspective(0.9, 0.1, 200)}
	c.LookAt(geom.V(float32(3*i-4), 5, 20), geom.V(0, float32(i), 0), geom.V(0, 1, 0))
	return c
}

// From the cursor to the pixel, to the ray, and back to a cursor within the same pixel: for every
// layout, content scale and render scale, everywhere in the window.
func TestViewsRoundTrip(t *testing.T) {
	for name, layout := range layouts {
		for _, content := range []float64{1, 1.25, 1.5, 2} {
			for _, render := range []float64{0.5, 0.75, 1, 1.5, 2} {
				t.Run(fmt.Sprintf("%s, content scale %g, render scale %g", name, content, render), func(t *testing.T) {
					window := Size{301, 203}
					shown := Size{int(math.Round(301 * content)), int(math.Round(203 * content))}
					views := Views{List: layout(window, shown)}
					for i := range views.List {
						views.List[i].Viewport = views.List[i].Scaled(render)
					}
					over := map[int]int{}
					for cy := 0.25; cy < 203; cy += 13.7 {
						for cx := 0.25; cx < 301; cx += 12.1 {
							i, ok := views.At(cx, cy)
							require.True(t, ok, "a gap at %g, %g", cx, cy)
							over[i]++
							v := views.List[i]
							for j := i + 1; j < len(views.List); j++ {
								_, _, ok := views.List[j].Pixel(cx, cy)
								require.False(t, ok, "there is one above it")
							}
							px, py, ok := v.Pixel(cx, cy)
							require.True(t, ok)
							r, at, ok := views.Ray(cx, cy)
							require.True(t, ok)
							require.Equal(t, i, at)
							require.Equal(t, v.PixelRay(px, py), r)
							beyond, ok := v.RayBeyond(cx, cy)
							require.True(t, ok)
							require.Equal(t, r, beyond)
							for _, d := range []float32{0, 1, 40} {
								x, y, _, ok := v.Project(r.At(d))
								require.True(t, ok)
								wantX, wantY := v.Cursor(px, py)
								// A ray in single precision, 20 m from the origin, begins at 0.1 m.
								require.InDelta(t, wantX, x, 0.02, "at %g m", d)
								require.InDelta(t, wantY, y, 0.02, "at %g m", d)
								backX, backY, ok := v.Pixel(x, y)
								require.True(t, ok)
								require.Equal(t, [2]int{px, py}, [2]int{backX, backY})
							}
						}
					}
					assert.Len(t, over, len(views.List), "some view is under no cursor")
				})
			}
		}
	}
}

func TestViewportPart(t *testing.T) {
	size := Size{1707, 961}
	full := FullViewport(Size{1366, 768}, size)
	for _, tt := range []struct {
		name           string
		x0, y0, x1, y1 float64
		want           [4]int
	}{
		{"all", 0, 0, 1, 1, [4]int{0, 0, 1707, 961}},
		{"left half, rounded up", 0, 0, 0.5, 1, [4]int{0, 0, 854, 961}},
		{"right half, what is left", 0.5, 0, 1, 1, [4]int{854, 0, 853, 961}},
		{"upper half", 0, 0.5, 1, 1, [4]int{0, 481, 1707, 480}},
		{"nothing", 0.5, 0.5, 0.5, 1, [4]int{854, 481, 0, 480}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := full.Part(tt.x0, tt.y0, tt.x1, tt.y1)
			assert.Equal(t, tt.want, [4]int{p.X, p.Y, p.Width, p.Height})
			assert.Equal(t, full.Window, p.Window)
			assert.Equal(t, full.Framebuffer, p.Framebuffer)
		})
	}
	inner := full.Part(0.5, 0.5, 1, 1).Part(0, 0, 0.5, 0.5)
	assert.Equal(t, [4]int{854, 481, 427, 240}, [4]int{inner.X, inner.Y, inner.Width, inner.Height}, "a part of a part")
}

// Every pixel is in exactly one cell of a grid of parts, scaled or not.
func TestViewportPartsFillTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		full := drawViewport(t)
		columns := rapid.IntRange(1, 7).Draw(t, "columns")
		scale := rapid.Float64Range(0.3, 3).Draw(t, "scale")
		x, right := full.X, full.Scaled(scale).X
		for i := range columns {
			p := full.Part(float64(i)/float64(columns), 0, float64(i+1)/float64(columns), 1)
			require.Equal(t, x, p.X)
			x += p.Width
			if p.Width < 4 {
				return // a side scaled to nothing keeps one pixel
			}
			s := p.Scaled(scale)
			require.Equal(t, right, s.X)
			right += s.Width
		}
		require.Equal(t, full.X+full.Width, x)
		require.Equal(t, full.Scaled(scale).X+full.Scaled(scale).Width, right)
	})
}

func TestViewportScaled(t *testing.T) {
	v := FullViewport(Size{800, 600}, Size{1600, 1200}).Part(0.5, 0, 1, 0.5)
	assert.Equal(t, Viewport{X: 400, Width: 400, Height: 300, Window: Size{800, 600}, Framebuffer: Size{800, 600}}, v.Scaled(0.5))
	assert.Equal(t, Viewport{X: 1200, Width: 1200, Height: 900, Window: Size{800, 600}, Framebuffer: Size{2400, 1800}}, v.Scaled(1.5))
	assert.Equal(t, v, v.Scaled(1))
	assert.Equal(t, Size{1, 1}, FullViewport(Size{8, 8}, Size{8, 8}).Scaled(0.001).Framebuffer)
	assert.Equal(t, Size{}, FullViewport(Size{8, 8}, Size{}).Scaled(2).Framebuffer, "minimised")
	for _, scale := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		assert.PanicsWithValue(t, "picking: Viewport.Scaled: scale is not positive and finite", func() { v.Scaled(scale) })
	}
}

// ┌───────────┬───────────┐   the window is 200 × 100; view 0 is on the left, view 1 on the right,
// │           │ ┌───────┐ │   and view 2 lies over the right one
// │     0     │1│   2   │ │
// │           │ └───────┘ │
// └───────────┴───────────┘
func TestViewsUpdate(t *testing.T) {
	size := Size{200, 100}
	full := FullViewport(size, size)
	list := []View{{eye(0), full.Part(0, 0, 0.5, 1)}, {eye(1), full.Part(0.5, 0, 1, 1)}, {eye(2), full.Part(0.6, 0.2, 0.9, 0.8)}}
	type frame struct {
		x, y float64
		down Buttons
		want int // −1: none
	}
	left := ButtonSet(Left)
	for _, tt := range []struct {
		name   string
		frames []frame
	}{
		{"hovering", []frame{{50, 50, 0, 0}, {105, 50, 0, 1}, {150, 50, 0, 2}, {195, 50, 0, 1}, {250, 50, 0, -1}, {50, 50, 0, 0}}},
		{"a drag stays in its view", []frame{{50, 50, left, 0}, {105, 50, left, 0}, {150, 50, left, 0}, {-9, 50, left, 0}, {150, 50, 0, 0}, {150, 50, 0, 2}}},
		{"until all buttons are up", []frame{{50, 50, left, 0}, {105, 50, ButtonSet(Left, Right), 0}, {150, 50, ButtonSet(Right), 0}, {150, 50, 0, 0}, {150, 50, left, 2}}},
		{"out of the picture in the picture", []frame{{150, 50, left, 2}, {105, 50, left, 2}, {105, 50, 0, 2}, {105, 50, 0, 1}}},
		{"pressed outside, it is in none", []frame{{250, 50, left, -1}, {150, 50, left, -1}, {150, 50, 0, -1}, {150, 50, 0, 2}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := Views{List: list}
			for i, f := range tt.frames {
				at, ok := v.Update(Input{X: f.x, Y: f.y, Inside: true, Down: f.down})
				assert.Equal(t, f.want >= 0, ok, "frame %d", i)
				assert.Equal(t, max(f.want, 0), at, "frame %d", i)
				assert.Equal(t, ok && f.down != 0, v.Captured(), "frame %d", i)
			}
		})
	}
	t.Run("over a panel it is in none", func(t *testing.T) {
		v := Views{List: list}
		_, ok := v.Update(Input{X: 50, Y: 50})
		assert.False(t, ok)
	})
	t.Run("the focus is lost", func(t *testing.T) {
		v := Views{List: list}
		v.Update(Input{X: 50, Y: 50, Inside: true, Down: left})
		v.Update(Input{X: 150, Y: 50, Inside: true, Down: left, Unfocused: true})
		at, _ := v.Update(Input{X: 150, Y: 50, Inside: true})
		assert.Equal(t, 2, at)
	})
	t.Run("the view that holds the pointer goes", func(t *testing.T) {
		v := Views{List: list}
		v.Update(Input{X: 150, Y: 50, Inside: true, Down: left})
		v.List = list[:2]
		_, ok := v.Update(Input{X: 150, Y: 50, Inside: true, Down: left})
		assert.False(t, ok)
		v.Update(Input{X: 150, Y: 50, Inside: true})
		at, ok := v.Update(Input{X: 150, Y: 50, Inside: true})
		assert.True(t, ok)
		assert.Equal(t, 1, at)
	})
	t.Run("none at all", func(t *testing.T) {
		var v Views
		_, ok := v.Update(Input{Inside: true})
		assert.False(t, ok)
		_, _, ok = v.Ray(0, 0)
		assert.False(t, ok)
	})
}

func TestViewRayBeyond(t *testing.T) {
	size := Size{200, 100}
	v := View{eye(0), FullViewport(size, Size{300, 150}).Part(0, 0, 0.5, 1)}
	_, ok := v.Ray(150, 50)
	require.False(t, ok)
	r, ok := v.RayBeyond(150, -30)
	require.True(t, ok)
	x, y, _, ok := v.Project(r.At(10))
	require.True(t, ok)
	assert.InDelta(t, 150+0.5/1.5, x, 0.02, "the middle of a pixel of the framebuffer")
	assert.InDelta(t, -30+0.5/1.5, y, 0.02)
	for _, c := range []float64{math.NaN(), math.Inf(1)} {
		r, ok := v.RayBeyond(c, 3)
		assert.False(t, ok)
		assert.Equal(t, geom.Ray{}, r)
	}
	_, ok = View{}.RayBeyond(1, 1)
	assert.False(t, ok)
}
