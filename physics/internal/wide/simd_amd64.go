//go:build !noasm

package wide

import "os"

// useSIMD reports whether the processor has the instructions and the system saves the registers.
// HITSCAN_PORTABLE=1 in the environment forces the portable traversal.
var useSIMD = hasAVX2() && os.Getenv("HITSCAN_PORTABLE") != "1"

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
