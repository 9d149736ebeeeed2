//go:build (amd64 || arm64) && !noasm

package narrow

import (
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// The AVX2 and NEON routines. Their generator is in package wide, as a module of its own.

//go:generate go run -C ../wide/gen . -boxes -out ../../narrow/simd_amd64.s
//go:generate go run -C ../wide/gen . -boxes -neon ../../narrow/simd_arm64.s

// useSIMD is a variable because the tests set it.
var useSIMD = wide.SIMD()

// measureSIMD is boxAxes.measure.
//
//go:noescape
func measureSIMD(x *boxAxes, a, b *Shape, limit float64) int32

// clipSIMD is boxClip.clip.
//
//go:noescape
func clipSIMD(c *boxClip) uint32

// facesSIMD writes all of f but seen, which it returns, for four triangles: Joiner.measure and
// Joiner.edge of each.
//
//go:noescape
func facesSIMD(f *fourFaces, t *geom.Triangle, s *Shape, margin float64) uint32

// collideFlatsSIMD is Manifold.CollideFlat of eight pairs, with the results in single precision.
//
//go:noescape
func collideFlatsSIMD(p *FlatPairs)
