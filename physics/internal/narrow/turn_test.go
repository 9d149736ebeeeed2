package narrow

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
)

func TestAxesAreThoseOfTheBox(t *testing.T) {
	// Each product of two components of the unit quaternion is off by ten units of rounding at
	// most, of itself. An entry takes two, that are 1 together at most, twice; and the same again
	// from the other way to compute it.
	const roundings = 40 * 0x1p-53
	check := func(t require.TestingT, q geom.Quat) {
		var s Shape
		s.setAxes(q)
		x, y, z := geom.Box{Rotation: q}.Axes()
		got := []geom.DVec3{s.x, s.y, s.z}
		for i, want := range []geom.DVec3{x, y, z} {
			for k := range 3 {
				if w := component(want, k); w == 0 || w == 1 || w == -1 {
					require.Equal(t, w, component(got[i], k), "%v", q)
				} else {
					require.InDelta(t, w, component(got[i], k), roundings, "%v", q)
				}
			}
		}
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
