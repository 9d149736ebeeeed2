package physecs

import (
	"iter"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/picking"
)

// Touches is the resource that holds the touches, pens and further mice of this frame, besides
// [Pointer]. The game, or its window, sets it. The order is that of the events, and has no other
// effect.
type Touches struct{ List []Touch }

// Touch is a pointer that comes and goes. A finger that touches has [picking.Left] down. List one
// that is lifted for one more frame, without a button down; one that is no longer listed while a
// button is down is cancelled.
type Touch struct {
	ID picking.PointerID // any but picking.Mouse, each once
	picking.Input
	Hover Hover // what is under it; RaycastSystem writes it

	view   View // the view that holds it, if viewed
	viewed bool // ViewSystem has set view
	place  int  // of view in Views.List
}

// Pointers is the resource that holds the state of every pointer: what it hovers, presses and
// drags. [PickSystem] writes it.
type Pointers struct {
	all   picking.Pointers[ecs.Entity]
	one   [1]Pick // scratch memory
	picks []Pick  // scratch memory

	current picking.PointerID // the pointer that RaycastSystem is picking for, if busy
	busy    bool

	backends []Backend // of the system, while busy

	frame picking.Frame // of Record, to reuse its memory
}

// Pointer returns a pointer of the last update, [picking.Mouse] for the mouse: what it hovers,
// where buttons went down and what is dragged. ok is false if there is none. It must not be
// updated.
func (p *Pointers) Pointer(id picking.PointerID) (one *picking.Pointer[ecs.Entity], ok bool) {
	return p.all.Pointer(id)
}

// All returns the pointers of the last update, by ID.
func (p *Pointers) All() iter.Seq[*picking.Pointer[ecs.Entity]] { return p.all.All() }

// SetCapture makes an entity the captor of a pointer from the next update on: see
// [picking.Pointer.SetCapture]. It does nothing and returns false if there is no such pointer, it
// has no button down, or the entity is dead.
func (p *Pointers) SetCapture(id picking.PointerID, e ecs.Entity) bool {
	one, ok := p.all.Pointer(id)
	return ok && one.SetCapture(e)
}

// ReleaseCapture ends the capture of a pointer at the next update.
func (p *Pointers) ReleaseCapture(id picking.PointerID) {
	if one, ok := p.all.Pointer(id); ok {
		one.ReleaseCapture()
	}
}

// Drags reports whether any pointer drags an entity.
func (p *Pointers) Drags(e ecs.Entity) bool { return p.all.Drags(e) }

// letThrough reports whether an entity is dragged by the pointer that RaycastSystem is picking for:
// entities that other pointers drag hide what is behind them.
func (p *Pointers) letThrough(e ecs.Entity) bool {
	if !p.busy {
		return p.all.Drags(e)
	}
	one, ok := p.all.Pointer(p.current)
	return ok && one.Drags(e)
}
