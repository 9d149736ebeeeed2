package picking

import (
	"strconv"

	"github.com/hitscan-go/hitscan/internal/enum"
)

// PointerID identifies a pointer among those that exist at the same time.
type PointerID uint32

// Mouse is the ID of the mouse, which always exists. A touch or a pen has any other ID for as long
// as it exists.
const Mouse PointerID = 0

// String returns "mouse" or the number.
func (id PointerID) String() string {
	if id == Mouse {
		return "mouse"
	}
	return strconv.FormatUint(uint64(id), 10)
}

// Button is a button of a pointing device. A touch is [Left].
type Button uint8

// The buttons, in the order in which their events come.
const (
	Left Button = iota
	Right
	Middle
	Back
	Forward
	numButtons
)

// String returns the name of the constant.
func (b Button) String() string { return enum.Name(b, "Left", "Right", "Middle", "Back", "Forward") }

// Buttons is a set of buttons.
type Buttons uint8

// ButtonSet returns the set of the given buttons. Buttons other than the constants have no effect.
func ButtonSet(buttons ...Button) Buttons {
	var s Buttons
	for _, b := range buttons {
		s = s.With(b)
	}
	return s
}

// With returns the set with b added.
func (s Buttons) With(b Button) Buttons { return s | 1<<b }

// Without returns the set with b removed.
func (s Buttons) Without(b Button) Buttons { return s &^ (1 << b) }

// Has reports whether b is in the set.
func (s Buttons) Has(b Button) bool { return s&(1<<b) != 0 }

// Mods is a set of modifier keys.
type Mods uint8

// The modifier keys.
const (
	ModShift Mods = 1 << iota
	ModControl
	ModAlt
	ModSuper // Windows, Command
)

// ToggleMods are the keys that usually make a click toggle the selection of its target.
const ToggleMods = ModShift | ModControl | ModSuper

// Has reports whether all of mods are in the set.
func (m Mods) Has(mods Mods) bool { return m&mods == mods }

// HasAny reports whether any of mods is in the set.
func (m Mods) HasAny(mods Mods) bool { return m&mods != 0 }
