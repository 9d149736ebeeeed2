//go:build (!amd64 && !arm64 && !js) || noasm

package wide

import "github.com/hitscan-go/hitscan/physics/geom"

// useSIMD is never true here; it is a variable because the tests set it elsewhere.
var useSIMD = false

func nextSIMD(*walk, *stackEntry) bool { return false }

func closestSIMD(*Tree, *geom.Ray, *geom.Hit, float32, int32, geom.Cull) uint32 { return unsupported }

func anySIMD(*Tree, *geom.Ray, geom.Cull) uint32 { return unsupported }
