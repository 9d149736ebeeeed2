package physecs

import (
	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/internal/enum"
)

// Pickable is the component that says how the pointer picks an entity. An entity without one has
// the zero Pickable: it is hovered and clicked, and hides what is behind it.
type Pickable struct {
	Mode PickMode

	// Backdrop makes the entity, such as the ground, give way to others that the pointer just
	// misses: see RaycastSystem.Margin.
	Backdrop bool

	// Sensor makes the entity pickable though its Collider is a sensor.
	Sensor bool
}

// PickMode says how the pointer picks an entity.
type PickMode uint8

// The modes of a [Pickable].
const (
	PickSolid   PickMode = iota // hovered, and hides what is behind
	PickThrough                 // hovered, and so is what is behind, as behind glass
	// Hides what is behind, and is background itself: events have its hit.
	PickCover
	PickIgnore // passed, as if it were not there
)

// String returns the mode in lower case.
func (m PickMode) String() string { return enum.Name(m, "solid", "through", "cover", "ignore") }

// Sees reports whether the pointer sees an entity with this Pickable and a collider: it does not
// ignore it, and the collider is no sensor or Sensor is set.
func (p Pickable) Sees(c *Collider) bool { return p.Mode != PickIgnore && (!c.Sensor || p.Sensor) }

// pickable returns the Pickable of an entity that is alive.
func (s *Space) pickable(e ecs.Entity) Pickable {
	w := s.world
	if s.ids.unpickable.on(w, e) {
		return Pickable{Mode: PickIgnore}
	}
	if p := s.ids.pickable.of(w, e); p != nil {
		return *p
	}
	return Pickable{}
}

// pointerSees reports whether the pointer sees an entity that is alive and has a Collider. With
// sensors, sensors count as if their Pickable had Sensor.
func (s *Space) pointerSees(e ecs.Entity, sensors bool) bool {
	p := s.pickable(e)
	p.Sensor = p.Sensor || sensors
	return p.Sees(s.ids.collider.of(s.world, e))
}

// IsPickable reports whether the pointer sees an entity, by the entity's own components: it has a
// [Collider], which its [Pickable] sees, and is not [Unpickable].
//
// Panics if the world has no [Space], or the entity is not alive.
func IsPickable(w *ecs.World, e ecs.Entity) bool {
	s := spaceOf(w, "IsPickable")
	c := s.ids.collider.checked(w, e, "IsPickable")
	return c != nil && s.pickable(e).Sees(c)
}
