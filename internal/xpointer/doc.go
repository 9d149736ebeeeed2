// Package xpointer moves the real pointer of an X11 display, presses its buttons and types keys,
// through the XTEST extension: programs receive the same events as from a user. Tests of windows
// and the pictures of the documentation use it.
//
//	pointer, err := xpointer.Open()
//	...
//	x, y := window.GLFW().GetPos() // of the window's client area, on the screen
//	err = pointer.Move(x+400, y+300)
//	window.WaitUntil(time.Second, func() bool { … }) // events arrive later: wait for them
//
// A call returns when the server has handled it, which is before a window has received its events.
package xpointer

import "errors"

// ErrUnavailable is wrapped by the error of [Open] where there is no pointer to move: on systems
// other than Linux, without an X11 display as under Wayland alone, or with a server that has no
// XTEST.
var ErrUnavailable = errors.New("no X11 display with the XTEST extension")

// Button is a button of the pointer, as X11 counts them.
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

// Key is a key by the symbol on it, as X11 names them: of letters, digits and punctuation the
// character itself in ASCII, letters in lower case.
type Key uint32

// Keys that have no character.
const (
	Shift   Key = 0xffe1
	Control Key = 0xffe3
	Escape  Key = 0xff1b
	Tab     Key = 0xff09
	Enter   Key = 0xff0d
)
