package picking

import "math"

// Button is a button of a pointing device.
type Button uint8

// The buttons, in the order in which their events come.
const (
	Left Button = iota
	Right
	Middle
	numButtons
)

// String returns the name of the constant.
func (b Button) String() string {
	switch b {
	case Left:
		return "Left"
	case Right:
		return "Right"
	case Middle:
		return "Middle"
	}
	return "unknown"
}

// Buttons is a set of buttons.
type Buttons uint8

// ButtonSet returns the set of the given buttons.
func ButtonSet(buttons ...Button) Buttons {
	var s Buttons
	for _, b := range buttons {
		s = s.With(b)
	}
	return s
}

// With returns the set with b in it.
func (s Buttons) With(b Button) Buttons { return s | 1<<b }

// Without returns the set without b.
func (s Buttons) Without(b Button) Buttons { return s &^ (1 << b) }

// Has reports whether b is in the set.
func (s Buttons) Has(b Button) bool { return s&(1<<b) != 0 }

// Input is what the pointing device does in one frame.
type Input struct {
	X, Y float64 // the cursor, in the units of the window, Y downward

	// Inside is set while the cursor is over the view. It is not set while the cursor is outside the window, or over
	// something before the view that wants the mouse for itself, such as a panel.
	Inside bool

	// Down is the set of buttons that are down at the end of the frame.
	Down Buttons

	// Pressed is the set of buttons that went down since the last frame, even if they are up again. It may be left
	// empty: only presses shorter than a frame are lost then.
	Pressed Buttons

	// Unfocused is set while the window has not the input focus. Buttons count as up, and what was pressed ends without
	// a click.
	Unfocused bool
}

// EventKind says what happened.
type EventKind uint8

const (
	// Over: the cursor came to be over the target, because it moved or because the world did.
	Over EventKind = iota
	// Out: the cursor is no longer over the target.
	Out
	// Down: a button went down over the target.
	Down
	// Up: a button that went down over the target went up, wherever the cursor is by now.
	Up
	// Click: a button went down and up over the target, and the cursor did not wander off in between. It follows its Up.
	Click
)

// String returns the name of the constant.
func (k EventKind) String() string {
	switch k {
	case Over:
		return "Over"
	case Out:
		return "Out"
	case Down:
		return "Down"
	case Up:
		return "Up"
	case Click:
		return "Click"
	}
	return "unknown"
}

// Event is something that the pointer did to a target.
type Event[T comparable] struct {
	Kind   EventKind
	Target T
	// Background is set on a Down, Up or Click where nothing was under the cursor; Target is the zero T then. A click on
	// the background is what clears a selection.
	Background bool
	Button     Button  // for Down, Up and Click
	X, Y       float64 // the cursor, in the units of the window
}

// DefaultClickDistance is how far the cursor may wander between the press and the release of a click, in the units of the
// window. Less loses the clicks of unsteady hands; more takes short drags for clicks.
const DefaultClickDistance = 4

// Pointer turns the state of a pointing device and what is under it, frame by frame, into events. T names what can be
// under it: an entity, a collider.
//
// The zero Pointer is ready. Every Down is followed by one Up for the same target and button, unless the target dies; a
// Click comes straight after its Up. Every Over is followed by an Out, unless the target dies.
type Pointer[T comparable] struct {
	// ClickDistance is how far the cursor may be from where the button went down, in the units of the window, at any
	// moment until it goes up, for that to be a click. 0 means [DefaultClickDistance], a negative number not at all.
	ClickDistance float64

	// Alive, if not nil, reports whether a target still exists. It is asked at every update for those that the pointer
	// remembers and for the one that is hovered. A target that is dead gets no event any more.
	Alive func(T) bool

	hover   target[T]
	presses [numButtons]press[T]
	events  []Event[T]
}

// target is what is under the cursor; ok is false if that is nothing.
type target[T comparable] struct {
	id T
	ok bool
}

