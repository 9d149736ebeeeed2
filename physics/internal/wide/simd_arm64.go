//go:build !noasm

package wide

import (
	"math/bits"
	"os"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The NEON twin of walk.next, and the casts on top of it.

// useSIMD reports whether it is used: all processors have the instructions. HITSCAN_PORTABLE=1 in
// the environment forces the portable traversal.
var useSIMD = os.Getenv("HITSCAN_PORTABLE") != "1"

// SIMD reports whether it is used.
func SIMD() bool { return useSIMD }

// nextSIMD is walk.next.
//
//go:noescape
func nextSIMD(w *walk, stack *stackEntry) bool

// closestSIMD finds the first hit of a ray after the given T and triangle, and writes it. It
// returns 0 for a miss, 1 for a hit, and unsupported if the portable traversal must cast the ray.
func closestSIMD(t *Tree, r *geom.Ray, hit *geom.Hit, at float32, triangle int32, cull geom.Cull) uint32 {
	if t.need >= smallStack {
		return unsupported
	}
	var w walk
	if w.simd = w.prepare(t, r, cull) && !w.all; !w.simd {
		return unsupported
	}
	triangle = w.startAt(at, triangle)
	w.ray = *r
	var stack [smallStack]stackEntry
	var f found
	if !w.after(&f, stack[:], triangle) {
		return 0
	}
	t.fill(hit, r, &f)
	return 1
}

// anySIMD reports in the same way whether a ray hits anything.
func anySIMD(t *Tree, r *geom.Ray, cull geom.Cull) uint32 {
	if t.need >= smallStack {
		return unsupported
	}
	var w walk
	if w.simd = w.prepare(t, r, cull) && !w.all; !w.simd {
		return unsupported
	}
	w.ray = *r
	var stack [smallStack]stackEntry
	w.start(stack[:])
	for w.next(stack[:]) {
		for lanes := w.block.lanes; lanes != 0; lanes &= lanes - 1 {
			if w.meet(nil, &w.ray, t.corners(w.block.leaf, bits.TrailingZeros32(lanes)), w.high) {
				return 1
			}
		}
	}
	return 0
}
