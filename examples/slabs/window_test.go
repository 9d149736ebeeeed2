package main

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/internal/xpointer"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// user drives a window by real pointer events.
type user struct {
	*app
	t       *testing.T
	pointer *xpointer.Pointer
}

func newUser(t *testing.T) *user {
	t.Helper()
	testenv.Pointer(t)
	pointer, err := xpointer.Open()
	require.NoError(t, err)
	t.Cleanup(pointer.Close)
	runtime.LockOSThread() // OpenGL and GLFW belong to one thread
	t.Cleanup(runtime.UnlockOSThread)
	a, err := newApp(render.Options{Width: 1000, Height: 700, NoVSync: true})
	require.NoError(t, err)
	a.renderer.Style.Samples = 1 // a processor draws this
	t.Cleanup(a.close)
	u := &user{a, t, pointer}
	// A request for the keyboard is lost if the window system has not yet shown the window.
	for start := time.Now(); !a.window.Focused(); {
		require.Less(t, time.Since(start), testenv.Patience, "another window has the keyboard")
		a.window.Focus()
		a.window.WaitUntil(time.Second/2, a.window.Focused)
	}
	require.NoError(t, a.frame())
	return u
}

// do sends an event, waits until the window has received it, and draws a frame.
func (u *user) do(err error, arrived func() bool) {
	u.t.Helper()
	require.NoError(u.t, err)
	require.True(u.t, u.window.WaitUntil(testenv.Patience, arrived), "the window has not heard of it")
	require.NoError(u.t, u.frame())
}

func (u *user) move(x, y float32) {
	u.t.Helper()
	px, py := math.Round(float64(x)), math.Round(float64(y))
	left, top := u.window.Position()
	u.do(u.pointer.Move(left+int(px), top+int(py)), func() bool {
		hereX, hereY, inside := u.window.Cursor()
		return inside && math.Abs(hereX-px) < 1 && math.Abs(hereY-py) < 1
	})
}

func (u *user) press() {
	u.t.Helper()
	u.do(u.pointer.Press(xpointer.Left), func() bool { down, _ := u.window.Buttons(); return down.Has(picking.Left) })
}

func (u *user) release() {
	u.t.Helper()
	u.do(u.pointer.Release(xpointer.Left), func() bool { down, _ := u.window.Buttons(); return !down.Has(picking.Left) })
}

func (u *user) click(x, y float32) {
	u.t.Helper()
	u.move(x, y)
	u.press()
	u.release()
}

func (u *user) key(k xpointer.Key) {
	u.t.Helper()
	err := u.pointer.KeyDown(k)
	if err == nil {
		// At once, or else the server repeats it while a slow machine draws.
		err = u.pointer.KeyUp(k)
	}
	want := strings.ToUpper(string(rune(k)))
	if k == xpointer.Escape {
		want = "Escape"
	}
	u.do(err, func() bool { return slices.Contains(u.window.Typed(), want) })
}

// ink counts the pixels of a colour in a part of the visible window.
func (u *user) ink(r render.Rect, rgb uint32) int {
	m, n := u.renderer.Image(), 0
	for y := int(r.Y); y < int(r.Y+r.Height); y++ {
		for x := int(r.X); x < int(r.X+r.Width); x++ {
			if m.NRGBAAt(x, y) == render.RGB(rgb) {
				n++
			}
		}
	}
	return n
}

