package physecs

import (
	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/picking"
)

// MarqueeSystem lets the [Pointer] draw a marquee or a lasso in the [View] and puts what is in it
// into the [Selection] when the button goes up. Let it run after [PickSystem], with the same button
// and click distance: then a press that strays no further than that is a click, and any other a
// marquee. The zero MarqueeSystem is ready for use.
//
// The marquee stays in the window while the camera moves. What it encloses is worked out anew at
// each update.
type MarqueeSystem struct {
	// Marquee is the button, the shape and where it is. Draw its Outline while it is Active; Cancel
	// it to give it up.
	Marquee picking.Marquee
	// Options says what in the marquee is selected.
	Options SelectOptions
	// Op says how, and may be set each frame by the modifiers that are held. While it is
	// [SelectReplace] and Pointer.Toggle is set, it is [SelectToggle].
	Op SelectOp
	// OnBackground lets a marquee begin only where nothing is hovered, or what Choose takes for the
	// background, for games in which things are dragged by the same button.
	OnBackground bool
	// Choose says what is selected for each entity in the marquee, and where one may begin: see
	// [Chooser]. Several that stand for the same one select it once, each by itself: with
	// Options.Contained a tank is selected by its turret alone. Nil: the entity.
	Choose Chooser

	// Preview is what would be selected if the button went up now, by rising entity ID, and empty
	// while there is no marquee. It is written by Update and valid until the next.
	Preview []ecs.Entity

	region picking.Region
}

// Initialize adds the resources [Space], [Meshes], [View], [Pointer], [Hover] and [Selection]
// unless the world has them, and registers the components. Panics in a locked world.
func (s *MarqueeSystem) Initialize(w *ecs.World) {
	initialize(w)
	resourceOf(w, zero[View])
	resourceOf(w, zero[Pointer])
	resourceOf(w, zero[Hover])
	resourceOf(w, zero[Selection])
	s.Marquee.Cancel()
	s.Preview = s.Preview[:0]
}

// Update moves the marquee, writes Preview and, at its end, changes [Selection].
func (s *MarqueeSystem) Update(w *ecs.World) {
	initialize(w)
	view, pointer, hover := resourceOf(w, zero[View]), resourceOf(w, zero[Pointer]), resourceOf(w, zero[Hover])
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
		resourceOf(w, zero[Selection]).Apply(op, s.Preview...)
	}
}

// mayBegin reports whether a marquee may begin on what is hovered.
func (s *MarqueeSystem) mayBegin(w *ecs.World, hover *Hover) bool {
	if !hover.OK || !alive(w, hover.Entity) {
		return true
	}
	chosen, ok := s.Choose.choose(w, hover.Entity)
	return ok && (chosen.IsZero() || !s.OnBackground)
}

// Finalize does nothing.
func (s *MarqueeSystem) Finalize(*ecs.World) {}
