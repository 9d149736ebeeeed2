//go:build !(amd64 || arm64) || noasm

package physics

import "github.com/hitscan-go/hitscan/physics/geom"

// useSIMD is never true here. It is a variable as in simd.go, where tests set it.
var useSIMD = false

func followSIMD(*Manifold, *Manifold, *relativeMotion, *[2]geom.DVec3, float32) uint32 { return 0 }
