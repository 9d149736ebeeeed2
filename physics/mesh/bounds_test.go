package mesh_test

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// The largest memory of a build per triangle, whatever its input. It is a small multiple of what
// sorting the triangles into boxes takes, and far below what anything quadratic takes.
const (
	mostBytes       = 1536
	mostAllocations = 1
)

// TestHardTriangles builds trees over many triangles that no tree can separate, or for which a
// naive one is too deep. Building them takes memory in proportion to their number. A build in
// quadratic time would take minutes.
func TestHardTriangles(t *testing.T) {
	testenv.NoRace(t)
	most, many := 300_000, 100_000
	if testenv.Minutes() {
		most, many = 1_000_000, 200_000
	}
	if testing.Short() {
		most, many = 100_000, 20_000
	}
	down := geom.NewRay(geom.V(0.25, 0.25, 3), geom.V(0, 0, -1))
	for _, c := range []struct {
		name string
		n    int
		make func(n int) surface
		hits int // of the ray down; −1: some
	}{
		{"all in one point", most, func(n int) surface {
			return surface{vertices: []geom.Vec3{{X: 0.25, Y: 0.25, Z: 1}}, indices: make([]uint32, 3*n)}
		}, 0},
		{"all the same", most, func(n int) surface {
			return surface{vertices: []geom.Vec3{{}, {X: 1}, {Y: 1}}, indices: slices.Repeat([]uint32{0, 1, 2}, n)}
		}, most},
		{"around one middle", many, func(n int) surface {
			s := surface{}
			for i := range n {
				// The same box around each: the halves of squares that only differ in their turn.
				a, b := geom.V(-1, -1, 0), geom.V(1, 1, 0)
				s.indices = append(s.indices, uint32(len(s.vertices)), uint32(len(s.vertices)+1), uint32(len(s.vertices)+2))
				s.vertices = append(s.vertices, a, b, geom.V(float32(i)/float32(n)*2-1, 1, 0))
			}
			return s
		}, many},
		{"without area", many, func(n int) surface {
			s, numbers := surface{}, golden.Numbers(8)
			for range n {
				i, p := uint32(len(s.vertices)), numbers.Float(1)
				s.indices = append(s.indices, i, i+1, i)
				s.vertices = append(s.vertices, geom.V(p, 0.25, 0), geom.V(numbers.Float(1), 0.25, 0))
			}
			return s
		}, 0},
		{"each within the last", many, func(n int) surface {
			s := surface{}
			for i := range n {
				f := 1 + float32(n-i)/float32(n)
				k := uint32(len(s.vertices))
				s.indices = append(s.indices, k, k+1, k+2)
				s.vertices = append(s.vertices, geom.V(-f, -f, -f), geom.V(f, -f, f), geom.V(0, f, 0))
			}
			return s
		}, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := c.n
			s := c.make(n)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			m, err := mesh.New(s.vertices, s.indices)
			runtime.ReadMemStats(&after)
			require.NoError(t, err)
			bytes := float64(after.TotalAlloc-before.TotalAlloc) / float64(n)
			allocations := float64(after.Mallocs-before.Mallocs) / float64(n)
			t.Logf("%.0f bytes and %.4f allocations for each triangle", bytes, allocations)
			assert.LessOrEqual(t, bytes, float64(mostBytes))
			assert.LessOrEqual(t, allocations, float64(mostAllocations))
			require.NoError(t, m.Validate())
			boxes := 0
			for range m.Nodes() {
				boxes++
			}
			assert.LessOrEqual(t, boxes, 2*n)

			// The answers are those of a loop over all triangles.
			var want []geom.Hit
			for i := range n {
				if h, ok := m.Triangle(i).CastRay(down, geom.CullNone); ok {
					h.Triangle = int32(i)
					want = append(want, h)
				}
			}
			if c.hits >= 0 {
				require.Equal(t, c.hits, len(want))
			} else {
				require.Greater(t, len(want), 1)
			}
			slices.SortStableFunc(want, func(g, h geom.Hit) int { return cmp.Compare(g.T, h.T) })
			got := m.CastRayAll(nil, down, geom.CullNone)
			require.True(t, slices.Equal(want, got))
			first, ok := m.CastRay(down, geom.CullNone)
			require.Equal(t, len(want) > 0, ok)
			require.Equal(t, ok, m.CastRayAny(down, geom.CullNone))
			if ok {
				require.Equal(t, want[0], first)
			}
			p := geom.V(0.25, 0.25, 5)
			nearest := float32(math.Inf(1))
			for i := range n {
				nearest = min(nearest, p.Distance(m.Triangle(i).ClosestPoint(p)))
			}
			near, ok := m.ClosestPoint(p, float32(math.Inf(1)))
			require.True(t, ok)
			require.Equal(t, nearest, near.Distance)
			require.Equal(t, n, len(m.OverlapSphere(nil, geom.Sphere{Radius: 10})))
			require.False(t, m.OverlapsSphere(geom.Sphere{Center: geom.V(50, 0, 0), Radius: 10}))
		})
	}
}

// A mesh can hold a hundred million triangles.
func TestMaxTriangles(t *testing.T) {
	assert.GreaterOrEqual(t, mesh.MaxTriangles, 100_000_000)
	assert.LessOrEqual(t, mesh.MaxTriangles, math.MaxInt32, "a hit names its triangle by an int32")
}
