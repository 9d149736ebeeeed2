package physecs

import (
	"cmp"
	"math"
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
	"github.com/hitscan-go/hitscan/picking"
)

// Draggable is the component that lets pointers pull the [Body] of an entity, by a spring from the
// point where it was grabbed to the pointer. It is found as events bubble: on the entity whose
// collider is pressed, or on the nearest ancestor by [Parent] that has one. The zero Draggable is
// ready to use:
//
//	crates.NewWith(&transform, &collider, &physecs.Body{}, &physecs.Draggable{})
//
// A [DragSystem] follows the pointers. The force of the spring is limited, so that a body stops at
// a wall that the pointer passes through. A body that is let go keeps its velocity.
type Draggable struct {
	// Hertz is the frequency of the spring under the mass of the body and of all that joints
	// connect with it, and Damping its damping ratio. 0 means [DefaultDragHertz] and 1.
	Hertz, Damping float32
	// MaxForce is the greatest force of the spring, in N. 0 means 100 m/s² times the mass of the
	// body and 20 m/s² times that of what joints connect with it: enough to lift a ragdoll by a
	// hand. A much greater force presses the body into walls, and through thin ones.
	MaxForce float32
}

// DefaultDragHertz is the frequency of the spring of a [Draggable]. Greater: a pull is felt as a
// blow. Smaller: the body swings behind the pointer.
const DefaultDragHertz = 5

const (
	ownPull    = 100 // m/s²: see Draggable.MaxForce
	joinedPull = 20
	// stiffestDrag limits the frequency of the spring as the body alone feels it, in Hz. Greater:
	// the spring is stiffer than contacts, and presses the body into them.
	stiffestDrag = 30
)

// Drags is the resource that holds what pointers pull at present. [DragSystem] writes it, and
// [DynamicsSystem] reads it at its update. It is an input of the bodies, as keys are: a game with
// rollback keeps the List of each tick. A game without a DragSystem may fill it itself, as for a
// gravity gun.
type Drags struct{ List []Drag }

// Drag is the pull of a pointer at a body. A pointer has one at most.
type Drag struct {
	Draggable
	Pointer picking.PointerID
	Entity  ecs.Entity // with the Body
	// Point is where the body was grabbed, in the frame of the Entity without its scale, and Target
	// where it is pulled to, in world space.
	Point, Target geom.Vec3
}

// DragSystem lets pointers pull bodies: see [Draggable]. The point at which a body was pressed
// follows the pointer at the depth, from the plane of the camera, that it had when the drag began,
// wherever camera and pointer move. Run it after [PickSystem]; the pull acts in the next update of
// [DynamicsSystem].
//
// A drag begins by the event DragStart and ends when picking ends it, or when the entity, its Body
// or the Draggable is gone. A handler further down that stops the DragStart prevents it.
type DragSystem struct {
	// Button is the button that drags. The zero value is the left.
	Button picking.Button

	grabs  []grab
	origin geom.DVec3 // of the coordinates of grabs
}

// grab is a body that a pointer has pressed.
type grab struct {
	drag   Drag
	target ecs.Entity // the entity pressed
	by     ecs.Entity // that has the Draggable
	drags  bool
	depth  float64 // metres from the plane of the camera
}

// Initialize adds the resources that it reads and [Drags] unless the world has them, and registers
// the components. Panics in a locked world.
func (s *DragSystem) Initialize(w *ecs.World) {
	initialize(w)
	resourceOf[View](w)
	resourceOf[Pointer](w)
	resourceOf[Touches](w)
	resourceOf[Pointers](w)
	resourceOf[Events](w)
	resourceOf[Drags](w)
	s.grabs = s.grabs[:0]
}

