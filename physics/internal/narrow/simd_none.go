//go:build (!amd64 && !arm64) || noasm

package narrow

import "github.com/hitscan-go/hitscan/physics/geom"

// useSIMD is never true here. It is a variable as in simd.go, where tests set it.
var useSIMD = false

func measureSIMD(*boxAxes, *Shape, *Shape, float64) int32 { return 0 }

func clipSIMD(*boxClip) uint32 { return 0 }

func facesSIMD(*fourFaces, *geom.Triangle, *Shape, float64) uint32 { return 0 }

func collideFlatsSIMD(*FlatPairs) {}
