//go:build !noasm

package wide

import (
	"os"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The AVX2 twin of the portable traversal. walk_amd64.s is written by the command in gen, which is
// a module of its own.

//go:generate go run -C gen . -out ../walk_amd64.s
//go:generate go run -C gen . -shape -out ../shape_amd64.s
//go:generate go run -C gen . -grid -out ../grid_amd64.s

// useSIMD reports whether the processor has the instructions and the system saves the registers.
// HITSCAN_PORTABLE=1 in the environment forces the portable traversal.
var useSIMD = hasAVX2() && os.Getenv("HITSCAN_PORTABLE") != "1"

// avx2 reports whether the build has the twins that are in AVX2 alone.
const avx2 = true

// AVX2 reports whether they are used.
func AVX2() bool { return useSIMD }

// closestSIMD finds the first hit of a ray after the given T and triangle, and writes it. It
// returns 0 for a miss, 1 for a hit, and 2 if the portable traversal must cast the ray.
//
//go:noescape
func closestSIMD(t *Tree, r *geom.Ray, hit *geom.Hit, at float32, triangle int32, cull geom.Cull) uint32

// anySIMD reports in the same way whether a ray hits anything.
//
//go:noescape
func anySIMD(t *Tree, r *geom.Ray, cull geom.Cull) uint32

// prepareAVX2 prepares a ray whose range of T, turn and flip the caller has set. If the ray is
// invalid or for the portable traversal, it only sets w.all.
//
//go:noescape
func prepareAVX2(w *walk, r *geom.Ray)

// nextSIMD is walk.next.
//
//go:noescape
func nextSIMD(w *walk, stack *stackEntry) bool

// shapeAVX2 is shapeBoxes.next.
//
//go:noescape
func shapeAVX2(w *shapeBoxes)

// closestGridAVX2 is closestSIMD of a height field.
//
//go:noescape
func closestGridAVX2(t *Grid, r *geom.Ray, hit *geom.Hit, at float32, triangle int32, cull geom.Cull) uint32

// anyGridAVX2 is anySIMD of a height field.
//
//go:noescape
func anyGridAVX2(t *Grid, r *geom.Ray, cull geom.Cull) uint32

func cpuid(leaf, sub uint32) (a, b, c, d uint32)

func xgetbv() (a, d uint32)

func hasAVX2() bool {
	const (
		osxsave, avx = 1 << 27, 1 << 28 // leaf 1, c
		popcnt       = 1 << 23
		bmi1, avx2   = 1 << 3, 1 << 5 // leaf 7, b
		xmm, ymm     = 1 << 1, 1 << 2 // saved by the system
	)
	if highest, _, _, _ := cpuid(0, 0); highest < 7 {
		return false
	}
	if _, _, c, _ := cpuid(1, 0); c&(osxsave|avx|popcnt) != osxsave|avx|popcnt {
		return false
	}
	if a, _ := xgetbv(); a&(xmm|ymm) != xmm|ymm {
		return false
	}
	_, b, _, _ := cpuid(7, 0)
	return b&(bmi1|avx2) == bmi1|avx2
}
