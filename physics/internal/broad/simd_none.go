//go:build !amd64 || noasm

package broad

import (
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// useAVX2 is never true here. It is a variable as in simd_amd64.go, where tests set it.
var useAVX2 = false

func prepareAVX2(*ray, *geom.AABB, *geom.Ray) bool { return false }

func openAVX2(*Walk, int) {}

func touchingAVX2(x, y *node) uint64 { return 0 }

func touchedAVX2(*node, *probe) uint32 { return 0 }

func squaresAVX2(*node, *geom.DVec3, *[width]float64) {}

func unionAVX2(*node, *geom.AABB) {}

func turnAVX2(*Walks) {}

func openAnyAVX2(*Walk, int) {}

// Hint does nothing here.
func Hint(unsafe.Pointer) {}

// HintAll does nothing here.
func HintAll[T any](*T) {}
