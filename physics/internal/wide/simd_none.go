//go:build !amd64 || noasm

package wide

import "github.com/hitscan-go/hitscan/physics/geom"

// useAVX2 is never true here; it is a variable because the tests set it elsewhere.
var useAVX2 = false

func prepareAVX2(*walk, *geom.Ray) {}

func nextAVX2(*walk, *waiting) bool { return false }

func closestAVX2(*Tree, *geom.Ray, *geom.Hit, float32, int32, geom.Cull) uint32 { return odd }

func anyAVX2(*Tree, *geom.Ray, geom.Cull) uint32 { return odd }
