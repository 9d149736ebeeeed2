package render

import (
	"errors"
	"time"

	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render/internal/gl"
)

// Options are the settings of a new window. The zero Options open a visible window of 1280 × 800
// window pixels that waits for the screen's refresh.
type Options struct {
	Title         string // empty: "hitscan"
	Width, Height int    // window pixels; 0: 1280 × 800
	Hidden        bool   // no window is shown: for images and tests
	NoVSync       bool   // Present does not wait for the screen's refresh
}

// ErrNoDisplay is wrapped by the error of [Open] where there is no display, as on a server or in
// CI.
var ErrNoDisplay = errors.New("no display")

type displayError struct{ what string }

func (e *displayError) Error() string { return "render: Open: " + ErrNoDisplay.Error() + ": " + e.what }
func (e *displayError) Unwrap() error { return ErrNoDisplay }

// Window is a window with an OpenGL 3.3 context, or a canvas with a WebGL2 context. Call its
// methods on the goroutine that opened it, except where a method says otherwise.
type Window struct {
	surface surface // what it is to the window system
	input   inputState
}

// Open opens a window and makes its context current. Without a display the error wraps
// [ErrNoDisplay]; without OpenGL 3.3 there is another error. Both say what to do. Call it on the
// main goroutine.
//
// In a browser the window is the canvas of the page with the ID "hitscan", or one that is added and
// fills the page. Options.Width and Height are its size in CSS pixels, if given; Title is that of
// the page.
func Open(o Options) (*Window, error) {
	if o.Title == "" {
		o.Title = "hitscan"
	}
	w := &Window{input: inputState{keys: map[key]bool{}, start: time.Now()}}
	if err := w.surface.open(o, &w.input); err != nil {
		return nil, err
	}
	return w, nil
}

// Close destroys the window and its context. Close renderers and ID buffers of the context first.
// All other methods that use the window panic afterwards. A second Close does nothing.
func (w *Window) Close() {
	if w.surface.isOpen() {
		w.surface.close()
	}
}

// open returns the window's surface. Panics after Close.
func (w *Window) open(caller string) *surface {
	if !w.surface.isOpen() {
		panic("render: Window." + caller + ": the window is closed")
	}
	return &w.surface
}

// MakeCurrent makes the window's context current on the calling thread. It is needed only with
// several windows.
func (w *Window) MakeCurrent() { w.open("MakeCurrent").makeCurrent() }

// ShouldClose reports whether the user has asked to close the window, or [Window.SetShouldClose]
// has set it.
func (w *Window) ShouldClose() bool { return w.open("ShouldClose").shouldClose() }

// SetShouldClose sets or clears the request to close the window.
func (w *Window) SetShouldClose(yes bool) { w.open("SetShouldClose").setShouldClose(yes) }

// Position returns the place of the window's upper left corner on the screen, without its frame; 0,
// 0 in a browser and wherever the system does not tell.
func (w *Window) Position() (x, y int) { return w.open("Position").position() }

// Focus asks the window system for the input focus.
func (w *Window) Focus() { w.open("Focus").focus() }

// Size returns the window's size in window pixels, the unit of the cursor.
func (w *Window) Size() picking.Size {
	return w.open("Size").size()
}

// FramebufferSize returns the window's size in framebuffer pixels: 0 × 0 while it is minimised.
// Call it every frame: it changes when the window is resized or moves to a screen of another
// density, and on some systems shortly after the window is opened.
func (w *Window) FramebufferSize() picking.Size {
	return w.open("FramebufferSize").framebufferSize()
}

// Resize asks the window system for another size in window pixels. If it agrees, the size changes
// with a later event.
func (w *Window) Resize(width, height int) { w.open("Resize").resize(width, height) }

// Viewport returns the viewport that fills the window at its present size.
func (w *Window) Viewport() picking.Viewport {
	return picking.FullViewport(w.Size(), w.FramebufferSize())
}

// Poll handles the events since the last call, without waiting. Call Poll, [Window.Wait] or
// [Window.WaitUntil] once a frame. It resets the presses, keys and scrolling of the last frame.
func (w *Window) Poll() {
	s := w.open("Poll")
	w.input.beginFrame()
	s.poll()
	w.input.pollGamepads()
}

// Wait is [Window.Poll], but blocks until there is an event or the timeout is over: for programs
// that draw only when something happens. [Window.Wake] ends it from any goroutine.
func (w *Window) Wait(timeout time.Duration) {
	s := w.open("Wait")
	w.input.beginFrame()
	s.wait(max(timeout, 0))
	w.input.pollGamepads()
}

// WaitUntil handles events until done returns true, or the timeout is over, and reports whether
// done did. It calls done before the first wait and after each event. Tests use it to wait for
// input that they have sent, instead of sleeping. Presses, typed keys and scrolling accumulate
// during the call.
func (w *Window) WaitUntil(timeout time.Duration, done func() bool) bool {
	s := w.open("WaitUntil")
	w.input.beginFrame()
	defer w.input.pollGamepads()
	end := time.Now().Add(timeout)
	for !done() {
		left := time.Until(end)
		if left <= 0 {
			return false
		}
		s.wait(left)
	}
	return true
}

// Wake ends a [Window.Wait], or makes a [Window.WaitUntil] call done again. It may be called from
// any goroutine.
func (w *Window) Wake() { w.surface.wake() }

// Present shows the renderer's last image, scaled if the window has changed its size since. It
// waits for the screen's refresh unless the window was opened with NoVSync or Hidden.
func (w *Window) Present(r *Renderer) {
	if w.open("Present"); r == nil {
		panic("render: Window.Present: the renderer is nil")
	}
	to := w.FramebufferSize()
	if to.Width <= 0 || to.Height <= 0 {
		return // minimised
	}
	if from := r.resolved.size; r.resolved.id != 0 {
		gl.BindFramebuffer(gl.READ_FRAMEBUFFER, r.resolved.id)
		gl.BindFramebuffer(gl.DRAW_FRAMEBUFFER, 0)
		gl.Disable(gl.SCISSOR_TEST)
		filter := uint32(gl.NEAREST)
		if from != to {
			filter = gl.LINEAR
		}
		gl.BlitColor(int32(from.Width), int32(from.Height), int32(to.Width), int32(to.Height), filter)
	}
	w.surface.swap()
}
