package mesh_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/measuring"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

func sharedMesh(t testing.TB, name string) *mesh.Mesh {
	model, err := meshio.ReadFile(testenv.Data(t, "meshes/"+name+".obj"))
	require.NoError(t, err)
	m, err := model.Mesh()
	require.NoError(t, err)
	return m
}

// TestShared compares casts with answers computed in float64 over all triangles.
func TestShared(t *testing.T) {
	testenv.NoRace(t)
	const every = 16 // rays that are cast, one of so many
	for _, name := range []string{"bunny", "teapot", "arena1"} {
		t.Run(name, func(t *testing.T) {
			m := sharedMesh(t, name)
			require.NoError(t, m.Validate())
			for _, kind := range []string{"primary", "random", "ao"} {
				t.Run(kind, func(t *testing.T) {
					rays := measuring.Rays(t, "rays/"+name+"_"+kind+".rays")
					answers := measuring.Words(t, 0, "rays/"+name+"_"+kind+".hits")
					require.Len(t, answers, 2*len(rays))
					lost, invented, others, found := 0, 0, 0, 0
					worst := 0.0
					for i := 0; i < len(rays); i += every {
						r := rays[i]
						want := math.Float32frombits(answers[2*i])
						triangle := int32(answers[2*i+1])
						hit, ok := m.CastRay(r, geom.CullNone)
						require.Equal(t, ok, m.CastRayAny(r, geom.CullNone))
						switch {
						case ok && triangle < 0:
							invented++
						case !ok && triangle >= 0:
							lost++
						case ok:
							found++
							worst = max(worst, math.Abs(float64(hit.T)-float64(want))/float64(want))
							if hit.Triangle != triangle {
								others++
							}
						}
					}
					t.Logf("%d rays, %d hits, T off by %.1e at most, %d hits name another triangle", len(rays)/every, found, worst, others)
					assert.Zero(t, lost, "hits lost")
					assert.Zero(t, invented, "hits invented")
					assert.LessOrEqual(t, worst, 3e-5, "of T")
					assert.LessOrEqual(t, others, found/100, "other triangles than the nearest")
					assert.Positive(t, found)
				})
			}
		})
	}
}
