package render

import (
	"fmt"
	"time"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"github.com/hitscan-go/hitscan/picking"
)

// Options are the wishes for a window. The zero Options opens a visible one of 1280 × 800 that
// waits for the screen.
type Options struct {
	Title         string // empty: "hitscan"
	Width, Height int    // in window pixels; 0: 1280 and 800
	Hidden        bool   // no window is shown: for pictures and tests
	NoVSync       bool   // Present does not wait for the screen
}

// Window is a window with an OpenGL 3.3 context. All its methods are for the goroutine that opened
// it.
type Window struct {
	glfw  *glfw.Window
	input inputState
}

// openWindows counts the windows, since GLFW is ended with the last.
var openWindows int

// Open opens a window and makes its context current. The error says what to do where there is no
// display (it wraps [ErrNoDisplay]) or no OpenGL 3.3.
func Open(o Options) (w *Window, err error) {
	if err := checkDisplay(goos, getenv); err != nil {
		return nil, err
	}
	// GLFW's binding panics with an error of its own for what is no mistake of the program, such as
	// a display that is named but not there.
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*glfw.Error)
			if !ok {
				panic(r)
			}
			w, err = nil, noDisplay(fmt.Sprintf("the window system does not answer (%v): is the display that DISPLAY or "+
				"WAYLAND_DISPLAY names still running?", e))
		}
	}()
	if err := glfw.Init(); err != nil {
		return nil, fmt.Errorf("render: Open: %w", err)
	}
	if o.Title == "" {
		o.Title = "hitscan"
	}
	if o.Width <= 0 || o.Height <= 0 {
		o.Width, o.Height = 1280, 800
	}
	glfw.DefaultWindowHints()
	for hint, value := range map[glfw.Hint]int{
		glfw.ContextVersionMajor:     3,
		glfw.ContextVersionMinor:     3,
		glfw.OpenGLProfile:           glfw.OpenGLCoreProfile,
		glfw.OpenGLForwardCompatible: glfw.True,
		glfw.Samples:                 0, // pictures are made in a framebuffer of our own and copied over
		glfw.DepthBits:               0,
		glfw.StencilBits:             0,
		glfw.ScaleToMonitor:          glfw.True,
	} {
		glfw.WindowHint(hint, value)
	}
	if o.Hidden {
		glfw.WindowHint(glfw.Visible, glfw.False)
		glfw.WindowHint(glfw.ScaleToMonitor, glfw.False)
	}
	window, err := glfw.CreateWindow(o.Width, o.Height, o.Title, nil, nil)
	if err == nil && window == nil {
		err = fmt.Errorf("the window system refused, see the log") // the binding logs platform errors and drops them
	}
	if err != nil {
		return nil, fmt.Errorf("render: Open: no window with OpenGL 3.3: %w; update the graphics driver, or install Mesa's "+
			"software renderer (libgl1-mesa-dri)", err)
	}
	w = &Window{glfw: window}
	openWindows++
	w.MakeCurrent()
	if err := gl.Init(); err != nil {
		w.Close()
		return nil, fmt.Errorf("render: Open: OpenGL 3.3: %w", err)
	}
	if o.NoVSync || o.Hidden {
		glfw.SwapInterval(0)
	} else {
		glfw.SwapInterval(1)
	}
	w.input.listen(window)
	return w, nil
}

// Close destroys the window and its context. Close what was made in the context first. A second
// Close does nothing.
func (w *Window) Close() {
	if w.glfw == nil {
		return
	}
	w.glfw.Destroy()
	w.glfw = nil
	if openWindows--; openWindows == 0 {
		glfw.Terminate()
	}
}

// GLFW returns GLFW's own window, for what this package does not wrap. Its callbacks are taken.
func (w *Window) GLFW() *glfw.Window { return w.glfw }

// MakeCurrent makes the window's context that of the calling thread. It is needed only with several
// windows.
func (w *Window) MakeCurrent() { w.glfw.MakeContextCurrent() }

// ShouldClose reports whether the user has asked for the window to be closed, or
// [Window.SetShouldClose] has.
func (w *Window) ShouldClose() bool { return w.glfw.ShouldClose() }

// SetShouldClose asks for the window to be closed, or takes that back.
func (w *Window) SetShouldClose(yes bool) { w.glfw.SetShouldClose(yes) }

// Size returns the window's size in the units of the cursor.
func (w *Window) Size() picking.Size {
	width, height := w.glfw.GetSize()
	return picking.Size{Width: width, Height: height}
}

// FramebufferSize returns the window's size in pixels: 0 × 0 while it is minimised. Ask every
// frame: it changes when the window is resized or goes to a screen of another density, and on some
// systems a moment after the window is made.
func (w *Window) FramebufferSize() picking.Size {
	width, height := w.glfw.GetFramebufferSize()
	return picking.Size{Width: width, Height: height}
}

// Resize asks the window system for another size, in the units of the cursor. It comes, if it does,
// with an event.
func (w *Window) Resize(width, height int) { w.glfw.SetSize(width, height) }

// Viewport returns the viewport that fills the window as it is now.
func (w *Window) Viewport() picking.Viewport {
	return picking.FullViewport(w.Size(), w.FramebufferSize())
}

// Poll takes in the events that have come since the last time, without waiting. Call it,
// [Window.Wait] or [Window.WaitUntil] once a frame. What was pressed, typed and scrolled before is
// forgotten.
func (w *Window) Poll() {
	w.input.beginFrame()
	glfw.PollEvents()
}

// Wait is [Window.Poll], but sleeps until there is an event or the time is over: for programs that
// draw only when something happens. [Window.Wake] ends it from any goroutine.
func (w *Window) Wait(timeout time.Duration) {
	w.input.beginFrame()
	glfw.WaitEventsTimeout(max(timeout.Seconds(), 0))
}

// WaitUntil takes in events until done returns true, which it reports, or the time is over. It asks
// before the first wait and after each event. Tests wait with it for input that they have sent, and
// never sleep. What is pressed, typed and scrolled meanwhile adds up.
func (w *Window) WaitUntil(timeout time.Duration, done func() bool) bool {
	w.input.beginFrame()
	end := time.Now().Add(timeout)
	for !done() {
		left := time.Until(end)
		if left <= 0 {
			return false
		}
		glfw.WaitEventsTimeout(left.Seconds())
	}
	return true
}

// Wake ends a [Window.Wait] or makes a [Window.WaitUntil] ask again. It may be called from any
// goroutine.
func (w *Window) Wake() { glfw.PostEmptyEvent() }

// Present shows what the renderer drew last, scaled if the window has changed its size since. It
// waits for the screen unless the window was opened without.
func (w *Window) Present(r *Renderer) {
	to := w.FramebufferSize()
	if to.Width <= 0 || to.Height <= 0 {
		return // minimised: there is nothing to show it on
	}
	if from := r.resolved.size; r.resolved.id != 0 {
		gl.BindFramebuffer(gl.READ_FRAMEBUFFER, r.resolved.id)
		gl.BindFramebuffer(gl.DRAW_FRAMEBUFFER, 0)
		gl.Disable(gl.SCISSOR_TEST)
		filter := uint32(gl.NEAREST)
		if from != to {
			filter = gl.LINEAR
		}
		gl.BlitFramebuffer(0, 0, int32(from.Width), int32(from.Height), 0, 0, int32(to.Width), int32(to.Height),
			gl.COLOR_BUFFER_BIT, filter)
	}
	w.glfw.SwapBuffers()
}
