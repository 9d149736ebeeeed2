package render

import "math"

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

	slot                   int
	down, wentDown, wentUp uint16
}

// StickDeadZone is the distance from the middle, as a fraction of that of the edge, within which a
// stick counts as released. Smaller: worn sticks drift.
const StickDeadZone = 0.15

// IsDown reports whether a button is down.
func (g *Gamepad) IsDown(b GamepadButton) bool { return g.down>>b&1 != 0 }

// WentDown reports whether a button went down since the poll before.
func (g *Gamepad) WentDown(b GamepadButton) bool { return g.wentDown>>b&1 != 0 }

// WentUp reports whether a button went up since the poll before.
func (g *Gamepad) WentUp(b GamepadButton) bool { return g.wentUp>>b&1 != 0 }

// Gamepads returns the gamepads that are connected, in the order of the system. A joystick whose
// buttons the system does not know is none. The slice is valid until the next poll.
func (w *Window) Gamepads() []Gamepad { return w.input.pads }

// newGamepad returns the state of a gamepad after another poll. sticks are the left one's and the
// right one's X and Y, downward.
func newGamepad(slot int, name string, sticks [4]float32, down uint16, before []Gamepad) Gamepad {
	g := Gamepad{Name: name, slot: slot, down: down}
	g.LeftX, g.LeftY = stick(sticks[0], -sticks[1])
	g.RightX, g.RightY = stick(sticks[2], -sticks[3])
	var was uint16
	for i := range before {
		if before[i].slot == slot && before[i].Name == name {
			was = before[i].down
		}
	}
	g.wentDown, g.wentUp = g.down&^was, was&^g.down
	return g
}

// stick takes the dead zone out of a stick's place.
func stick(x, y float32) (float32, float32) {
	r := math.Hypot(float64(x), float64(y))
	if !(r > StickDeadZone) {
		return 0, 0
	}
	by := float32(math.Min((r-StickDeadZone)/(1-StickDeadZone), 1) / r)
	return x * by, y * by
}
