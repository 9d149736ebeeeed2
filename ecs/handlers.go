package physecs

import (
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/picking"
)

// Handler is called with an event. Current is the entity that it is called for: the event's Target,
// or an ancestor of it. A handler may change the world in any way, remove the entity or others, and
// add and remove handlers; so Related may be dead. It must not update a [PickSystem], which panics.
// Event.Stop keeps the event from handlers of entities further up, and a Click from changing the
// [Selection].
type Handler func(w *ecs.World, e *Event)

// HandlerID identifies a handler, to remove it. No handler has the zero HandlerID.
type HandlerID uint64

// Handlers is the resource that holds the handlers of events. [PickSystem] calls them at the end of
// its update, one event after the other in the order of [Events]: from the target upward, and for
// each entity first the handlers of the entity and then those of its components, in the order in
// which they were added. Events of the background go to OnBackground.
//
// Handlers of entities that died earlier in this dispatch are not called, and events whose target
// died are dropped: a click on an entity that removed itself at its Up has no effect. The path
// upward is that of before the dispatch. A handler added during a dispatch is called from the next
// update on, one removed is not called any more.
//
// World.Reset removes the resource with all handlers. Handlers of entities that have died are
// removed.
type Handlers struct {
	entities   map[ecs.Entity][]*handler
	components []*handler
	background []*handler
	last       HandlerID
	frozen     HandlerID // handlers with a higher ID were added during the dispatch
	calling    bool
	lost       bool         // a handler has reset the world: other entities have the same IDs now
	checked    []ecs.Entity // entities with handlers, for removeDead
	next       int          // index into checked
}

type handler struct {
	id        HandlerID
	kind      picking.EventKind
	component ecs.ID
	any       bool // for any entity that has the component
	removed   bool
	call      Handler
}

// On adds a handler for the events of a kind that are for an entity: its own, and those of its
// descendants. Panics if the handler is nil.
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

// OnComponent adds a handler for the events of a kind that are for any entity with a component.
// Panics if the handler is nil.
func (h *Handlers) OnComponent(component ecs.ID, kind picking.EventKind, call Handler) HandlerID {
	one := h.add("OnComponent", kind, call)
	one.component, one.any = component, true
	h.components = append(h.components, one)
	return one.id
}

// OnBackground adds a handler for the background's events of a kind. Panics if the handler is nil.
func (h *Handlers) OnBackground(kind picking.EventKind, call Handler) HandlerID {
	one := h.add("OnBackground", kind, call)
	h.background = append(h.background, one)
	return one.id
}

func (h *Handlers) add(caller string, kind picking.EventKind, call Handler) *handler {
	if call == nil {
		panic("physecs: Handlers." + caller + ": nil handler")
	}
	h.last++
	return &handler{id: h.last, kind: kind, call: call}
}

// Remove removes a handler and reports whether there was one with that ID.
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

// without removes a handler from a list, or from a copy of it during a dispatch, which is iterating
// over it.
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

// call dispatches events to the handlers. It reports whether there are any handlers.
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

// dispatch calls the handlers of a list that match an event, as long as its entities are alive.
func (h *Handlers) dispatch(w *ecs.World, e *Event, list []*handler) {
	for _, one := range list {
		if one.kind != e.Kind || one.removed || one.id > h.frozen {
			continue
		}
		if !e.Background && (!alive(w, e.Current) || !alive(w, e.Target)) {
			return
		}
		if one.any && !hasUnchecked(w, e.Current, one.component) {
			continue
		}
		one.call(w, e)
		if h.lost = h.lost || resourceOf[Handlers](w) != h; h.lost {
			return
		}
	}
}

// removeDead removes the handlers of entities that have died. It checks a few entities a frame,
// which is enough.
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
