package picking

import "slices"

// Hovering, capture, and the removal of dead targets.

// captor is the target that has captured a pointer.
type captor[T comparable] struct {
	ok     bool
	ground bool // captured by a drag from the background: nothing is hovered
	drag   bool // captured by a drag, until it ends
	button Button
	target T
}

// SetCapture makes a target the captor of the pointer from the next update on. The captor is the
// only target hovered, wherever the pointer is, and gets the pointer's events, until all buttons
// are up, the pointer is cancelled, [Pointer.ReleaseCapture] is called or another target captures
// the pointer. GotCapture and LostCapture mark begin and end. A drag captures the pointer for its
// target.
//
// It does nothing and returns false if no button is down that went down over the view, or if the
// target is dead.
func (p *Pointer[T]) SetCapture(id T) bool {
	if !p.isHeld() || !p.isAlive(id) {
		return false
	}
	p.nextCaptor, p.captureChanged = captor[T]{ok: true, target: id}, true
	return true
}

// ReleaseCapture ends the capture at the next update, including that of a drag; the drag goes on.
func (p *Pointer[T]) ReleaseCapture() { p.nextCaptor, p.captureChanged = captor[T]{}, true }

// Captor returns the target that has captured the pointer. ok is false if there is none.
func (p *Pointer[T]) Captor() (id T, ok bool) {
	return p.captor.target, p.captor.ok && !p.captor.ground
}

// isHeld reports whether a button is down that went down over the view, on a target that is alive
// or on the background.
func (p *Pointer[T]) isHeld() bool {
	for b := range p.presses {
		if p.presses[b].active {
			return true
		}
	}
	return false
}

// settleCapture applies the last call of SetCapture or ReleaseCapture.
func (p *Pointer[T]) settleCapture() {
	if !p.captureChanged {
		return
	}
	p.captureChanged = false
	if w := p.nextCaptor; !w.ok || p.isAlive(w.target) {
		p.capture(w)
	}
}

// capture changes the captor and adds LostCapture and GotCapture, unless the target stays the same.
func (p *Pointer[T]) capture(c captor[T]) {
	was := p.captor
	p.captor = c
	oldOK, newOK := was.ok && !was.ground, c.ok && !c.ground
	if oldOK && newOK && was.target == c.target {
		return
	}
	if oldOK {
		e := p.emitTo(LostCapture, was.target)
		if newOK {
			e.Related, e.HasRelated = c.target, true
		}
	}
	if newOK {
		e := p.emitTo(GotCapture, c.target)
		if oldOK {
			e.Related, e.HasRelated = was.target, true
		}
	}
}

// endCapture ends the capture when its drag has ended or all buttons are up, and reports whether it
// did.
func (p *Pointer[T]) endCapture() bool {
	c := &p.captor
	if !c.ok || c.drag && p.presses[c.button].dragging || !c.drag && p.isHeld() {
		return false
	}
	p.capture(captor[T]{})
	return true
}

// emitTo adds an event for a target, with its current hit if it is under the pointer.
func (p *Pointer[T]) emitTo(k EventKind, t T) *Event[T] {
	pick := Pick[T]{Target: t}
	if i := indexOf(p.under, t); i >= 0 {
		pick = p.under[i]
	}
	return p.emit(k, &pick)
}

// updateHover updates what is hovered and adds Out and Leave for targets that no longer are, Over
// and Enter for those that were not.
func (p *Pointer[T]) updateHover() {
	now := p.under
	if c := &p.captor; c.ok && c.ground {
		now = nil
	} else if c.ok {
		p.one[0] = Pick[T]{Target: c.target}
		if i := indexOf(p.under, c.target); i >= 0 {
			p.one[0] = p.under[i]
		}
		now = p.one[:]
	}
	for i := range p.hover {
		if indexOf(now, p.hover[i].Target) < 0 {
			p.emit(Out, &p.hover[i]).relate(now)
		}
	}
	p.before = append(p.before[:0], p.chain...)
	p.chain = p.appendChain(p.chain[:0], now)
	same := slices.Equal(p.before, p.chain)
	for _, t := range slices.Backward(p.before) {
		if !same && !slices.Contains(p.chain, t) {
			pick := seenOf(p.hover, t)
			p.emit(Leave, &pick).relate(now)
		}
	}
	for i := range now {
		if indexOf(p.hover, now[i].Target) < 0 {
			p.emit(Over, &now[i]).relate(p.hover)
		}
	}
	for _, t := range p.chain {
		if !same && !slices.Contains(p.before, t) {
			pick := seenOf(now, t)
			p.emit(Enter, &pick).relate(p.hover)
		}
	}
	p.hover = append(p.hover[:0], now...)
}

// seenOf returns a pick of t with its own hit, or with that of the foremost target, which may be
// its descendant.
func seenOf[T comparable](hover []Pick[T], t T) (pick Pick[T]) {
	if i := indexOf(hover, t); i >= 0 {
		pick = hover[i]
	} else if len(hover) > 0 {
		pick = hover[0]
	}
	pick.Target = t
	return pick
}

// appendChain appends the targets of picks and their ancestors, each once, ancestors before
// descendants.
func (p *Pointer[T]) appendChain(dst []T, picks []Pick[T]) []T {
	for i := range slices.Backward(picks) {
		start := len(p.paths) // borrowed as scratch
		for _, t := range slices.Backward(p.path(picks[i].Target, true)) {
			if !slices.Contains(dst, t) {
				dst = append(dst, t)
			}
		}
		p.paths = p.paths[:start]
	}
	return dst
}

// forgetDead drops targets that no longer exist. A press whose targets have all died is inactive
// until its button goes up: a target that was behind the dead one must not get the click of a press
// that was not meant for it.
func (p *Pointer[T]) forgetDead() {
	if p.Alive == nil {
		return
	}
	dead := func(pick Pick[T]) bool { return !p.Alive(pick.Target) }
	gone := func(t T) bool { return !p.Alive(t) }
	p.hover = slices.DeleteFunc(p.hover, dead)
	p.chain = slices.DeleteFunc(p.chain, gone)
	if c := &p.captor; c.ok && !c.ground && gone(c.target) {
		p.captor = captor[T]{}
		p.emit(LostCapture, nil)
	}
	for b := Left; b < numButtons; b++ {
		pr := &p.presses[b]
		pr.over = slices.DeleteFunc(pr.over, gone)
		n := len(pr.targets)
		pr.targets = slices.DeleteFunc(pr.targets, dead)
		for range n - len(pr.targets) {
			p.emitOver(DragLeave, b, nil)
		}
		if n > 0 && len(pr.targets) == 0 {
			pr.reset()
			pr.held = true
		}
	}
}

// forget resets the pointer to its initial state and keeps its buffers.
func (p *Pointer[T]) forget() {
	q := Pointer[T]{
		under: p.under[:0], hover: p.hover[:0], chain: p.chain[:0],
		events: p.events, paths: p.paths, before: p.before, presses: p.presses,
	}
	for b := range q.presses {
		q.presses[b].reset()
	}
	*p = q
}
