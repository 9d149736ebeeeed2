package physecs

import (
	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/picking"
)

// MarqueeSystem draws a marquee or a lasso by the [Pointer] in the [View] and selects the entities
// in it when the button goes up. Run it after [PickSystem], with the same button and click
// distance: a press that moves no further than that is a click, any other a marquee. The zero
// MarqueeSystem is ready to use.
//
// The marquee stays in the window while the camera moves. What it encloses is computed in each
// update.
type MarqueeSystem struct {
	// Marquee has the button, the shape and the corners. Draw its Outline while it is Active; call
	// Cancel to give it up.
	Marquee picking.Marquee
	// Options says which entities in the marquee are selected.
	Options SelectOptions
	// Op says how they change the selection. A game may set it each frame by the modifier keys.
	// While it is [SelectReplace] and Pointer.Toggle is set, [SelectToggle] is used.
	Op SelectOp
	// OnBackground lets a marquee begin only where nothing is hovered, or Choose returns
	// background, for games that drag entities by the same button.
	OnBackground bool
	// Choose returns what each entity in the marquee selects, and where a marquee may begin: see
	// [Chooser]. If it returns one entity for several, that is selected once, by any of them: with
	// Options.Contained the turret alone selects the tank. Nil: the entity itself.
	Choose Chooser

	// Preview is what would be selected if the button went up now, by rising entity ID, and empty
	// without a marquee. Update writes it; it is valid until the next.
	Preview []ecs.Entity

	region picking.Region
}

// Initialize adds the resources [Space], [Meshes], [View], [Pointer], [Hover] and [Selection]
// unless the world has them, and registers the components. Panics in a locked world.
func (s *MarqueeSystem) Initialize(w *ecs.World) {
	initialize(w)
	resourceOf[View](w)
	resourceOf[Pointer](w)
	resourceOf[Hover](w)
	resourceOf[Selection](w)
	s.Marquee.Cancel()
	s.Preview = s.Preview[:0]
}

// Update moves the marquee, writes Preview and, at the end of the marquee, changes [Selection].
func (s *MarqueeSystem) Update(w *ecs.World) {
	initialize(w)
	view, pointer, hover := resourceOf[View](w), resourceOf[Pointer](w), resourceOf[Hover](w)
	in := pointer.Input
	_, _, over := view.Pixel(in.X, in.Y)
	in.Inside = in.Inside && over && !pointer.Captured && s.mayBegin(w, hover)
	s.Preview = s.Preview[:0]
	phase := s.Marquee.Update(in)
	if !s.Marquee.Active() && phase != picking.MarqueeEnded {
		return
	}
	s.Marquee.Region(&s.region, *view)
	s.Preview = s.Choose.chooseAll(w, SelectIn(w, s.Preview, &s.region, s.Options))
	if phase == picking.MarqueeEnded {
		op := s.Op
		if op == SelectReplace && pointer.Toggle {
			op = SelectToggle
		}
		resourceOf[Selection](w).Apply(op, s.Preview...)
	}
}

// mayBegin reports whether a marquee may begin on the hovered entity.
func (s *MarqueeSystem) mayBegin(w *ecs.World, hover *Hover) bool {
	if !hover.OK || !alive(w, hover.Entity) {
		return true
	}
	chosen, ok := s.Choose.choose(w, hover.Entity)
	return ok && (chosen.IsZero() || !s.OnBackground)
}

// Finalize does nothing.
func (s *MarqueeSystem) Finalize(*ecs.World) {}
