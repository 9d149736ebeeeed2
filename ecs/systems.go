package physecs

import (
	"slices"
	"time"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/picking"
)

// The systems have the methods that Arche's schedulers call, and need no scheduler: call Initialize
// once, before any query is open, Update every frame, Finalize at the end.

// SyncSystem calls [Sync] once an update. Run it after the systems that move entities and before
// those that query.
type SyncSystem struct{}

// Initialize adds [Space] and [Meshes] unless the world has them, and registers the components.
// Panics in a locked world.
func (s *SyncSystem) Initialize(w *ecs.World) { initialize(w) }

// Update is [Sync].
func (s *SyncSystem) Update(w *ecs.World) { Sync(w) }

// Finalize does nothing.
func (s *SyncSystem) Finalize(*ecs.World) {}

// RaycastSystem finds what is under the [Pointer], by a ray through the [View], and writes it to
// [Hover], and for each of the [Touches] to the Hover of that. It sees what a renderer draws:
// solids from outside and the front faces of meshes and planes. [Pickable] says how an entity is
// picked. Run it after [SyncSystem] and after the camera has moved.
//
// It casts the ray in each update, so that Hover follows entities that move under a resting
// pointer.
type RaycastSystem struct {
	// Filter limits what can be hovered. Entities with [Unpickable] never can, and Start and Cull
	// are those of picking, whatever is set here. The zero Filter leaves out sensors, except those
	// whose [Pickable] has Sensor.
	Filter Filter

	// Margin makes small and thin entities easier to hit, above all for fingers: a pointer that
	// hits nothing, or only a [Pickable] with Backdrop, hits the entity that is seen nearest to it
	// within this distance, in the units of the window. Of equally near pixels the lowest counts,
	// then the leftmost. Pixels further away than 64 framebuffer pixels, and those that another of
	// the [Views] or a Backend covers, do not count.
	Margin float64
	// TouchMargin is the Margin of the [Touches]. 0 means Margin.
	TouchMargin float64

	// Backends are the backends besides the View. The order of picks with the same Order and Depth
	// is that of the list.
	Backends []Backend

	picker viewPicker
	picks  []Pick
}

// Initialize adds the resources [Space], [Meshes], [View], [Pointer], [Touches], [Pointers] and
// [Hover] unless the world has them, and registers the components. Panics in a locked world.
func (s *RaycastSystem) Initialize(w *ecs.World) {
	initialize(w)
	resourceOf[View](w)
	resourceOf[Pointer](w)
	resourceOf[Touches](w)
	resourceOf[Pointers](w)
	resourceOf[Hover](w)
}

// Update writes [Hover], and that of each touch.
func (s *RaycastSystem) Update(w *ecs.World) {
	space := initialize(w)
	space.updates(s, "RaycastSystem", 0, &s.Filter)
	view, pointer, hover := resourceOf[View](w), resourceOf[Pointer](w), resourceOf[Hover](w)
	space.pointed = space.pointed || pointer.Inside || len(resourceOf[Touches](w).List) > 0
	clear(s.picks)
	s.picks = s.picks[:0]
	*hover = Hover{}
	s.picker.above = viewsAbove(w, nil)
	if !pointer.Captured {
		s.pickOne(w, view, s.Margin, picking.Mouse, &pointer.Input, hover)
	}
	margin := s.TouchMargin
	if margin == 0 {
		margin = s.Margin
	}
	touches := resourceOf[Touches](w).List
	for i := range touches {
		t := &touches[i]
		t.Hover = Hover{}
		through := view
		if t.viewed {
			through = &t.view
		}
		s.picker.above = viewsAbove(w, t)
		s.pickOne(w, through, margin, t.ID, &t.Input, &t.Hover)
	}
}

