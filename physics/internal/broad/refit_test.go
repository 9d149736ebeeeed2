package broad

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Both find the bits of a loop over all children, of two zeros the one that is further out.
func TestUnionIsTheTwin(t *testing.T) {
	rng := testenv.Rand(9, 10)
	zero := float32(math.Copysign(0, -1))
	coordinate := func() float32 {
		switch rng.IntN(6) {
		case 0:
			return zero
		case 1:
			return 0
		case 2:
			return 1e-45 * float32(rng.IntN(5)-2)
		case 3:
			return float32(math.MaxFloat32) * float32(rng.IntN(3)-1)
		default:
			return rng.Float32() - 0.5
		}
	}
	before := func(a, b float32) bool {
		return a < b || a == b && math.Signbit(float64(a)) && !math.Signbit(float64(b))
	}
	bits := func(b geom.AABB) (list [6]uint32) {
		for i, v := range []geom.Vec3{b.Min, b.Max} {
			for j, x := range v.Array() {
				list[3*i+j] = math.Float32bits(x)
			}
		}
		return list
	}
	for k := range 20_000 {
		n := &alignedNodes(1)[0]
		*n = emptyNode
		want := [6]float32{inf32, -inf32, inf32, -inf32, inf32, -inf32}
		for slot := range width {
			if k == 0 || rng.IntN(4) == 0 {
				continue
			}
			for row := range 6 {
				x := coordinate()
				n.box[row][slot] = x
				if row%2 == 0 && before(x, want[row]) || row%2 == 1 && before(want[row], x) {
					want[row] = x
				}
			}
		}
		all := bits(geom.AABB{Min: geom.V(want[0], want[2], want[4]), Max: geom.V(want[1], want[3], want[5])})
		require.Equal(t, all, bits(n.unionGo()), "%v", n.box)
		require.Equal(t, all, bits(n.union()), "%v", n.box)
	}
}
