//go:build (amd64 || arm64) && !noasm

package wide

import "github.com/hitscan-go/hitscan/physics/geom"

// The AVX2 and NEON twins of the builder's loops. Their assembly is written by the command in gen.

//go:generate go run -C gen . -build -out ../build_amd64.s
//go:generate go run -C gen . -build -neon ../build_arm64.s

// laySIMD computes the boxes of the triangles in a range, and grows the bounds and the range of the
// centres by them.
//
//go:noescape
func laySIMD(prims *prim, vertices *geom.Vec3, indices *uint32, from, to int, all *prim, centers *span)

// fillSIMD adds triangles to the bins.
//
//go:noescape
func fillSIMD(w *splitter, prims *prim, n int)

// partitionSIMD moves the triangles in a range to their sides. count is the number of those on the
// left before; the result is the number after.
//
//go:noescape
func partitionSIMD(w *splitter, prims *prim, from, to, count, axis, bin int, left, right *span) int

// scanSIMD is splitter.scan.
//
//go:noescape
func scanSIMD(w *splitter)

// scanSmallSIMD is splitter.scanSmall, for w.n triangles.
//
//go:noescape
func scanSmallSIMD(w *splitter, first int)

// sortSIMD is smallSet.sort.
//
//go:noescape
func sortSIMD(f *smallSet, n int)
