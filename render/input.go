package render

import (
	"os"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/picking"
)

var getenv = os.Getenv

// inputState is the input that a window's callbacks have collected.
type inputState struct {
	x, y float64
	// Place of the cursor when the first button of this frame went down or up; valid if stamped.
	atX, atY  float64
	stamped   bool
	entered   bool // the cursor is over the window
	down      picking.Buttons
	pressed   picking.Buttons // since the last frame
	unfocused bool
	scrollX   float64
	scrollY   float64
	dx, dy    float64
	moved     bool // x and y are valid
	keys      map[glfw.Key]bool
	typed     []glfw.Key // since the last frame, in order, with repeats
	wentDown  []glfw.Key // since the last frame, in order
	wentUp    []glfw.Key
	pads      []Gamepad
	locked    bool // the cursor is: see LockCursor
	text      []rune
	mods      picking.Mods
	start     time.Time // when the window was opened

	held bool // a button is down
	// The button went down over the HUD, which keeps the pointer until all buttons are up.
	onHUD bool
}

func (s *inputState) beginFrame() {
	s.pressed, s.scrollX, s.scrollY, s.dx, s.dy = 0, 0, 0, 0, 0
	s.typed, s.text = s.typed[:0], s.text[:0]
	s.wentDown, s.wentUp = s.wentDown[:0], s.wentUp[:0]
	s.stamped = false
}

var buttonOf = map[glfw.MouseButton]picking.Button{
	glfw.MouseButtonLeft:   picking.Left,
	glfw.MouseButtonRight:  picking.Right,
	glfw.MouseButtonMiddle: picking.Middle,
	glfw.MouseButton4:      picking.Back,
	glfw.MouseButton5:      picking.Forward,
}

// modOf maps modifier keys to modifiers. The window system itself reports modifiers only with other
// keys and buttons.
var modOf = map[glfw.Key]picking.Mods{
	glfw.KeyLeftShift: picking.ModShift, glfw.KeyRightShift: picking.ModShift,
	glfw.KeyLeftControl: picking.ModControl, glfw.KeyRightControl: picking.ModControl,
	glfw.KeyLeftAlt: picking.ModAlt, glfw.KeyRightAlt: picking.ModAlt,
	glfw.KeyLeftSuper: picking.ModSuper, glfw.KeyRightSuper: picking.ModSuper,
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
	s.keys, s.start = map[glfw.Key]bool{}, time.Now()
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
		if a != glfw.Release {
			s.typed = append(s.typed, k)
		}
	})
	w.SetCharCallback(func(_ *glfw.Window, r rune) { s.text = append(s.text, r) })
	w.SetFocusCallback(func(_ *glfw.Window, focused bool) { s.focus(focused) })
}

// key stores a key that went down or up. X11 reports the modifiers as they were before it.
func (s *inputState) key(k glfw.Key, down bool, mods picking.Mods) {
	switch {
	case down && !s.keys[k]:
		s.wentDown = append(s.wentDown, k)
	case !down && s.keys[k]:
		s.wentUp = append(s.wentUp, k)
	}
	s.keys[k] = down
	s.mods = mods
	if down {
		s.mods |= modOf[k]
		return
	}
	s.mods &^= modOf[k]
	for other, mod := range modOf {
		if s.keys[other] {
			s.mods |= mod // the key on the other side is still down
		}
	}
}

func (s *inputState) move(x, y float64) {
	if s.moved {
		s.dx, s.dy = s.dx+x-s.x, s.dy+y-s.y
	}
	s.x, s.y, s.moved = x, y, true
}

// place returns the pointer's place in this frame: the place of the first press or release, if
// there was one. The user pressed what was there, however long the frame took; the present place
// comes with the next frame.
func (s *inputState) place() (x, y float64) {
	if s.stamped {
		return s.atX, s.atY
	}
	return s.x, s.y
}

func (s *inputState) button(b picking.Button, down bool) {
	if !s.stamped {
		s.atX, s.atY, s.stamped = s.x, s.y, true
	}
	if down {
		s.down, s.pressed = s.down.With(b), s.pressed.With(b)
	} else {
		s.down = s.down.Without(b)
	}
}

// focus stores a change of the input focus. When it is lost, buttons and keys go up without events.
func (s *inputState) focus(focused bool) {
	s.unfocused = !focused
	if !focused {
		s.down, s.mods = 0, 0
		for k, down := range s.keys {
			if down {
				s.wentUp = append(s.wentUp, k)
			}
		}
		clear(s.keys)
	}
}

