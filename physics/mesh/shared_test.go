package mesh_test

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

// shared returns the path of a file of the measuring data that lies beside the project, and skips where it is absent.
func shared(t testing.TB, name ...string) string {
	dir, err := os.Getwd()
	require.NoError(t, err)
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		parent := filepath.Dir(dir)
		require.NotEqual(t, dir, parent, "no go.mod above the test")
		dir = parent
	}
	path := filepath.Join(append([]string{dir, "..", "shared"}, name...)...)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no measuring data beside the project: %s", filepath.Join(name...))
	}
	return path
}

func sharedMesh(t testing.TB, name string) *mesh.Mesh {
	model, err := meshio.ReadFile(shared(t, "meshes", name+".obj"))
	require.NoError(t, err)
	m, err := model.Mesh()
	require.NoError(t, err)
	return m
}

// sharedRays reads records of origin, direction, MinT and MaxT, eight float32 each.
func sharedRays(t testing.TB, name string) (list []geom.Ray) {
	data, err := os.ReadFile(shared(t, "rays", name+".rays"))
	require.NoError(t, err)
	require.Zero(t, len(data)%32)
	for ; len(data) > 0; data = data[32:] {
		f := func(i int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])) }
		list = append(list, geom.Ray{Origin: geom.V(f(0), f(1), f(2)), Dir: geom.V(f(3), f(4), f(5)), MinT: f(6), MaxT: f(7)})
	}
	return list
}

// TestShared compares casts with answers that were computed in double precision over all triangles.
func TestShared(t *testing.T) {
	const every = 16 // rays that are cast, one of so many
	for _, name := range []string{"bunny", "teapot", "arena1"} {
		t.Run(name, func(t *testing.T) {
			m := sharedMesh(t, name)
			require.NoError(t, m.Validate())
			for _, kind := range []string{"primary", "random", "ao"} {
				t.Run(kind, func(t *testing.T) {
					rays := sharedRays(t, name+"_"+kind)
					hits, err := os.ReadFile(shared(t, "rays", name+"_"+kind+".hits"))
					require.NoError(t, err)
					require.Len(t, hits, 8*len(rays))
					lost, invented, others, found := 0, 0, 0, 0
					worst := 0.0
					for i := 0; i < len(rays); i += every {
						r := rays[i]
						want := math.Float32frombits(binary.LittleEndian.Uint32(hits[8*i:]))
						triangle := int32(binary.LittleEndian.Uint32(hits[8*i+4:]))
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
