package picking

import (
	"iter"
	"slices"
	"time"

	"github.com/hitscan-go/hitscan/physics"
)

// EventKind says what happened.
type EventKind uint8

// What a pointer can do to a target. In pairs, the first is always followed by the second, unless
// the target dies: Over and Out, Enter and Leave, Down and Up, DragStart and DragEnd, DragEnter and
// DragLeave, GotCapture and LostCapture.
const (
	// Over: the pointer came to be over the target, because it moved or because the world did.
	Over EventKind = iota
	// Out: the pointer is no longer over the target.
	Out
	// Enter: the pointer came to be over the target or one of its descendants, and was over none of
	// them. It does not bubble: each ancestor that is entered is told itself, the outermost first.
	Enter
	// Leave: the pointer is over neither the target nor any of its descendants any more. It does
	// not bubble: each ancestor that is left is told itself, the innermost first. After the death
	// of a descendant it comes without an Out.
	Leave
	// Move: the pointer moved over the target, or anywhere while the target has captured it.
	Move
	// Scroll: the wheel was turned over the target.
	Scroll
	// Down: a button went down over the target.
	Down
	// Up: a button that went down over the target went up, wherever the pointer is by now, or was
	// cancelled.
	Up
	// Click: a button went down and up over the target, and the pointer did not wander off in
	// between. It follows its Up. If the button went up over another target, both may have an
	// ancestor in common, the nearest of which is clicked then.
	Click
	// Cancel: what the pointer has begun is to be undone: the window lost the focus, a touch turned
	// into something else, or the pointer is gone while a button was down over the target. Up and
	// DragEnd follow, with Canceled.
	Cancel
	// DragStart: the pointer, with a button that went down over the target, went too far away for a
	// click. The hit is that of the press: where the target was taken hold of. The drag captures
	// the pointer, unless something has.
	DragStart
	// Drag: the target is being dragged. It comes every frame, also while the pointer is at rest,
	// since the camera may move.
	Drag
	// DragEnter: something else is dragged, and came to be over the target.
	DragEnter
	// DragOver: something else is dragged over the target. It comes every frame, after the Drag.
	DragOver
	// DragLeave: what is dragged is no longer over the target, or was dropped on it, or has died:
	// then without Related.
	DragLeave
	// Drop: something else was dragged and let go over the target.
	Drop
	// DragEnd: the target is no longer dragged. Related is what it was dropped on. It is the last
	// event of a drag but for LostCapture.
	DragEnd
	// GotCapture: the pointer belongs to the target from now on: see [Pointer.SetCapture].
	GotCapture
	// LostCapture: the pointer no longer belongs to the target. If the captor has died, the
	// background is told.
	LostCapture
	numKinds
)

var kindNames = [numKinds]string{
	"Over", "Out", "Enter", "Leave", "Move", "Scroll", "Down", "Up", "Click", "Cancel",
	"DragStart", "Drag", "DragEnter", "DragOver", "DragLeave", "Drop", "DragEnd", "GotCapture", "LostCapture",
}

// String returns the name of the constant.
func (k EventKind) String() string {
	if k < numKinds {
		return kindNames[k]
	}
	return "unknown"
}

// bubbles reports whether events of this kind are for the ancestors of their target too: all but
// Enter and Leave.
func (k EventKind) bubbles() bool { return k != Enter && k != Leave }

// Event is something that a pointer did to a target.
type Event[T comparable] struct {
	Kind   EventKind
	Target T // to whom it happened
	// Background is set where it happened to nothing: a Down, Up, Click, Move, Scroll or Cancel, or
	// a drag from where nothing was under the pointer, or a LostCapture of the dead. Target is the
	// zero T then. A click on the background is what clears a selection, and a drag from it draws a
	// marquee.
	Background bool

	// Path is the Target, its parent, and so on up: all who are told, in this order, unless one of
	// them calls Stop. It is empty for the background, shared, and valid until the pointer's next
	// update.
	Path []T
	// Current is who is told now: the Target, or the ancestor whose turn it is.
	Current T

	// Related is the other one concerned, if HasRelated is set: for Over and Enter what the pointer
	// left, for Out and Leave what it entered; for DragEnter, DragOver, DragLeave and Drop what is
	// dragged, and for Drag and DragEnd what is under it; for GotCapture who had it before and for
	// LostCapture who has it now.
	Related    T
	HasRelated bool

	Pointer PointerID
	Button  Button  // for Down, Up, Click, Cancel and all of a drag
	Buttons Buttons // that are down at the end of the frame
	Mods    Mods    // that are held

	// Count tells clicks from double and triple ones: 1, 2, 3 and so on, for Down, Up and Click.
	Count int
	// Canceled is set if it was not the user who ended it: for Up, DragLeave and DragEnd after a
	// Cancel.
	Canceled bool

	X, Y float64 // the pointer, in the units of the window, Y downward
	// DX and DY are how far it moved since the last frame; for Drag since the last Drag, the first
	// since the button went down, so that all of a drag add up.
	DX, DY float64
	// StartX and StartY are where the button went down, for events with a button.
	StartX, StartY float64
	// ScrollX and ScrollY are how far the wheel was turned, for Scroll: Y is positive away from the
	// user.
	ScrollX, ScrollY float64
	Time             time.Duration // of the input: see [Input]

	// Hit is where the target, or of Enter and Leave the descendant under the pointer, is met by
	// the pointer's ray; for Out and Leave it was so in the last frame, for DragStart when the
	// button went down. HasHit is false if that is not known: the pointer is elsewhere, or nobody
	// said where it hit. Of the background it is where a Backdrop was met, such as the ground: see
	// [Pointer.UpdatePicks].
	Hit    physics.Hit
	HasHit bool

	last int // where in Path the event was stopped, + 1
}

// Stop keeps the event from those further up than Current, of whom the background has none. Others
// for whom Current's turn is theirs too still get it.
func (e *Event[T]) Stop() { e.last = max(e.level(e.Current), 0) + 1 }

// Stopped reports whether somebody stopped the event on its way up.
func (e *Event[T]) Stopped() bool { return e.last > 0 }

// Reaches reports whether an event is for t: t is the target or one of its ancestors, and the event
// has not been stopped below it.
func (e *Event[T]) Reaches(t T) bool {
	i := e.level(t)
	return i >= 0 && (e.last == 0 || i < e.last)
}

// level returns the place of t in the path, −1 if it has none.
func (e *Event[T]) level(t T) int { return slices.Index(e.Path, t) }

// EventsOf returns those events of a list, in its order, that are for t: those that happened to it,
// and those that happened to its descendants and were not stopped on their way up. Current is t in
// each of them.
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
