//go:build !js

package render

import (
	"errors"
	"fmt"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render/internal/gl"
)

// surface is a window as GLFW has it.
type surface struct{ glfw *glfw.Window }

// openWindows counts the open windows: GLFW is terminated with the last.
var openWindows int

func (s *surface) open(o Options, input *inputState) (err error) {
	if err := checkDisplay(goos, getenv); err != nil {
		return err
	}
	// GLFW's binding panics with a *glfw.Error for conditions outside the program, such as a
	// display that is named but does not exist.
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*glfw.Error)
			if !ok {
				panic(r)
			}
			err = noDisplay(fmt.Sprintf("the window system does not answer (%v): is the display that DISPLAY or "+
				"WAYLAND_DISPLAY names still running?", e))
		}
	}()
	if err := glfw.Init(); err != nil {
		return fmt.Errorf("render: Open: %w", err)
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
		return fmt.Errorf("render: Open: no window with OpenGL 3.3: %w; update the graphics driver, or install Mesa's "+
			"software renderer (libgl1-mesa-dri)", err)
	}
	s.glfw = window
	openWindows++
	s.makeCurrent()
	if err := gl.Init(); err != nil {
		s.close()
		return fmt.Errorf("render: Open: %w", err)
	}
	if o.NoVSync || o.Hidden {
		glfw.SwapInterval(0)
	} else {
		glfw.SwapInterval(1)
	}
	input.listen(window)
	return nil
}

func (s *surface) isOpen() bool { return s.glfw != nil }

func (s *surface) close() {
	s.glfw.Destroy()
	s.glfw = nil
	if openWindows--; openWindows == 0 {
		glfw.Terminate()
	}
}

// GLFW returns GLFW's window, for what this package does not wrap. Do not replace its callbacks.
// There is none in a browser.
func (w *Window) GLFW() *glfw.Window { return w.surface.glfw }

func (s *surface) makeCurrent()               { s.glfw.MakeContextCurrent() }
func (s *surface) shouldClose() bool          { return s.glfw.ShouldClose() }
func (s *surface) setShouldClose(yes bool)    { s.glfw.SetShouldClose(yes) }
func (s *surface) resize(width, height int)   { s.glfw.SetSize(width, height) }
func (s *surface) position() (x, y int)       { return s.glfw.GetPos() }
func (s *surface) focus()                     { s.glfw.Focus() }
func (s *surface) poll()                      { glfw.PollEvents() }
func (s *surface) wait(timeout time.Duration) { glfw.WaitEventsTimeout(timeout.Seconds()) }
func (s *surface) wake()                      { glfw.PostEmptyEvent() }
func (s *surface) swap()                      { s.glfw.SwapBuffers() }

func (s *surface) size() picking.Size {
	width, height := s.glfw.GetSize()
	return picking.Size{Width: width, Height: height}
}

func (s *surface) framebufferSize() picking.Size {
	width, height := s.glfw.GetFramebufferSize()
	return picking.Size{Width: width, Height: height}
}

// lock locks the cursor or unlocks it, and returns its place after that.
func (s *surface) lock(on bool) (x, y float64) {
	mode := glfw.CursorNormal
	if on {
		mode = glfw.CursorDisabled
	}
	s.glfw.SetInputMode(glfw.CursorMode, mode)
	if glfw.RawMouseMotionSupported() {
		s.glfw.SetInputMode(glfw.RawMouseMotion, asInt(on))
	}
	return s.glfw.GetCursorPos()
}

var buttonOf = map[glfw.MouseButton]picking.Button{
	glfw.MouseButtonLeft:   picking.Left,
	glfw.MouseButtonRight:  picking.Right,
	glfw.MouseButtonMiddle: picking.Middle,
	glfw.MouseButton4:      picking.Back,
	glfw.MouseButton5:      picking.Forward,
}

// modsOf returns the modifiers of an event.
func modsOf(m glfw.ModifierKey) (mods picking.Mods) {
	for _, o := range [...]struct {
		key glfw.ModifierKey
		mod picking.Mods
	}{{glfw.ModShift, picking.ModShift}, {glfw.ModControl, picking.ModControl}, {glfw.ModAlt, picking.ModAlt}, {glfw.ModSuper, picking.ModSuper}} {
		if m&o.key != 0 {
			mods |= o.mod
		}
	}
	return mods
}

// listen sets the callbacks of a window.
func (s *inputState) listen(w *glfw.Window) {
	s.x, s.y = w.GetCursorPos()
	s.entered = w.GetAttrib(glfw.Hovered) == glfw.True
	s.moved = s.entered
	w.SetCursorPosCallback(func(_ *glfw.Window, x, y float64) { s.move(x, y) })
	w.SetCursorEnterCallback(func(_ *glfw.Window, entered bool) { s.entered = entered })
	w.SetMouseButtonCallback(func(_ *glfw.Window, b glfw.MouseButton, a glfw.Action, m glfw.ModifierKey) {
		if button, ok := buttonOf[b]; ok {
			s.button(button, a == glfw.Press)
		}
		s.mods = modsOf(m)
	})
	w.SetScrollCallback(func(_ *glfw.Window, x, y float64) { s.scrollX, s.scrollY = s.scrollX+x, s.scrollY+y })
	w.SetKeyCallback(func(_ *glfw.Window, k glfw.Key, _ int, a glfw.Action, m glfw.ModifierKey) {
		s.key(k, a != glfw.Release, modsOf(m))
		if _, ok := keyNames[k]; ok && a != glfw.Release {
			s.typed = append(s.typed, keyNames[k])
		}
	})
	w.SetCharCallback(func(_ *glfw.Window, r rune) { s.text = append(s.text, r) })
	w.SetFocusCallback(func(_ *glfw.Window, focused bool) { s.focus(focused) })
}
