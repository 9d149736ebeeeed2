package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-gl/glfw/v3.3/glfw"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// keyboard is what the keys do in a frame, be it those of the window or of a recording. It knows
// only keys that mean something in the sandbox. The zero keyboard is ready.
type keyboard struct {
	down  map[glfw.Key]bool
	typed []glfw.Key // that went down, in order
}

// keyNames are the names of keys in recordings.
var keyNames = func() map[glfw.Key]string {
	names := map[glfw.Key]string{
		glfw.KeyEscape: "Escape", glfw.KeySpace: "Space", glfw.KeyLeft: "Left", glfw.KeyRight: "Right", glfw.KeyUp: "Up",
		glfw.KeyDown: "Down", glfw.KeyLeftShift: "LeftShift", glfw.KeyRightShift: "RightShift",
		glfw.KeyKPAdd: "Plus", glfw.KeyKPSubtract: "Minus", // wherever the keyboard has them
	}
	for k := glfw.KeyA; k <= glfw.KeyZ; k++ {
		names[k] = string(rune(k))
	}
	for k := glfw.Key0; k <= glfw.Key9; k++ {
		names[k] = string(rune(k))
	}
	return names
}()

var keysByName = func() map[string]glfw.Key {
	keys := map[string]glfw.Key{}
	for k, name := range keyNames {
		keys[name] = k
	}
	return keys
}()

func (k *keyboard) isDown(key glfw.Key) bool { return k.down[key] }

func (k *keyboard) hold(key glfw.Key) {
	if k.down == nil {
		k.down = map[glfw.Key]bool{}
	}
	k.down[key] = true
}

// listen takes in the keys of a window's frame.
func (k *keyboard) listen(w *render.Window) { k.take(w.KeyDown, w.Typed(), w.Text()) }

// take takes in the keys that are down, those that went down or were repeated by the system, which
// a key that is held does not count for, and the characters that came of it.
func (k *keyboard) take(isDown func(glfw.Key) bool, typed []glfw.Key, text []rune) {
	k.typed = k.typed[:0]
	for _, key := range typed {
		if keyNames[key] != "" && !k.down[key] {
			k.typed = append(k.typed, key)
			if isDown(key) {
				k.hold(key)
			}
		}
	}
	maps.DeleteFunc(k.down, func(key glfw.Key, _ bool) bool { return !isDown(key) })
	// Where + and − are depends on the keyboard; = is + without shift on many. Held, they are
	// repeated.
	for _, r := range text {
		switch {
		case isDown(glfw.KeyKPAdd), isDown(glfw.KeyKPSubtract): // done above
		case r == '+', r == '=':
			k.typed = append(k.typed, glfw.KeyKPAdd)
		case r == '-', r == '_':
			k.typed = append(k.typed, glfw.KeyKPSubtract)
		}
	}
}

// write writes the keys as a recording has them.
func (k *keyboard) write(to *physecs.Keys) {
	to.Down, to.Pressed = to.Down[:0], to.Pressed[:0]
	for key := range k.down {
		to.Down = append(to.Down, keyNames[key])
	}
	slices.Sort(to.Down)
	for _, key := range k.typed {
		to.Pressed = append(to.Pressed, keyNames[key])
	}
}

// read takes in the keys of a recording's frame.
func (k *keyboard) read(from *physecs.Keys) {
	clear(k.down)
	for _, name := range from.Down {
		k.hold(keysByName[name])
	}
	k.typed = k.typed[:0]
	for _, name := range from.Pressed {
		k.typed = append(k.typed, keysByName[name])
	}
}

// checkKeys returns an error if a recording has keys that the sandbox does not know.
func checkKeys(frames []picking.Frame) error {
	for i := range frames {
		for _, name := range slices.Concat(frames[i].Keys.Down, frames[i].Keys.Pressed) {
			if _, ok := keysByName[name]; !ok {
				names := slices.Sorted(maps.Keys(keysByName))
				return fmt.Errorf("%q, at %v, is none of the keys %s", name, frames[i].Time, strings.Join(names, ", "))
			}
		}
	}
	return nil
}
