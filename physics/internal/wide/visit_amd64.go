//go:build !noasm

package wide

// The AVX2 twins of the tests of visit.go. visit_amd64.s is written by the command in gen.

//go:generate go run -C gen . -visit -out ../visit_amd64.s

// nodeTouchAVX2 is node.touch.
//
//go:noescape
func nodeTouchAVX2(p *node, b *query) uint32

// packedTouchAVX2 is packed.touch.
//
//go:noescape
func packedTouchAVX2(p *packed, b *query) uint32

// looseTouchAVX2 is loose.touch.
//
//go:noescape
func looseTouchAVX2(p *loose, b *query) uint32
