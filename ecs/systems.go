package physecs

import (
	"time"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/picking"
)

// The systems have the shape that Arche's schedulers expect and need none: call Initialize once, before any query is
// open, Update every frame, Finalize at the end.

// Systems is [SyncSystem], [RaycastSystem] and [PickSystem] in that order, as one system. The zero Systems is ready for use.
type Systems struct {
	Sync    SyncSystem
	Raycast RaycastSystem
	Pick    PickSystem
}

// Initialize initialises the three systems, which adds all resources of this package that the world misses.
// Panics in a locked world.
func (s *Systems) Initialize(w *ecs.World) {
	s.Sync.Initialize(w)
	s.Raycast.Initialize(w)
	s.Pick.Initialize(w)
}

// Update copies what changed, finds what is under the pointer and tells what was clicked.
func (s *Systems) Update(w *ecs.World) {
	s.Sync.Update(w)
	s.Raycast.Update(w)
	s.Pick.Update(w)
}

// Finalize finalises the three systems. The resources stay, to be read.
func (s *Systems) Finalize(w *ecs.World) {
	s.Sync.Finalize(w)
	s.Raycast.Finalize(w)
	s.Pick.Finalize(w)
}

// SyncSystem copies what changed in the world into its [Space], once an update. Let it run after the systems that move
// things and before those that query. See [Sync].
type SyncSystem struct{}

// Initialize adds [Space] and [Meshes] unless the world has them, and registers the components. Panics in a locked world.
func (s *SyncSystem) Initialize(w *ecs.World) { initialize(w) }

// Update is [Sync].
func (s *SyncSystem) Update(w *ecs.World) { Sync(w) }

// Finalize does nothing.
func (s *SyncSystem) Finalize(*ecs.World) {}

// RaycastSystem finds what is under the [Pointer], by a ray through the [View], and writes it to [Hover]. It sees what a
// renderer draws: solids from outside and the front faces of meshes and planes. Let it run after [SyncSystem] and after
// the camera has moved.
//
// It looks anew at each update, so that Hover follows things that move under a pointer at rest.
type RaycastSystem struct {
	// Filter says what can be hovered. Entities with [Unpickable] never can, and Inside and Cull are those of picking
	// whatever is set here. The zero Filter leaves out sensors.
	Filter Filter
}

// Initialize adds the resources [Space], [Meshes], [View], [Pointer] and [Hover] unless the world has them, and registers
// the components. Panics in a locked world.
func (s *RaycastSystem) Initialize(w *ecs.World) {
	initialize(w)
	resourceOf(w, zero[View])
	resourceOf(w, zero[Pointer])
	resourceOf(w, zero[Hover])
}

// Update writes [Hover].
func (s *RaycastSystem) Update(w *ecs.World) {
	space := initialize(w)
	view, pointer, hover := resourceOf(w, zero[View]), resourceOf(w, zero[Pointer]), resourceOf(w, zero[Hover])
	*hover = Hover{}
	if !pointer.Inside || pointer.Captured {
		return
	}
	start := time.Now()
	if hover.Ray, hover.HasRay = view.Ray(pointer.X, pointer.Y); !hover.HasRay {
		return
	}
	f, see := s.Filter, picking.PickFilter()
	f.Without.Set(space.ids.unpickable, true)
	f.Inside, f.Cull = see.Inside, see.Cull
	hover.Hit, hover.OK = sight{&space.eye, &f}.castRay(hover.Ray)
	hover.Elapsed = time.Since(start)
}

// Finalize does nothing.
func (s *RaycastSystem) Finalize(*ecs.World) {}

// PickSystem turns [Pointer] and [Hover] into [Events] and keeps the [Selection]: a click selects the entity alone, a
// click on nothing clears the selection. With Pointer.Toggle a click adds the entity to the selection or takes it out
// again, and one on nothing does nothing. Let it run after [RaycastSystem].
//
// An entity that has died is neither in Selection nor in Events, and no longer in Hover.
type PickSystem struct {
	// Button is the one that selects. The zero value is the left.
	Button picking.Button
	// ClickDistance is how far the pointer may stray between press and release of a click, in the units of the window. 0
	// means [picking.DefaultClickDistance].
	ClickDistance float64

	pointer picking.Pointer[ecs.Entity]
	events  *Events // where the pointer's events went last
}

// Initialize adds the resources [Pointer], [Hover], [Selection] and [Events] unless the world has them, and forgets what
// was pressed.
func (s *PickSystem) Initialize(w *ecs.World) {
	resourceOf(w, zero[Pointer])
	resourceOf(w, zero[Hover])
	resourceOf(w, zero[Selection])
	resourceOf(w, zero[Events])
	s.events = nil
}

// Update writes [Events], changes [Selection], and clears [Hover] if its entity has died since it was found.
func (s *PickSystem) Update(w *ecs.World) {
	pointer, hover := resourceOf(w, zero[Pointer]), resourceOf(w, zero[Hover])
	selection, events := resourceOf(w, zero[Selection]), resourceOf(w, zero[Events])
	if s.events != events {
		// Another world, or the same after a Reset: what the pointer remembers are other entities, by the same names.
		s.pointer = picking.Pointer[ecs.Entity]{Alive: func(e ecs.Entity) bool { return alive(w, e) }}
		s.events = events
	}
	if hover.OK && !alive(w, hover.Entity) {
		hover.Hit, hover.OK = Hit{}, false
	}
	selection.keepAlive(w)

	s.pointer.ClickDistance = s.ClickDistance
	in := pointer.Input
	in.Inside = hover.HasRay
	events.List = s.pointer.Update(in, hover.Entity, hover.OK)
	for _, e := range events.List {
		switch {
		case e.Kind != picking.Click || e.Button != s.Button:
		case pointer.Toggle && e.Background:
		case pointer.Toggle:
			selection.Toggle(e.Target)
		case e.Background:
			selection.Clear()
		default:
			selection.Set(e.Target)
		}
	}
}

// Finalize does nothing.
func (s *PickSystem) Finalize(*ecs.World) {}

// initialize returns the world's Space, with the components registered.
func initialize(w *ecs.World) *Space {
	s := resourceOf(w, NewSpace)
	s.bind(w)
	resourceOf(w, zero[Meshes])
	return s
}
