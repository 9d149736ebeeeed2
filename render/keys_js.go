package render

import (
	"strconv"
	"strings"
)

// key is the code of a key, as browsers have it.
type key string

// keysByName are the names of keys, by their place on a US keyboard.
var keysByName = func() map[string]key {
	keys := map[string]key{
		"Left": "ArrowLeft", "Right": "ArrowRight", "Up": "ArrowUp", "Down": "ArrowDown",
		"LeftSuper": "MetaLeft", "RightSuper": "MetaRight", "Menu": "ContextMenu",
		"Apostrophe": "Quote", "Grave": "Backquote", "LeftBracket": "BracketLeft", "RightBracket": "BracketRight",
		"World1": "IntlBackslash", "World2": "IntlRo",
	}
	for _, side := range [...]string{"Left", "Right"} {
		for _, name := range [...]string{"Shift", "Control", "Alt"} {
			keys[side+name] = key(name + side)
		}
	}
	for _, name := range strings.Fields("Decimal Enter Equal Add Subtract Multiply Divide") {
		keys["Pad"+name] = key("Numpad" + name)
	}
	for _, name := range strings.Fields("Space Enter Escape Tab Backspace Insert Delete Home End PageUp PageDown CapsLock " +
		"ScrollLock NumLock PrintScreen Pause Semicolon Minus Equal Comma Period Slash Backslash") {
		keys[name] = key(name)
	}
	for i := range 26 {
		name := string(rune('A' + i))
		keys[name] = key("Key" + name)
	}
	for i := range 10 {
		name := strconv.Itoa(i)
		keys[name], keys["Pad"+name] = key("Digit"+name), key("Numpad"+name)
	}
	for i := range 25 {
		name := "F" + strconv.Itoa(i+1)
		keys[name] = key(name)
	}
	return keys
}()
