package wide

import (
	"math/bits"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The casts: what a query wants of the blocks that a walk hands out.

// smallStack is how many entries a stack has where that suffices, as it does for the trees of a million triangles; it costs
// time to clear one.
const smallStack = 96

// init prepares the walk; false if nothing can be hit.
func (w *walk) init(t *Tree, r geom.Ray, cull geom.Cull) bool {
	if t.IsEmpty() || !w.Init(r, cull, t.bounds) {
		return false
	}
	w.tree, w.cull = t, cull
	// A ray for which no box says anything makes NaN of the empty slots, which the portable walk doesn't look at.
	w.simd = useAVX2 && !w.all
	w.caster.Reset(geom.Ray{Origin: r.Origin, Dir: r.Dir})
	return true
}

// Closest returns the first hit of a ray in the order of T and then of triangles.
func (t *Tree) Closest(r geom.Ray, cull geom.Cull) (Impact, bool) { return t.After(r, cull, -1, -1) }

// After returns the first hit of a ray that comes after the given T and triangle. A T that is NaN or before the ray's range
// leaves nothing out.
func (t *Tree) After(r geom.Ray, cull geom.Cull, at float32, triangle int32) (Impact, bool) {
	var w walk
	if !w.init(t, r, cull) {
		return Impact{}, false
	}
	if t.need < smallStack {
		var stack [smallStack]waiting
		return w.after(stack[:], at, triangle)
	}
	var stack [stackSize]waiting
	return w.after(stack[:], at, triangle)
}

func (w *walk) after(stack []waiting, at float32, triangle int32) (best Impact, ok bool) {
	after := Impact{T: at, Triangle: triangle}
	if low, _ := w.Range(); at >= low {
		w.low = bitsOf(at + 0)
	} else {
		after = Impact{T: low, Triangle: -1}
	}
	w.start(stack)
	for w.next(stack) {
		for lanes := w.block.lanes; lanes != 0; lanes &= lanes - 1 {
			h, hit := w.impact(bits.TrailingZeros32(lanes))
			if hit && after.Before(&h) && (!ok || h.Before(&best)) {
				best, ok = h, true
				w.high = bitsOf(h.T)
			}
		}
	}
	return best, ok
}

// Any reports whether a ray hits any triangle.
func (t *Tree) Any(r geom.Ray, cull geom.Cull) bool {
	var w walk
	if !w.init(t, r, cull) {
		return false
	}
	if t.need < smallStack {
		var stack [smallStack]waiting
		return w.any(stack[:])
	}
	var stack [stackSize]waiting
	return w.any(stack[:])
}

func (w *walk) any(stack []waiting) bool {
	w.start(stack)
	for w.next(stack) {
		for lanes := w.block.lanes; lanes != 0; lanes &= lanes - 1 {
			if _, ok := w.impact(bits.TrailingZeros32(lanes)); ok {
				return true
			}
		}
	}
	return false
}

// All appends every hit of a ray, in no particular order. The caller makes of each hit what it wants in dst.
func All[H any](t *Tree, dst []H, r geom.Ray, cull geom.Cull, hit func(Impact) H) []H {
	var w walk
	if !w.init(t, r, cull) {
		return dst
	}
	var stack [stackSize]waiting
	w.start(stack[:])
	for w.next(stack[:]) {
		for lanes := w.block.lanes; lanes != 0; lanes &= lanes - 1 {
			if h, ok := w.impact(bits.TrailingZeros32(lanes)); ok {
				dst = append(dst, hit(h))
			}
		}
	}
	return dst
}