// press is what is known of a button from when it goes down until it goes up.
type press[T comparable] struct {
	held   bool // the button is down
	ours   bool // it went down over the view, and its target, if it has one, is alive
	moved  bool // the cursor was too far away for a click
	target target[T]
	x, y   float64 // where it went down
}

// Hover returns what was under the cursor at the last update. ok is false if that was nothing.
func (p *Pointer[T]) Hover() (id T, ok bool) { return p.hover.id, p.hover.ok }

// Pressed returns the target over which a button went down that is still down. ok is false if there is none.
//
// Panics if the button is none of [Left], [Right] and [Middle].
func (p *Pointer[T]) Pressed(b Button) (id T, ok bool) {
	if b >= numButtons {
		panic("picking: Pointer.Pressed: unknown button")
	}
	pr := &p.presses[b]
	return pr.target.id, pr.ours && pr.target.ok
}

// Update tells the pointer the state of a frame and what is under the cursor; ok is false if that is nothing. It returns
// what happened since the last frame, in a fixed order: Out, Over, and then button by button, in the order of the
// constants, Down, Up and Click as they came about. The slice is valid until the next update.
//
// Call it every frame, also while the mouse is at rest: things move under it.
func (p *Pointer[T]) Update(in Input, hover T, ok bool) []Event[T] {
	p.events = p.events[:0]
	p.forgetDead()

	now := target[T]{hover, ok && in.Inside && p.isAlive(hover)}
	if !now.ok {
		now = target[T]{}
	}
	if now != p.hover {
		if p.hover.ok {
			p.emit(Out, p.hover, 0, in)
		}
		if now.ok {
			p.emit(Over, now, 0, in)
		}
		p.hover = now
	}
	for b := Left; b < numButtons; b++ {
		p.updateButton(b, in)
	}
	return p.events
}

// updateButton lets a button go up and down as often as it takes to explain what was seen of it.
func (p *Pointer[T]) updateButton(b Button, in Input) {
	pr := &p.presses[b]
	down, pressed := in.Down.Has(b) && !in.Unfocused, in.Pressed.Has(b) && !in.Unfocused
	if pr.held {
		pr.moved = pr.moved || !p.isNear(pr, in)
		if pressed || !down {
			p.release(b, in)
		}
	}
	if !pr.held && (pressed || down) {
		*pr = press[T]{held: true, ours: in.Inside, x: in.X, y: in.Y}
		if pr.ours {
			pr.target = p.hover
			p.emit(Down, pr.target, b, in)
		}
	}
	if pr.held && !down {
		p.release(b, in)
	}
}

func (p *Pointer[T]) release(b Button, in Input) {
	pr := p.presses[b]
	p.presses[b] = press[T]{}
	if !pr.ours {
		return
	}
	p.emit(Up, pr.target, b, in)
	if in.Inside && !in.Unfocused && !pr.moved && pr.target == p.hover {
		p.emit(Click, pr.target, b, in)
	}
}

func (p *Pointer[T]) isNear(pr *press[T], in Input) bool {
	limit := p.ClickDistance
	if limit == 0 {
		limit = DefaultClickDistance
	}
	dx, dy := in.X-pr.x, in.Y-pr.y
	return math.Sqrt(float64(dx*dx)+float64(dy*dy)) <= limit // false for a NaN
}

func (p *Pointer[T]) isAlive(id T) bool { return p.Alive == nil || p.Alive(id) }

// forgetDead drops the targets that no longer exist. A button that is down over one is nobody's until it goes up: what
// comes to light behind the dead target must not be clicked by a press that was not meant for it.
func (p *Pointer[T]) forgetDead() {
	if p.hover.ok && !p.isAlive(p.hover.id) {
		p.hover = target[T]{}
	}
	for b := range p.presses {
		pr := &p.presses[b]
		if pr.target.ok && !p.isAlive(pr.target.id) {
			*pr = press[T]{held: true}
		}
	}
}

func (p *Pointer[T]) emit(k EventKind, t target[T], b Button, in Input) {
	p.events = append(p.events, Event[T]{Kind: k, Target: t.id, Background: !t.ok, Button: b, X: in.X, Y: in.Y})
}
