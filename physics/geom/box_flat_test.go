package geom

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Boxes that are turned about Z alone reach as far as by the general formula, to the bit.
func TestFlatReach(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 6))
	for i := range 200_000 {
		b := Box{HalfExtents: V(r.Float32(), 1e3*r.Float32(), float32(r.IntN(2)))}
		switch i % 5 {
		case 0: // right angles
			b.Rotation = At2D(0, 0, float64(r.IntN(9)-4)*math.Pi/2).Rotation
		case 1: // nearly
			b.Rotation = At2D(0, 0, float64(r.IntN(9)-4)*math.Pi/2+1e-15*r.Float64()).Rotation
		case 2:
			b.Rotation = Quat{Z: 2*r.Float32() - 1, W: 2*r.Float32() - 1}
		case 3: // of any length, or none
			b.Rotation = Quat{Z: [...]float32{0, 1e-30, 3e38, -1}[r.IntN(4)], W: [...]float32{0, 1e-30, 3e38, -1}[r.IntN(4)]}
		default:
			b.Rotation = At2D(0, 0, 7*r.Float64()).Rotation
		}
		bits := func(v DVec3) [3]uint64 {
			return [3]uint64{math.Float64bits(v.X), math.Float64bits(v.Y), math.Float64bits(v.Z)}
		}
		require.Equal(t, bits(b.reach()), bits(b.flatReach()), "%v", b)
	}
}
