//go:build !js

package render

import (
	"strconv"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// key is a key as the window system has it.
type key = glfw.Key

// keysByName are the names of keys, by their place on a US keyboard.
var keysByName = func() map[string]glfw.Key {
	keys := map[string]glfw.Key{
		"Space": glfw.KeySpace, "Enter": glfw.KeyEnter, "Escape": glfw.KeyEscape, "Tab": glfw.KeyTab, "Backspace": glfw.KeyBackspace,
		"Insert": glfw.KeyInsert, "Delete": glfw.KeyDelete, "Home": glfw.KeyHome, "End": glfw.KeyEnd,
		"PageUp": glfw.KeyPageUp, "PageDown": glfw.KeyPageDown,
		"Left": glfw.KeyLeft, "Right": glfw.KeyRight, "Up": glfw.KeyUp, "Down": glfw.KeyDown,
		"LeftShift": glfw.KeyLeftShift, "RightShift": glfw.KeyRightShift, "LeftControl": glfw.KeyLeftControl,
		"RightControl": glfw.KeyRightControl, "LeftAlt": glfw.KeyLeftAlt, "RightAlt": glfw.KeyRightAlt,
		"LeftSuper": glfw.KeyLeftSuper, "RightSuper": glfw.KeyRightSuper, "Menu": glfw.KeyMenu,
		"CapsLock": glfw.KeyCapsLock, "ScrollLock": glfw.KeyScrollLock, "NumLock": glfw.KeyNumLock,
		"PrintScreen": glfw.KeyPrintScreen, "Pause": glfw.KeyPause,
		"Minus": glfw.KeyMinus, "Equal": glfw.KeyEqual, "Comma": glfw.KeyComma, "Period": glfw.KeyPeriod, "Slash": glfw.KeySlash,
		"Semicolon": glfw.KeySemicolon, "Apostrophe": glfw.KeyApostrophe, "Grave": glfw.KeyGraveAccent,
		"LeftBracket": glfw.KeyLeftBracket, "RightBracket": glfw.KeyRightBracket, "Backslash": glfw.KeyBackslash,
		"World1": glfw.KeyWorld1, "World2": glfw.KeyWorld2,
		"PadAdd": glfw.KeyKPAdd, "PadSubtract": glfw.KeyKPSubtract, "PadMultiply": glfw.KeyKPMultiply, "PadDivide": glfw.KeyKPDivide,
		"PadDecimal": glfw.KeyKPDecimal, "PadEnter": glfw.KeyKPEnter, "PadEqual": glfw.KeyKPEqual,
	}
	for k := glfw.KeyA; k <= glfw.KeyZ; k++ {
		keys[string(rune(k))] = k
	}
	for i := range 10 {
		keys[strconv.Itoa(i)], keys["Pad"+strconv.Itoa(i)] = glfw.Key0+glfw.Key(i), glfw.KeyKP0+glfw.Key(i)
	}
	for i := range 25 {
		keys["F"+strconv.Itoa(i+1)] = glfw.KeyF1 + glfw.Key(i)
	}
	return keys
}()
