package physecs

import (
	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/picking"
)

// Views is the resource that holds the views of a window which has several: a split screen, a map, a picture in the picture.
// The game sets its List. Without it, or with an empty list, there is one view, the resource [View].
type Views = picking.Views

// ViewSystem makes [View] that one of [Views] which the [Pointer] is about: the topmost under the cursor or, while a button is down,
// the one in which it went down. All other systems look through View and so need not know that there are several. Let it run
// before [RaycastSystem], after the cameras have moved.
//
// Where the pointer is about none of them, because it is outside of all or its button went down outside, View is the zero View,
// which sees nothing, and nothing is hovered. With an empty list View is left as it is.
type ViewSystem struct{}

// Initialize adds the resources [View], [Views] and [Pointer] unless the world has them.
func (s *ViewSystem) Initialize(w *ecs.World) {
	resourceOf(w, zero[View])
	resourceOf(w, zero[Views])
	resourceOf(w, zero[Pointer])
}

// Update writes [View].
func (s *ViewSystem) Update(w *ecs.World) {
	views := resourceOf(w, zero[Views])
	if len(views.List) == 0 {
		return
	}
	pointer, view := resourceOf(w, zero[Pointer]), resourceOf(w, zero[View])
	in := pointer.Input
	in.Inside = in.Inside && !pointer.Captured
	*view = View{}
	if i, ok := views.Update(in); ok {
		*view = views.List[i]
	}
}

// Finalize does nothing.
func (s *ViewSystem) Finalize(*ecs.World) {}
