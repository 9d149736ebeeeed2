//go:build (!amd64 && !arm64) || noasm

package narrow

// useSIMD is never true here. It is a variable as in simd_amd64.go, where tests set it.
var useSIMD = false

func measureSIMD(*boxAxes, *Shape, *Shape, float64) int32 { return 0 }

func clipSIMD(*boxClip) uint32 { return 0 }
