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

// keyboard is the state of the keys in a frame, from the window or from a recording. It contains
// only keys that the sandbox uses. The zero keyboard is ready to use.
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

// listen reads the keys of a window's frame.
func (k *keyboard) listen(w *render.Window) { k.take(w.KeyDown, w.Typed(), w.Text()) }

// take sets the keys that are down, those pressed in this frame (repeats of a held key do not
// count), and the characters typed.
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
	// The keys of + and − depend on the keyboard layout; = is + without shift on many. They repeat
	// while held.
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

// write converts the keys to a recording's.
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

// read reads the keys of a recording's frame.
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

// checkKeys returns an error if a recording has keys unknown to the sandbox.
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
