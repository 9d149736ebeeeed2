//go:build (!amd64 && !arm64) || noasm

package wide

import "github.com/hitscan-go/hitscan/physics/geom"

// assembly reports whether the build has the routines in assembly.
const assembly = false

func shapeSIMD(*shapeBoxes) {}

func gridPartsSIMD(*gridRay, *parts, int32, int32, int) uint32 { return 0 }

func gridCodesSIMD(*parts, *uint16, float32, float32, float32) {}

func prepareSIMD(*walk, *geom.Ray) {}
