//go:build !amd64 || noasm

package wide

// useAVX2 is never true here; it is a variable because the tests set it elsewhere.
var useAVX2 = false

func nextAVX2(*walk, *waiting) bool { return false }
