package picking

import (
	"cmp"
	"iter"
	"slices"
	"time"
)

// Pointers holds all pointers that exist at one time: the mouse, and touches that come and go. Each
// is a [Pointer]; two can hover, press and drag different targets, or the same one. The zero
// Pointers is ready for use. A Pointers is for one goroutine at a time.
//
// Each frame is a Begin, an Update for each pointer that exists, and an End, which returns the
// events.
type Pointers[T comparable] struct {
	// Settings of every pointer: see [Pointer].
	ClickDistance  float64
	ClickTime      time.Duration
	MultiClickTime time.Duration
	Alive          func(T) bool
	Parent         func(T) (T, bool)

	there  []*Pointer[T] // sorted by ID
	fresh  []bool        // updated in this frame
	idle   []*Pointer[T] // of touches that have ended, for reuse
	events []Event[T]
	now    time.Duration
	// Of touches: the next finger may make the second tap of a double tap.
	taps [numButtons]click[T]
}

// Begin begins a frame.
func (p *Pointers[T]) Begin() {
	clear(p.events)
	p.events = p.events[:0]
	clear(p.fresh)
}

// Update takes the input of a pointer and the picks under it, as [Pointer.UpdatePicks] does. For a
// lifted finger, call it once more with no button down, at the place where the finger was lifted,
// and then no more.
//
// Panics if the pointer was already updated in this frame.
func (p *Pointers[T]) Update(id PointerID, in Input, picks []Pick[T]) {
	i, ok := p.find(id)
	if !ok {
		p.there = slices.Insert(p.there, i, p.come(id))
		p.fresh = slices.Insert(p.fresh, i, false)
	}
	if p.fresh[i] {
		panic("picking: Pointers.Update: pointer " + id.String() + " a second time in one frame")
	}
	p.fresh[i] = true
	p.now = max(p.now, in.Time)
	p.update(p.there[i], in, picks)
}

func (p *Pointers[T]) update(one *Pointer[T], in Input, picks []Pick[T]) {
	one.ClickDistance, one.ClickTime, one.MultiClickTime = p.ClickDistance, p.ClickTime, p.MultiClickTime
	one.Alive, one.Parent = p.Alive, p.Parent
	last := one.clicks
	p.events = append(p.events, one.UpdatePicks(in, picks)...)
	if one.ID != Mouse && one.clicks != last {
		p.taps = one.clicks
	}
}

// End ends a frame and returns its events, valid until the next Begin: pointer by pointer in the
// order of their updates, and then, by ID, the pointers that were not updated in this frame. Those
// no longer exist: they hover nothing, and their presses and drags are cancelled.
func (p *Pointers[T]) End() []Event[T] {
	n := 0
	for i, one := range p.there {
		if p.fresh[i] {
			p.there[n], p.fresh[n] = one, true
			n++
			continue
		}
		in := one.in
		p.update(one, Input{X: in.X, Y: in.Y, Mods: in.Mods, Time: p.now, Canceled: true}, nil)
		p.idle = append(p.idle, one)
	}
	clear(p.there[n:])
	p.there, p.fresh = p.there[:n], p.fresh[:n]
	return p.events
}

// Pointer returns the pointer with an ID. ok is false if it does not exist. Do not call its Update.
func (p *Pointers[T]) Pointer(id PointerID) (one *Pointer[T], ok bool) {
	if i, ok := p.find(id); ok {
		return p.there[i], true
	}
	return nil, false
}

// All returns the pointers that exist, sorted by ID.
func (p *Pointers[T]) All() iter.Seq[*Pointer[T]] { return slices.Values(p.there) }

// Drags reports whether any pointer drags a target.
func (p *Pointers[T]) Drags(id T) bool {
	for _, one := range p.there {
		if one.Drags(id) {
			return true
		}
	}
	return false
}

func (p *Pointers[T]) find(id PointerID) (int, bool) {
	return slices.BinarySearchFunc(p.there, id, func(one *Pointer[T], id PointerID) int { return cmp.Compare(one.ID, id) })
}

// come returns a new or reused pointer. For a touch it has the clicks of the last one, for double
// taps.
func (p *Pointers[T]) come(id PointerID) *Pointer[T] {
	one := new(Pointer[T])
	if n := len(p.idle); n > 0 {
		one = p.idle[n-1]
		p.idle = p.idle[:n-1]
		one.forget()
	}
	one.ID = id
	if id != Mouse {
		one.clicks = p.taps
	}
	return one
}
