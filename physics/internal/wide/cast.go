package wide

import (
	"math/bits"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The casts: what a query wants of the blocks that a walk hands out. Hits are written where the caller wants them: half of
// a short cast would go into handing structs from one function to the next.

// smallStack is how many entries a stack has where that suffices, as it does for most trees of a million triangles; it costs
// time to clear one.
const smallStack = 96

// before reports whether a hit comes before another: by T and then by triangle. Integers order like the T.
func (f *found) before(g *found) bool { return f.t < g.t || f.t == g.t && f.triangle < g.triangle }

// init makes a walk ready; false if the ray can hit nothing.
func (w *walk) init(t *Tree, r *geom.Ray, cull geom.Cull, simd bool) bool {
	low, high := limits(r)
	w.tree, w.ray = t, *r
	w.low, w.high = bitsOf(low), bitsOf(high)
	w.turn, w.flip = facing(cull)
	if !(low <= high) || t.IsEmpty() {
		return false
	}
	if simd {
		// A ray for which no box says anything makes NaN of the empty slots, which the portable walk doesn't look at.
		prepareAVX2(w, r)
		w.simd = !w.all
	}
	if !w.simd && !w.prepare(t, r, cull) {
		return false
	}
	dir := [4]float32{r.Dir.X, r.Dir.Y, r.Dir.Z}
	w.wx = float64(dir[w.axis[0]/row&3]) / float64(w.dz)
	w.wy = float64(dir[w.axis[1]/row&3]) / float64(w.dz)
	return true
}

// CastRay finds the first hit of a ray in the order of T and then of triangles.
func (t *Tree) CastRay(hit *geom.Hit, r *geom.Ray, cull geom.Cull) bool {
	return t.CastRayAfter(hit, r, cull, -1, -1)
}

// CastRayAfter finds the first hit of a ray that comes after the given T and triangle. A T that is NaN or before the
// ray's range leaves nothing out.
func (t *Tree) CastRayAfter(hit *geom.Hit, r *geom.Ray, cull geom.Cull, at float32, triangle int32) bool {
	low, high := limits(r)
	if at >= low {
		low = at + 0
	} else {
		triangle = -1
	}
	if !(low <= high) || t.IsEmpty() {
		return false
	}
	if useAVX2 {
		turn, flip := facing(cull)
		if code := closestAVX2(t, r, hit, bitsOf(low), bitsOf(high), turn, flip, triangle); code < odd {
			return code != 0
		}
	}
	return t.portable(hit, r, cull, low, triangle)
}

// odd is what the assembly returns if it leaves a ray to the portable walk.
const odd = 2

func (t *Tree) portable(hit *geom.Hit, r *geom.Ray, cull geom.Cull, low float32, triangle int32) (ok bool) {
	var w walk
	if !w.init(t, r, cull, false) {
		return false
	}
	w.low = bitsOf(low)
	var f found
	if t.need < smallStack {
		var stack [smallStack]waiting
		ok = w.after(&f, stack[:], triangle)
	} else {
		var stack [stackSize]waiting
		ok = w.after(&f, stack[:], triangle)
	}
	if ok {
		w.fill(hit, &f)
	}
	return ok
}

// after finds the first hit that comes after a triangle hit at the lowest T that is wanted, or at a higher T.
func (w *walk) after(best *found, stack []waiting, triangle int32) (ok bool) {
	last := found{t: w.low, triangle: triangle}
	var f found
	w.start(stack)
	for w.next(stack) {
		for lanes := w.block.lanes; lanes != 0; lanes &= lanes - 1 {
			if w.take(&f, bits.TrailingZeros32(lanes)) && last.before(&f) && (!ok || f.before(best)) {
				*best, ok = f, true
				w.high = f.t
			}
		}
	}
	return ok
}

// CastRayAny reports whether a ray hits any triangle.
func (t *Tree) CastRayAny(r *geom.Ray, cull geom.Cull) bool {
	if useAVX2 {
		low, high := limits(r)
		if !(low <= high) || t.IsEmpty() {
			return false
		}
		turn, flip := facing(cull)
		if code := anyAVX2(t, r, bitsOf(low), bitsOf(high), turn, flip); code < odd {
			return code != 0
		}
	}
	var w walk
	if !w.init(t, r, cull, false) {
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
	var f found
	w.start(stack)
	for w.next(stack) {
		for lanes := w.block.lanes; lanes != 0; lanes &= lanes - 1 {
			if w.take(&f, bits.TrailingZeros32(lanes)) {
				return true
			}
		}
	}
	return false
}

// CastRayAll appends every hit of a ray, in no particular order.
func (t *Tree) CastRayAll(dst []geom.Hit, r *geom.Ray, cull geom.Cull) []geom.Hit {
	var w walk
	if !w.init(t, r, cull, useAVX2) {
		return dst
	}
	var f found
	var stack [stackSize]waiting
	w.start(stack[:])
	for w.next(stack[:]) {
		for lanes := w.block.lanes; lanes != 0; lanes &= lanes - 1 {
			if w.take(&f, bits.TrailingZeros32(lanes)) {
				dst = append(dst, geom.Hit{})
				w.fill(&dst[len(dst)-1], &f)
			}
		}
	}
	return dst
}
