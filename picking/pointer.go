package picking

import (
	"math"
	"time"
)

// Input is the state of a pointing device in one frame.
type Input struct {
	X, Y float64 // window pixels, Y downward

	// Inside is set while the pointer is over the view: not outside the window, and not over
	// something in front of the view that takes the mouse, such as a panel.
	Inside bool

	// Down is the set of buttons that are down at the end of the frame.
	Down Buttons

	// Pressed is the set of buttons that went down since the last frame, even if they are up again.
	// If it is left empty, presses shorter than a frame are lost.
	Pressed Buttons

	// Mods is the set of modifier keys that are held.
	Mods Mods

	// ScrollX and ScrollY are the wheel's rotation since the last frame, in notches: Y is positive
	// away from the user, X to the right.
	ScrollX, ScrollY float64

	// Time is the time of the input since any fixed moment. 0 means unknown: there are no double
	// clicks then.
	Time time.Duration

	// Unfocused is set while the window does not have the input focus. Presses and drags are
	// cancelled, and new presses do not count.
	Unfocused bool

	// Canceled is set in the frame in which a touch turns into something else, such as a system
	// gesture. Presses and drags are cancelled, and nothing is hovered.
	Canceled bool
}

// Defaults of a [Pointer]'s limits for clicks.
const (
	// DefaultClickDistance is how far, in window pixels, the pointer may move between the press and
	// the release of a click. Less loses clicks of unsteady hands; more turns short drags into
	// clicks.
	DefaultClickDistance = 4
	// DefaultMultiClickTime is the longest time between the presses of a double click, as on common
	// desktops.
	DefaultMultiClickTime = 500 * time.Millisecond
)

// Pointer turns the state of a pointing device and what is under it, frame by frame, into events. T
// is the type of targets: an entity, a collider.
//
// The zero Pointer is ready for use. Its events come in pairs: see [EventKind]. Names and rules are
// those of the W3C's UI Events and Pointer Events (level 3), and those of bevy_picking for drags.
// The differences from a browser:
//
//   - In a browser only the first button that goes down makes a pointerdown. Here each button has
//     its Down and Up.
//   - In a browser the target under the pointer gets the pointerup. Here the target of the Down
//     gets the Up; another target gets a Drop if something was dragged.
//   - In a browser a finger captures its target at once. Here a drag captures.
//   - In a browser the captor gets the click of a captured pointer. Here the target of the Down
//     gets it, if that target or one of its ancestors is hovered.
//
// Several targets can be under a pointer, if those in front are Through: see [Pick]. Each of them
// then gets the events, the one in front first, and the events bubble from each. A Pointer is for
// one goroutine at a time.
type Pointer[T comparable] struct {
	// ID is the Pointer of the events.
	ID PointerID

	// ClickDistance is how far, in window pixels, the pointer may be from the place of the press,
	// at any time before the release, for a click. Farther away the press becomes a drag. 0 means
	// [DefaultClickDistance]. A negative number disables clicks, and drags start with the first
	// movement.
	ClickDistance float64
	// ClickTime is the longest time between press and release of a click. 0 means no limit.
	ClickTime time.Duration
	// MultiClickTime is the longest time between two presses of a double click. 0 means
	// [DefaultMultiClickTime]; a negative number disables double clicks.
	MultiClickTime time.Duration

	// Alive, if not nil, reports whether a target still exists. Each update calls it for the
	// targets that the pointer holds, for those under it, and for their ancestors. A dead target
	// gets no events.
	Alive func(T) bool
	// Parent, if not nil, returns the parent of a target, and false if it has none. Each update
	// calls it, so a target may change its parent. In a cycle of parents each target gets an event
	// once.
	Parent func(T) (T, bool)

	in     Input
	dx, dy float64 // since the last frame
	placed bool    // X and Y of in are valid

	under []Pick[T] // what is under the pointer, the one in front first
	cover Pick[T]   // the cover there, if its Cover is set
	hover []Pick[T] // what is hovered: under, or the captor
	chain []T       // hover and its ancestors, outermost first: the targets that have been entered

	presses        [numButtons]press[T]
	clicks         [numButtons]click[T]
	captor         captor[T]
	nextCaptor     captor[T] // the captor from the next update on
	captureChanged bool      // nextCaptor is set

	events []Event[T]
	paths  []T // paths of the events
	before []T // scratch
	one    [1]Pick[T]
}

// press is the state of a button from when it goes down until it goes up.
type press[T comparable] struct {
	held bool // the button is down
	// The button went down over the view, and at least one of its targets, if it had any, is alive.
	active   bool
	moved    bool // the pointer has been too far away for a click
	dragging bool
	count    int
	time     time.Duration
	x, y     float64   // place of the press, window pixels
	lx, ly   float64   // place of the last Drag, window pixels
	targets  []Pick[T] // with their hits at the press; empty: the background
	cover    Pick[T]   // at the press
	over     []T       // the targets under what is dragged
}

