package physecs

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"time"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// View is the resource that holds the camera and the part of the window that it draws to. The game
// sets it; [RaycastSystem] casts the pointer's ray through it. The zero View sees nothing.
type View = picking.View

// Pointer is the resource that holds the input of the mouse in this frame. The game, or its window,
// sets it.
type Pointer struct {
	picking.Input

	// Captured is set while the pointer belongs to something in front of the world, such as a HUD.
	// Nothing in the world is hovered then, and a press or release there clicks nothing in the
	// world, not even its background.
	Captured bool

	// Toggle makes a click add an entity to the selection, or take it out, instead of replacing the
	// selection. Set it while a modifier key is held, such as one of [picking.ToggleMods].
	Toggle bool
}

// Hover is the resource that holds what is under the pointer. [RaycastSystem] writes it. Without OK
// its Hit is zero.
//
// Drags and captures change nothing here: what is under the pointer then is what something could be
// dropped on.
type Hover struct {
	Hit      // the entity and the hit of its surface, in world space
	OK  bool // whether anything is under the pointer
	// Ray is the ray of the pointer, in world space; with RaycastSystem.Margin, that through the
	// pixel that was found.
	Ray geom.Ray
	// False if the pointer is outside the window, outside the view, or captured.
	HasRay  bool
	Elapsed time.Duration // time that the pick took

	// Picks is all that is under the pointer, front to back: more than one if some let others
	// through. It is valid until the next update. Picks of other backends than the view have no
	// Ray.
	Picks []Pick
	// Cover hides what is behind Picks without being hovered, if its Cover is set: mostly an
	// entity with PickCover. Its Hit, if it has one, is that of events of the background.
	Cover Pick

	inside bool // the pointer is over the view or the picks of another backend
}

// Events is the resource that holds the events of all pointers in the last update, in order.
// [PickSystem] writes it, and calls the [Handlers] with it.
type Events struct {
	// List is valid until the next update. Each event is about an entity that was alive when it was
	// written, or about the background. The events of the mouse come first, then those of one touch
	// after the other; for the order of each see [picking.Pointer.UpdatePicks] and
	// [picking.Pointers.End].
	List []Event
}

// Of returns, in order, the events for an entity: its own, and those of its descendants that no
// handler has stopped on the way up. See [picking.EventsOf].
func (e *Events) Of(entity ecs.Entity) iter.Seq[*Event] { return picking.EventsOf(e.List, entity) }

// Event is what a pointer did to an entity, or to the background. It goes up from an entity to the
// entity of its [Parent] component. The Collider of its Hit is that of [Queries.Physics].
type Event = picking.Event[ecs.Entity]

// Selection is the resource that holds the selected entities, in the order in which they were
// selected, each once. [PickSystem] and [MarqueeSystem] change it, by their [Chooser]; the game may
// too. The zero Selection is empty and ready to use.
type Selection struct {
	list []ecs.Entity
	set  map[ecs.Entity]struct{} // the same, for Contains
}

// List returns the selected entities, in the order in which they were selected. The slice is
// shared: read it only, and not after the next change.
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

// Set replaces the selection by the given entities.
func (s *Selection) Set(entities ...ecs.Entity) {
	s.Clear()
	for _, e := range entities {
		s.Add(e)
	}
}

// Clear removes all entities from the selection.
func (s *Selection) Clear() {
	s.list = s.list[:0]
	clear(s.set)
}

// keepAlive removes the entities that have died.
func (s *Selection) keepAlive(w *ecs.World) {
	s.list = slices.DeleteFunc(s.list, func(e ecs.Entity) bool {
		dead := !alive(w, e)
		if dead {
			delete(s.set, e)
		}
		return dead
	})
}

// mustBeUnlocked panics in the name of a function that adds or removes entities or components.
func mustBeUnlocked(w *ecs.World, function string) {
	if w.IsLocked() {
		panic("physecs: " + function + ": the world is locked")
	}
}

// Resource returns a resource of a world. Panics if the world has none: of the resources of this
// package, the message names what adds it.
func Resource[T any](w *ecs.World) *T {
	if r := findResource[T](w); r != nil {
		return r
	}
	t := reflect.TypeFor[T]()
	by := resourceOrigins[t]
	if by == "" {
		by = "the game, by ecs.AddResource"
	} else {
		by = "Initialize of a " + by
	}
	panic(fmt.Sprintf("physecs: Resource: the world has no %v: it is added by %s", t, by))
}

// resourceOrigins names the system that adds a resource.
var resourceOrigins = map[reflect.Type]string{
	reflect.TypeFor[Space]():          "SyncSystem",
	reflect.TypeFor[Meshes]():         "SyncSystem",
	reflect.TypeFor[View]():           "RaycastSystem",
	reflect.TypeFor[Pointer]():        "RaycastSystem",
	reflect.TypeFor[Touches]():        "RaycastSystem",
	reflect.TypeFor[Pointers]():       "RaycastSystem",
	reflect.TypeFor[Hover]():          "RaycastSystem",
	reflect.TypeFor[Selection]():      "PickSystem",
	reflect.TypeFor[Events]():         "PickSystem",
	reflect.TypeFor[Handlers]():       "PickSystem",
	reflect.TypeFor[Drags]():          "DragSystem",
	reflect.TypeFor[Contacts]():       "ContactSystem",
	reflect.TypeFor[Pairs]():          "PairSystem",
	reflect.TypeFor[CasterHits]():     "CasterSystem",
	reflect.TypeFor[MoverHits]():      "MoverSystem",
	reflect.TypeFor[ProjectileHits](): "ProjectileSystem",
	reflect.TypeFor[Dynamics]():       "DynamicsSystem",
}

// resourceOf returns a resource of the world, and adds its zero value first if there is none.
// World.Reset removes all resources, so systems look them up in every update instead of keeping
// pointers.
func resourceOf[T any](w *ecs.World) *T { return resourceOr(w, func() *T { return new(T) }) }

// resourceOr is resourceOf with another value than zero.
func resourceOr[T any](w *ecs.World, make func() *T) *T {
	if r := findResource[T](w); r != nil {
		return r
	}
	r := make()
	w.Resources().Add(ecs.ResourceID[T](w), r)
	return r
}

// findResource returns a resource of the world, nil if it has none.
func findResource[T any](w *ecs.World) *T {
	if w == nil {
		panic("physecs: the world is nil")
	}
	r, _ := w.Resources().Get(ecs.ResourceID[T](w)).(*T)
	return r
}

// spaceOf returns the Space of a world for a call that needs one.
func spaceOf(w *ecs.World, caller string) *Space {
	s := findResource[Space](w)
	if s == nil {
		panic("physecs: " + caller + ": the world has no Space; initialise a system or call Sync first")
	}
	s.bind(w)
	return s
}
