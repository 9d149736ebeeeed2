package render

import (
	"errors"
	"fmt"
	"time"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"github.com/hitscan-go/hitscan/picking"
)

// Options are the settings of a new window. The zero Options open a visible window of 1280 × 800
// window pixels that waits for the screen's refresh.
type Options struct {
	Title         string // empty: "hitscan"
	Width, Height int    // window pixels; 0: 1280 × 800
	Hidden        bool   // no window is shown: for images and tests
	NoVSync       bool   // Present does not wait for the screen's refresh
}

// Window is a window with an OpenGL 3.3 context. Call its methods on the goroutine that opened it,
// except where a method says otherwise.
type Window struct {
	glfw  *glfw.Window
	input inputState
}

// openWindows counts the open windows: GLFW is terminated with the last.
var openWindows int

// Open opens a window and makes its context current. Without a display the error wraps
// [ErrNoDisplay]; without OpenGL 3.3 there is another error. Both say what to do. Call it on the
// main goroutine.
func Open(o Options) (w *Window, err error) {
	if err := checkDisplay(goos, getenv); err != nil {
		return nil, err
	}
	// GLFW's binding panics with a *glfw.Error for conditions outside the program, such as a
	// display that is named but does not exist.
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
		glfw.Samples:                 0, // the renderer has its own framebuffer
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
		err = errors.New("the window system refused; see the log") // GLFW's binding logs its errors
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

// Close destroys the window and its context. Close renderers and ID buffers of the context first.
// All other methods that use the window panic afterwards. A second Close does nothing.
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

// open returns GLFW's window. Panics after Close.
func (w *Window) open(caller string) *glfw.Window {
	if w.glfw == nil {
		panic("render: Window." + caller + ": the window is closed")
	}
	return w.glfw
}

// GLFW returns GLFW's window, for what this package does not wrap. Do not replace its callbacks.
func (w *Window) GLFW() *glfw.Window { return w.glfw }

// MakeCurrent makes the window's context current on the calling thread. It is needed only with
// several windows.
func (w *Window) MakeCurrent() { w.open("MakeCurrent").MakeContextCurrent() }

// ShouldClose reports whether the user has asked to close the window, or [Window.SetShouldClose]
// has set it.
func (w *Window) ShouldClose() bool { return w.open("ShouldClose").ShouldClose() }

// SetShouldClose sets or clears the request to close the window.
func (w *Window) SetShouldClose(yes bool) { w.open("SetShouldClose").SetShouldClose(yes) }

// Size returns the window's size in window pixels, the unit of the cursor.
func (w *Window) Size() picking.Size {
	width, height := w.open("Size").GetSize()
	return picking.Size{Width: width, Height: height}
}

// FramebufferSize returns the window's size in framebuffer pixels: 0 × 0 while it is minimised.
// Call it every frame: it changes when the window is resized or moves to a screen of another
// density, and on some systems shortly after the window is opened.
func (w *Window) FramebufferSize() picking.Size {
	width, height := w.open("FramebufferSize").GetFramebufferSize()
	return picking.Size{Width: width, Height: height}
}

// Resize asks the window system for another size in window pixels. If it agrees, the size changes
// with a later event.
func (w *Window) Resize(width, height int) { w.open("Resize").SetSize(width, height) }

// Viewport returns the viewport that fills the window at its present size.
func (w *Window) Viewport() picking.Viewport {
	return picking.FullViewport(w.Size(), w.FramebufferSize())
}

// Poll handles the events since the last call, without waiting. Call Poll, [Window.Wait] or
// [Window.WaitUntil] once a frame. It resets the presses, keys and scrolling of the last frame.
func (w *Window) Poll() {
	w.open("Poll")
	w.input.beginFrame()
	glfw.PollEvents()
	w.input.pollGamepads()
}

// Wait is [Window.Poll], but blocks until there is an event or the timeout is over: for programs
// that draw only when something happens. [Window.Wake] ends it from any goroutine.
func (w *Window) Wait(timeout time.Duration) {
	w.open("Wait")
	w.input.beginFrame()
	glfw.WaitEventsTimeout(max(timeout.Seconds(), 0))
	w.input.pollGamepads()
}

// WaitUntil handles events until done returns true, or the timeout is over, and reports whether
// done did. It calls done before the first wait and after each event. Tests use it to wait for
// input that they have sent, instead of sleeping. Presses, typed keys and scrolling accumulate
// during the call.
func (w *Window) WaitUntil(timeout time.Duration, done func() bool) bool {
	w.open("WaitUntil")
	w.input.beginFrame()
	defer w.input.pollGamepads()
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

// Wake ends a [Window.Wait], or makes a [Window.WaitUntil] call done again. It may be called from
// any goroutine.
func (w *Window) Wake() { glfw.PostEmptyEvent() }

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
		gl.BlitFramebuffer(0, 0, int32(from.Width), int32(from.Height), 0, 0, int32(to.Width), int32(to.Height),
			gl.COLOR_BUFFER_BIT, filter)
	}
	w.glfw.SwapBuffers()
}
