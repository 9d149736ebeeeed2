//go:build !amd64 || noasm

package wide

import "github.com/hitscan-go/hitscan/physics/geom"

func layAVX2(*prim, *geom.Vec3, *uint32, int, int, *prim, *span) {}

func fillAVX2(*bench, *prim, int) {}

func partitionAVX2(*bench, *prim, int, int, int, int, int, *span, *span) int { return 0 }

func scanAVX2(*bench) {}

func scanFewAVX2(*bench, int) {}

func sortAVX2(*few, int) {}
