package narrow

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
)

func TestAxesAreThoseOfTheBox(t *testing.T) {
	check := func(t require.TestingT, q geom.Quat) {
		b := geom.Box{Rotation: q}
		x, y, z := axesOf(&b)
		u, v, w := b.Axes()
		require.Equal(t, [3]geom.DVec3{u, v, w}, [3]geom.DVec3{x, y, z}, "%v", q)
	}
	some := []float32{0, 1, -1, 0.5, 0.70710677, 0.70710689, 1e-8, 1e-20, 1e-45, 1e-30, 3e38}
	for _, x := range some {
		for _, y := range some {
			for _, z := range some {
				for _, w := range some {
					check(t, geom.Quat{X: x, Y: y, Z: z, W: w})
				}
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Float32Range(-1, 1)
		check(t, geom.Quat{X: n.Draw(t, "x"), Y: n.Draw(t, "y"), Z: n.Draw(t, "z"), W: n.Draw(t, "w")})
	})
}