// An end of the ray is dragged in a real window, until a hit has become a miss, in the model and in
// the picture.
func TestDragAnEnd(t *testing.T) {
	u := newUser(t)
	l := u.lesson
	verdict := render.Rect{X: l.layout.table.X, Y: l.layout.table.Y, Width: l.layout.table.Width, Height: 48}
	at := func(p geom.Vec3) (x, y float32) { return l.layout.flat().at(p) }

	require.True(t, l.page().explain().hit)
	assert.Greater(t, u.ink(verdict, amber), 30, "Hit")
	assert.Zero(t, u.ink(verdict, coral))

	u.move(at(geom.V(3.5, -2.5, 0)))
	assert.Equal(t, "B", l.hot)
	u.press()
	u.move(at(geom.V(3, -0.5, 0)))
	require.True(t, l.page().explain().hit, "still")
	u.move(at(geom.V(3, 1.75, 0)))
	assert.Equal(t, geom.V(3, 1.75, 0), l.pages[0].(*rectPage).b)
	r := l.page().explain()
	require.False(t, r.hit)
	assert.Contains(t, r.why, "y enters at 2.000, after x has left at 0.938")
	assert.Zero(t, u.ink(verdict, amber))
	assert.Greater(t, u.ink(verdict, coral), 30, "Miss")
	u.release()
	u.move(at(geom.V(0, 0, 0)))
	assert.Equal(t, geom.V(3, 1.75, 0), l.pages[0].(*rectPage).b, "it stays where it was let go")

	// Back to a hit by a corner of the rectangle.
	u.move(at(geom.V(2.5, 1.25, 0)))
	assert.Equal(t, "corner 4", l.hot)
	u.press()
	u.move(at(geom.V(2.5, 2.25, 0)))
	u.release()
	require.True(t, l.page().explain().hit)
	assert.Greater(t, u.ink(verdict, amber), 30)

	u.key('r')
	assert.Equal(t, geom.V(3.5, -2.5, 0), l.pages[0].(*rectPage).b)
	save(u, "reset")
}

// A click in a spatial page casts a ray, which stays while the box is turned.
func TestClickInSpace(t *testing.T) {
	u := newUser(t)
	l := u.lesson
	tab := l.layout.tabs[1]
	u.click(tab.X+20, tab.Y+10)
	require.Equal(t, 1, l.at)
	p := l.page().(*boxPage)
	view, ok := l.view(u.window.FramebufferSize())
	require.True(t, ok)
	x, y, _, ok := view.Project(geom.V(0.5, 0.25, 1.1)) // on the front face
	require.True(t, ok)
	u.click(float32(x), float32(y))
	h, hit := lessonBox.CastRay(p.ray, geom.Ignore)
	require.True(t, hit)
	assert.InDelta(t, 0, float64(h.Point.Distance(geom.V(0.5, 0.25, 1.1))), 0.03, "the ray goes where the mouse was")
	assert.Len(t, u.markers, 2, "entry and exit")

	ray, yaw := p.ray, p.camera.Yaw
	u.press()
	u.move(float32(x)+60, float32(y)+10)
	u.move(float32(x)+120, float32(y)+10)
	u.release()
	assert.Equal(t, ray, p.ray)
	assert.InDelta(t, yaw-120*turnPerPixel, p.camera.Yaw, 0.02)
	entry := func() int { return u.ink(l.layout.diagram, amber) }
	assert.Greater(t, entry(), 20)
	save(u, "turned")

	f := l.layout.diagram
	u.click(f.X+f.Width-20, f.Y+f.Height-20) // beside the box
	require.False(t, l.page().explain().hit)
	assert.Empty(t, u.markers)
	assert.Zero(t, entry())
	save(u, "missed")
	u.key('5')
	assert.Equal(t, 4, l.at)
	u.key(xpointer.Escape)
	assert.True(t, u.window.ShouldClose())
	require.NoError(t, u.run())
}

// save writes the last frame to the folder that HITSCAN_PICTURES names, if it does, for inspection.
func save(u *user, name string) {
	if dir := os.Getenv("HITSCAN_PICTURES"); dir != "" {
		require.NoError(u.t, u.renderer.Screenshot(filepath.Join(dir, name+".png")))
	}
}

