package wide

import (
	"math"
	"math/bits"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The casts: what a query wants of the blocks that a walk hands out.

// smallStack is how many entries a stack has where that suffices, as it does for the trees of a million triangles; it costs
// time to clear one.
const smallStack = 64

// init prepares the walk; false if nothing can be hit.
func (w *walk) init(t *Tree, r geom.Ray, cull geom.Cull) bool {
	w.tree = t
	return !t.IsEmpty() && w.Init(r, cull, t.bounds)
}

// canSIMD reports whether the assembly may take the ray. One for which no box says anything makes NaN of the empty slots, which
// the portable walk doesn't look at.
func (w *walk) canSIMD() bool { return useAVX2 && !w.all }

// impact returns the hit in a lane of the block at hand.
func (w *blocks) impact(lane int) Impact {
	b := &w.block
	lane &= width - 1
	return w.hitOf(found{b.t[lane], b.eb[lane], b.ec[lane], b.det[lane], w.tree.ids[int(w.tree.info(b.leaf).first)+lane], b.leaf, uint32(lane)})
}

func (w *walk) hitOf(f found) Impact {
	return Impact{
		T: math.Float32frombits(uint32(f.t)),
		U: f.eb/f.det + 0, V: f.ec/f.det + 0, // + 0 turns −0 into 0
		Triangle: f.triangle,
		BackFace: (f.det > 0) != (w.dz > 0),
	}
}

// Closest returns the first hit of a ray in the order of T and then of triangles.
func (t *Tree) Closest(r geom.Ray, cull geom.Cull) (Impact, bool) {
	if !useAVX2 {
		return t.After(r, cull, -1, -1)
	}
	var w walk
	if !w.init(t, r, cull) {
		return Impact{}, false
	}
	if !w.canSIMD() {
		return t.After(r, cull, -1, -1)
	}
	w.found.triangle = -1
	closestAVX2(&w)
	if w.found.triangle < 0 {
		return Impact{}, false
	}
	return w.hitOf(w.found), true
}

// After returns the first hit of a ray that comes after the given T and triangle. A T that is NaN or before the ray's range
// leaves nothing out.
func (t *Tree) After(r geom.Ray, cull geom.Cull, at float32, triangle int32) (Impact, bool) {
	var w blocks
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

func (w *blocks) after(stack []waiting, at float32, triangle int32) (best Impact, ok bool) {
	after := Impact{T: at, Triangle: triangle}
	if low, _ := w.Range(); at >= low {
		w.low = bitsOf(at + 0)
	} else {
		after = Impact{T: low, Triangle: -1}
	}
	w.start(w.tree, stack)
	for w.next(stack) {
		for lanes := w.block.lanes; lanes != 0; lanes &= lanes - 1 {
			h := w.impact(bits.TrailingZeros32(lanes))
			if after.Before(&h) && (!ok || h.Before(&best)) {
				best, ok = h, true
				w.high = bitsOf(h.T)
			}
		}
	}
	return best, ok
}

// Any reports whether a ray hits any triangle.
func (t *Tree) Any(r geom.Ray, cull geom.Cull) bool {
	if useAVX2 {
		var w walk
		if !w.init(t, r, cull) {
			return false
		}
		if w.canSIMD() {
			return anyAVX2(&w)
		}
	}
	var w blocks
	if !w.init(t, r, cull) {
		return false
	}
	if t.need < smallStack {
		var stack [smallStack]waiting
		w.start(t, stack[:])
		return w.next(stack[:])
	}
	var stack [stackSize]waiting
	w.start(t, stack[:])
	return w.next(stack[:])
}

// All appends every hit of a ray, in no particular order. The caller makes of each hit what it wants in dst.
func All[H any](t *Tree, dst []H, r geom.Ray, cull geom.Cull, hit func(Impact) H) []H {
	var w blocks
	if !w.init(t, r, cull) {
		return dst
	}
	var stack [stackSize]waiting
	w.start(t, stack[:])
	for w.next(stack[:]) {
		for lanes := w.block.lanes; lanes != 0; lanes &= lanes - 1 {
			h := w.impact(bits.TrailingZeros32(lanes))
			dst = append(dst, hit(h))
		}
	}
	return dst
}
