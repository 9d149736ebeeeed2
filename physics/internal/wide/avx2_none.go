//go:build !amd64 || noasm

package wide

import "github.com/hitscan-go/hitscan/physics/geom"

// avx2 reports whether the build has the twins that are in AVX2 alone.
const avx2 = false

// AVX2 reports whether they are used.
func AVX2() bool { return false }

func shapeAVX2(*shapeBoxes) {}

func closestPacketAVX2(*Tree, *geom.Ray, *geom.Hit, int, uint32, uint32, float32) uint32 {
	return packetAlone | 1
}

func anyPacketAVX2(*Tree, *geom.Ray, *uint8, int, uint32, uint32, float32) uint32 {
	return packetAlone | 1
}

func closestStreamAVX2(*Tree, *geom.Ray, *geom.Hit, int, uint32, uint32) {}

func anyStreamAVX2(*Tree, *geom.Ray, *uint8, int, uint32, uint32) {}

func closestGridAVX2(*Grid, *geom.Ray, *geom.Hit, float32, int32, geom.Cull) uint32 {
	return unsupported
}

func anyGridAVX2(*Grid, *geom.Ray, geom.Cull) uint32 { return unsupported }

func prepareAVX2(*walk, *geom.Ray) {}