// Each page in several states, in small and in large windows: all draw without an error, and all
// differ.
func TestPictures(t *testing.T) {
	u := newUser(t)
	seen := map[string]string{}
	pointer := &simulatedPointer{lesson: u.lesson}
	for _, c := range []struct {
		name string
		page int
		set  func()
	}{
		{"rect miss", 0, func() { pointer.dragTo(t, "B", geom.V(3, 1.75, 0)) }},
		{"rect parallel", 0, func() { pointer.dragTo(t, "A", geom.V(-5, 0.5, 0)); pointer.dragTo(t, "B", geom.V(3.5, 0.5, 0)) }},
		{"rect beside", 0, func() { pointer.dragTo(t, "A", geom.V(-5, 1.5, 0)); pointer.dragTo(t, "B", geom.V(3.5, 1.5, 0)) }},
		{"rect inside", 0, func() { pointer.dragTo(t, "A", geom.V(0, 0, 0)) }},
		{"rect within", 0, func() { pointer.dragTo(t, "A", geom.V(-0.5, 0.25, 0)); pointer.dragTo(t, "B", geom.V(0.5, -0.25, 0)) }},
		{"rect far", 0, func() { pointer.dragTo(t, "A", geom.V(-6, -1, 0)); pointer.dragTo(t, "B", geom.V(-5.75, -1.25, 0)) }},
		{"rect behind", 0, func() { pointer.dragTo(t, "B", geom.V(-5.75, 2.75, 0)) }},
		{"rect short", 0, func() { pointer.dragTo(t, "B", geom.V(-2.5, 0.75, 0)) }},
		{"rect endless", 0, func() { pointer.dragTo(t, "B", geom.V(-2.5, 0.75, 0)); pointer.key('M') }},
		{"rect point", 0, func() { pointer.dragTo(t, "B", geom.V(-5, 2.25, 0)) }},
		{"box along", 1, func() { pointer.key('X') }},
		{"box beside", 1, func() { pointer.page().(spatialPage).cast(geom.NewRay(geom.V(-4, 2, 0), geom.V(1, -0.1, 0.3))) }},
		{"plane parallel", 2, func() { pointer.dragTo(t, "N", geom.V(-2.5, 0.25, 0)); pointer.dragTo(t, "B", geom.V(2, 2.25, 0)) }},
		{"plane behind", 2, func() { pointer.dragTo(t, "N", geom.V(-2.25, -2.5, 0)) }},
		{"sphere miss", 3, func() { pointer.dragTo(t, "B", geom.V(4, 2.75, 0)) }},
		{"sphere within", 3, func() { pointer.dragTo(t, "A", geom.V(0, 0, 0)); pointer.dragTo(t, "B", geom.V(1, -0.5, 0)) }},
		{"sphere large", 3, func() { pointer.dragTo(t, "R", geom.V(5, 2.5, 0)) }},
		{"triangle miss", 4, func() { pointer.page().(spatialPage).cast(geom.NewRay(geom.V(-3, 1, 3), geom.V(0.5, 0.1, -0.9))) }},
		{"triangle back", 4, func() { pointer.key('F') }},
		{"heights hole", 5, func() { pointer.dragTo(t, "H", geom.V(-0.75, -3, 0)) }},
		{"heights raised", 5, func() { pointer.dragTo(t, "height 5", geom.V(0, 1.5, 0)) }},
		{"heights down", 5, func() { pointer.dragTo(t, "A", geom.V(-1, 2, 0)); pointer.dragTo(t, "B", geom.V(-1, -2, 0)) }},
	} {
		pointer.show(c.page)
		pointer.key('R')
		c.set()
		require.NoError(t, u.draw(), c.name)
		save(u, c.name)
		pixels := string(u.renderer.Image().Pix)
		for other, p := range seen {
			assert.False(t, p == pixels, "%s looks like %s", c.name, other)
		}
		seen[c.name] = pixels
	}
}

func TestStills(t *testing.T) {
	newUser(t) // there is a display
	dir := filepath.Join(t.TempDir(), "new")
	require.NoError(t, run([]string{"-stills", dir}, os.Stderr))
	for _, name := range stills {
		f, err := os.Open(filepath.Join(dir, name))
		require.NoError(t, err)
		m, err := png.Decode(f)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		assert.Equal(t, image.Rect(0, 0, 1280, 720), m.Bounds())
		colors := map[string]bool{}
		for y := 0; y < 720; y += 3 {
			for x := 0; x < 1280; x += 3 {
				colors[fmt.Sprint(m.At(x, y))] = true
			}
		}
		assert.Greater(t, len(colors), 50, name)
	}
}

func TestBadCommandLine(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"argument":   {[]string{"box"}, `"box"`},
		"flag":       {[]string{"-box"}, "-box"},
		"page":       {[]string{"-page", "7"}, "not 7"},
		"no display": {nil, "no display"},
	} {
		t.Run(name, func(t *testing.T) {
			testenv.Needs(t, runtime.GOOS == "linux" || name != "no display", "a system that can be without a display")
			t.Setenv("DISPLAY", "")
			t.Setenv("WAYLAND_DISPLAY", "")
			var stderr bytes.Buffer
			require.ErrorContains(t, run(c.args, &stderr), c.want)
		})
	}
}