// Update writes [Drags] from the [Events] and the pointers. It may be called in a locked world.
func (s *DragSystem) Update(w *ecs.World) {
	space, drags := initialize(w), resourceOf[Drags](w)
	space.updates(s, "DragSystem", 0, nil)
	drags.List = drags.List[:0]
	d := space.bodies
	if d == nil {
		s.grabs = s.grabs[:0]
		return
	}
	// The target of a pointer without a ray stays where it is.
	shift := s.origin.Sub(space.Origin())
	s.origin = space.Origin()
	for i := range s.grabs {
		t := &s.grabs[i].drag.Target
		*t = t.Wide().Add(shift).Narrow()
	}
	events, pointers := resourceOf[Events](w).List, resourceOf[Pointers](w)
	for i := range events {
		if e := &events[i]; e.Button == s.Button && !e.Background {
			s.take(w, d, pointers, e)
		}
	}
	s.grabs = slices.DeleteFunc(s.grabs, func(g grab) bool { return !s.holds(w, d, pointers, &g) })
	for i := range s.grabs {
		if g := &s.grabs[i]; g.drags {
			g.drag.Draggable = *space.ids.draggable.of(w, g.by)
			g.follow(w)
			drags.List = append(drags.List, g.drag)
		}
	}
}

// take takes in an event of the button.
func (s *DragSystem) take(w *ecs.World, d *Dynamics, pointers *Pointers, e *Event) {
	switch e.Kind {
	case picking.Down:
		s.grabs = slices.DeleteFunc(s.grabs, func(g grab) bool { return g.drag.Pointer == e.Pointer })
		for _, by := range e.Path {
			if !e.Reaches(by) || !alive(w, by) || !d.space.ids.draggable.on(w, by) {
				continue
			}
			body, _ := d.Body(e.Target)
			owner, ok := d.Entity(body)
			if front, held := s.pressed(pointers, e.Pointer); !ok || !e.HasHit || !held || front != e.Target {
				return
			}
			at, _ := d.Transform(owner)
			point := at.Rotation.Inverse().Rotate(e.Hit.Point.Sub(at.Position))
			s.grabs = append(s.grabs, grab{drag: Drag{Pointer: e.Pointer, Entity: owner, Point: point}, target: e.Target, by: by})
			return
		}
	case picking.DragStart:
		for i := range s.grabs {
			if g := &s.grabs[i]; g.drag.Pointer == e.Pointer && g.target == e.Target && e.Reaches(g.by) {
				at, _ := d.Transform(g.drag.Entity)
				g.drag.Target = at.Position.Add(at.Rotation.Rotate(g.drag.Point))
				view, _, _ := viewOf(w, e.Pointer)
				g.drags, g.depth = true, depthIn(view, g.drag.Target.Wide())
			}
		}
	}
}

// holds reports whether a pointer still presses what it has grabbed.
func (s *DragSystem) holds(w *ecs.World, d *Dynamics, pointers *Pointers, g *grab) bool {
	front, ok := s.pressed(pointers, g.drag.Pointer)
	if !ok || front != g.target || !alive(w, g.by) || !d.space.ids.draggable.on(w, g.by) {
		return false
	}
	body, _ := d.Body(g.target)
	owner, ok := d.Entity(body)
	return ok && owner == g.drag.Entity && alive(w, owner)
}

// pressed returns the foremost entity that a pointer presses with the button.
func (s *DragSystem) pressed(pointers *Pointers, id picking.PointerID) (ecs.Entity, bool) {
	one, ok := pointers.Pointer(id)
	if !ok {
		return ecs.Entity{}, false
	}
	return one.Pressed(s.Button)
}

// follow moves the target to the pointer. It stays while the pointer has no ray.
func (g *grab) follow(w *ecs.World) {
	view, in, ok := viewOf(w, g.drag.Pointer)
	if !ok {
		return
	}
	r, ok := view.RayBeyond(in.X, in.Y)
	if !ok {
		return
	}
	from, dir := r.Origin.Wide(), r.Dir.Wide()
	near := depthIn(view, from)
	if along := depthIn(view, from.Add(dir)) - near; along > 0 {
		if to := from.AddMul((g.depth-near)/along, dir).Narrow(); to.IsFinite() {
			g.drag.Target = to
		}
	}
}

// depthIn returns the distance of a point from the plane of a camera, in metres.
func depthIn(v *View, p geom.DVec3) float64 {
	return v.Rotation.Rotate(geom.V(0, 0, -1)).Wide().Dot(p.Sub(v.Position.Wide()))
}

