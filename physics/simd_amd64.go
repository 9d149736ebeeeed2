//go:build !noasm

package physics

import (
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// The AVX2 routines. Their generator is in package wide, as a module of its own.

//go:generate go run -C internal/wide/gen . -contacts -out ../../../simd_amd64.s

// useAVX2 is a variable because the tests set it.
var useAVX2 = wide.AVX2()

// followAVX2 is Manifold.followPoints. It sets bits also for points that there are not.
//
//go:noescape
func followAVX2(to, from *Manifold, m *relativeMotion, normals *[2]geom.DVec3, least float32) uint32
