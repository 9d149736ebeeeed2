package picking

import (
	"iter"
	"slices"
	"time"

	"github.com/hitscan-go/hitscan/internal/enum"
	"github.com/hitscan-go/hitscan/physics"
)

// EventKind is the kind of an [Event].
type EventKind uint8

// The kinds of events. In each pair the first is always followed by the second, unless the target
// dies: Over and Out, Enter and Leave, Down and Up, DragStart and DragEnd, DragEnter and DragLeave,
// GotCapture and LostCapture.
const (
	// Over: the pointer is over the target now, because the pointer moved or the world did.
	Over EventKind = iota
	// Out: the pointer is no longer over the target.
	Out
	// Enter: the pointer is now over the target or one of its descendants, and was over none of
	// them. It does not bubble: each entered ancestor gets its own Enter, the outermost first.
	Enter
	// Leave: the pointer is no longer over the target or any of its descendants. It does not
	// bubble: each ancestor gets its own Leave, the innermost first. After the death of a
	// descendant it comes without an Out.
	Leave
	// Move: the pointer moved over the target, or anywhere while the target has captured it.
	Move
	// Scroll: the wheel was turned over the target.
	Scroll
	// Down: a button went down over the target.
	Down
	// Up: a button that went down over the target went up, wherever the pointer is, or was
	// cancelled.
	Up
	// Click: a button went down and up over the target, and the pointer stayed near the place of
	// the press. It follows its Up. If the button went up over another target, the lowest common
	// ancestor of both, if there is one, gets the Click.
	Click
	// Cancel: undo what the press or drag began. The window lost the focus, a touch turned into
	// something else, or the pointer vanished while a button was down over the target. Up and
	// DragEnd follow, with Canceled.
	Cancel
	// DragStart: a button is down over the target, and the pointer moved too far away for a click.
	// The hit is that of the press, where the target was grabbed. The drag captures the pointer,
	// unless it has a captor.
	DragStart
	// Drag: the target is being dragged. It comes every frame, even while the pointer does not
	// move, since the camera may move.
	Drag
	// DragEnter: another target is dragged, and is now over this one.
	DragEnter
	// DragOver: another target is dragged over this one. It comes every frame, after the Drag.
	DragOver
	// DragLeave: what is dragged is no longer over the target, or was dropped on it, or died. In
	// the last case it has no Related.
	DragLeave
	// Drop: another target was dragged over this one, and the button went up.
	Drop
	// DragEnd: the target is no longer dragged. Related is what it was dropped on. It is the last
	// event of a drag except LostCapture.
	DragEnd
	// GotCapture: the target has captured the pointer: see [Pointer.SetCapture].
	GotCapture
	// LostCapture: the target's capture has ended. If the captor has died, the event goes to the
	// background.
	LostCapture
	numKinds
)

var kindNames = [numKinds]string{
	"Over", "Out", "Enter", "Leave", "Move", "Scroll", "Down", "Up", "Click", "Cancel",
	"DragStart", "Drag", "DragEnter", "DragOver", "DragLeave", "Drop", "DragEnd", "GotCapture", "LostCapture",
}

// String returns the name of the constant.
func (k EventKind) String() string { return enum.Name(k, kindNames[:]...) }

// bubbles reports whether events of this kind also go to the ancestors of their target: all kinds
// except Enter and Leave.
func (k EventKind) bubbles() bool { return k != Enter && k != Leave }

// Event is something that a pointer did to a target, or to the background.
type Event[T comparable] struct {
	Kind   EventKind
	Target T // zero if Background is set
	// Background is set if there was no target: for a Down, Up, Click, Move, Scroll or Cancel, or a
	// drag, with nothing under the pointer, or for the LostCapture of a dead target. A click on the
	// background usually clears a selection, and a drag from it draws a marquee.
	Background bool

	// Path is the Target, its parent, and so on up: the targets that get the event, in this order,
	// until one calls Stop. It is empty for the background. It is shared and valid until the
	// pointer's next update.
	Path []T
	// Current is the target that gets the event now: the Target or one of its ancestors.
	Current T

	// Related is the other target, if HasRelated is set: for Over and Enter the one the pointer
	// left, for Out and Leave the one it entered; for DragEnter, DragOver, DragLeave and Drop the
	// one that is dragged; for Drag and DragEnd the one under it; for GotCapture the captor before
	// and for LostCapture the captor after.
	Related    T
	HasRelated bool

	Pointer PointerID
	Button  Button  // for Down, Up, Click, Cancel and all of a drag
	Buttons Buttons // down at the end of the frame
	Mods    Mods    // held

	// Count is 1 for a click, 2 for a double click, 3 for a triple click and so on: for Down, Up
	// and Click.
	Count int
	// Canceled is set if the press did not end by the user: for Cancel, Up, DragLeave and DragEnd
	// of a cancelled pointer.
	Canceled bool

	X, Y float64 // window pixels, Y downward
	// DX and DY are the movement since the last frame, in window pixels; for Drag since the last
	// Drag, and for the first Drag since the press, so that they add up to the whole drag.
	DX, DY float64
	// StartX and StartY are the place of the press, in window pixels, for events with a button.
	StartX, StartY float64
	// ScrollX and ScrollY are the wheel's rotation in notches, for Scroll: Y is positive away from
	// the user.
	ScrollX, ScrollY float64
	Time             time.Duration // see [Input]

	// Hit is where the pointer's ray hits the target, or for Enter and Leave the descendant under
	// the pointer. For Out and Leave it is the hit of the last frame, for DragStart that of the
	// press. HasHit is false if it is unknown: the pointer is elsewhere, or the backend gave no
	// hit. For the background it is the hit of a pick with Cover, such as the ground: see
	// [Pointer.UpdatePicks].
	Hit    physics.Hit
	HasHit bool

	last int // index in Path after which the event was stopped, + 1; 0: not stopped
}

// Stop keeps the event from the ancestors of Current. Other handlers of Current still get it. It
// has no effect on an event of the background.
func (e *Event[T]) Stop() { e.last = max(e.level(e.Current), 0) + 1 }

// Stopped reports whether Stop has been called.
func (e *Event[T]) Stopped() bool { return e.last > 0 }

// Reaches reports whether t gets the event: t is the target or one of its ancestors, and the event
// has not been stopped below it.
func (e *Event[T]) Reaches(t T) bool {
	i := e.level(t)
	return i >= 0 && (e.last == 0 || i < e.last)
}

// level returns the index of t in the path, −1 if it is not in it.
func (e *Event[T]) level(t T) int { return slices.Index(e.Path, t) }

// EventsOf returns the events of list that t gets, in their order: those of t itself, and those of
// its descendants that were not stopped below t. Current is t in each of them.
func EventsOf[T comparable](list []Event[T], t T) iter.Seq[*Event[T]] {
	return func(yield func(*Event[T]) bool) {
		for i := range list {
			e := &list[i]
			if !e.Reaches(t) {
				continue
			}
			e.Current = t
			if !yield(e) {
				return
			}
		}
	}
}
