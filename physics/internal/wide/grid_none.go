//go:build (!amd64 && !arm64) || noasm

package wide

import "github.com/hitscan-go/hitscan/physics/geom"

// Without assembly there are no routines for height fields.

func closestGridSIMD(*Grid, *geom.Ray, *geom.Hit, float32, int32, geom.Cull) uint32 {
	return unsupported
}

func anyGridSIMD(*Grid, *geom.Ray, geom.Cull) uint32 { return unsupported }
