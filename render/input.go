package render

import (
	"os"
	"time"

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
	keys      map[key]bool
	typed     []string // since the last frame, in order, with repeats
	wentDown  []key    // since the last frame, in order
	wentUp    []key
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

// modOf maps modifier keys to modifiers. The window system itself reports modifiers only with other
// keys and buttons.
var modOf = map[string]picking.Mods{
	"LeftShift": picking.ModShift, "RightShift": picking.ModShift,
	"LeftControl": picking.ModControl, "RightControl": picking.ModControl,
	"LeftAlt": picking.ModAlt, "RightAlt": picking.ModAlt,
	"LeftSuper": picking.ModSuper, "RightSuper": picking.ModSuper,
}

// key stores a key that went down or up. X11 reports the modifiers as they were before it.
func (s *inputState) key(k key, down bool, mods picking.Mods) {
	switch {
	case down && !s.keys[k]:
		s.wentDown = append(s.wentDown, k)
	case !down && s.keys[k]:
		s.wentUp = append(s.wentUp, k)
	}
	s.keys[k] = down
	s.mods = mods
	if down {
		s.mods |= modOf[keyNames[k]]
		return
	}
	s.mods &^= modOf[keyNames[k]]
	for name, mod := range modOf {
		if s.keys[keysByName[name]] {
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

// Typed returns the names of the keys that went down or repeated since the last poll, in order; see
// [KeyNames]. It is valid until the next poll.
func (w *Window) Typed() []string { return w.input.typed }

// Text returns the characters typed since the last poll. It is valid until the next poll.
func (w *Window) Text() []rune { return w.input.text }
