//go:build (!amd64 && !arm64) || noasm

package wide

import "github.com/hitscan-go/hitscan/physics/geom"

func laySIMD(*prim, *geom.Vec3, *uint32, int, int, *prim, *span) {}

func fillSIMD(*splitter, *prim, int) {}

func partitionSIMD(*splitter, *prim, int, int, int, int, int, *span, *span) int { return 0 }

func scanSIMD(*splitter) {}

func scanSmallSIMD(*splitter, int) {}

func sortSIMD(*smallSet, int) {}
