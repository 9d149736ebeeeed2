package physecs

import (
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/picking"
)

// Handler is told of an event. Current is the entity for which it is called: the event's Target, or
// an ancestor of it. It may change the world in any way, remove the entity or others, and add and
// remove handlers; so Related may have died by now. It must not update a [PickSystem], which
// panics. Stop keeps the event from handlers of entities further up, and the [Selection] from a
// Click.
type Handler func(w *ecs.World, e *Event)

// HandlerID names a handler, to remove it. The zero HandlerID names none.
type HandlerID uint64

// Handlers is the resource that holds whom to call of which event. [PickSystem] calls them at the
// end of its update, one event after the other in the order of [Events]: from the target upward,
// and for each entity first the handlers of the entity and then those of its components, in the
// order in which they were added. Events of the background go to OnBackground.
//
// Whoever has died meanwhile, by an earlier handler, is not told, and an event whose target has is
// told nobody: a click on something that removed itself at its Up is nobody's. The way up is that
// of before the handlers were called. A handler that is added while they are called is called from
// the next update on, one that is removed no more.
//
// World.Reset removes the resource with all handlers. Handlers of entities that have died are
// dropped.
type Handlers struct {
	entities   map[ecs.Entity][]*handler
	components []*handler
	background []*handler
	last       HandlerID
	frozen     HandlerID // handlers after it have been added while they are called
	calling    bool
	lost       bool         // a handler has reset the world: its entities are others, by the same names
	checked    []ecs.Entity // with handlers, to look one after the other whether they are dead
	next       int          // of checked
}

type handler struct {
	id        HandlerID
	kind      picking.EventKind
	component ecs.ID
	any       bool // for whichever entity has the component
	removed   bool
	call      Handler
}

// On adds a handler for events of a kind that are for an entity: they happened to it or to a
// descendant. Panics without a handler.
func (h *Handlers) On(e ecs.Entity, kind picking.EventKind, call Handler) HandlerID {
	if h.entities == nil {
		h.entities = map[ecs.Entity][]*handler{}
	}
	list, ok := h.entities[e]
	if !ok {
		h.checked = append(h.checked, e)
	}
	one := h.add("On", kind, call)
	h.entities[e] = append(list, one)
	return one.id
}

// OnComponent adds a handler for events of a kind that are for any entity with a component. Panics
// without a handler.
func (h *Handlers) OnComponent(component ecs.ID, kind picking.EventKind, call Handler) HandlerID {
	one := h.add("OnComponent", kind, call)
	one.component, one.any = component, true
	h.components = append(h.components, one)
	return one.id
}

// OnBackground adds a handler for events of a kind of the background. Panics without a handler.
func (h *Handlers) OnBackground(kind picking.EventKind, call Handler) HandlerID {
	one := h.add("OnBackground", kind, call)
	h.background = append(h.background, one)
	return one.id
}

func (h *Handlers) add(caller string, kind picking.EventKind, call Handler) *handler {
	if call == nil {
		panic("physecs: Handlers." + caller + ": no handler")
	}
	h.last++
	return &handler{id: h.last, kind: kind, call: call}
}

// Remove removes a handler and reports whether there was one of that ID.
func (h *Handlers) Remove(id HandlerID) bool {
	for e, list := range h.entities {
		if i := find(list, id); i >= 0 {
			h.entities[e] = h.without(list, i)
			return true
		}
	}
	if i := find(h.components, id); i >= 0 {
		h.components = h.without(h.components, i)
		return true
	}
	if i := find(h.background, id); i >= 0 {
		h.background = h.without(h.background, i)
		return true
	}
	return false
}

func find(list []*handler, id HandlerID) int {
	return slices.IndexFunc(list, func(o *handler) bool { return o.id == id })
}

// without takes a handler out of a list, a copy of it if the list is just being walked through.
func (h *Handlers) without(list []*handler, i int) []*handler {
	list[i].removed = true
	if h.calling {
		list = slices.Clone(list)
	}
	return slices.Delete(list, i, i+1)
}

// RemoveAll removes the handlers of an entity, added by On.
func (h *Handlers) RemoveAll(e ecs.Entity) {
	for _, one := range h.entities[e] {
		one.removed = true
	}
	delete(h.entities, e)
	if i := slices.Index(h.checked, e); i >= 0 {
		h.checked = slices.Delete(h.checked, i, i+1)
	}
}

// call tells the handlers of events. It reports whether there are any.
func (h *Handlers) call(w *ecs.World, events []Event) bool {
	h.removeDead(w)
	if len(h.entities)+len(h.components)+len(h.background) == 0 {
		return false
	}
	h.calling, h.frozen = true, h.last
	defer func() { h.calling = false }()
	for i := range events {
		e := &events[i]
		if h.lost {
			break
		}
		if e.Background {
			h.dispatch(w, e, h.background)
			continue
		}
		for _, at := range e.Path {
			if h.lost || !alive(w, e.Target) || !e.Reaches(at) {
				break
			}
			if !alive(w, at) {
				continue
			}
			e.Current = at
			h.dispatch(w, e, h.entities[at])
			if !h.lost && len(h.components) > 0 {
				h.dispatch(w, e, h.components)
			}
		}
	}
	return true
}

// tell calls those of a list that are meant, as long as the entity lives.
func (h *Handlers) dispatch(w *ecs.World, e *Event, list []*handler) {
	for _, one := range list {
		if one.kind != e.Kind || one.removed || one.id > h.frozen {
			continue
		}
		if !e.Background && (!alive(w, e.Current) || !alive(w, e.Target)) {
			return
		}
		if one.any && !w.Has(e.Current, one.component) {
			continue
		}
		one.call(w, e)
		if h.lost = h.lost || resourceOf(w, zero[Handlers]) != h; h.lost {
			return
		}
	}
}

// removeDead drops the handlers of some that have died. A few a frame are enough to keep up.
func (h *Handlers) removeDead(w *ecs.World) {
	const some = 16
	for range min(some, len(h.checked)) {
		if h.next >= len(h.checked) {
			h.next = 0
		}
		if e := h.checked[h.next]; alive(w, e) {
			h.next++
		} else {
			delete(h.entities, e)
			h.checked = slices.Delete(h.checked, h.next, h.next+1)
		}
	}
}
