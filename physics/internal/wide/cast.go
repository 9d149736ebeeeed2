package wide

import (
	"math"
	"math/bits"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The ray casts: each query's use of the blocks that a traversal yields. Hits are written directly
// to the caller's memory: passing structs from one function to the next would take half of the time
// of a short cast.

// before reports whether a hit comes before another: by T and then by triangle. The integers order
// like T.
func (f *found) before(g *found) bool { return f.t < g.t || f.t == g.t && f.triangle < g.triangle }

// init prepares a traversal; false if the ray can hit nothing.
func (w *walk) init(t *Tree, r *geom.Ray, cull geom.Cull, simd bool) bool {
	low, high := limits(r)
	w.tree, w.ray = t, *r
	w.low, w.high = bitsOf(low), bitsOf(high)
	w.turn, w.flip = facing(cull)
	if !(low <= high) || t.IsEmpty() {
		return false
	}
	// A ray with all set makes NaN of the empty slots, which only the portable traversal skips.
	if assembly && simd {
		prepareSIMD(w, r)
		if w.simd = !w.all; w.simd {
			return true
		}
	}
	ok := w.prepare(t, r, cull)
	w.simd = simd && !w.all
	return ok
}

// CastRay finds the first hit of a ray in the order of T and then of triangles. It is short, so
// that the compiler inlines it.
func (t *Tree) CastRay(hit *geom.Hit, r *geom.Ray, cull geom.Cull) bool {
	if useSIMD {
		if code := closestSIMD(t, r, hit, -1, -1, cull); code < unsupported {
			return code != 0
		}
	}
	return t.portable(hit, r, cull, -1, -1)
}

// CastRayAfter finds the first hit of a ray after the given T and triangle. A T that is NaN or
// before the range of the ray excludes nothing.
func (t *Tree) CastRayAfter(hit *geom.Hit, r *geom.Ray, cull geom.Cull, at float32, triangle int32) bool {
	if useSIMD {
		if code := closestSIMD(t, r, hit, at, triangle, cull); code < unsupported {
			return code != 0
		}
	}
	return t.portable(hit, r, cull, at, triangle)
}

// unsupported is returned by the assembly for a ray that the portable traversal must cast.
const unsupported = 2

func (t *Tree) portable(hit *geom.Hit, r *geom.Ray, cull geom.Cull, at float32, triangle int32) bool {
	var q Ray
	if !q.prepare(t, r, cull) {
		return false
	}
	triangle = q.startAt(at, triangle)
	if !q.all {
		var stack [portableStack]stackEntry
		var f found
		switch q.closest(&f, t, r, &stack, triangle) {
		case missed:
			return false
		case struck:
			t.fill(hit, r, &f)
			return true
		}
	}
	_, ok := t.castCounted(hit, r, cull, math.Float32frombits(uint32(q.low)), triangle)
	return ok
}

// startAt makes a prepared ray start at a T, unless that is NaN or before its range. It returns the
// triangle after which hits count there.
func (q *Ray) startAt(at float32, triangle int32) int32 {
	if !(at >= math.Float32frombits(uint32(q.low))) {
		return -1
	}
	q.low = bitsOf(at + 0)
	return triangle
}

// castCounted is portable for any ray and tree, and counts its work.
func (t *Tree) castCounted(hit *geom.Hit, r *geom.Ray, cull geom.Cull, low float32, triangle int32) (work Work, ok bool) {
	var w walk
	if !w.init(t, r, cull, false) {
		return Work{}, false
	}
	w.low = bitsOf(low)
	var stack [stackSize]stackEntry
	var f found
	if w.after(&f, stack[:], triangle) {
		t.fill(hit, r, &f)
		ok = true
	}
	return w.work, ok
}

// CastRayWork is CastRay by the portable traversal, and counts its work.
func (t *Tree) CastRayWork(hit *geom.Hit, r *geom.Ray, cull geom.Cull) (Work, bool) {
	low, _ := limits(r)
	return t.castCounted(hit, r, cull, low, -1)
}

// after finds the first hit after a triangle hit at the lowest T of the range, or at a higher T.
func (w *walk) after(best *found, stack []stackEntry, triangle int32) (ok bool) {
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
	if useSIMD {
		if code := anySIMD(t, r, cull); code < unsupported {
			return code != 0
		}
	}
	return t.portableAny(r, cull)
}

func (t *Tree) portableAny(r *geom.Ray, cull geom.Cull) bool {
	var q Ray
	if !q.prepare(t, r, cull) {
		return false
	}
	if !q.all {
		var stack [portableStack]stackEntry
		if o := q.any(t, r, &stack); o != tooDeep {
			return o == struck
		}
	}
	var hit geom.Hit
	low, _ := limits(r)
	_, ok := t.castCounted(&hit, r, cull, low, -1)
	return ok
}

// CastRayAll appends every hit of a ray, in no particular order.
func (t *Tree) CastRayAll(dst []geom.Hit, r *geom.Ray, cull geom.Cull) []geom.Hit {
	var w walk
	if !w.init(t, r, cull, useSIMD) {
		return dst
	}
	var f found
	var stack [stackSize]stackEntry
	w.start(stack[:])
	for w.next(stack[:]) {
		for lanes := w.block.lanes; lanes != 0; lanes &= lanes - 1 {
			if w.take(&f, bits.TrailingZeros32(lanes)) {
				dst = append(dst, geom.Hit{})
				t.fill(&dst[len(dst)-1], r, &f)
			}
		}
	}
	return dst
}
