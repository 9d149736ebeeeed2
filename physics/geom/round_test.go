package geom

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestRoundDown(t *testing.T) {
	inf := float32(math.Inf(1))
	check := func(x float64) {
		want := float32(x)
		if float64(want) > x {
			want = math.Nextafter32(want, -inf)
		}
		assert.Equal(t, math.Float32bits(want), math.Float32bits(roundDown(x)), x)
	}
	for _, x := range []float64{0, math.Copysign(0, -1), 1e-300, -1e-300, 1e-46, -1e-46, 1, -1, 0.1, -0.1, 1e300, -1e300,
		math.MaxFloat32, -math.MaxFloat32, math.Inf(1), math.Inf(-1), 1.5e-45, -1.5e-45, math.Nextafter(1, 0), math.Nextafter(-1, -2)} {
		check(x)
	}
	assert.True(t, math.IsNaN(float64(roundDown(math.NaN()))))
	rapid.Check(t, func(t *rapid.T) { check(rapid.Float64().Draw(t, "x")) })
}
