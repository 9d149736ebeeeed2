package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// keyboard is the state of the keys in a frame, from the window or from a recording. It contains
// only keys that the sandbox uses. The zero keyboard is ready to use.
type keyboard struct {
	down  map[string]bool
	typed []string // that went down, in order
}

// usedKeys are the keys that the sandbox uses: those of package render, and Plus and Minus wherever
// the keyboard has them.
var usedKeys = strings.Fields("0 1 2 3 4 5 6 7 8 9 A B C D E F G H I J K L M N O P Q R S T U V W X Y Z " +
	"Escape Space Left Right Up Down LeftShift RightShift Plus Minus")

// used returns the sandbox's name of a key of package render, and false if it does not use the key.
func used(key string) (string, bool) {
	switch key {
	case "PadAdd":
		key = "Plus"
	case "PadSubtract":
		key = "Minus"
	case "Minus": // where a US keyboard has it; others write something else there
		return "", false
	}
	return key, slices.Contains(usedKeys, key)
}

func (k *keyboard) isDown(key string) bool { return k.down[key] }

func (k *keyboard) hold(key string) {
	if k.down == nil {
		k.down = map[string]bool{}
	}
	k.down[key] = true
}

// listen reads the keys of a window's frame.
func (k *keyboard) listen(w *render.Window) { k.take(w.Keys().Down, w.Typed(), w.Text()) }

// take sets the keys that are down, those pressed in this frame (repeats of a held key do not
// count), and the characters typed.
func (k *keyboard) take(down, typed []string, text []rune) {
	k.typed = k.typed[:0]
	for _, name := range typed {
		if key, ok := used(name); ok && !k.down[key] {
			k.typed = append(k.typed, key)
			if slices.Contains(down, name) {
				k.hold(key)
			}
		}
	}
	maps.DeleteFunc(k.down, func(key string, _ bool) bool {
		return !slices.ContainsFunc(down, func(name string) bool { n, _ := used(name); return n == key })
	})
	// The keys of + and − depend on the keyboard layout; = is + without shift on many. They repeat
	// while held.
	for _, r := range text {
		switch {
		case k.down["Plus"], k.down["Minus"]: // done above
		case r == '+', r == '=':
			k.typed = append(k.typed, "Plus")
		case r == '-', r == '_':
			k.typed = append(k.typed, "Minus")
		}
	}
}

// write converts the keys to a recording's.
func (k *keyboard) write(to *physecs.Keys) {
	to.Down, to.Pressed = to.Down[:0], to.Pressed[:0]
	for key := range k.down {
		to.Down = append(to.Down, key)
	}
	slices.Sort(to.Down)
	to.Pressed = append(to.Pressed, k.typed...)
}

// read reads the keys of a recording's frame.
func (k *keyboard) read(from *physecs.Keys) {
	clear(k.down)
	for _, name := range from.Down {
		k.hold(name)
	}
	k.typed = append(k.typed[:0], from.Pressed...)
}

// checkKeys returns an error if a recording has keys unknown to the sandbox.
func checkKeys(frames []picking.Frame) error {
	for i := range frames {
		for _, name := range slices.Concat(frames[i].Keys.Down, frames[i].Keys.Pressed) {
			if !slices.Contains(usedKeys, name) {
				return fmt.Errorf("%q, at %v, is none of the keys %s", name, frames[i].Time, strings.Join(usedKeys, ", "))
			}
		}
	}
	return nil
}
