package picking

import (
	"cmp"
	"slices"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// PickFilter returns the filter for a picking ray: it culls back faces, as a renderer does, and
// ignores a solid in which the ray starts, since its surface is not drawn from inside.
func PickFilter() physics.Filter {
	return physics.Filter{Start: geom.Ignore, Cull: geom.CullBack}
}

// Pick is a target under a pointer, found by one backend: a ray through a view, a HUD with its own
// rectangles, a second view in a corner of the first.
type Pick[T comparable] struct {
	Target T

	// Order sorts the backends, the highest in front: the world has 0, a HUD over it 1.
	Order int
	// Depth sorts the picks of one Order, the lowest in front. All backends of an Order use one
	// unit; rays of a [View] use metres from the near plane.
	Depth float64

	// Through is set if the targets behind are under the pointer too, as behind glass.
	Through bool
	// Cover is set if the pick is not a target and only hides what is behind it, as the
	// background of a panel does. Its Target is not used.
	Cover bool

	Hit    physics.Hit // set if HasHit is
	HasHit bool
}

// MergePicks sorts the picks of all backends by Order, then Depth, then their place in the slice,
// and drops what is hidden: everything behind the first pick that is not Through. It also drops
// backdrops, repeated picks of one target after the first, and picks with a NaN Depth. It sorts in
// place and returns the same slice, shortened.
func MergePicks[T comparable](picks []Pick[T]) []Pick[T] {
	picks, _, _ = MergeCover(picks)
	return picks
}

// MergeCover is [MergePicks] and also returns what hides the rest without being a target, such as
// the ground: the first Cover that is not Through. ok is false if there is none, or if a target
// hides it. Append cover to the picks for [Pointer.UpdatePicks], so that events of the background
// have its hit.
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
		if !p.Cover && indexOf(picks[:n], p.Target) < 0 {
			picks[n] = p
			n++
		}
		if !p.Through {
			if p.Cover {
				cover, ok = p, true
			}
			break
		}
	}
	return picks[:n], cover, ok
}

// indexOf returns the index of the pick of a target, −1 if there is none.
func indexOf[T comparable](picks []Pick[T], t T) int {
	for i := range picks {
		if picks[i].Target == t {
			return i
		}
	}
	return -1
}
