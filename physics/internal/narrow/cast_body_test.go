package narrow

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// A body reaches as far in every direction as the shape from which it was made, and no further from
// its center than its size.
func TestBodyReaches(t *testing.T) {
	rng := testenv.Rand(77, 1)
	var k Caster
	var b wide.Body
	for _, kind := range castKinds {
		made := 0
		for range 200 {
			s := castRandom(rng, kind, geom.V(3, -2, 5), 2)
			if !k.Reset(&s.body, &Path{Motion: geom.DVec3{X: 1, Y: 2}, Max: 1}) || !k.Body(&b) {
				continue
			}
			made++
			for range 10 {
				v := vec(rng).Normalize()
				top := b.Radius
				for _, h := range b.Half {
					top += math.Abs(h.Dot(v))
				}
				most := math.Inf(-1)
				for _, p := range b.Points {
					most = max(most, p.Dot(v))
				}
				if len(b.Points) > 0 {
					top += most
				}
				require.InDelta(t, s.top(v), b.Origin.Dot(v)+top, 1e-5, kind)
				require.GreaterOrEqual(t, b.Size*(1+1e-12), top, kind)
			}
			require.Equal(t, geom.DVec3{X: 1, Y: 2}, b.Motion)
		}
		switch kind {
		case "ellipsoid", "stretched capsule", "cone", "cylinder", "tapered capsule", "triangle", "sliver", "aabb":
			require.Zero(t, made, kind)
		default:
			require.Positive(t, made, kind)
		}
	}
}
