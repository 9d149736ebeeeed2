package physecs

import (
	"iter"
	"slices"
	"time"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// View is the resource that holds the camera and the part of the window it draws to. The game sets
// it; [RaycastSystem] sends the pointer's ray through it. The zero View sees nothing.
type View = picking.View

// Pointer is the resource that holds what the pointer does in this frame. The game, or its window,
// sets it.
type Pointer struct {
	picking.Input

	// Captured says that the pointer belongs to something in front of the world, such as a HUD.
	// Nothing in the world is hovered then, and a press or release there clicks nothing in the
	// world, not even its background.
	Captured bool

	// Toggle says that a click adds an entity to the selection, or takes it out again, instead of
	// replacing the selection. Set it while a modifier key is held, such as one of
	// [picking.ToggleMods].
	Toggle bool
}

// Hover is the resource that tells what is under the pointer. [RaycastSystem] writes it. Without OK
// its Hit is zero.
//
// A drag, or who has captured the pointer, changes nothing here: what is under the pointer then is
// what something could be dropped on.
type Hover struct {
	Hit                   // the entity and where its surface is met, in world space
	OK      bool          // whether anything is under the pointer
	Ray     geom.Ray      // from the pointer, in world space; to what is aside of it by RaycastSystem.Margin if that was found
	HasRay  bool          // false if the pointer is outside the window, outside the view, or captured
	Elapsed time.Duration // how long the pick took, from the ray to the answer

	// Picks is all that is under the pointer, the one in front first: more than one if some let
	// others through. It is valid until the next update. Backends other than the view may have
	// found some of it, which then have no Ray.
	Picks []Pick
	// Cover is what hides the rest behind Picks without being hovered, if its Backdrop is set:
	// mostly an entity with PickCover. Its Hit, if it has one, is that of events of the background.
	Cover Pick

	inside bool // the pointer is over the view or what another backend sees
}

// Events is the resource that holds what the pointers did in the last update, in order.
// [PickSystem] writes it, and calls [Handlers] with it.
type Events struct {
	// List is valid until the next update. Every event is about an entity that was alive when it
	// was written, or about the background. For the order see [picking.Pointer.UpdatePicks] and
	// [picking.Pointers.End]: first all that the mouse did, then one touch after the other.
	List []Event
}

// Of returns, in order, the events that are for an entity: those that happened to it, and those
// that happened to its descendants and that nobody has stopped on their way up. See
// [picking.EventsOf].
func (e *Events) Of(entity ecs.Entity) iter.Seq[*Event] { return picking.EventsOf(e.List, entity) }

// Event is something that a pointer did to an entity, or to the background. The parent of an
// entity, for the way up, is that of its [Parent] component. The Collider of its Hit is that of
// [Space.Physics].
type Event = picking.Event[ecs.Entity]

// Selection is the resource that holds the selected entities, in the order in which they were
// selected, each once. [PickSystem] and [MarqueeSystem] change it, as their [Chooser] says; the
// game may too. The zero Selection is empty and ready.
type Selection struct {
	list []ecs.Entity
	set  map[ecs.Entity]struct{} // the same, for Contains
}

// List returns the selected entities, the one that was selected first at the front. It is shared:
// read it, and not after the next change.
func (s *Selection) List() []ecs.Entity { return s.list }

// Len returns the number of selected entities.
func (s *Selection) Len() int { return len(s.list) }

// Contains reports whether an entity is selected.
func (s *Selection) Contains(e ecs.Entity) bool {
	_, ok := s.set[e]
	return ok
}

// Add selects an entity besides the others and reports whether it was not selected before.
func (s *Selection) Add(e ecs.Entity) bool {
	if s.Contains(e) {
		return false
	}
	if s.set == nil {
		s.set = map[ecs.Entity]struct{}{}
	}
	s.set[e] = struct{}{}
	s.list = append(s.list, e)
	return true
}

// Remove takes an entity out of the selection and reports whether it was in it.
func (s *Selection) Remove(e ecs.Entity) bool {
	if !s.Contains(e) {
		return false
	}
	delete(s.set, e)
	i := slices.Index(s.list, e)
	s.list = slices.Delete(s.list, i, i+1)
	return true
}

// Toggle selects an entity or, if it is selected, takes it out.
func (s *Selection) Toggle(e ecs.Entity) {
	if !s.Remove(e) {
		s.Add(e)
	}
}

// Set makes the given entities the whole selection.
func (s *Selection) Set(entities ...ecs.Entity) {
	s.Clear()
	for _, e := range entities {
		s.Add(e)
	}
}

// Clear takes all entities out.
func (s *Selection) Clear() {
	s.list = s.list[:0]
	clear(s.set)
}

// keepAlive takes out the entities that have died.
func (s *Selection) keepAlive(w *ecs.World) {
	s.list = slices.DeleteFunc(s.list, func(e ecs.Entity) bool {
		dead := !alive(w, e)
		if dead {
			delete(s.set, e)
		}
		return dead
	})
}

// resourceOf returns a resource of the world, made and added first if there is none. World.Reset
// removes all resources, so systems look theirs up every time instead of keeping a pointer.
func resourceOf[T any](w *ecs.World, make func() *T) *T {
	if r := findResource[T](w); r != nil {
		return r
	}
	r := make()
	w.Resources().Add(ecs.ResourceID[T](w), r)
	return r
}

// findResource returns a resource of the world, nil if it has none.
func findResource[T any](w *ecs.World) *T {
	r, _ := w.Resources().Get(ecs.ResourceID[T](w)).(*T)
	return r
}

func zero[T any]() *T { return new(T) }

// spaceOf returns the Space of a world for a call that needs one.
func spaceOf(w *ecs.World, caller string) *Space {
	s := findResource[Space](w)
	if s == nil {
		panic("physecs: " + caller + ": the world has no Space; initialise a system or call Sync first")
	}
	s.bind(w)
	return s
}
