package picking

import (
	"cmp"
	"slices"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// PickFilter returns the filter with which a picking ray should be cast: back faces are culled as a
// renderer culls them, and a solid in which the ray starts is left out, since from within nothing
// of it is seen.
func PickFilter() physics.Filter {
	return physics.Filter{Start: geom.Ignore, Cull: geom.CullBack}
}

// Pick is something under a pointer, as a backend found it: a ray through a view, a HUD with its
// own rectangles, a second view in a corner of the first.
type Pick[T comparable] struct {
	Target T

	// Order puts backends before one another, the highest in front: the world has 0, a HUD over it
	// 1.
	Order int
	// Depth puts the picks of one order before one another, the lowest in front. It is counted as
	// all backends of an order agree; rays of a [View] count metres from the near plane.
	Depth float64

	// Through is set if what is behind is under the pointer too, as behind glass.
	Through bool
	// Backdrop is set if it is no target itself and only hides what is behind, as the background of a
	// panel does.
	Backdrop bool

	Hit    physics.Hit // where it was met, if HasHit is set
	HasHit bool
}

// MergePicks puts the picks of all backends into their order and leaves what is not hidden: by
// Order, by Depth, and of equals as they came, down to the first that lets nothing through. Backdrop
// is left out, and of one target that was found several times the first is left. It returns the
// same slice, shortened. A pick with a NaN for its Depth is left out.
func MergePicks[T comparable](picks []Pick[T]) []Pick[T] {
	picks, _, _ = MergeCover(picks)
	return picks
}

// MergeCover is [MergePicks] and tells too what hides the rest without being a target, such as the
// ground: the pick that is Backdrop and lets nothing through. ok is false if there is none, or a
// target hides it. With it at their end, the picks tell [Pointer.UpdatePicks] what the background
// is there.
func MergeCover[T comparable](picks []Pick[T]) (left []Pick[T], cover Pick[T], ok bool) {
	slices.SortStableFunc(picks, func(a, b Pick[T]) int {
		return cmp.Or(cmp.Compare(b.Order, a.Order), cmp.Compare(a.Depth, b.Depth))
	})
	n := 0
	for i := range picks {
		p := picks[i]
		if p.Depth != p.Depth {
			continue
		}
		if !p.Backdrop && indexOf(picks[:n], p.Target) < 0 {
			picks[n] = p
			n++
		}
		if !p.Through {
			if p.Backdrop {
				cover, ok = p, true
			}
			break
		}
	}
	return picks[:n], cover, ok
}

// indexOf returns the place of a target, −1 if it has none.
func indexOf[T comparable](picks []Pick[T], t T) int {
	for i := range picks {
		if picks[i].Target == t {
			return i
		}
	}
	return -1
}
