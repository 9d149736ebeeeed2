package render

import (
	"errors"
	"testing"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/internal/xpointer"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// patience is how long a test waits for an event that has to come: long enough for a busy machine.
// The wait is that long only if the test fails.
const patience = 2 * time.Minute

// open opens a window of a test's own.
func open(t *testing.T, o Options) *Window {
	t.Helper()
	context(t) // skips where there is no display
	w, err := Open(o)
	require.NoError(t, err)
	t.Cleanup(w.Close)
	return w
}

func TestOpenAndCloseTwice(t *testing.T) {
	w := open(t, Options{Hidden: true, Width: 120, Height: 80, Title: "test"})
	assert.Equal(t, picking.Size{Width: 120, Height: 80}, w.Size())
	assert.Equal(t, picking.FullViewport(w.Size(), w.FramebufferSize()), w.Viewport())
	assert.False(t, w.ShouldClose())
	w.SetShouldClose(true)
	assert.True(t, w.ShouldClose())
	w.Close()
	w.Close()
}

func TestResizeReachesTheView(t *testing.T) {
	win := open(t, Options{Width: 300, Height: 200, NoVSync: true})
	world := newWorld()
	view := resource[physecs.View](&world.World)
	var hud HUD
	win.Feed(&world.World, &hud)
	assert.Equal(t, win.Viewport(), view.Viewport, "a view that was never set fills the window")

	win.Resize(410, 310)
	want := picking.Size{Width: 410, Height: 310}
	require.True(t, win.WaitUntil(patience, func() bool { return win.Size() == want }))
	win.Feed(&world.World, &hud)
	assert.Equal(t, picking.FullViewport(want, win.FramebufferSize()), view.Viewport)
	assert.Equal(t, Rect{410 - 60, 310 - 30, 50, 20}, hud.Place(-10, -10, 50, 20))

	view.X, view.Width = 10, 100 // the game's own part of the window
	part := view.Viewport
	win.Resize(350, 310)
	want.Width = 350
	require.True(t, win.WaitUntil(patience, func() bool { return win.Size() == want }))
	win.Feed(&world.World, nil)
	part.Window, part.Framebuffer = want, win.FramebufferSize()
	assert.Equal(t, part, view.Viewport, "stays where it is")
}

func TestWake(t *testing.T) {
	win := open(t, Options{Hidden: true})
	var calls int
	go win.Wake()
	assert.True(t, win.WaitUntil(patience, func() bool { calls++; return calls > 1 }), "woken from another goroutine")
	assert.False(t, win.WaitUntil(0, func() bool { return false }))
	assert.True(t, win.WaitUntil(0, func() bool { return true }))
	go win.Wake()
	win.Wait(patience)
	win.Poll()
}

// From the pointer of the display to the resource, and over a card.
func TestPointerReachesTheWorld(t *testing.T) {
	testenv.Pointer(t)
	testenv.Needs(t, !builtForWayland, "GLFW for X11")
	h, err := xpointer.Open()
	testenv.Needs(t, !errors.Is(err, xpointer.ErrUnavailable), "an X server with XTEST")
	require.NoError(t, err)
	t.Cleanup(h.Close)
	win := open(t, Options{Width: 300, Height: 200, NoVSync: true})
	r, err := NewRenderer()
	require.NoError(t, err)
	t.Cleanup(r.Close)
	left, top := win.GLFW().GetPos()
	move := func(x, y int) {
		t.Helper()
		require.NoError(t, h.Move(left+x, top+y))
	}
	world := newWorld()
	pointer := resource[physecs.Pointer](&world.World)
	until := func(what string, done func(in picking.Input) bool) {
		t.Helper()
		require.True(t, win.WaitUntil(patience, func() bool {
			win.Feed(&world.World, &r.HUD)
			return done(pointer.Input)
		}), what)
	}
	at := func(x, y float64) func(picking.Input) bool {
		return func(in picking.Input) bool { return in.X == x && in.Y == y && in.Inside }
	}
	move(150, 100)
	until("moved", at(150, 100))
	assert.False(t, pointer.Captured)
	move(155, 90)
	until("moved on", at(155, 90))

	require.NoError(t, h.Press(xpointer.Left))
	until("pressed", func(in picking.Input) bool { return in.Down.Has(picking.Left) && in.Pressed.Has(picking.Left) })
	require.NoError(t, h.Release(xpointer.Left))
	until("released", func(in picking.Input) bool { return !in.Down.Has(picking.Left) })
	require.NoError(t, h.Press(xpointer.Right))
	until("right", func(in picking.Input) bool { return in.Down == picking.ButtonSet(picking.Right) })
	require.NoError(t, h.Release(xpointer.Right))
	until("right up", func(in picking.Input) bool { return in.Down == 0 })

	require.NoError(t, h.Scroll(1))
	until("scrolled", func(picking.Input) bool { return second(win.Scroll()) == 1 })
	win.Poll()
	assert.Zero(t, second(win.Scroll()), "the next frame begins without scrolling")

	view := viewFrom(geom.V(0, 0, 5), geom.Vec3{}, projection, win.Viewport())
	r.HUD.Panel(Rect{0, 0, 100, 100})
	require.NoError(t, r.Draw(&world.World, view))
	win.Present(r)
	move(50, 50)
	until("over the card", at(50, 50))
	assert.True(t, pointer.Captured)

	// A key, by name; a frame later it is only down.
	require.NoError(t, h.KeyDown('w'))
	until("key down", func(picking.Input) bool { return win.IsDown("W") && win.WentDown("W") && !win.WentUp("W") })
	assert.Equal(t, picking.Keys{Down: []string{"W"}, Pressed: []string{"W"}}, win.Keys())
	win.Poll()
	assert.True(t, win.IsDown("W") && !win.WentDown("W"))
	require.NoError(t, h.KeyUp('w'))
	until("key up", func(picking.Input) bool { return !win.IsDown("W") && win.WentUp("W") })

	// A locked cursor looks around: the pointer stays in the middle, and not over the HUD.
	win.LockCursor(true)
	win.Poll()
	x, y := win.Drag()
	for n := range 3 {
		move(150+40*(n+1), 100)
		require.True(t, win.WaitUntil(patience, func() bool { dx, dy := win.Drag(); x, y = dx, dy; return dx != 0 }), "%v %v", x, y)
		win.Feed(&world.World, &r.HUD)
		assert.Equal(t, []any{150.0, 100.0, true, false}, []any{pointer.X, pointer.Y, pointer.Inside, pointer.Captured})
	}
	assert.True(t, win.CursorLocked())
	win.LockCursor(false)
	win.Poll()
	move(60, 50)
	until("free again", at(60, 50))

	move(320, 50)
	until("out of the window", func(in picking.Input) bool { return !in.Inside })
}

func TestSystem(t *testing.T) {
	context(t)
	glfw.DetachCurrentContext() // the system opens a window of its own
	world := newWorld()
	e := world.put(geom.Transform{}, physecs.Sphere(1), Paint(0xC06040))
	painted, closed := 0, 0
	s := &System{
		Options: Options{Hidden: true, Width: 80, Height: 60},
		Paint: func(w *ecs.World, r *Renderer) {
			require.Equal(t, &world.World, w)
			r.HUD.Card(2, 2, 0, "hi")
			painted++
		},
		Closed: func(*ecs.World) { closed++ },
	}
	s.InitializeUI(&world.World)
	view := resource[physecs.View](&world.World)
	view.Projection = projection
	view.LookAt(geom.V(0, 0, 5), geom.Vec3{}, geom.V(0, 1, 0))
	for range 3 {
		s.UpdateUI(&world.World)
		s.PostUpdateUI(&world.World)
	}
	assert.Equal(t, 3, painted)
	assert.Equal(t, 1, s.Renderer.Stats().Items)
	assert.Equal(t, 0, closed)
	s.Window.SetShouldClose(true)
	s.PostUpdateUI(&world.World)
	assert.Equal(t, 1, closed)
	assert.True(t, world.Alive(e))
	s.FinalizeUI(&world.World)
	assert.Nil(t, s.Window)
	assert.Nil(t, s.Renderer)
	s.FinalizeUI(&world.World)
}
