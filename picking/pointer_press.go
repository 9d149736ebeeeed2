package picking

import "slices"

// Buttons: presses, clicks and drags.

// reset makes a press inactive and keeps its buffers.
func (pr *press[T]) reset() {
	*pr = press[T]{targets: pr.targets[:0], over: pr.over[:0]}
}

// updateButton replays the presses and releases of a button since the last frame: as many as
// explain its state in both frames and whether it was pressed in between.
func (p *Pointer[T]) updateButton(b Button) {
	pr := &p.presses[b]
	down, pressed := p.in.Down.Has(b), p.in.Pressed.Has(b)
	if p.in.Unfocused || p.in.Canceled {
		pr.held = down // inactive until it is up
		return
	}
	if pr.held {
		p.drag(b)
		if pressed || !down {
			p.release(b)
		}
	}
	if !pr.held && (pressed || down) {
		p.press(b)
	}
	if pr.held && !down {
		p.release(b)
	}
}

// emitFor adds an event of a button for each of its targets, or for the background.
func (p *Pointer[T]) emitFor(k EventKind, b Button) []Event[T] {
	first, pr := len(p.events), &p.presses[b]
	for i := range pr.targets {
		if k == DragStart || k == Down {
			p.ofButton(p.emit(k, &pr.targets[i]), b)
		} else {
			p.ofButton(p.emitTo(k, pr.targets[i].Target), b)
		}
	}
	if len(pr.targets) == 0 {
		e := p.ofButton(p.emit(k, nil), b)
		if k == DragStart {
			e.Hit, e.HasHit = pr.cover.Hit, pr.cover.HasHit
		}
	}
	return p.events[first:]
}

func (p *Pointer[T]) ofButton(e *Event[T], b Button) *Event[T] {
	pr := &p.presses[b]
	e.Button, e.StartX, e.StartY = b, pr.x, pr.y
	switch e.Kind {
	case Down, Up, Click:
		e.Count = pr.count
	}
	return e
}

// press handles a button that went down.
func (p *Pointer[T]) press(b Button) {
	pr := &p.presses[b]
	pr.reset()
	pr.held, pr.active = true, p.in.Inside
	pr.x, pr.y, pr.lx, pr.ly, pr.time = p.in.X, p.in.Y, p.in.X, p.in.Y, p.in.Time
	if !pr.active {
		return
	}
	pr.targets, pr.cover = append(pr.targets, p.hover...), p.cover
	pr.count = 1
	if p.isRepeated(b) {
		pr.count = p.clicks[b].count + 1
	}
	last := p.clicks[b]
	clear(p.clicks[:]) // a press of another button in between prevents a double click
	p.clicks[b] = last
	p.emitFor(Down, b)
}

// isRepeated reports whether the press of a button continues its last click, as for a double click.
func (p *Pointer[T]) isRepeated(b Button) bool {
	limit := p.MultiClickTime
	if limit == 0 {
		limit = DefaultMultiClickTime
	}
	last, front := &p.clicks[b], frontOf(p.presses[b].targets)
	if last.count == 0 || last.target != front.target || last.ground != front.ground || !p.isNear(last.x, last.y) {
		return false
	}
	between := p.in.Time - last.time
	return p.in.Time > 0 && last.time > 0 && between >= 0 && between <= limit
}

// frontOf returns a click on the foremost of some targets, or on the background.
func frontOf[T comparable](targets []Pick[T]) (c click[T]) {
	if len(targets) == 0 {
		c.ground = true
		return c
	}
	c.target = targets[0].Target
	return c
}

// release handles a button that went up.
func (p *Pointer[T]) release(b Button) {
	pr := &p.presses[b]
	if pr.active {
		p.emitFor(Up, b)
		switch {
		case pr.dragging:
			p.drop(b)
		case p.isClick(pr):
			p.click(b)
		default:
			p.clicks[b] = click[T]{}
		}
	}
	pr.reset()
}

func (p *Pointer[T]) isClick(pr *press[T]) bool {
	held := p.in.Time - pr.time
	return p.in.Inside && !pr.moved && p.isNear(pr.x, pr.y) && (p.ClickTime == 0 || held <= p.ClickTime)
}

