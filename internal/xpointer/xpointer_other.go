//go:build !linux

package xpointer

import "fmt"

// Pointer is a connection to a display. It does not exist on this system.
type Pointer struct{}

// Open returns an error that wraps [ErrUnavailable].
func Open() (*Pointer, error) { return nil, fmt.Errorf("xpointer: Open: %w", ErrUnavailable) }

// Close does nothing.
func (p *Pointer) Close() {}

// Move returns ErrUnavailable.
func (p *Pointer) Move(int, int) error { return ErrUnavailable }

// MoveBy returns ErrUnavailable.
func (p *Pointer) MoveBy(int, int) error { return ErrUnavailable }

// Position returns ErrUnavailable.
func (p *Pointer) Position() (x, y int, err error) { return 0, 0, ErrUnavailable }

// Press returns ErrUnavailable.
func (p *Pointer) Press(Button) error { return ErrUnavailable }

// Release returns ErrUnavailable.
func (p *Pointer) Release(Button) error { return ErrUnavailable }

// Scroll returns ErrUnavailable.
func (p *Pointer) Scroll(int) error { return ErrUnavailable }

// KeyDown returns ErrUnavailable.
func (p *Pointer) KeyDown(Key) error { return ErrUnavailable }

// KeyUp returns ErrUnavailable.
func (p *Pointer) KeyUp(Key) error { return ErrUnavailable }
