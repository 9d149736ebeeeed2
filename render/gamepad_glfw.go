//go:build !js

package render

import "github.com/go-gl/glfw/v3.3/glfw"

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
	var down uint16
	for b, action := range state.Buttons {
		if action == glfw.Press {
			down |= 1 << b
		}
	}
	axes := &state.Axes
	g := newGamepad(int(slot), name, [4]float32{axes[glfw.AxisLeftX], axes[glfw.AxisLeftY], axes[glfw.AxisRightX], axes[glfw.AxisRightY]}, down, before)
	g.LeftTrigger, g.RightTrigger = trigger(axes[glfw.AxisLeftTrigger]), trigger(axes[glfw.AxisRightTrigger])
	return g
}

// trigger maps −1…1 to 0…1.
func trigger(x float32) float32 { return min(max((x+1)/2, 0), 1) }