// click is the last click of a button.
type click[T comparable] struct {
	count  int
	target T
	ground bool // on the background
	time   time.Duration
	x, y   float64
}

// Hover returns the foremost target that is hovered since the last update: the one under the
// pointer, or the captor. ok is false if there is none.
func (p *Pointer[T]) Hover() (id T, ok bool) {
	if len(p.hover) == 0 {
		return id, false
	}
	return p.hover[0].Target, true
}

// Hovered returns all hovered targets, the one in front first: more than one if some are Through.
// The slice is shared and valid until the next update.
func (p *Pointer[T]) Hovered() []Pick[T] { return p.hover }

// Pressed returns the foremost target of a button that is down. ok is false if the button is up or
// went down on the background.
//
// Panics if b is not one of the constants.
func (p *Pointer[T]) Pressed(b Button) (id T, ok bool) {
	if b >= numButtons {
		panic("picking: Pointer.Pressed: unknown button")
	}
	pr := &p.presses[b]
	if !pr.active || len(pr.targets) == 0 {
		return id, false
	}
	return pr.targets[0].Target, true
}

// Dragged returns the foremost target dragged with a button. ok is false if there is none.
//
// Panics if b is not one of the constants.
func (p *Pointer[T]) Dragged(b Button) (id T, ok bool) {
	if b >= numButtons {
		panic("picking: Pointer.Dragged: unknown button")
	}
	if !p.presses[b].dragging {
		return id, false
	}
	return p.Pressed(b)
}

// Drags reports whether a target is dragged, with any button. A picker should ignore such a target,
// so that the pointer finds what it is dragged over.
func (p *Pointer[T]) Drags(id T) bool {
	for b := range p.presses {
		if pr := &p.presses[b]; pr.dragging && indexOf(pr.targets, id) >= 0 {
			return true
		}
	}
	return false
}

// Update is [Pointer.UpdatePicks] with at most one target under the pointer and without hits. ok is
// false if there is no target.
func (p *Pointer[T]) Update(in Input, hover T, ok bool) []Event[T] {
	if !ok {
		return p.UpdatePicks(in, nil)
	}
	p.one[0] = Pick[T]{Target: hover}
	return p.UpdatePicks(in, p.one[:])
}

// UpdatePicks takes the state of a frame and the picks under the pointer, as [MergePicks] returns
// them, and returns the events since the last frame. The slice is valid until the next update.
//
// A pick with Cover, as [MergeCover] returns it, is not a target: events of the background
// carry its hit, for example the place on the ground.
//
// The order of the events is fixed:
//
//   - LostCapture of a captor that died, DragLeave of dragged targets that died
//   - LostCapture and GotCapture of [Pointer.SetCapture] and [Pointer.ReleaseCapture]
//   - if the pointer was cancelled: Cancel, Up, DragLeave, DragEnd, button by button
//   - DragStart and GotCapture, button by button
//   - Out, Leave, Over, Enter; Move; Scroll
//   - button by button, in the order of the constants: Drag, DragLeave, DragEnter, DragOver, then
//     in the order in which they happened Down, Up, Click, Drop, DragLeave, DragEnd
//   - if a capture ends: LostCapture, Out, Leave, Over, Enter
//
// Call it every frame, even while the pointer does not move: the world may move under it.
func (p *Pointer[T]) UpdatePicks(in Input, picks []Pick[T]) []Event[T] {
	clear(p.events) // releases the paths to the garbage collector
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

// take stores the input of a frame. It reports whether the place of the pointer is unknown: if X or
// Y is not finite, the last place stays.
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

// setUnder stores what is under the pointer.
func (p *Pointer[T]) setUnder(picks []Pick[T]) {
	p.under = p.under[:0]
	if !p.in.Inside {
		return
	}
	for i := range picks {
		if picks[i].Cover {
			p.cover = picks[i]
		} else if t := picks[i].Target; p.isAlive(t) && indexOf(p.under, t) < 0 {
			p.under = append(p.under, picks[i])
		}
	}
}

// move adds the events of movement and of the wheel.
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

// emitHovered adds an event for each hovered target, or for the background if there is none.
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

// emit adds an event for a target, or for the background if target is nil.
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

// relate sets Related to the foremost of the other targets.
func (e *Event[T]) relate(other []Pick[T]) {
	if len(other) > 0 {
		e.Related, e.HasRelated = other[0].Target, true
	}
}

// path returns a target and, if up is set, its ancestors.
func (p *Pointer[T]) path(t T, up bool) []T {
	start := len(p.paths)
	p.paths = append(p.paths, t)
	if up {
		p.paths = p.appendAncestors(p.paths, t)
	}
	return p.paths[start:len(p.paths):len(p.paths)]
}

// appendAncestors appends the parent of t, its parent and so on, each once, up to the first dead
// one. Cycles are detected by Brent's algorithm (1980), which needs no memory.
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

// firstLap cuts a cyclic chain of ancestors before the first target that repeats.
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
