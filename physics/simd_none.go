//go:build !amd64 || noasm

package physics

import "github.com/hitscan-go/hitscan/physics/geom"

// useAVX2 is never true here. It is a variable as in simd_amd64.go, where tests set it.
var useAVX2 = false

func followAVX2(*Manifold, *Manifold, *relativeMotion, *[2]geom.DVec3, float32) uint32 { return 0 }
