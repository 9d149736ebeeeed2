//go:build !amd64 || noasm

package wide

import "github.com/hitscan-go/hitscan/physics/geom"

// useAVX2 is never true here; it is a variable because the tests set it elsewhere.
var useAVX2 = false

// AVX2 reports whether the assembly is used.
func AVX2() bool { return useAVX2 }

func shapeAVX2(*shapeBoxes) {}

func prepareAVX2(*walk, *geom.Ray) {}

func nextAVX2(*walk, *stackEntry) bool { return false }

func closestAVX2(*Tree, *geom.Ray, *geom.Hit, float32, int32, geom.Cull) uint32 { return unsupported }

func anyAVX2(*Tree, *geom.Ray, geom.Cull) uint32 { return unsupported }

func closestPacketAVX2(*Tree, *geom.Ray, *geom.Hit, int, uint32, uint32, float32) uint32 {
	return packetAlone | 1
}

func anyPacketAVX2(*Tree, *geom.Ray, *uint8, int, uint32, uint32, float32) uint32 {
	return packetAlone | 1
}

func closestStreamAVX2(*Tree, *geom.Ray, *geom.Hit, int, uint32, uint32) {}

func anyStreamAVX2(*Tree, *geom.Ray, *uint8, int, uint32, uint32) {}

func gridPartsAVX2(*gridRay, *parts, int32, int32, int) uint32 { return 0 }

func gridCodesAVX2(*parts, *uint16, float32, float32, float32) {}
