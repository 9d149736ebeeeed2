package physecs

import (
	"slices"
	"time"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/picking"
)

// The systems have the shape that Arche's schedulers expect and need none: call Initialize once,
// before any query is open, Update every frame, Finalize at the end.

// Systems is [SyncSystem], [RaycastSystem] and [PickSystem] in that order, as one system. The zero
// Systems is ready for use.
type Systems struct {
	Sync    SyncSystem
	Raycast RaycastSystem
	Pick    PickSystem
}

// Initialize initialises the three systems, which adds all resources of this package that the world
// misses. Panics in a locked world.
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

// SyncSystem copies what changed in the world into its [Space], once an update. Let it run after
// the systems that move things and before those that query. See [Sync].
type SyncSystem struct{}

// Initialize adds [Space] and [Meshes] unless the world has them, and registers the components.
// Panics in a locked world.
func (s *SyncSystem) Initialize(w *ecs.World) { initialize(w) }

// Update is [Sync].
func (s *SyncSystem) Update(w *ecs.World) { Sync(w) }

// Finalize does nothing.
func (s *SyncSystem) Finalize(*ecs.World) {}

// RaycastSystem finds what is under the [Pointer], by a ray through the [View], and writes it to
// [Hover]; and for each of the [Touches] to its own. It sees what a renderer draws: solids from
// outside and the front faces of meshes and planes. What the pointer takes notice of, and whether
// it sees through it, says [Pickable]. Let it run after [SyncSystem] and after the camera has
// moved.
//
// It looks anew at each update, so that Hover follows things that move under a pointer at rest.
type RaycastSystem struct {
	// Filter says what can be hovered. Entities with [Unpickable] never can, and Inside and Cull
	// are those of picking whatever is set here. The zero Filter leaves out sensors, but for those
	// whose [Pickable] wants them.
	Filter Filter

	// Margin makes small and thin things easier to hit, for fingers above all: where a pointer hits
	// nothing, or only a [Pickable] that is a Backdrop, the entity counts as hit that is seen
	// nearest to it within this distance, in the units of the window. Of equally near pixels the
	// lowest counts, then the leftmost. More than 64 framebuffer pixels are not
	// looked at, nor those over which another of the [Views] or a Backend lies.
	Margin float64
	// TouchMargin is the Margin of the [Touches]. 0 means Margin.
	TouchMargin float64

	// Backends are asked besides the View. The order of those with the same Order and Depth is that
	// of the list.
	Backends []Backend

	lens  lens
	picks []Pick
}

// Initialize adds the resources [Space], [Meshes], [View], [Pointer], [Touches], [Pointers] and
// [Hover] unless the world has them, and registers the components. Panics in a locked world.
func (s *RaycastSystem) Initialize(w *ecs.World) {
	initialize(w)
	resourceOf(w, zero[View])
	resourceOf(w, zero[Pointer])
	resourceOf(w, zero[Touches])
	resourceOf(w, zero[Pointers])
	resourceOf(w, zero[Hover])
}

// Update writes [Hover], also that of each touch.
func (s *RaycastSystem) Update(w *ecs.World) {
	initialize(w)
	view, pointer, hover := resourceOf(w, zero[View]), resourceOf(w, zero[Pointer]), resourceOf(w, zero[Hover])
	clear(s.picks)
	s.picks = s.picks[:0]
	*hover = Hover{}
	s.lens.above = viewsAbove(w, nil)
	if !pointer.Captured {
		s.look(w, view, s.Margin, picking.Mouse, &pointer.Input, hover)
	}
	margin := s.TouchMargin
	if margin == 0 {
		margin = s.Margin
	}
	touches := resourceOf(w, zero[Touches]).List
	for i := range touches {
		t := &touches[i]
		t.Hover = Hover{}
		through := view
		if t.viewed {
			through = &t.view
		}
		s.lens.above = viewsAbove(w, t)
		s.look(w, through, margin, t.ID, &t.Input, &t.Hover)
	}
}

// look finds what is under one pointer.
func (s *RaycastSystem) look(w *ecs.World, view *View, margin float64, id picking.PointerID, in *picking.Input, hover *Hover) {
	if !in.Inside {
		return
	}
	pointers := resourceOf(w, zero[Pointers])
	pointers.looks, pointers.looking, pointers.backends = id, true, s.Backends
	defer func() { pointers.looking, pointers.backends = false, nil }()
	start := time.Now()
	first := len(s.picks)
	s.picks, hover.Ray, hover.HasRay = s.lens.pick(w, view, &s.Filter, margin, *in, s.picks)
	for _, b := range s.Backends {
		s.picks = b.Pick(w, *in, s.picks)
	}
	hover.inside = hover.HasRay || len(s.picks) > first
	if !hover.inside {
		return
	}
	picks, cover, _ := picking.MergeCover(s.picks[first:])
	s.picks, hover.Cover = s.picks[:first+len(picks)], cover
	if len(picks) > 0 {
		hover.Picks = picks[:len(picks):len(picks)]
		hover.setFront()
	}
	hover.Elapsed = time.Since(start)
}

// setFront makes the pick in front what is hovered.
func (h *Hover) setFront() {
	p := &h.Picks[0]
	h.Hit, h.OK = Hit{p.Hit, p.Target}, true
}

