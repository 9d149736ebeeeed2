//go:build (!amd64 && !arm64) || noasm

package wide

func nodeTouchSIMD(*node, *query) uint32 { return 0 }

func packedTouchSIMD(*packed, *query) uint32 { return 0 }

func looseTouchSIMD(*loose, *query) uint32 { return 0 }

func missesSIMD(*loose, *Bound) uint32 { return 0 }

func unpackSIMD(*packed, *loose) {}
