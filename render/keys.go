package render

import (
	"maps"
	"slices"
	"strconv"

	"github.com/go-gl/glfw/v3.3/glfw"

	"github.com/hitscan-go/hitscan/picking"
)

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

var keyNames = func() map[glfw.Key]string {
	names := map[glfw.Key]string{}
	for name, k := range keysByName {
		names[k] = name
	}
	return names
}()

// KeyNames returns the names of all keys, sorted: "A" to "Z", "0" to "9", "F1" to "F25", "Pad0" to
// "Pad9", "Space", "Enter", "Escape", "Left", "LeftShift" and others. They are those of a US
// keyboard: "W" is the key above "S", whatever the user's layout writes on it. [Window.Text] has
// what keys write.
func KeyNames() []string { return slices.Sorted(maps.Keys(keysByName)) }

// KeyOf returns GLFW's key of a name, and false if no key has it.
func KeyOf(name string) (glfw.Key, bool) {
	k, ok := keysByName[name]
	return k, ok
}

func mustKey(method, name string) glfw.Key {
	k, ok := keysByName[name]
	if !ok {
		panic("render: Window." + method + ": no key is called " + strconv.Quote(name) + ": see KeyNames")
	}
	return k
}

// IsDown reports whether a key is down. The names are those of [KeyNames]; any other panics.
func (w *Window) IsDown(key string) bool { return w.input.keys[mustKey("IsDown", key)] }

// WentDown reports whether a key went down since the last poll, perhaps for less than the frame.
// Repeats of a held key do not count. Panics as [Window.IsDown] does.
func (w *Window) WentDown(key string) bool {
	return slices.Contains(w.input.wentDown, mustKey("WentDown", key))
}

// WentUp reports whether a key went up since the last poll. When the window loses the input focus
// all keys go up. Panics as [Window.IsDown] does.
func (w *Window) WentUp(key string) bool {
	return slices.Contains(w.input.wentUp, mustKey("WentUp", key))
}

// Keys returns the keys that are down, by name, and those that went down since the last poll, in
// order: the resource physecs.Keys for recordings.
func (w *Window) Keys() (k picking.Keys) {
	for key, down := range w.input.keys {
		if name, ok := keyNames[key]; ok && down {
			k.Down = append(k.Down, name)
		}
	}
	slices.Sort(k.Down)
	for _, key := range w.input.wentDown {
		if name, ok := keyNames[key]; ok {
			k.Pressed = append(k.Pressed, name)
		}
	}
	return k
}

// LockCursor hides the cursor and keeps it in the window, for looking around with the mouse:
// [Window.Drag] then has the movement of the mouse without bounds, and [Window.Feed] gives the
// world a pointer in the middle of the window, where a game draws its crosshair. Unlocking shows
// the cursor where it was. Where the system has unaccelerated movement, it is used.
func (w *Window) LockCursor(lock bool) {
	window := w.open("LockCursor")
	if lock == w.input.locked {
		return
	}
	mode := glfw.CursorNormal
	if lock {
		mode = glfw.CursorDisabled
	}
	window.SetInputMode(glfw.CursorMode, mode)
	if glfw.RawMouseMotionSupported() {
		window.SetInputMode(glfw.RawMouseMotion, asInt(lock))
	}
	// The change moves the cursor, which is no movement of the mouse.
	w.input.locked, w.input.dx, w.input.dy, w.input.stamped = lock, 0, 0, false
	w.input.x, w.input.y = window.GetCursorPos()
}

// CursorLocked reports whether [Window.LockCursor] has locked the cursor.
func (w *Window) CursorLocked() bool { return w.input.locked }
