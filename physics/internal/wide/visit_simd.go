//go:build (amd64 || arm64) && !noasm

package wide

// The AVX2 and NEON twins of the tests of visit.go. Their assembly is written by the command in
// gen.

//go:generate go run -C gen . -visit -out ../visit_amd64.s
//go:generate go run -C gen . -visit -neon ../visit_arm64.s

// nodeTouchSIMD is node.touch.
//
//go:noescape
func nodeTouchSIMD(p *node, b *query) uint32

// packedTouchSIMD is packed.touch.
//
//go:noescape
func packedTouchSIMD(p *packed, b *query) uint32

// looseTouchSIMD is loose.touch.
//
//go:noescape
func looseTouchSIMD(p *loose, b *query) uint32

// missesSIMD is Bound.misses.
//
//go:noescape
func missesSIMD(p *loose, b *Bound) uint32

// unpackSIMD is packed.unpack.
//
//go:noescape
func unpackSIMD(p *packed, l *loose)
