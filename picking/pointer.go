package picking

import (
	"math"
	"time"
)

// Input is what a pointing device does in one frame.
type Input struct {
	X, Y float64 // the pointer, in the units of the window, Y downward

	// Inside is set while the pointer is over the view. It is not set while it is outside the
	// window, or over something before the view that wants the mouse for itself, such as a panel.
	Inside bool

	// Down is the set of buttons that are down at the end of the frame.
	Down Buttons

	// Pressed is the set of buttons that went down since the last frame, even if they are up again.
	// It may be left empty: only presses shorter than a frame are lost then.
	Pressed Buttons

	// Mods is the set of modifier keys that are held.
	Mods Mods

	// ScrollX and ScrollY are how far the wheel was turned since the last frame, in notches: Y is
	// positive away from the user, X to the right.
	ScrollX, ScrollY float64

	// Time is when that was, since any fixed moment. 0 means that nobody knows: there are no double
	// clicks then.
	Time time.Duration

	// Unfocused is set while the window has not the input focus. What was pressed and dragged is
	// cancelled, and presses do not count.
	Unfocused bool

	// Canceled is set in the frame in which a touch turns out to be something else, such as a
	// gesture of the system. What was pressed and dragged is cancelled, and nothing is hovered.
	Canceled bool
}

// What is taken for a click, unless a [Pointer] says otherwise.
const (
	// DefaultClickDistance is how far the pointer may wander between the press and the release of a
	// click, in the units of the window. Less loses the clicks of unsteady hands; more takes short
	// drags for clicks.
	DefaultClickDistance = 4
	// DefaultMultiClickTime is how long after the press of a click the next one may come to be the
	// second of a double click. It is what desktops have.
	DefaultMultiClickTime = 500 * time.Millisecond
)

// Pointer turns the state of a pointing device and what is under it, frame by frame, into events. T
// names what can be under it: an entity, a collider.
//
// The zero Pointer is ready. What it tells comes in pairs: see [EventKind]. Names and rules are
// those of the W3C's UI Events and Pointer Events (level 3), and those of bevy_picking for drags.
// In a browser it is otherwise that
//
//   - only the first button that goes down makes a pointerdown: here each has its Down and Up;
//   - who is under the pointer hears of the button that goes up: here who heard of it going down
//     does, and the other gets a Drop if something was dragged;
//   - a finger captures what it touches at once: here a drag does;
//   - a click of a captured pointer is the captor's: here it is the target's of the Down, as long
//     as that, or an ancestor of it, is hovered.
//
// More than one thing can be under a pointer, if those in front let it through: see [Pick]. What
// happens to the pointer then happens to each of them, the one in front first, and bubbles from
// each.
type Pointer[T comparable] struct {
	// ID is who the pointer is, for the events.
	ID PointerID

	// ClickDistance is how far the pointer may be from where the button went down, in the units of
	// the window, at any moment until it goes up, for that to be a click. Beyond it is a drag. 0
	// means [DefaultClickDistance], a negative number not at all: there are no clicks then, and
	// drags start with the first movement.
	ClickDistance float64
	// ClickTime is how long a button may be down for that to be a click. 0 means as long as the
	// user likes.
	ClickTime time.Duration
	// MultiClickTime is how long there may be between two presses of a double click. 0 means
	// [DefaultMultiClickTime], a negative number that there are none.
	MultiClickTime time.Duration

	// Alive, if not nil, reports whether a target still exists. It is asked at every update for
	// those that the pointer remembers, for those under it and for their ancestors. A target that
	// is dead gets no event any more.
	Alive func(T) bool
	// Parent, if not nil, returns whose child a target is, and false if nobody's. It is asked at
	// every update, so a target may change its parent. Those that are their own ancestors are told
	// once.
	Parent func(T) (T, bool)

	in     Input
	dx, dy float64 // since the last frame
	placed bool    // X and Y of in are known

	under []Pick[T] // what is under the pointer, in front first
	cover Pick[T]   // what the background is there, if it is Backdrop
	hover []Pick[T] // what is hovered: what is under it, or who has captured the pointer
	chain []T       // hover and its ancestors, outermost first: those that have been entered

	presses        [numButtons]press[T]
	clicks         [numButtons]click[T]
	captor         captor[T]
	nextCaptor     captor[T] // to be the captor from the next update on
	captureChanged bool      // wanted counts

	events []Event[T]
	paths  []T // of the events
	before []T // scratch
	one    [1]Pick[T]
}

