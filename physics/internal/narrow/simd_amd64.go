//go:build !noasm

package narrow

import (
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// The AVX2 routines. Their generator is in package wide, as a module of its own.

//go:generate go run -C ../wide/gen . -boxes -out ../../narrow/simd_amd64.s

// useAVX2 is a variable because the tests set it.
var useAVX2 = wide.AVX2()

// measureAVX2 is boxAxes.measure.
//
//go:noescape
func measureAVX2(x *boxAxes, a, b *Shape, limit float64) int32

// clipAVX2 is boxClip.clip.
//
//go:noescape
func clipAVX2(c *boxClip) uint32

// facesAVX2 writes all of f but seen, which it returns, for four triangles: Joiner.measure and
// Joiner.edge of each.
//
//go:noescape
func facesAVX2(f *fourFaces, t *geom.Triangle, s *Shape, margin float64) uint32
