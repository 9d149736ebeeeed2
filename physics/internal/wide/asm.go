//go:build (amd64 || arm64) && !noasm

package wide

import "github.com/hitscan-go/hitscan/physics/geom"

// The AVX2 and NEON twins of the portable traversal. The files of assembly are written by the
// command in gen, which is a module of its own.

//go:generate go run -C gen . -out ../walk_amd64.s
//go:generate go run -C gen . -neon ../walk_arm64.s
//go:generate go run -C gen . -shape -out ../shape_amd64.s
//go:generate go run -C gen . -shape -neon ../shape_arm64.s

// assembly reports whether the build has the routines.
const assembly = true

// SIMD reports whether they are used.
func SIMD() bool { return useSIMD }

// closestSIMD finds the first hit of a ray after the given T and triangle, and writes it. It
// returns 0 for a miss, 1 for a hit, and 2 if the portable traversal must cast the ray.
//
//go:noescape
func closestSIMD(t *Tree, r *geom.Ray, hit *geom.Hit, at float32, triangle int32, cull geom.Cull) uint32

// anySIMD reports in the same way whether a ray hits anything.
//
//go:noescape
func anySIMD(t *Tree, r *geom.Ray, cull geom.Cull) uint32

// prepareSIMD prepares a ray whose range of T, turn and flip the caller has set. If the ray is
// invalid or for the portable traversal, it only sets w.all.
//
//go:noescape
func prepareSIMD(w *walk, r *geom.Ray)

// nextSIMD is walk.next.
//
//go:noescape
func nextSIMD(w *walk, stack *stackEntry) bool

// shapeSIMD is shapeBoxes.next.
//
//go:noescape
func shapeSIMD(w *shapeBoxes)

// nearSIMD is sweep.near.
//
//go:noescape
func nearSIMD(l *loose, s *sweep, mask uint32) uint32
