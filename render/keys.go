package render

import (
	"maps"
	"slices"
	"strconv"

	"github.com/hitscan-go/hitscan/picking"
)

var keyNames = func() map[key]string {
	names := map[key]string{}
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

func mustKey(method, name string) key {
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
	x, y := window.lock(lock)
	// The change moves the cursor, which is no movement of the mouse.
	w.input.locked, w.input.dx, w.input.dy, w.input.stamped = lock, 0, 0, false
	w.input.x, w.input.y = x, y
}

// CursorLocked reports whether [Window.LockCursor] has locked the cursor.
func (w *Window) CursorLocked() bool { return w.input.locked }