// press is what is known of a button from when it goes down until it goes up.
type press[T comparable] struct {
	held     bool // the button is down
	ours     bool // it went down over the view, and a target, if it had one, is alive
	moved    bool // the pointer was too far away for a click
	dragging bool
	count    int
	time     time.Duration
	x, y     float64   // where it went down
	lx, ly   float64   // where the last Drag was
	targets  []Pick[T] // with the hits of that time; none: the background
	cover    Pick[T]   // of that time
	over     []T       // what the targets are dragged over
}

// click is the last click of a button.
type click[T comparable] struct {
	count  int
	target T
	ground bool // on the background
	time   time.Duration
	x, y   float64
}

// Hover returns what was under the pointer at the last update, in front, or who has captured it. ok
// is false if that was nothing.
func (p *Pointer[T]) Hover() (id T, ok bool) {
	if len(p.hover) == 0 {
		return id, false
	}
	return p.hover[0].Target, true
}

// Hovered returns all that is hovered, the one in front first: more than one if some let others
// through. It is shared and valid until the next update.
func (p *Pointer[T]) Hovered() []Pick[T] { return p.hover }

// Pressed returns the target over which a button went down that is still down. ok is false if there
// is none.
//
// Panics if there is no such button.
func (p *Pointer[T]) Pressed(b Button) (id T, ok bool) {
	if b >= numButtons {
		panic("picking: Pointer.Pressed: unknown button")
	}
	pr := &p.presses[b]
	if !pr.ours || len(pr.targets) == 0 {
		return id, false
	}
	return pr.targets[0].Target, true
}

// Dragged returns the target that is dragged with a button. ok is false if there is none.
//
// Panics if there is no such button.
func (p *Pointer[T]) Dragged(b Button) (id T, ok bool) {
	if b >= numButtons {
		panic("picking: Pointer.Dragged: unknown button")
	}
	if !p.presses[b].dragging {
		return id, false
	}
	return p.Pressed(b)
}

// Drags reports whether a target is dragged, with any button. Who picks should let the pointer
// through it: what it is dragged over is behind.
func (p *Pointer[T]) Drags(id T) bool {
	for b := range p.presses {
		if pr := &p.presses[b]; pr.dragging && indexOf(pr.targets, id) >= 0 {
			return true
		}
	}
	return false
}

// Update is [Pointer.UpdatePicks] with one target under the pointer, whose hit is not told; ok is
// false if there is none.
func (p *Pointer[T]) Update(in Input, hover T, ok bool) []Event[T] {
	if !ok {
		return p.UpdatePicks(in, nil)
	}
	p.one[0] = Pick[T]{Target: hover}
	return p.UpdatePicks(in, p.one[:])
}

// UpdatePicks tells the pointer the state of a frame and what is under it, as [MergePicks] leaves
// it, and returns what happened since the last frame. The slice is valid until the next update.
//
// A pick that is Backdrop, as [MergeCover] returns it, is not under the pointer: events of the
// background have its hit, and so tell where on the ground they happened.
//
// The order is always the same: a LostCapture of a captor that has died and a DragLeave of
// something dragged that has; LostCapture and GotCapture that were asked for; Cancel, Up,
// DragLeave, DragEnd, button by button, if the pointer was cancelled; DragStart and GotCapture,
// button by button; Out, Leave, Over, Enter; Move; Scroll; then button by button, in the order of
// the constants, Drag, DragLeave, DragEnter, DragOver and, as they came about, Down, Up, Click,
// Drop, DragLeave, DragEnd; and at last, if a captor lets go, LostCapture, Out, Leave, Over and
// Enter.
//
// Call it every frame, also while the pointer is at rest: things move under it.
func (p *Pointer[T]) UpdatePicks(in Input, picks []Pick[T]) []Event[T] {
	clear(p.events) // lets go of paths
	p.events, p.paths = p.events[:0], p.paths[:0]
	p.cover = Pick[T]{}
	lost := p.take(in)
	p.forgetDead()
	p.setUnder(picks)
	p.settleCapture()
	if p.in.Unfocused || p.in.Canceled {
		for b := Left; b < numButtons; b++ {
			p.cancel(b)
		}
		p.endCapture()
	}
	for b := Left; b < numButtons; b++ {
		p.startDrag(b, lost)
	}
	p.updateHover()
	p.move()
	for b := Left; b < numButtons; b++ {
		p.updateButton(b)
	}
	if p.endCapture() {
		p.updateHover()
	}
	return p.events
}