// pointer returns the state of the pointer for a window of a size. While a button is down that went
// down outside the HUD, the pointer belongs to the world, also over the HUD, and vice versa: a drag
// ends where it began.
func (s *inputState) pointer(size picking.Size, overHUD bool) physecs.Pointer {
	x, y := s.place()
	in := picking.Input{
		X: x, Y: y, Down: s.down, Pressed: s.pressed, Mods: s.mods,
		ScrollX: s.scrollX, ScrollY: s.scrollY, Unfocused: s.unfocused,
		Time: time.Since(s.start).Truncate(time.Microsecond),
	}
	if s.locked {
		x, y = float64(size.Width)/2, float64(size.Height)/2
		in.X, in.Y = x, y
	}
	in.Inside = (s.entered || s.locked) && x >= 0 && y >= 0 && x < float64(size.Width) && y < float64(size.Height)
	if !s.held && (s.down|s.pressed) != 0 {
		s.onHUD = overHUD
	}
	captured := overHUD
	if s.held || (s.down|s.pressed) != 0 {
		captured = s.onHUD
	}
	s.held = s.down != 0
	return physecs.Pointer{
		Input:    in,
		Captured: captured,
		Toggle:   s.mods.HasAny(picking.ToggleMods),
	}
}

// Feed passes the input of the last [Window.Poll] to a world: it sets the resource physecs.Pointer,
// the window sizes of physecs.View, and the pointer of the HUD. A viewport that filled its
// framebuffer, or was never set, fills the new one; any other keeps its rectangle. Over the HUD, if
// hud is not nil, the pointer is captured: nothing in the world is hovered or clicked. Missing
// resources are added.
//
// It replaces the whole Pointer: Captured is false except over the HUD, and Toggle is whether one
// of [picking.ToggleMods] is held. To use others, set them after each Feed.
//
// In a frame in which a button went down or up, the pointer is at the place of the first such
// event, even if it has moved on since; of a locked cursor, in the middle of the window. Panics if
// a resource is missing and the world is locked.
func (w *Window) Feed(world *ecs.World, hud *HUD) {
	size, framebuffer := w.Size(), w.FramebufferSize()
	x, y := w.input.place()
	p := w.input.pointer(size, hud != nil && !w.input.locked && hud.Contains(x, y))
	*resource[physecs.Pointer](world) = p
	if hud != nil {
		hud.Input(p)
		hud.Resize(size)
	}
	view := resource[physecs.View](world)
	view.Viewport = view.Resized(size, framebuffer)
}

// resource returns a resource of the world, and adds it first if it is missing.
func resource[T any](w *ecs.World) *T {
	id := ecs.ResourceID[T](w)
	if r, ok := w.Resources().Get(id).(*T); ok {
		return r
	}
	r := new(T)
	w.Resources().Add(id, r)
	return r
}

// Cursor returns the place of the cursor in window pixels, Y downward, and whether it is over the
// window.
func (w *Window) Cursor() (x, y float64, inside bool) {
	p := w.input
	size := w.Size()
	return p.x, p.y, p.entered && p.x >= 0 && p.y >= 0 && p.x < float64(size.Width) && p.y < float64(size.Height)
}

// Drag returns the movement of the cursor since the last poll, in window pixels.
func (w *Window) Drag() (dx, dy float64) { return w.input.dx, w.input.dy }

// Buttons returns the mouse buttons that are down, and those that went down since the last poll.
func (w *Window) Buttons() (down, pressed picking.Buttons) { return w.input.down, w.input.pressed }

// Scroll returns the wheel's rotation since the last poll, in notches: y is positive away from the
// user, x to the right.
func (w *Window) Scroll() (x, y float64) { return w.input.scrollX, w.input.scrollY }

// Focused reports whether the window has the input focus.
func (w *Window) Focused() bool { return !w.input.unfocused }

// KeyDown reports whether a key is down.
func (w *Window) KeyDown(k glfw.Key) bool { return w.input.keys[k] }

// Typed returns the keys that went down or repeated since the last poll, in order. It is valid
// until the next poll.
func (w *Window) Typed() []glfw.Key { return w.input.typed }

// Text returns the characters typed since the last poll. It is valid until the next poll.
func (w *Window) Text() []rune { return w.input.text }
