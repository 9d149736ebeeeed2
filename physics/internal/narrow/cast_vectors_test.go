package narrow

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// What bevy asserts of its casts of volumes, as data beside the project; the README there
// describes its format.
func TestCastVectors(t *testing.T) {
	type solid struct {
		AABB   *struct{ Min, Max [3]float32 }
		Sphere *struct {
			Center [3]float32
			R      float32
		}
	}
	var file struct {
		Cases []struct {
			solid
			ID, Kind string
			Motion   struct {
				D    [3]float64
				TMax float64
			}
			Target solid
			Expect struct {
				Hit bool
				T   float64
			}
			Ref struct {
				T      float64
				Center *[3]float32
			}
		}
	}
	data, err := os.ReadFile(testenv.Data(t, "vectors/bevy-math.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &file))
	body := func(s solid) Shape {
		if s.AABB != nil {
			return AABB(geom.AABB{Min: geom.VecOf(s.AABB.Min), Max: geom.VecOf(s.AABB.Max)})
		}
		return Sphere(geom.Sphere{Center: geom.VecOf(s.Sphere.Center), Radius: s.Sphere.R})
	}
	cases := 0
	for _, c := range file.Cases {
		if c.Kind != "cast-sphere" && c.Kind != "cast-box" {
			continue
		}
		cases++
		t.Run(c.ID, func(t *testing.T) {
			a, b := body(c.solid), body(c.Target)
			p := Path{Motion: geom.DVec3{X: c.Motion.D[0], Y: c.Motion.D[1], Z: c.Motion.D[2]}, Max: c.Motion.TMax}
			hit, ok := Cast(&a, &b, &p)
			require.Equal(t, c.Expect.Hit, ok)
			assert.InDelta(t, c.Expect.T, hit.T, 1e-3)
			assert.InDelta(t, c.Ref.T, hit.T, 1e-12)
			if c.Ref.Center != nil {
				center := a.Origin().AddMul(hit.T, p.Motion)
				assert.InDelta(t, 0, center.Sub(geom.VecOf(*c.Ref.Center).Wide()).Len(), 1e-6)
			}
		})
	}
	require.Equal(t, 8, cases)
}
