package physecs

import (
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/internal/enum"
	"github.com/hitscan-go/hitscan/picking"
)

// SelectOptions says which entities of a region [SelectIn] selects. The zero SelectOptions selects
// all that touch it, even if other entities hide them.
type SelectOptions struct {
	// Filter limits the entities that can be selected, besides those that the pointer cannot hover:
	// it must see them, by their [Pickable], and they must not be covers. The zero Filter leaves
	// out sensors, except those whose Pickable has Sensor.
	Filter Filter
	// Contained selects only entities that are in the region as a whole: see
	// [picking.Region.Contained].
	Contained bool
	// Visible selects only entities that are in front at some pixel of the region: see
	// [picking.Region.Visible].
	Visible bool
	// Step is the distance of the pixels that Visible tests. 0 and 1: each pixel.
	Step int
	// Blockers limits the entities that Visible sees, and so those that hide others; it must accept
	// the entities to be selected too. As with a [RaycastSystem], entities that the pointer does
	// not see hide nothing, Start and Cull are those of picking, and the zero Filter leaves out
	// sensors, except those whose [Pickable] has Sensor. Entities with PickThrough hide what is
	// behind them here.
	Blockers Filter
}

// SelectIn appends the entities in a region of a view to dst, by rising entity ID, and returns the
// longer slice. It uses the region's memory: call it from one goroutine at a time for each region.
// Panics if the world has no [Space].
func SelectIn(w *ecs.World, dst []ecs.Entity, r *picking.Region, o SelectOptions) []ecs.Entity {
	space := spaceOf(w, "SelectIn")
	if r == nil {
		panic("physecs: SelectIn: the region is nil")
	}
	v := query{&space.Queries, &o.Filter}
	f := o.Filter.physics(nil)
	f.Sensors = true // their Pickable decides
	l := space.scratches.take()
	if o.Contained {
		l.ids = r.Contained(space.physics, l.ids, f)
	} else {
		l.ids = r.Overlap(space.physics, l.ids, f)
	}
	n := 0
	for _, id := range l.ids {
		e := v.owner(id)
		if !v.has(e) || !space.pointerSees(e, o.Filter.Sensors) || space.pickable(e).Mode == PickCover {
			continue
		}
		if o.Visible && !v.seesEntity(e) {
			continue // not to be selected, visible or not
		}
		l.ids[n] = id
		n++
	}
	l.ids = l.ids[:n]
	if o.Visible {
		blocking, see := space.scratches.take(), picking.PickFilter()
		b := blocking.onRays(o.Blockers.physics(blocking.pointerPredicate(space, &o.Blockers)))
		b.Start, b.Cull, b.Sensors = see.Start, see.Cull, true
		l.ids = r.Visible(space.physics, l.ids, o.Step, b)
		space.scratches.give(blocking)
	}
	return v.giveEntities(dst, l)
}

// SelectOp says how a [Selection] changes when several entities are selected together.
type SelectOp uint8

const (
	// SelectReplace makes them the whole selection.
	SelectReplace SelectOp = iota
	// SelectAdd adds those that are not selected.
	SelectAdd
	// SelectRemove removes those that are selected.
	SelectRemove
	// SelectToggle adds those that are not selected and removes the others.
	SelectToggle
)

// String returns the name of the constant without its prefix.
func (o SelectOp) String() string { return enum.Name(o, "Replace", "Add", "Remove", "Toggle") }

// Apply changes the selection by entities that are selected together. Panics if the op is none of
// the constants.
func (s *Selection) Apply(op SelectOp, entities ...ecs.Entity) {
	switch op {
	case SelectReplace:
		s.Set(entities...)
	case SelectAdd:
		for _, e := range entities {
			s.Add(e)
		}
	case SelectRemove:
		for _, e := range entities {
			delete(s.set, e)
		}
		s.list = slices.DeleteFunc(s.list, func(e ecs.Entity) bool { return !s.Contains(e) })
	case SelectToggle:
		for _, e := range entities {
			s.Toggle(e)
		}
	default:
		panic("physecs: Selection.Apply: unknown op")
	}
}
