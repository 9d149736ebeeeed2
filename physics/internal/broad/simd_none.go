//go:build (!amd64 && !arm64) || noasm

package broad

import (
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// useSIMD is never true here. It is a variable as in simd_amd64.go, where tests set it.
var useSIMD = false

func prepareSIMD(*ray, *geom.AABB, *geom.Ray) bool { return false }

func openSIMD(*Walk, int) {}

func touchingSIMD(x, y *node) uint64 { return 0 }

func touchedSIMD(*node, *probe) uint32 { return 0 }

func squaresSIMD(*node, *geom.DVec3, *[width]float64) {}

func unionSIMD(*node, *geom.AABB) {}

func turnSIMD(*Walks) {}

func openAnySIMD(*Walk, int) {}

// Hint does nothing here.
func Hint(unsafe.Pointer) {}

// HintAll does nothing here.
func HintAll[T any](*T) {}