// viewOf returns the view and the input of a pointer; false if it is gone.
func viewOf(w *ecs.World, id picking.PointerID) (*View, picking.Input, bool) {
	view := resourceOf[View](w)
	if id == picking.Mouse {
		return view, resourceOf[Pointer](w).Input, true
	}
	touches := resourceOf[Touches](w).List
	i := slices.IndexFunc(touches, func(t Touch) bool { return t.ID == id })
	if i < 0 {
		return view, picking.Input{}, false
	}
	if touches[i].viewed {
		view = &touches[i].view
	}
	return view, touches[i].Input, true
}

// Finalize does nothing. The resource stays.
func (s *DragSystem) Finalize(*ecs.World) {}

// pullRow is a joint that pulls a body.
type pullRow struct {
	pointer     picking.PointerID
	entity      ecs.Entity
	id          rigid.JointID
	own, joined float32 // kg: see weigh
	err         error
}

// pull makes the joints of the Drags.
func (d *Dynamics) pull(w *ecs.World) {
	var list []Drag
	if r := findResource[Drags](w); r != nil {
		list = r.List
	}
	d.pulls = slices.DeleteFunc(d.pulls, func(p pullRow) bool {
		ended := !slices.ContainsFunc(list, func(drag Drag) bool { return p.pointer == drag.Pointer && p.entity == drag.Entity })
		if ended {
			d.rigid.RemoveJoint(p.id)
		}
		return ended
	})
	for i := range list {
		drag := &list[i]
		k := slices.IndexFunc(d.pulls, func(p pullRow) bool { return p.pointer == drag.Pointer && p.entity == drag.Entity })
		if k < 0 {
			k = len(d.pulls)
			d.pulls = append(d.pulls, pullRow{pointer: drag.Pointer, entity: drag.Entity})
		}
		d.pullOne(&d.pulls[k], drag)
	}
}

// pullOne makes or changes the joint of a drag.
func (d *Dynamics) pullOne(p *pullRow, drag *Drag) {
	side := d.side(drag.Entity, Transform{Position: drag.Point})
	_, known := d.rigid.Joint(p.id)
	if !known {
		p.own, p.joined = d.weigh(side.body)
	}
	if p.err = nil; d.rigid.Mass(side.body) == 0 {
		d.rigid.RemoveJoint(p.id)
		p.id = 0
		return
	}
	hertz := cmp.Or(drag.Hertz, DefaultDragHertz) * float32(math.Sqrt(float64(1+p.joined/p.own)))
	j := rigid.Joint{
		Kind: rigid.MotorJoint, B: side.body, FrameA: Transform{Position: drag.Target}, FrameB: side.frame,
		Hertz: min(hertz, max(drag.Hertz, stiffestDrag)), Damping: cmp.Or(drag.Damping, 1),
		MaxForce: cmp.Or(drag.MaxForce, float32(ownPull*p.own)+float32(joinedPull*p.joined)),
	}
	if known {
		p.err = d.rigid.SetJoint(p.id, j)
	} else {
		p.id, p.err = d.rigid.AddJoint(j)
	}
	if p.err != nil {
		d.rigid.RemoveJoint(p.id)
		p.id = 0
	}
}

// weigh returns the mass of a body, 0 unless it is dynamic, and that of the dynamic bodies that
// joints connect with it, in kg.
func (d *Dynamics) weigh(id rigid.BodyID) (own, joined float32) {
	own = d.rigid.Mass(id)
	found := []rigid.BodyID{id}
	var joints []rigid.JointID
	for i := 0; i < len(found) && own > 0; i++ {
		joints = d.rigid.AppendJointsOf(joints[:0], found[i])
		for _, id := range joints {
			j, _ := d.rigid.Joint(id)
			other := j.A
			if other == found[i] {
				other = j.B
			}
			if kg := d.rigid.Mass(other); kg > 0 && !j.Disabled && !slices.Contains(found, other) {
				found = append(found, other)
				joined += kg
			}
		}
	}
	return own, joined
}

// rebaseDrags moves the targets of the Drags.
func (d *Dynamics) rebaseDrags(w *ecs.World, shift geom.DVec3) {
	if r := findResource[Drags](w); r != nil {
		for i := range r.List {
			t := &r.List[i].Target
			*t = t.Wide().Add(shift).Narrow()
		}
	}
}