// pickOne finds what is under one pointer.
func (s *RaycastSystem) pickOne(w *ecs.World, view *View, margin float64, id picking.PointerID, in *picking.Input, hover *Hover) {
	if !in.Inside {
		return
	}
	pointers := resourceOf[Pointers](w)
	pointers.current, pointers.busy, pointers.backends = id, true, s.Backends
	defer func() { pointers.busy, pointers.backends = false, nil }()
	start := time.Now()
	first := len(s.picks)
	s.picks, hover.Ray, hover.HasRay = s.picker.pick(w, view, &s.Filter, margin, *in, s.picks)
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

// setFront sets Hit and OK to the first of Picks.
func (h *Hover) setFront() {
	p := &h.Picks[0]
	h.Hit, h.OK = Hit{p.Hit, p.Target}, true
}

// forgetDead removes entities that have died since they were found. The first that is left is
// hovered then.
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

// PickSystem turns [Pointer], [Touches] and what is under each of them into [Events], keeps the
// [Selection], and calls the [Handlers]. A click selects the entity alone; of several that let each
// other through, the one in front. A click on nothing clears the selection. With Pointer.Toggle a
// click adds the entity to the selection or takes it out, and one on nothing does nothing. Run it
// after [RaycastSystem].
//
// What a click selects can be changed in two ways. Choose returns the entity to select: the tank
// for its turret, nothing for the ground, no change for a button of the HUD. And a Click that a
// handler stops does not select: handlers find the Selection as the click has left it, and it is
// restored after them, unless they have changed it themselves.
//
// An entity that has died is in none of Selection, Events and Hover.
type PickSystem struct {
	// Button is the button that selects. The zero value is the left.
	Button picking.Button
	// ClickDistance is how far the pointer may move between press and release of a click, in the
	// units of the window; beyond it the press is a drag. 0 means [picking.DefaultClickDistance].
	ClickDistance float64
	// ClickTime is the longest press that is a click. 0 means no limit.
	ClickTime time.Duration
	// MultiClickTime is the longest time between two presses of a double click. 0 means
	// [picking.DefaultMultiClickTime].
	MultiClickTime time.Duration
	// Choose returns what a click on an entity selects. Nil: the entity. Set the same in the
	// [MarqueeSystem].
	Choose Chooser

	pointers *Pointers // whose Alive and Parent are set
	clicks   clicks
}

// Initialize adds the resources [Pointer], [Touches], [Pointers], [Hover], [Selection], [Events]
// and [Handlers] unless the world has them, registers the components and resets the state of all
// pointers. Panics in a locked world.
func (s *PickSystem) Initialize(w *ecs.World) {
	initialize(w)
	resourceOf[Pointer](w)
	resourceOf[Touches](w)
	resourceOf[Hover](w)
	resourceOf[Selection](w)
	resourceOf[Events](w)
	resourceOf[Handlers](w)
	*resourceOf[Pointers](w) = Pointers{}
	s.pointers = nil
}

// Update writes [Events], changes [Selection], and clears [Hover] if its entity has died since it
// was found. At the end it calls the [Handlers], which may change the world, unless Update itself
// is called in a locked one.
//
// Panics if a handler calls it: it would overwrite the events of the present dispatch.
func (s *PickSystem) Update(w *ecs.World) {
	handlers := resourceOf[Handlers](w)
	if handlers.calling {
		panic("physecs: PickSystem.Update: called from a handler")
	}
	space, pointers := initialize(w), resourceOf[Pointers](w)
	space.updates(s, "PickSystem", 0, nil)
	pointer, hover := resourceOf[Pointer](w), resourceOf[Hover](w)
	selection, events := resourceOf[Selection](w), resourceOf[Events](w)
	touches := resourceOf[Touches](w).List
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

// update updates one pointer by its input and what is under it.
func (p *Pointers) update(id picking.PointerID, in picking.Input, hover *Hover) {
	in.Inside = hover.HasRay || hover.inside
	picks := hover.Picks
	switch {
	case !hover.OK:
		picks = nil
	case len(picks) == 0 || picks[0].Target != hover.Entity: // other code has written Hover
		p.one[0] = Pick{Target: hover.Entity, HasHit: true, Hit: hover.Hit.Hit}
		picks = p.one[:]
	}
	if hover.Cover.Cover { // its hit is that of events of the background
		p.picks = append(append(p.picks[:0], picks...), hover.Cover)
		picks = p.picks
	}
	p.all.Update(id, in, picks)
}

// Finalize does nothing.
func (s *PickSystem) Finalize(*ecs.World) {}

// initialize returns the world's Space, with the components registered.
func initialize(w *ecs.World) *Space {
	s := resourceOr(w, NewSpace)
	s.bind(w)
	resourceOf[Meshes](w)
	return s
}
