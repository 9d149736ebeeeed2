package physecs

import (
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/picking"
)

// Views is the resource that holds the views of a window with several: a split screen, a map, a
// picture in the picture. The game sets its List, and runs a [ViewSystem]. Without it, or with an
// empty list, there is one view, the resource [View].
type Views = picking.Views

// ViewSystem sets [View] to the one of the [Views] that holds the [Pointer]: the topmost under the
// cursor or, while a button is down, the one in which it went down. All other systems use View and
// need not handle several. Run it before [RaycastSystem], after the cameras have moved.
//
// If no view holds the pointer, because it is outside of all or its button went down outside, View
// is the zero View, which sees nothing, and nothing is hovered. With an empty list View stays as it
// is.
//
// Each of the [Touches] is held by a view of its own, by the same rule.
type ViewSystem struct{ touches []touchViews }

// touchViews has the view that holds a touch.
type touchViews struct {
	id    picking.PointerID
	views Views
	stays bool // the touch is there in this frame
}

// Initialize adds the resources [View], [Views], [Pointer] and [Touches] unless the world has them.
func (s *ViewSystem) Initialize(w *ecs.World) {
	resourceOf[View](w)
	resourceOf[Views](w)
	resourceOf[Pointer](w)
	resourceOf[Touches](w)
}

// Update writes [View], and the view of each touch.
func (s *ViewSystem) Update(w *ecs.World) {
	if space := findResource[Space](w); space != nil {
		space.updates(s, "ViewSystem", 0, nil)
	}
	views := resourceOf[Views](w)
	s.updateTouches(resourceOf[Touches](w).List, views.List)
	if len(views.List) == 0 {
		return
	}
	pointer, view := resourceOf[Pointer](w), resourceOf[View](w)
	in := pointer.Input
	in.Inside = in.Inside && !pointer.Captured
	*view = View{}
	if i, ok := views.Update(in); ok {
		*view = views.List[i]
	}
}

func (s *ViewSystem) updateTouches(touches []Touch, list []View) {
	for i := range s.touches {
		s.touches[i].stays = false
	}
	for i := range touches {
		t := &touches[i]
		t.view, t.viewed = View{}, len(list) > 0
		j := slices.IndexFunc(s.touches, func(o touchViews) bool { return o.id == t.ID })
		if j < 0 {
			j = len(s.touches)
			s.touches = append(s.touches, touchViews{id: t.ID})
		}
		o := &s.touches[j]
		o.stays, o.views.List = true, list
		if k, ok := o.views.Update(t.Input); ok {
			t.view, t.place = list[k], k
		}
	}
	s.touches = slices.DeleteFunc(s.touches, func(o touchViews) bool { return !o.stays })
}

// viewsAbove returns the [Views] that are drawn over the one that holds a touch or, without a
// touch, the [Pointer].
func viewsAbove(w *ecs.World, t *Touch) []View {
	views := findResource[Views](w)
	if views == nil {
		return nil
	}
	i, ok := views.Current()
	if t != nil && t.viewed {
		i, ok = t.place, true
	}
	if !ok || i >= len(views.List) {
		return nil
	}
	return views.List[i+1:]
}

// Finalize does nothing.
func (s *ViewSystem) Finalize(*ecs.World) {}
