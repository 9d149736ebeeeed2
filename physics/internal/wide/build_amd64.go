//go:build !noasm

package wide

import "github.com/hitscan-go/hitscan/physics/geom"

// The AVX2 twins of the builder's loops. build_amd64.s is written by the command in gen.

//go:generate go run -C gen . -build -out ../build_amd64.s

// layAVX2 computes the boxes of the triangles in a range, and grows the bounds and the range of the
// centres by them.
//
//go:noescape
func layAVX2(prims *prim, vertices *geom.Vec3, indices *uint32, from, to int, all *prim, centers *span)

// fillAVX2 adds triangles to the bins.
//
//go:noescape
func fillAVX2(w *splitter, prims *prim, n int)

// partitionAVX2 moves the triangles in a range to their sides. count is the number of those on the
// left before; the result is the number after.
//
//go:noescape
func partitionAVX2(w *splitter, prims *prim, from, to, count, axis, bin int, left, right *span) int

// scanAVX2 is splitter.scan.
//
//go:noescape
func scanAVX2(w *splitter)

// scanSmallAVX2 is splitter.scanSmall, for w.n triangles.
//
//go:noescape
func scanSmallAVX2(w *splitter, first int)

// sortAVX2 is smallSet.sort.
//
//go:noescape
func sortAVX2(f *smallSet, n int)
