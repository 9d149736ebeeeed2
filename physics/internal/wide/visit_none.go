//go:build !amd64 || noasm

package wide

func nodeTouchAVX2(*node, *query) uint32 { return 0 }

func packedTouchAVX2(*packed, *query) uint32 { return 0 }

func looseTouchAVX2(*loose, *query) uint32 { return 0 }
