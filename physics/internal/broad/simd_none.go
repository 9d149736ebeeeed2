//go:build !amd64 || noasm

package broad

// useAVX2 is never true here; it is a variable because the tests set it elsewhere.
var useAVX2 = false

func openAVX2(*Walk) {}

func touchingAVX2(x, y *node) uint64 { return 0 }
