package wire

import "unsafe"

// SameBits reports whether two values have the same bits in memory, padding included. A NaN has
// those of itself, though it is not equal to itself, and a zero differs from a negative zero.
func SameBits[T any](a, b *T) bool {
	n := unsafe.Sizeof(*a)
	return string(unsafe.Slice((*byte)(unsafe.Pointer(a)), n)) == string(unsafe.Slice((*byte)(unsafe.Pointer(b)), n))
}