// forgetDead leaves out what has died since it was found; what it let through, if anything, is in
// front then.
func (h *Hover) forgetDead(w *ecs.World) {
	h.Picks = slices.DeleteFunc(h.Picks, func(p Pick) bool { return !alive(w, p.Target) })
	if len(h.Picks) == 0 {
		h.Picks = nil
	}
	if e := h.Cover.Target; !e.IsZero() && !alive(w, e) {
		h.Cover = Pick{}
	}
	if !h.OK || alive(w, h.Entity) {
		return
	}
	if h.Hit, h.OK = (Hit{}), false; len(h.Picks) > 0 {
		h.setFront()
	}
}

// Finalize does nothing.
func (s *RaycastSystem) Finalize(*ecs.World) {}

// PickSystem turns [Pointer], [Touches] and what each of them has under it into [Events], keeps the
// [Selection], and calls the [Handlers]. A click selects the entity alone, of several that let each
// other through the one in front; a click on nothing clears the selection. With Pointer.Toggle a
// click adds the entity to the selection or takes it out again, and one on nothing does nothing.
// Let it run after [RaycastSystem].
//
// What a click selects can be steered in two ways. Choose says it for each entity: that a turret
// stands for its tank, that the ground is as nothing, that a button of the HUD leaves the selection
// alone. And a Click that a handler stops does not select: the Selection, which handlers find as
// the click has left it, is put back, unless they have changed it themselves.
//
// An entity that has died is neither in Selection nor in Events, and no longer in Hover.
type PickSystem struct {
	// Button is the one that selects. The zero value is the left.
	Button picking.Button
	// ClickDistance is how far the pointer may stray between press and release of a click, in the
	// units of the window; beyond it is a drag. 0 means [picking.DefaultClickDistance].
	ClickDistance float64
	// ClickTime is how long a button may be down for a click. 0 means as long as the user likes.
	ClickTime time.Duration
	// MultiClickTime is how long there may be between two presses of a double click. 0 means
	// [picking.DefaultMultiClickTime].
	MultiClickTime time.Duration
	// Choose says what is selected by a click on an entity. Nil: the entity. Give the
	// [MarqueeSystem] the same.
	Choose Chooser

	pointers *Pointers // that has asked the world for who is alive
	clicks   clicks
}

// Initialize adds the resources [Pointer], [Touches], [Pointers], [Hover], [Selection], [Events]
// and [Handlers] unless the world has them, registers the components and forgets what was pressed.
// Panics in a locked world.
func (s *PickSystem) Initialize(w *ecs.World) {
	initialize(w)
	resourceOf(w, zero[Pointer])
	resourceOf(w, zero[Touches])
	resourceOf(w, zero[Hover])
	resourceOf(w, zero[Selection])
	resourceOf(w, zero[Events])
	resourceOf(w, zero[Handlers])
	*resourceOf(w, zero[Pointers]) = Pointers{}
	s.pointers = nil
}

// Update writes [Events], changes [Selection], and clears [Hover] if its entity has died since it
// was found. At last it calls the [Handlers], which may change the world, unless Update itself is
// called in a locked one.
//
// Panics if it is called from a handler: it would take back the events that are being told.
func (s *PickSystem) Update(w *ecs.World) {
	handlers := resourceOf(w, zero[Handlers])
	if handlers.calling {
		panic("physecs: PickSystem.Update: called from a handler")
	}
	space, pointers := initialize(w), resourceOf(w, zero[Pointers])
	pointer, hover := resourceOf(w, zero[Pointer]), resourceOf(w, zero[Hover])
	selection, events := resourceOf(w, zero[Selection]), resourceOf(w, zero[Events])
	touches := resourceOf(w, zero[Touches]).List
	hover.forgetDead(w)
	selection.keepAlive(w)

	all := &pointers.all
	if s.pointers != pointers {
		s.pointers = pointers
		all.Alive = func(e ecs.Entity) bool { return alive(w, e) }
		all.Parent = func(e ecs.Entity) (ecs.Entity, bool) { return space.parent(e) }
	}
	all.ClickDistance, all.ClickTime, all.MultiClickTime = s.ClickDistance, s.ClickTime, s.MultiClickTime
	all.Begin()
	pointers.update(picking.Mouse, pointer.Input, hover)
	for i := range touches {
		touches[i].Hover.forgetDead(w)
		pointers.update(touches[i].ID, touches[i].Input, &touches[i].Hover)
	}
	events.List = all.End()

	list, toggle := events.List, pointer.Toggle
	s.clicks.find(w, list, s.Button, s.Choose)
	s.clicks.apply(selection, toggle)
	if handlers.call(w, list) {
		s.clicks.takeBack(selection, toggle, list)
		hover.forgetDead(w)
		selection.keepAlive(w)
	}
}

// update tells one pointer what it does and what is under it.
func (p *Pointers) update(id picking.PointerID, in picking.Input, hover *Hover) {
	in.Inside = hover.HasRay || hover.inside
	picks := hover.Picks
	switch {
	case !hover.OK:
		picks = nil
	case len(picks) == 0 || picks[0].Target != hover.Entity: // somebody else has written Hover
		p.one[0] = Pick{Target: hover.Entity, HasHit: true, Hit: hover.Hit.Hit}
		picks = p.one[:]
	}
	if hover.Cover.Backdrop { // it lends its hit to the background
		p.picks = append(append(p.picks[:0], picks...), hover.Cover)
		picks = p.picks
	}
	p.all.Update(id, in, picks)
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
