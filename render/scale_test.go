package render

import (
	"math"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/internal/xpointer"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// A real window on an output with a content scale: the framebuffer is larger than the window, and
// the ray under every cursor hits what is drawn there. scripts/weston.sh runs it in its own
// compositor; elsewhere it is skipped.
func TestWindowAtContentScale(t *testing.T) {
	scale, err := strconv.Atoi(os.Getenv("HITSCAN_CONTENT_SCALE"))
	testenv.Needs(t, err == nil, "a display with a content scale: scripts/weston.sh")
	win := open(t, Options{Width: 320, Height: 200, NoVSync: true})
	r, err := NewRenderer()
	require.NoError(t, err)
	t.Cleanup(r.Close)
	ids, err := NewIDBuffer()
	require.NoError(t, err)
	t.Cleanup(ids.Close)

	w := garden()
	var systems physecs.Simulation
	systems.Initialize(&w.World)
	view := resource[physecs.View](&w.World)
	view.Projection = picking.Perspective(0.8, 0.1, 100)
	view.LookAt(geom.V(3, 5, 9), geom.Vec3{}, geom.V(0, 1, 0))
	// The compositor places the window after its first frame; only then is the size of the
	// framebuffer known.
	require.True(t, win.WaitUntil(patience, func() bool {
		win.Feed(&w.World, nil)
		require.NoError(t, r.Draw(&w.World, *view))
		win.Present(r)
		return win.FramebufferSize().Width == scale*win.Size().Width
	}), "window %v, framebuffer %v", win.Size(), win.FramebufferSize())
	window, framebuffer := win.Size(), win.FramebufferSize()
	t.Logf("window %v, framebuffer %v", window, framebuffer)
	assert.Equal(t, picking.Size{Width: 320, Height: 200}, window)
	assert.Equal(t, picking.Size{Width: 320 * scale, Height: 200 * scale}, framebuffer)

	win.Feed(&w.World, nil)
	require.Equal(t, picking.FullViewport(window, framebuffer), view.Viewport)
	require.NoError(t, r.Draw(&w.World, *view))
	win.Present(r)
	picture := r.Image()
	require.Equal(t, framebuffer, picking.Size{Width: picture.Rect.Dx(), Height: picture.Rect.Dy()})
	require.NoError(t, ids.Draw(&w.World, *view))
	seen, pixels := 0, map[[2]int]bool{}
	step := 1 / float64(scale)
	for cy := step / 2; cy < float64(window.Height); cy += step {
		for cx := step / 2; cx < float64(window.Width); cx += step {
			resource[physecs.Pointer](&w.World).Input = picking.Input{X: cx, Y: cy, Inside: true}
			systems.Update(&w.World)
			px, py, ok := view.Pixel(cx, cy)
			require.True(t, ok)
			pixels[[2]int{px, py}] = true
			want, ok := ids.Entity(px, py)
			hover := resource[physecs.Hover](&w.World)
			require.Equal(t, ok, hover.OK, "at %g, %g", cx, cy)
			require.Equal(t, want, hover.Entity, "at %g, %g", cx, cy)
			if ok {
				seen++
			}
		}
	}
	assert.Len(t, pixels, framebuffer.Width*framebuffer.Height, "the cursor reaches every pixel")
	assert.Greater(t, seen, len(pixels)/10)

	// The same with the pointer of the X display that contains the compositor's output, at its
	// upper left corner. The compositor does not report the window's place; it is found from the
	// cursor's place in the window. A pixel of the display is a framebuffer pixel, and so a
	// fraction of a window pixel.
	pointer, err := xpointer.Open()
	require.NoError(t, err)
	t.Cleanup(pointer.Close)
	left, top := math.NaN(), 0.0
	// Outside of the window no event comes, so a wait has to end; each round waits longer, up to
	// patience in all, so that a busy machine only needs more rounds.
	const places = 24
	end := time.Now().Add(patience)
	for i := 0; math.IsNaN(left) && time.Now().Before(end); i++ {
		x, y := 100+200*(i%6), 150+200*(i%places/6)
		wait := time.Duration(1+i/places) * time.Second / 4
		for range 2 { // the first move may enter the window, or its frame, without a place
			require.NoError(t, pointer.Move(x, y))
			if !win.WaitUntil(wait, func() bool { _, _, inside := win.Cursor(); return inside }) {
				break
			}
			beforeX, beforeY, _ := win.Cursor()
			require.NoError(t, pointer.Move(x+8*scale, y+6*scale))
			if win.WaitUntil(wait, func() bool {
				cx, cy, inside := win.Cursor()
				return inside && math.Abs(cx-beforeX-8) < 0.01 && math.Abs(cy-beforeY-6) < 0.01
			}) {
				left, top = float64(x)-beforeX*float64(scale), float64(y)-beforeY*float64(scale)
				break
			}
		}
	}
	require.False(t, math.IsNaN(left), "the pointer did not find the window")
	hovered, between := 0, 0
	for y := 7; y < framebuffer.Height; y += 29 {
		for x := 5; x < framebuffer.Width; x += 31 {
			wantX, wantY := float64(x)/float64(scale), float64(y)/float64(scale)
			require.NoError(t, pointer.Move(int(left)+x, int(top)+y))
			require.True(t, win.WaitUntil(patience, func() bool {
				cx, cy, inside := win.Cursor()
				return inside && math.Abs(cx-wantX) < 0.01 && math.Abs(cy-wantY) < 0.01
			}), "pointer to %g, %g in a window at %g, %g", wantX, wantY, left, top)
			win.Feed(&w.World, nil)
			systems.Update(&w.World)
			want, ok := ids.Entity(x, framebuffer.Height-1-y)
			hover := resource[physecs.Hover](&w.World)
			require.Equal(t, ok, hover.OK, "at pixel %d, %d", x, y)
			require.Equal(t, want, hover.Entity, "at pixel %d, %d", x, y)
			if ok {
				hovered++
			}
			if wantX != math.Floor(wantX) {
				between++
			}
		}
	}
	t.Logf("the pointer hovered an entity at %d places, %d of all between whole window pixels", hovered, between)
	testenv.Drawn(t, hovered, 20)
	assert.True(t, scale == 1 || between > 50)
}
