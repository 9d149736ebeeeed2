//go:build (!amd64 && !arm64) || noasm

package wide

import "github.com/hitscan-go/hitscan/physics/geom"

// assembly reports whether the build has the routines in assembly.
const assembly = false

func shapeSIMD(*shapeBoxes) {}

func nearSIMD(*loose, *sweep, uint32) uint32 { return 0 }

func closestPacketSIMD(*Tree, *geom.Ray, *geom.Hit, int, uint32, uint32, float32) uint32 {
	return packetAlone | 1
}

func anyPacketSIMD(*Tree, *geom.Ray, *uint8, int, uint32, uint32, float32) uint32 {
	return packetAlone | 1
}

func closestStreamSIMD(*Tree, *geom.Ray, *geom.Hit, int, uint32, uint32) {}

func anyStreamSIMD(*Tree, *geom.Ray, *uint8, int, uint32, uint32) {}

func prepareSIMD(*walk, *geom.Ray) {}
