//go:build !noasm

package broad

import (
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// The AVX2 routines. Their generator is in package wide, as a module of its own.

//go:generate go run -C ../wide/gen . -world -out ../../broad/simd_amd64.s

// useAVX2 is a variable because the tests set it.
var useAVX2 = wide.SIMD()

// prepareAVX2 is ray.prepareGo.
//
//go:noescape
func prepareAVX2(q *ray, bounds *geom.AABB, r *geom.Ray) bool

// openAVX2 is Walk.open.
//
//go:noescape
func openAVX2(w *Walk, nodes int)

// openAnyAVX2 is Walk.open of an unordered traversal.
//
//go:noescape
func openAnyAVX2(w *Walk, nodes int)

// turnAVX2 opens nodes of one lane after the other, from w.turn on, until one has a box or the
// bottom on top.
//
//go:noescape
func turnAVX2(w *Walks)

// touchingAVX2 is treePair.touching of two different nodes.
//
//go:noescape
func touchingAVX2(x, y *node) uint64

// touchedAVX2 is node.touched.
//
//go:noescape
func touchedAVX2(n *node, p *probe) uint32

// squaresAVX2 is nearest.to.
//
//go:noescape
func squaresAVX2(n *node, p *geom.DVec3, squared *[width]float64)

// unionAVX2 is node.union.
//
//go:noescape
func unionAVX2(n *node, box *geom.AABB)

// hintAMD64 is Hint. Every amd64 processor has the instruction.
//
//go:noescape
func hintAMD64(p unsafe.Pointer)

// Hint prefetches the 128 bytes from p on.
func Hint(p unsafe.Pointer) { hintAMD64(p) }

// hintAllAMD64 is HintAll.
//
//go:noescape
func hintAllAMD64(p unsafe.Pointer, n uintptr)

// HintAll prefetches a value.
func HintAll[T any](x *T) { hintAllAMD64(unsafe.Pointer(x), unsafe.Sizeof(*x)) }
