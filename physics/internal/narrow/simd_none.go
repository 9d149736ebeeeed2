//go:build !amd64 || noasm

package narrow

import "github.com/hitscan-go/hitscan/physics/geom"

// useAVX2 is never true here. It is a variable as in simd_amd64.go, where tests set it.
var useAVX2 = false

func measureAVX2(*boxAxes, *Shape, *Shape, float64) int32 { return 0 }

func clipAVX2(*boxClip) uint32 { return 0 }

func facesAVX2(*fourFaces, *geom.Triangle, *Shape, float64) uint32 { return 0 }
