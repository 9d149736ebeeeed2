//go:build !amd64 || noasm

package wide

// useAVX2 is never true here; it is a variable because the tests set it elsewhere.
var useAVX2 = false

func closestAVX2(*walk) {}

func anyAVX2(*walk) bool { return false }

func nextAVX2(*blocks, *waiting) bool { return false }
