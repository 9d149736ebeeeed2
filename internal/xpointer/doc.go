// Package xpointer moves the real pointer of an X11 display, presses its buttons and types keys
// through the XTEST extension. Programs get the same events as from a mouse and a keyboard. Images
// and tests of windows use it.
//
//	pointer, err := xpointer.Open()
//	...
//	x, y := window.GLFW().GetPos() // of the window's content, on the screen
//	err = pointer.Move(x+400, y+300)
//	window.WaitUntil(time.Minute, func() bool { … }) // wait for the event
//
// A call returns when the server has processed it. The window gets its events later.
package xpointer

import "errors"

// ErrUnavailable is wrapped by the error of [Open] if there is no pointer to move: on systems other
// than Linux, without an X11 display (as under Wayland alone), or with a server without XTEST.
var ErrUnavailable = errors.New("no X11 display with the XTEST extension")

// Button is a button of the pointer, with the number that X11 uses.
type Button byte

// The buttons.
const (
	Left   Button = 1
	Middle Button = 2
	Right  Button = 3
)

const (
	wheelUp   Button = 4
	wheelDown Button = 5
)

// Key is the X11 keysym of a key. For letters, digits and punctuation it is the ASCII character,
// letters in lower case.
type Key uint32

// Keys without a character.
const (
	Shift   Key = 0xffe1
	Control Key = 0xffe3
	Escape  Key = 0xff1b
	Tab     Key = 0xff09
	Enter   Key = 0xff0d
)
