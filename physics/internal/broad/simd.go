//go:build (amd64 || arm64) && !noasm

package broad

import (
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// The AVX2 and NEON routines. Their generator is in package wide, as a module of its own.

//go:generate go run -C ../wide/gen . -world -out ../../broad/simd_amd64.s
//go:generate go run -C ../wide/gen . -world -neon ../../broad/simd_arm64.s

// useSIMD is a variable because the tests set it.
var useSIMD = wide.SIMD()

// prepareSIMD is ray.prepareGo.
//
//go:noescape
func prepareSIMD(q *ray, bounds *geom.AABB, r *geom.Ray) bool

// openSIMD is Walk.open.
//
//go:noescape
func openSIMD(w *Walk, nodes int)

// openAnySIMD is Walk.open of an unordered traversal.
//
//go:noescape
func openAnySIMD(w *Walk, nodes int)

// turnSIMD opens nodes of one lane after the other, from w.turn on, until one has a box or the
// bottom on top.
//
//go:noescape
func turnSIMD(w *Walks)

// touchingSIMD is treePair.touching of two different nodes.
//
//go:noescape
func touchingSIMD(x, y *node) uint64

// touchedSIMD is node.touched.
//
//go:noescape
func touchedSIMD(n *node, p *probe) uint32

// squaresSIMD is nearest.to.
//
//go:noescape
func squaresSIMD(n *node, p *geom.DVec3, squared *[width]float64)

// unionSIMD is node.union.
//
//go:noescape
func unionSIMD(n *node, box *geom.AABB)

// prefetchTwo is Hint. Every processor has the instruction.
//
//go:noescape
func prefetchTwo(p unsafe.Pointer)

// Hint prefetches the 128 bytes from p on.
func Hint(p unsafe.Pointer) { prefetchTwo(p) }

// prefetchAll is HintAll.
//
//go:noescape
func prefetchAll(p unsafe.Pointer, n uintptr)

// HintAll prefetches a value.
func HintAll[T any](x *T) { prefetchAll(unsafe.Pointer(x), unsafe.Sizeof(*x)) }
