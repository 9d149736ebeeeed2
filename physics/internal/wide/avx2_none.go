//go:build !amd64 || noasm

package wide

import "github.com/hitscan-go/hitscan/physics/geom"

// avx2 reports whether the build has the twins that are in AVX2 alone.
const avx2 = false

func shapeAVX2(*shapeBoxes) {}

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

func prepareAVX2(*walk, *geom.Ray) {}