// click adds a Click for each target of the press: it goes to the target or its nearest ancestor
// that is hovered or has a hovered descendant.
func (p *Pointer[T]) click(b Button) {
	pr := &p.presses[b]
	first := len(p.events)
	if len(pr.targets) == 0 && len(p.hover) == 0 {
		p.ofButton(p.emit(Click, nil), b)
	}
	for i := range pr.targets {
		start := len(p.paths) // scratch space
		path := p.path(pr.targets[i].Target, true)
		j := slices.IndexFunc(path, func(t T) bool { return slices.Contains(p.chain, t) })
		var t T
		if j >= 0 {
			t = path[j]
		}
		p.paths = p.paths[:start]
		emitted := slices.ContainsFunc(p.events[first:], func(e Event[T]) bool { return e.Target == t })
		if j >= 0 && !emitted {
			pick := seenOf(p.hover, t)
			p.ofButton(p.emit(Click, &pick), b)
		}
	}
	if len(p.events) == first {
		p.clicks[b] = click[T]{}
		return
	}
	c := frontOf(pr.targets)
	c.count, c.time, c.x, c.y = pr.count, pr.time, pr.x, pr.y
	p.clicks[b] = c
}

// startDrag turns a press into a drag when the pointer is too far away for a click. lost reports
// that the pointer's place is unknown: too far for a click, but no place for a drag to start.
func (p *Pointer[T]) startDrag(b Button, lost bool) {
	pr := &p.presses[b]
	if !pr.active || pr.dragging {
		return
	}
	pr.moved = pr.moved || lost || !p.isNear(pr.x, pr.y)
	if lost || !pr.moved || p.in.X == pr.x && p.in.Y == pr.y {
		return
	}
	pr.dragging = true
	p.emitFor(DragStart, b)
	if !p.captor.ok {
		c := captor[T]{ok: true, ground: len(pr.targets) == 0, drag: true, button: b}
		if !c.ground {
			c.target = pr.targets[0].Target
		}
		p.capture(c)
	}
}

// drag adds the events of a drag in this frame: Drag, DragLeave, DragEnter, DragOver.
func (p *Pointer[T]) drag(b Button) {
	pr := &p.presses[b]
	if !pr.dragging {
		return
	}
	other := p.front(pr)
	for i, events := 0, p.emitFor(Drag, b); i < len(events); i++ {
		events[i].DX, events[i].DY = p.in.X-pr.lx, p.in.Y-pr.ly
		events[i].relate(other)
	}
	pr.lx, pr.ly = p.in.X, p.in.Y
	if len(pr.targets) == 0 {
		return
	}
	p.before = append(p.before[:0], pr.over...)
	pr.over = pr.over[:0]
	for i := range p.under {
		if t := p.under[i].Target; indexOf(pr.targets, t) < 0 {
			pr.over = append(pr.over, t)
		}
	}
	for _, t := range p.before {
		if !slices.Contains(pr.over, t) {
			p.emitEach(DragLeave, b, t)
		}
	}
	for _, t := range pr.over {
		if !slices.Contains(p.before, t) {
			p.emitEach(DragEnter, b, t)
		}
	}
	p.emitAll(DragOver, b)
}

// front returns the foremost pick under the pointer that the press does not drag.
func (p *Pointer[T]) front(pr *press[T]) []Pick[T] {
	for i := range p.under {
		if indexOf(pr.targets, p.under[i].Target) < 0 {
			return p.under[i : i+1]
		}
	}
	return nil
}

// emitAll adds an event for each target under a drag, once for each dragged target.
func (p *Pointer[T]) emitAll(k EventKind, b Button) []Event[T] {
	first := len(p.events)
	for _, t := range p.presses[b].over {
		p.emitEach(k, b, t)
	}
	return p.events[first:]
}

// emitEach adds an event for one target, once for each dragged target.
func (p *Pointer[T]) emitEach(k EventKind, b Button, t T) {
	pr := &p.presses[b]
	for i := range pr.targets {
		p.ofButton(p.emitTo(k, t), b).relate(pr.targets[i : i+1])
	}
}

// emitOver adds an event for each target under a drag, related to the given dragged target or to
// none.
func (p *Pointer[T]) emitOver(k EventKind, b Button, dragged []Pick[T]) {
	for _, t := range p.presses[b].over {
		p.ofButton(p.emitTo(k, t), b).relate(dragged)
	}
}

// drop ends a drag by the release of its button.
func (p *Pointer[T]) drop(b Button) {
	pr := &p.presses[b]
	p.emitAll(Drop, b)
	p.emitAll(DragLeave, b)
	other := p.front(pr)
	for i, events := 0, p.emitFor(DragEnd, b); i < len(events); i++ {
		events[i].relate(other)
	}
	p.clicks[b] = click[T]{}
}

// cancel ends a press or drag without a click or a drop.
func (p *Pointer[T]) cancel(b Button) {
	pr := &p.presses[b]
	if !pr.active {
		return
	}
	p.clicks[b] = click[T]{}
	first := len(p.events)
	p.emitFor(Cancel, b)
	p.emitFor(Up, b)
	if pr.dragging {
		p.emitAll(DragLeave, b)
		p.emitFor(DragEnd, b)
	}
	for i := first; i < len(p.events); i++ {
		p.events[i].Canceled = true
	}
	pr.reset()
}
