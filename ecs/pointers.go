package physecs

import (
	"iter"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/picking"
)

// Touches is the resource that holds the touches, pens and further mice of this frame, besides
// [Pointer]. The game, or its window, sets it. The order does not matter for what happens to each,
// and is that of the events.
type Touches struct{ List []Touch }

// Touch is a pointer that comes and goes. A finger that touches has [picking.Left] down. Of one
// that is lifted list one frame more, with no button down, and then no more; one that is not listed
// any more while a button is down is cancelled.
type Touch struct {
	ID picking.PointerID // any but picking.Mouse, each once
	picking.Input
	Hover Hover // what is under it; RaycastSystem writes it

	view   View // that it is about, if ViewSystem has found that
	viewed bool
	place  int // of view in Views.List
}

// Pointers is the resource that remembers what every pointer hovers, presses and drags.
// [PickSystem] keeps it.
type Pointers struct {
	all   picking.Pointers[ecs.Entity]
	one   [1]Pick // scratch
	picks []Pick  // scratch

	looks   picking.PointerID // what is under this one is being looked for
	looking bool

	backends []Backend // that are asked for it

	frame picking.Frame // of Record, to use its memory again
}

// Pointer returns a pointer that was there at the last update, [picking.Mouse] for that of the
// mouse: what it hovers, where buttons went down and what is dragged. ok is false if there is none.
// It must not be updated.
func (p *Pointers) Pointer(id picking.PointerID) (one *picking.Pointer[ecs.Entity], ok bool) {
	return p.all.Pointer(id)
}

// All returns the pointers that were there at the last update, by ID.
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

// Drags reports whether an entity is dragged, by any pointer.
func (p *Pointers) Drags(e ecs.Entity) bool { return p.all.Drags(e) }

// letThrough reports whether an entity is dragged by the pointer that is being looked for; what
// others drag is as solid as ever.
func (p *Pointers) letThrough(e ecs.Entity) bool {
	if !p.looking {
		return p.all.Drags(e)
	}
	one, ok := p.all.Pointer(p.looks)
	return ok && one.Drags(e)
}
