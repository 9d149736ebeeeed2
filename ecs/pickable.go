package physecs

import "github.com/mlange-42/arche/ecs"

// Pickable is the component that says how the pointer takes an entity. An entity without one is as
// with the zero Pickable: it is hovered and clicked, and hides what is behind it.
type Pickable struct {
	Mode PickMode

	// Backdrop makes the entity, such as the ground, give way to others that the pointer just
	// misses: see RaycastSystem.Margin.
	Backdrop bool

	// Sensor makes the pointer see the entity though its Collider is a sensor.
	Sensor bool
}

// PickMode says what the pointer does with an entity that it meets.
type PickMode uint8

// The modes of a [Pickable].
const (
	PickSolid   PickMode = iota // it is hovered, and hides what is behind
	PickThrough                 // it is hovered, and what is behind is too, as behind glass
	PickCover                   // it is not hovered, and hides what is behind: where it is seen is the background, whose events have its hit
	PickIgnore                  // the pointer goes through it, as if it were not there
)

// String returns the mode in lower case.
func (m PickMode) String() string {
	names := [...]string{"solid", "through", "cover", "ignore"}
	if int(m) < len(names) {
		return names[m]
	}
	return "unknown"
}

// Sees reports whether the pointer takes notice of an entity with this Pickable and a collider: it
// does not ignore it, and it is no sensor unless the Pickable wants that.
func (p Pickable) Sees(c *Collider) bool { return p.Mode != PickIgnore && (!c.Sensor || p.Sensor) }

// pickable returns how the pointer takes an entity that is alive.
func (s *Space) pickable(e ecs.Entity) Pickable {
	w := s.world
	if w.HasUnchecked(e, s.ids.unpickable) {
		return Pickable{Mode: PickIgnore}
	}
	if w.HasUnchecked(e, s.ids.pickable) {
		return *(*Pickable)(w.GetUnchecked(e, s.ids.pickable))
	}
	return Pickable{}
}

// notices reports whether the pointer takes notice of an entity that is alive and has a Collider;
// of any sensor if sensors is set.
func (s *Space) notices(e ecs.Entity, sensors bool) bool {
	p := s.pickable(e)
	p.Sensor = p.Sensor || sensors
	return p.Sees((*Collider)(s.world.GetUnchecked(e, s.ids.collider)))
}

// IsPickable reports whether the pointer takes notice of an entity, as far as its own components
// say: it has a [Collider], which its [Pickable] sees, and is not [Unpickable].
//
// Panics if the world has no [Space], or the entity is not alive.
func IsPickable(w *ecs.World, e ecs.Entity) bool {
	s := spaceOf(w, "IsPickable")
	c := (*Collider)(w.Get(e, s.ids.collider))
	return c != nil && s.pickable(e).Sees(c)
}
