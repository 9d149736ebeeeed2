package wide

import (
	"math"
	"math/bits"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The casts: what a query wants of the blocks that a walk hands out. Hits are written where the caller wants them: half of a short
// cast would go into handing structs from one function to the next.

// smallStack is how many entries a stack has where that suffices, as it does for most trees of a million triangles; it costs
// time to clear one.
const smallStack = 64

// canSIMD reports whether the assembly may take the ray. One for which no box says anything makes NaN of the empty slots, which
// the portable walk doesn't look at.
func (w *walk) canSIMD() bool { return useAVX2 && !w.all }

// take notes the hit in a lane of the block at hand.
func (w *blocks) take(f *found, lane int) {
	b := &w.block
	lane &= width - 1
	f.t, f.eb, f.ec, f.det = b.t[lane], b.eb[lane], b.ec[lane], b.det[lane]
	f.leaf, f.lane = b.leaf, uint32(lane)
	f.triangle = w.tree.ids[int(w.tree.info(b.leaf).first)+lane]
}

// before reports whether a hit comes before another: by T and then by triangle. Integers order like the T.
func (f *found) before(g *found) bool { return f.t < g.t || f.t == g.t && f.triangle < g.triangle }

// begin does what the assembly leaves to its caller; false if the ray can hit nothing.
func (w *walk) begin(t *Tree, r *geom.Ray, cull geom.Cull) bool {
	low, high := limits(r)
	w.tree = t
	w.low, w.high = bitsOf(low), bitsOf(high)
	w.found.triangle = -1
	w.turn, w.flip = facing(cull)
	return low <= high && !t.IsEmpty()
}

// CastRay finds the first hit of a ray in the order of T and then of triangles.
func (t *Tree) CastRay(hit *geom.Hit, r *geom.Ray, cull geom.Cull) bool {
	if useAVX2 {
		var w walk
		if !w.begin(t, r, cull) {
			return false
		}
		if closestAVX2(&w, r); w.found.triangle >= 0 {
			w.fill(hit, r, &w.found)
			return true
		}
		if !w.all {
			return false
		}
	}
	return t.CastRayAfter(hit, r, cull, -1, -1)
}

// CastRayAfter finds the first hit of a ray that comes after the given T and triangle. A T that is NaN or before the ray's range
// leaves nothing out.
func (t *Tree) CastRayAfter(hit *geom.Hit, r *geom.Ray, cull geom.Cull, at float32, triangle int32) bool {
	var w blocks
	if !w.prepare(t, r, cull) {
		return false
	}
	if low := math.Float32frombits(uint32(w.low)); at >= low {
		w.low = bitsOf(at + 0)
	} else {
		triangle = -1
	}
	var ok bool
	if t.need < smallStack {
		var stack [smallStack]waiting
		ok = w.after(stack[:], triangle)
	} else {
		var stack [stackSize]waiting
		ok = w.after(stack[:], triangle)
	}
	if ok {
		w.fill(hit, r, &w.found)
	}
	return ok
}

// after finds the first hit that comes after a triangle hit at the lowest T that is wanted, or at a higher T.
func (w *blocks) after(stack []waiting, triangle int32) (ok bool) {
	last := found{t: w.low, triangle: triangle}
	w.start(stack)
	for w.next(stack) {
		for lanes := w.block.lanes; lanes != 0; lanes &= lanes - 1 {
			var f found
			w.take(&f, bits.TrailingZeros32(lanes))
			if last.before(&f) && (!ok || f.before(&w.found)) {
				w.found, ok = f, true
				w.high = f.t
			}
		}
	}
	return ok
}

// CastRayAny reports whether a ray hits any triangle.
func (t *Tree) CastRayAny(r *geom.Ray, cull geom.Cull) bool {
	if useAVX2 {
		var w walk
		if !w.begin(t, r, cull) {
			return false
		}
		if any := anyAVX2(&w, r); !w.all {
			return any
		}
	}
	var w blocks
	if !w.prepare(t, r, cull) {
		return false
	}
	if t.need < smallStack {
		var stack [smallStack]waiting
		w.start(stack[:])
		return w.next(stack[:])
	}
	var stack [stackSize]waiting
	w.start(stack[:])
	return w.next(stack[:])
}

// CastRayAll appends every hit of a ray, in no particular order.
func (t *Tree) CastRayAll(dst []geom.Hit, r *geom.Ray, cull geom.Cull) []geom.Hit {
	var w blocks
	if !w.prepare(t, r, cull) {
		return dst
	}
	var stack [stackSize]waiting
	w.start(stack[:])
	for w.next(stack[:]) {
		for lanes := w.block.lanes; lanes != 0; lanes &= lanes - 1 {
			w.take(&w.found, bits.TrailingZeros32(lanes))
			dst = append(dst, geom.Hit{})
			w.fill(&dst[len(dst)-1], r, &w.found)
		}
	}
	return dst
}
