package physecs

import (
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/picking"
)

// SelectOptions says which entities of a region [SelectIn] takes. The zero SelectOptions takes all
// that touch it, whatever stands before them.
type SelectOptions struct {
	// Filter says which entities can be selected, of those that the pointer could hover: by their
	// [Pickable] it takes notice of them, and they are no cover. The zero Filter leaves out
	// sensors, but for those whose Pickable wants them.
	Filter Filter
	// Contained takes only what is in the region as a whole: see [picking.Region.Contained].
	Contained bool
	// Visible takes only what is the first thing seen at a pixel of the region: see
	// [picking.Region.Visible].
	Visible bool
	// Step is how far the pixels are apart that Visible looks at. 0 and 1: each pixel.
	Step int
	// Blockers says what Visible sees, and so what hides other things; it has to let through what
	// is to be selected too. As with a [RaycastSystem], entities of which the pointer takes no
	// notice hide nothing, Inside and Cull are those of picking, and the zero Filter leaves out
	// sensors, but for those whose [Pickable] wants them. What is behind glass, PickThrough, is
	// hidden here.
	Blockers Filter
}

// SelectIn appends the entities that are seen in a region of a view to dst, by rising entity ID,
// and returns the longer slice. It uses the region's memory, and so is for one goroutine at a time
// with each region. Panics if the world has no [Space].
func SelectIn(w *ecs.World, dst []ecs.Entity, r *picking.Region, o SelectOptions) []ecs.Entity {
	space := spaceOf(w, "SelectIn")
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
		if !v.has(e) || !space.notices(e, o.Filter.Sensors) || space.pickable(e).Mode == PickCover {
			continue
		}
		if o.Visible && !v.seesEntity(e) {
			continue // only what can be selected is worth a look
		}
		l.ids[n] = id
		n++
	}
	l.ids = l.ids[:n]
	if o.Visible {
		blocking, see := space.scratches.take(), picking.PickFilter()
		b := o.Blockers.physics(blocking.pointerPredicate(space, &o.Blockers))
		b.Start, b.Cull, b.Sensors = see.Start, see.Cull, true
		l.ids = r.Visible(space.physics, l.ids, o.Step, b)
		space.scratches.give(blocking)
	}
	return v.giveEntities(dst, l)
}

// SelectOp says what becomes of a [Selection] when entities are selected together.
type SelectOp uint8

const (
	// SelectReplace makes them the whole selection.
	SelectReplace SelectOp = iota
	// SelectAdd adds those that are not selected.
	SelectAdd
	// SelectRemove takes out those that are.
	SelectRemove
	// SelectToggle adds those that are not selected and takes out the others.
	SelectToggle
)

// String returns the name of the constant without its prefix.
func (o SelectOp) String() string {
	switch o {
	case SelectReplace:
		return "Replace"
	case SelectAdd:
		return "Add"
	case SelectRemove:
		return "Remove"
	case SelectToggle:
		return "Toggle"
	}
	return "unknown"
}

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
