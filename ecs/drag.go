package physecs

import (
	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// SurfaceDrag moves an entity over the surfaces seen under the pointer, such as furniture over
// floor and tables, as [picking.SurfaceDrag] does. It passes the entity itself, all its descendants
// by [Parent], and entities that the pointer does not see, by their [Pickable]. The zero
// SurfaceDrag moves nothing.
//
// The other drags need no world: see [picking.PlaneDrag], [picking.AxisDrag], [picking.RingDrag]
// and [picking.Gizmo]. Place the entity of any drag by [SetTransform].
type SurfaceDrag struct {
	// Filter limits the entities with surfaces; Start and Cull are those of picking, whatever is
	// set here. It may be changed at any time.
	Filter Filter

	drag   picking.SurfaceDrag
	entity ecs.Entity
}

// Begin starts a drag of an entity by a pointer's ray. The entity is taken to stand on the surface
// that the ray meets behind it. Begin reports false, and nothing moves until the next Begin, if
// there is none. Panics if the world has no [Space].
func (d *SurfaceDrag) Begin(w *ecs.World, e ecs.Entity, r geom.Ray) (ok bool) {
	d.entity = e
	space, scratch, f := d.pointerFilter(w, "SurfaceDrag.Begin")
	ok = d.drag.Begin(space.physics, r, f)
	space.scratches.give(scratch)
	return ok
}

// Drag returns the displacement of the entity since the drag began, in metres, and the normal of
// the surface under the pointer, facing the pointer. ok is false if there is no surface; move and
// normal are the last ones then. Panics if the world has no [Space].
func (d *SurfaceDrag) Drag(w *ecs.World, r geom.Ray) (move, normal geom.Vec3, ok bool) {
	space, scratch, f := d.pointerFilter(w, "SurfaceDrag.Drag")
	move, normal, ok = d.drag.Drag(space.physics, r, f)
	space.scratches.give(scratch)
	return move, normal, ok
}

// pointerFilter returns a filter for what the drag sees, valid until the scratch memory is given
// back.
func (d *SurfaceDrag) pointerFilter(w *ecs.World, caller string) (*Space, *scratch, physics.Filter) {
	s, see := spaceOf(w, caller), picking.PickFilter()
	l := s.scratches.take()
	f := l.onRays(d.Filter.physics(l.pointerPredicate(s, &d.Filter)))
	f.Start, f.Cull, f.Sensors = see.Start, see.Cull, true // Pickable.Sees decides on sensors
	l.held = d.entity
	return s, l, f
}