// take takes in the input of a frame. It reports whether the place of the pointer is lost: a place
// that is no number is none, so the last one stays.
func (p *Pointer[T]) take(in Input) (lost bool) {
	lost = !isFinite(in.X) || !isFinite(in.Y)
	if lost {
		in.X, in.Y, in.Inside = p.in.X, p.in.Y, false
	}
	p.dx, p.dy = 0, 0
	if p.placed && !lost {
		p.dx, p.dy = in.X-p.in.X, in.Y-p.in.Y
	}
	p.placed = p.placed || !lost
	if in.Canceled {
		in.Inside = false
	}
	p.in = in
	return lost
}

// look notes what is under the pointer.
func (p *Pointer[T]) setUnder(picks []Pick[T]) {
	p.under = p.under[:0]
	if !p.in.Inside {
		return
	}
	for i := range picks {
		if picks[i].Backdrop {
			p.cover = picks[i]
		} else if t := picks[i].Target; p.isAlive(t) && indexOf(p.under, t) < 0 {
			p.under = append(p.under, picks[i])
		}
	}
}

// move tells of movement and of the wheel.
func (p *Pointer[T]) move() {
	if p.dx != 0 || p.dy != 0 {
		p.emitHovered(Move)
	}
	if isFinite(p.in.ScrollX) && isFinite(p.in.ScrollY) && (p.in.ScrollX != 0 || p.in.ScrollY != 0) {
		first := len(p.events)
		p.emitHovered(Scroll)
		for i := first; i < len(p.events); i++ {
			p.events[i].ScrollX, p.events[i].ScrollY = p.in.ScrollX, p.in.ScrollY
		}
	}
}

// tell tells all that is hovered, or the background.
func (p *Pointer[T]) emitHovered(k EventKind) {
	for i := range p.hover {
		p.emit(k, &p.hover[i])
	}
	if len(p.hover) == 0 && p.in.Inside {
		p.emit(k, nil)
	}
}

func (p *Pointer[T]) isNear(x, y float64) bool {
	limit := p.ClickDistance
	if limit == 0 {
		limit = DefaultClickDistance
	}
	dx, dy := p.in.X-x, p.in.Y-y
	return math.Sqrt(float64(dx*dx)+float64(dy*dy)) <= limit
}

func (p *Pointer[T]) isAlive(id T) bool { return p.Alive == nil || p.Alive(id) }

// emit adds an event for a target, or for the background if that is nil.
func (p *Pointer[T]) emit(k EventKind, target *Pick[T]) *Event[T] {
	p.events = append(p.events, Event[T]{
		Kind: k, Background: target == nil, Pointer: p.ID, Buttons: p.in.Down, Mods: p.in.Mods,
		X: p.in.X, Y: p.in.Y, DX: p.dx, DY: p.dy, Time: p.in.Time,
	})
	e := &p.events[len(p.events)-1]
	if target == nil {
		e.Hit, e.HasHit = p.cover.Hit, p.cover.HasHit
	} else {
		e.Target, e.Current, e.Hit, e.HasHit = target.Target, target.Target, target.Hit, target.HasHit
		e.Path = p.path(e.Target, k.bubbles())
	}
	return e
}

// relate names the other one concerned.
func (e *Event[T]) relate(other []Pick[T]) {
	if len(other) > 0 {
		e.Related, e.HasRelated = other[0].Target, true
	}
}

// path returns a target and its ancestors, or it alone.
func (p *Pointer[T]) path(t T, up bool) []T {
	start := len(p.paths)
	p.paths = append(p.paths, t)
	if up {
		p.paths = p.appendAncestors(p.paths, t)
	}
	return p.paths[start:len(p.paths):len(p.paths)]
}

// appendAncestors appends the parent of t, its parent and so on, each once, up to the first that is
// dead. A circle is found as Brent (1980) does, which needs no memory.
func (p *Pointer[T]) appendAncestors(dst []T, t T) []T {
	if p.Parent == nil {
		return dst
	}
	start, mark, steps, limit := len(dst), t, 0, 8
	for at := t; ; {
		up, ok := p.Parent(at)
		if !ok || !p.isAlive(up) {
			return dst
		}
		if up == mark {
			return p.firstLap(dst, start, t)
		}
		dst = append(dst, up)
		at = up
		if steps++; steps == limit {
			mark, steps, limit = up, 0, 2*limit
		}
	}
}

// firstLap cuts a way up that goes in a circle down to where it first comes to one that it has met.
func (p *Pointer[T]) firstLap(dst []T, start int, t T) []T {
	for i := start; i < len(dst); i++ {
		if dst[i] == t {
			return dst[:i]
		}
		for j := start; j < i; j++ {
			if dst[i] == dst[j] {
				return dst[:i]
			}
		}
	}
	return dst
}
