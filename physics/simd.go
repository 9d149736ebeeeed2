//go:build (amd64 || arm64) && !noasm

package physics

import (
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// The AVX2 and NEON routines. Their generator is in package wide, as a module of its own.

//go:generate go run -C internal/wide/gen . -contacts -out ../../../simd_amd64.s
//go:generate go run -C internal/wide/gen . -contacts -neon ../../../simd_arm64.s

// useSIMD is a variable because the tests set it.
var useSIMD = wide.SIMD()

// followSIMD is Manifold.followPoints. It sets bits also for points that there are not.
//
//go:noescape
func followSIMD(to, from *Manifold, m *relativeMotion, normals *[2]geom.DVec3, least float32) uint32
