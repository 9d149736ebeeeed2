//go:build !amd64 || noasm

package wide

import "github.com/hitscan-go/hitscan/physics/geom"

func layAVX2(*prim, *geom.Vec3, *uint32, int, int, *prim, *span) {}

func fillAVX2(*splitter, *prim, int) {}

func partitionAVX2(*splitter, *prim, int, int, int, int, int, *span, *span) int { return 0 }

func scanAVX2(*splitter) {}

func scanSmallAVX2(*splitter, int) {}

func sortAVX2(*smallSet, int) {}
