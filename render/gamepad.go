package render

import (
	"math"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// GamepadButton is a button of a gamepad, by its place: A is the lower one of the four on the
// right.
type GamepadButton uint8

// The buttons of a gamepad.
const (
	GamepadA GamepadButton = iota
	GamepadB
	GamepadX
	GamepadY
	GamepadLeftBumper
	GamepadRightBumper
	GamepadBack
	GamepadStart
	GamepadGuide
	GamepadLeftThumb
	GamepadRightThumb
	GamepadUp
	GamepadRight
	GamepadDown
	GamepadLeft
)

// Gamepad is the state of a gamepad at the last poll.
type Gamepad struct {
	Name string
	// LeftX, LeftY, RightX and RightY are the sticks, −1 to 1, X to the right and Y upward. Within
	// [StickDeadZone] of the middle they are 0; beyond it they grow from 0.
	LeftX, LeftY, RightX, RightY float32
	LeftTrigger, RightTrigger    float32 // 0, released, to 1

	slot                   glfw.Joystick
	down, wentDown, wentUp uint16
}

// StickDeadZone is the distance from the middle, of which the edge has 1, within which a stick
// counts as released. Smaller: worn sticks drift.
const StickDeadZone = 0.15

// IsDown reports whether a button is down.
func (g *Gamepad) IsDown(b GamepadButton) bool { return g.down>>b&1 != 0 }

// WentDown reports whether a button went down since the poll before.
func (g *Gamepad) WentDown(b GamepadButton) bool { return g.wentDown>>b&1 != 0 }

// WentUp reports whether a button went up since the poll before.
func (g *Gamepad) WentUp(b GamepadButton) bool { return g.wentUp>>b&1 != 0 }

// Gamepads returns the gamepads that are connected, in the order of the system. A joystick whose
// buttons GLFW does not know is none. The slice is valid until the next poll.
func (w *Window) Gamepads() []Gamepad { return w.input.pads }

// pollGamepads reads the gamepads.
func (s *inputState) pollGamepads() {
	before := s.pads
	s.pads = nil
	for slot := glfw.Joystick1; slot <= glfw.JoystickLast; slot++ {
		if !slot.Present() || !slot.IsGamepad() {
			continue
		}
		if state := slot.GetGamepadState(); state != nil {
			s.pads = append(s.pads, gamepadOf(slot, slot.GetGamepadName(), state, before))
		}
	}
}

// gamepadOf returns the state of a gamepad after another poll.
func gamepadOf(slot glfw.Joystick, name string, state *glfw.GamepadState, before []Gamepad) Gamepad {
	g := Gamepad{
		Name: name, slot: slot,
		LeftTrigger:  trigger(state.Axes[glfw.AxisLeftTrigger]),
		RightTrigger: trigger(state.Axes[glfw.AxisRightTrigger]),
	}
	g.LeftX, g.LeftY = stick(state.Axes[glfw.AxisLeftX], -state.Axes[glfw.AxisLeftY])
	g.RightX, g.RightY = stick(state.Axes[glfw.AxisRightX], -state.Axes[glfw.AxisRightY])
	for b, action := range state.Buttons {
		if action == glfw.Press {
			g.down |= 1 << b
		}
	}
	var was uint16
	for i := range before {
		if before[i].slot == slot && before[i].Name == name {
			was = before[i].down
		}
	}
	g.wentDown, g.wentUp = g.down&^was, was&^g.down
	return g
}

// trigger maps −1…1 to 0…1.
func trigger(x float32) float32 { return min(max((x+1)/2, 0), 1) }

// stick takes the dead zone out of a stick's place.
func stick(x, y float32) (float32, float32) {
	r := math.Hypot(float64(x), float64(y))
	if !(r > StickDeadZone) {
		return 0, 0
	}
	by := float32(math.Min((r-StickDeadZone)/(1-StickDeadZone), 1) / r)
	return x * by, y * by
}
