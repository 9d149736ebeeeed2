package physecs

import (
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/picking"
)

// SelectOptions says which entities of a region [SelectIn] takes. The zero SelectOptions takes all that touch it, whatever
// stands before them.
type SelectOptions struct {
	// Filter says which entities can be selected. Those with [Unpickable] never are.
	Filter Filter
	// Contained takes only what is in the region as a whole: see [picking.Region.Inside].
	Contained bool
	// Visible takes only what is the first thing seen at a pixel of the region: see [picking.Region.Visible].
	Visible bool
	// Step is how far the pixels are apart that Visible looks at. 0 and 1: each pixel.
	Step int
	// Blockers says what Visible sees, and so what hides other things; it has to let through what is to be selected too. As with
	// a [RaycastSystem], entities with [Unpickable] hide nothing, Inside and Cull are those of picking, and the zero Filter leaves out
	// sensors.
	Blockers Filter
}

// SelectIn appends the entities that are seen in a region of a view to dst, by rising entity ID, and returns the longer slice. It
// uses the region's memory, and so is for one goroutine at a time with each region. Panics if the world has no [Space].
func SelectIn(w *ecs.World, dst []ecs.Entity, r *picking.Region, o SelectOptions) []ecs.Entity {
	eye := spaceOf(w, "SelectIn")
	o.Filter.Without.Set(eye.ids.unpickable, true)
	v := sight{eye, &o.Filter}
	l := eye.lists.take()
	if o.Contained {
		l.ids = r.Inside(eye.physics, l.ids, o.Filter.physics(nil))
	} else {
		l.ids = r.Overlap(eye.physics, l.ids, o.Filter.physics(nil))
	}
	if o.Visible {
		n := 0
		for _, id := range l.ids { // only what can be selected is worth a look
			if v.sees(id) {
				l.ids[n] = id
				n++
			}
		}
		l.ids = l.ids[:n]
		b, see := o.Blockers, picking.PickFilter()
		b.Without.Set(eye.ids.unpickable, true)
		b.Inside, b.Cull = see.Inside, see.Cull
		asked := eye.lists.take()
		l.ids = r.Visible(eye.physics, l.ids, o.Step, b.physics(asked.ask(eye, &b)))
		eye.lists.give(asked)
	}
	return v.entities(dst, l)
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

// Apply changes the selection by entities that are selected together. Panics if the op is none of the constants.
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
