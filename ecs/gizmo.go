package physecs

import (
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// GizmoSystem moves, turns and scales the [Selection] by handles at the entity selected last, by
// the [Pointer] in the [View]. While the pointer is on a handle, or drags one, it sets
// Pointer.Captured, so that nothing in the world is hovered, clicked or enclosed by a marquee, and
// clears it afterwards if the game does not. Run it after the input is set and after a
// [ViewSystem], and before [RaycastSystem]:
//
//	sim.Before(&sim.Raycast, "gizmo", gizmo.Update)
//
// All of the selection moves by the same distance, turns about the centre of the handles, and
// scales about its own origins; entities with a selected ancestor follow that alone. It writes by
// [SetTransform]. An entity that a [DynamicsSystem] or a [MoverSystem] moves is teleported in each
// update.
//
// The zero GizmoSystem moves by the left button, along the axes of the world.
type GizmoSystem struct {
	// Gizmo has the mode, the axes, the size and the snaps, which a game may change at any time.
	// Draw its Lines at the Transform of Entity, in each view; Gizmo.Active reports a drag.
	Gizmo picking.Gizmo
	// Button drags. The zero Button is the left one.
	Button picking.Button
	// Disabled shows no handles. A drag goes on until its end.
	Disabled bool
	// Edited, if not nil, is called at the end of each drag that changed anything, for an undo:
	// [GizmoSystem.Undo] takes the edits back. The slice is the caller's.
	Edited func(w *ecs.World, edits []GizmoEdit)

	// Entity has the handles; zero if nothing is selected. Update writes it.
	Entity ecs.Entity

	held, owned bool        // the button was down in the last update, and went down on a handle
	captured    bool        // the last update set Pointer.Captured
	others      bool        // the game was seen to write Pointer.Captured itself
	from        Transform   // of Entity, when the drag began
	edits       []GizmoEdit // of the drag
}

// GizmoEdit is what a drag did to an entity: its Transforms in world space.
type GizmoEdit struct {
	Entity        ecs.Entity
	Before, After Transform
}

// Initialize adds the resources [Space], [Meshes], [View], [Pointer] and [Selection] unless the
// world has them, and registers the components. Panics in a locked world.
func (s *GizmoSystem) Initialize(w *ecs.World) {
	initialize(w)
	resourceOf[View](w)
	resourceOf[Pointer](w)
	resourceOf[Selection](w)
}

// Update moves the selection, or finds the handle under the pointer. A drag is cancelled when the
// window loses the input focus, or Entity dies.
func (s *GizmoSystem) Update(w *ecs.World) {
	p := resourceOf[Pointer](w)
	// A game that sets the Input alone leaves Captured as the last update has set it.
	s.others = s.others || s.captured && !p.Captured
	p.Captured = p.Captured && (s.others || !s.captured)
	before := p.Captured
	s.update(w, p)
	s.captured = p.Captured && !before
}

func (s *GizmoSystem) update(w *ecs.World, p *Pointer) {
	space, view := initialize(w), resourceOf[View](w)
	down := p.Down.Has(s.Button)
	fresh := p.Pressed.Has(s.Button) || down && !s.held
	s.held = down
	ray, _ := view.RayBeyond(p.X, p.Y)
	if !s.Gizmo.Active() {
		s.Entity = s.pick(w, space)
		// A press elsewhere that moves over a handle does not grab it.
		free := p.Inside && !p.Captured && !p.Unfocused && (p.Down == 0 || fresh) && !s.Entity.IsZero()
		var at Transform
		if free {
			at = *space.transform(w, s.Entity)
		} else {
			ray = geom.Ray{} // which has no handle
		}
		if !free || !fresh || !s.begin(w, space, *view, at, ray) {
			over := !s.owned && s.Gizmo.Hover(*view, at, ray) != picking.NoHandle
			p.Captured = p.Captured || over || s.owned
			s.owned = s.owned && down
			return
		}
	}
	p.Captured = true
	if p.Unfocused || p.Canceled || !alive(w, s.Entity) {
		s.Cancel(w)
	} else {
		s.move(w, s.Gizmo.Drag(ray))
	}
	if s.owned = down; !down {
		s.end(w, space)
	}
}

// Finalize does nothing.
func (s *GizmoSystem) Finalize(*ecs.World) {}

// Cancel ends a drag, as by the escape key, puts all back, and reports whether there was one. The
// pointer stays captured until the button is up.
func (s *GizmoSystem) Cancel(w *ecs.World) bool {
	_, ok := s.Gizmo.Cancel()
	if ok {
		s.Undo(w, s.edits)
	}
	return ok
}

// Undo gives entities that are alive the Transforms that they had before edits.
func (s *GizmoSystem) Undo(w *ecs.World, edits []GizmoEdit) {
	for _, e := range edits {
		SetTransform(w, e.Entity, e.Before)
	}
}

// transform returns the Transform of an entity that is alive, nil if it has none.
func (s *Space) transform(w *ecs.World, e ecs.Entity) *Transform {
	if !alive(w, e) {
		return nil
	}
	return s.ids.transform.of(w, e)
}

// pick returns the entity that gets the handles.
func (s *GizmoSystem) pick(w *ecs.World, space *Space) ecs.Entity {
	list := resourceOf[Selection](w).List()
	for _, e := range slices.Backward(list) {
		if space.transform(w, e) != nil && !s.Disabled {
			return e
		}
	}
	return ecs.Entity{}
}

// begin starts a drag if a ray hits a handle.
func (s *GizmoSystem) begin(w *ecs.World, space *Space, v View, at Transform, ray geom.Ray) bool {
	if !s.Gizmo.Begin(v, at, ray) {
		return false
	}
	s.from, s.edits = at, s.edits[:0]
	selection := resourceOf[Selection](w)
	for _, e := range selection.List() {
		t := space.transform(w, e)
		follows := false
		space.visitAncestors(e, func(a ecs.Entity) bool {
			follows = follows || a != e && selection.Contains(a)
			return !follows
		})
		if t != nil && !follows {
			s.edits = append(s.edits, GizmoEdit{e, *t, *t})
		}
	}
	return true
}

// move moves the selection by the motion of the handles from their start to a place.
func (s *GizmoSystem) move(w *ecs.World, to Transform) {
	for i := range s.edits {
		e := &s.edits[i]
		e.After = s.follow(e.Before, to)
		SetTransform(w, e.Entity, e.After)
	}
}

// follow returns the transform of an entity that moves with the handles.
func (s *GizmoSystem) follow(t, to Transform) Transform {
	from := s.from
	switch {
	case t == from:
		return to
	case to == from: // to the bit
	case s.Gizmo.Mode == picking.GizmoTurn:
		turn := to.Rotation.Mul(from.Rotation.Inverse())
		t.Rotation = turn.Mul(t.Rotation.Normalize())
		t.Position = to.Position.Add(turn.Rotate(t.Position.Sub(to.Position)))
	case s.Gizmo.Mode == picking.GizmoScale:
		is, was, k := to.Factors(), from.Factors(), t.Factors()
		t.Scale = geom.V(k.X*is.X/was.X, k.Y*is.Y/was.Y, k.Z*is.Z/was.Z)
	default:
		t.Position = t.Position.Add(to.Position.Sub(from.Position))
	}
	return t
}

// end ends a drag.
func (s *GizmoSystem) end(w *ecs.World, space *Space) {
	if !s.Gizmo.Active() {
		return // cancelled
	}
	s.Gizmo.End()
	var edits []GizmoEdit
	for _, e := range s.edits {
		if t := space.transform(w, e.Entity); t != nil && *t != e.Before {
			edits = append(edits, GizmoEdit{e.Entity, e.Before, *t})
		}
	}
	if s.Edited != nil && len(edits) > 0 {
		s.Edited(w, edits)
	}
}
