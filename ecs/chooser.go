package physecs

import (
	"cmp"
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/picking"
)

// Chooser returns what a click or a marquee on an entity selects. It returns one of these:
//
//   - an entity, which is selected: the one clicked or another, such as the tank of a turret (see
//     [ChooseAncestor]);
//   - the zero entity and true, for entities that are background, such as the ground: a click
//     clears the selection, and a marquee may begin there and leaves them out;
//   - false, for entities that do not take part in selection, such as a button of the HUD: a click
//     leaves the selection as it is, a marquee leaves them out and does not begin there. A dead
//     entity counts as false.
//
// Picks of a [Backend] with Cover, such as the panel behind buttons, are background, and the
// Chooser is not called for them. If a click there must not clear the selection, make the panel an
// entity, for which the Chooser returns false, or set Pointer.Captured over it.
//
// The entity is alive. A Chooser may read the world and query, and must not change it. The nil
// Chooser chooses the entity itself.
type Chooser func(w *ecs.World, met ecs.Entity) (chosen ecs.Entity, ok bool)

// choose calls the Chooser.
func (c Chooser) choose(w *ecs.World, met ecs.Entity) (chosen ecs.Entity, ok bool) {
	if c == nil {
		return met, true
	}
	chosen, ok = c(w, met)
	if !ok || !chosen.IsZero() && !alive(w, chosen) {
		return ecs.Entity{}, false
	}
	return chosen, true
}

// chooseAll replaces entities by those chosen for them, in the same memory, by rising ID and each
// once.
func (c Chooser) chooseAll(w *ecs.World, entities []ecs.Entity) []ecs.Entity {
	if c == nil {
		return entities
	}
	n := 0
	for _, e := range entities {
		if chosen, ok := c.choose(w, e); ok && !chosen.IsZero() {
			entities[n] = chosen
			n++
		}
	}
	entities = entities[:n]
	slices.SortFunc(entities, func(a, b ecs.Entity) int { return cmp.Compare(a.ID(), b.ID()) })
	return slices.Compact(entities)
}

// AncestorWith returns the first of an entity, its [Parent], the parent's parent and so on that has
// a component, and false with the zero entity if none has, or e is dead. A [Chooser] that returns
// false for the ground ends what a click and a marquee there do: see [ChooseAncestor].
//
// Panics if the world has no [Space].
func AncestorWith(w *ecs.World, e ecs.Entity, component ecs.ID) (ecs.Entity, bool) {
	s := spaceOf(w, "AncestorWith")
	if !alive(w, e) {
		return ecs.Entity{}, false
	}
	var found ecs.Entity
	s.visitAncestors(e, func(a ecs.Entity) bool {
		if hasUnchecked(w, a, component) {
			found = a
		}
		return found.IsZero()
	})
	return found, !found.IsZero()
}

// ChooseAncestor returns a Chooser that selects the [AncestorWith] a component, such as the tank of
// a turret. An entity with a [Collider] but without such an ancestor is background, such as any
// ground or wall: a click there clears the selection and a marquee may begin. Entities without a
// Collider, as those of a HUD, do not take part. The Chooser panics if the world has no [Space].
func ChooseAncestor(component ecs.ID) Chooser {
	return func(w *ecs.World, met ecs.Entity) (ecs.Entity, bool) {
		if e, ok := AncestorWith(w, met, component); ok {
			return e, true
		}
		return ecs.Entity{}, alive(w, met) && spaceOf(w, "ChooseAncestor").ids.collider.on(w, met)
	}
}

// clicks applies the clicks of an update to the selection.
type clicks struct {
	list   []clicked
	before []ecs.Entity // the selection before the clicks
	after  []ecs.Entity
}

// clicked is a click that selects an entity or, with the zero entity, clears the selection.
type clicked struct {
	event  int // index of the event
	chosen ecs.Entity
}

// find finds the clicks of a button that change the selection.
func (c *clicks) find(w *ecs.World, events []Event, button picking.Button, choose Chooser) {
	c.list = c.list[:0]
	for i := range events {
		e := &events[i]
		// The next click is that on an entity behind one that lets the pointer through.
		if e.Kind != picking.Click || e.Button != button || i > 0 && events[i-1].Kind == picking.Click {
			continue
		}
		one := clicked{event: i}
		if !e.Background {
			var ok bool
			if one.chosen, ok = choose.choose(w, e.Target); !ok {
				continue
			}
		}
		c.list = append(c.list, one)
	}
}

// apply changes the selection.
func (c *clicks) apply(s *Selection, toggle bool) {
	c.before = append(c.before[:0], s.list...)
	for _, one := range c.list {
		switch {
		case !toggle && one.chosen.IsZero():
			s.Clear()
		case !toggle:
			s.Set(one.chosen)
		case !one.chosen.IsZero():
			s.Toggle(one.chosen)
		}
	}
	c.after = append(c.after[:0], s.list...)
}

// takeBack undoes what was applied for clicks that were stopped since, unless somebody else has
// changed the selection.
func (c *clicks) takeBack(s *Selection, toggle bool, events []Event) {
	n := len(c.list)
	c.list = slices.DeleteFunc(c.list, func(one clicked) bool { return events[one.event].Stopped() })
	if len(c.list) < n && slices.Equal(s.list, c.after) {
		s.Set(c.before...)
		c.apply(s, toggle)
	}
}
