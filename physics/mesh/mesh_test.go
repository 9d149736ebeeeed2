package mesh

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

func TestNewRefuses(t *testing.T) {
	nan, inf := float32(math.NaN()), inf32
	good := []geom.Vec3{{}, {X: 1}, {Y: 1}}
	for _, c := range []struct {
		name     string
		vertices []geom.Vec3
		indices  []uint32
		want     string
	}{
		{"nothing", nil, nil, "mesh: New: no triangles"},
		{"no indices", good, nil, "mesh: New: no triangles"},
		{"no vertices", nil, []uint32{0, 1, 2}, "mesh: New: triangle 0: index 0 out of range (0 vertices)"},
		{"half a triangle", good, []uint32{0, 1, 2, 0, 1}, "mesh: New: 5 indices: triangle 1 has only 2"},
		{"index out of range", good, []uint32{0, 1, 2, 0, 3, 1}, "mesh: New: triangle 1: index 3 out of range (3 vertices)"},
		{"huge index", good, []uint32{0, 1, math.MaxUint32}, "mesh: New: triangle 0: index 4294967295 out of range (3 vertices)"},
		{"NaN", []geom.Vec3{{}, {X: nan}, {}}, []uint32{0, 1, 2}, "mesh: New: vertex 1: (NaN, 0, 0) is not finite"},
		{"infinite", []geom.Vec3{{}, {}, {Z: -inf}}, []uint32{0, 1, 2}, "mesh: New: vertex 2: (0, 0, -Inf) is not finite"},
		{"NaN in a vertex of no triangle", append(slices.Clone(good), geom.V(0, nan, 0)), []uint32{0, 1, 2}, "mesh: New: vertex 3: (0, NaN, 0) is not finite"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := New(c.vertices, c.indices)
			assert.EqualError(t, err, c.want)
			assert.Nil(t, m)
		})
	}
	_, err := New(nil, nil)
	assert.ErrorIs(t, err, ErrEmpty)
}

func TestNewCopies(t *testing.T) {
	vertices, indices := []geom.Vec3{{}, {X: 1}, {Y: 1}, {X: 99}}, []uint32{0, 1, 2}
	m := mustNew(t, vertices, indices)
	vertices[1].X, indices[0] = 50, 1
	assert.Equal(t, geom.Triangle{B: geom.V(1, 0, 0), C: geom.V(0, 1, 0)}, m.Triangle(0))
	assert.Equal(t, geom.AABB{Max: geom.V(1, 1, 0)}, m.Bounds(), "a vertex of no triangle is no part of the surface")
	assert.Equal(t, 1, m.NumTriangles())
	assert.Len(t, m.Vertices(), 4)
	assert.Equal(t, []uint32{0, 1, 2}, m.Indices())
	assert.PanicsWithValue(t, "mesh: Mesh.Triangle: no triangle 1 of 1", func() { m.Triangle(1) })
	assert.PanicsWithValue(t, "mesh: Mesh.Triangle: no triangle -1 of 1", func() { m.Triangle(-1) })
}

func TestZeroMesh(t *testing.T) {
	m := &Mesh{}
	assert.NoError(t, m.Validate())
	assert.True(t, m.Bounds().IsEmpty())
	assert.Zero(t, m.NumTriangles())
	assert.Empty(t, slices.Collect(m.Nodes()))
}

func TestNodes(t *testing.T) {
	eachScene(t, func(t *testing.T, s scene, m *Mesh, _ *rand.Rand) {
		triangles := 0
		var path []geom.AABB
		for n := range m.Nodes() {
			require.LessOrEqual(t, n.Level, len(path), "levels follow each other")
			path = append(path[:n.Level], n.Bounds)
			if n.Level == 0 {
				require.Equal(t, m.Bounds(), n.Bounds)
			} else {
				require.Equal(t, path[n.Level-1], path[n.Level-1].Union(n.Bounds), "a box is within the one above")
			}
			require.Equal(t, n.Leaf, n.Triangles > 0)
			triangles += n.Triangles
		}
		assert.Equal(t, m.NumTriangles(), triangles)
		for range m.Nodes() {
			break // must not go on
		}
	})
}

// For any input, no path of the tree is deeper than the stack of a traversal, and building ends
// soon. Validate, in mustNew, checks the depth.
func TestBuildIsBounded(t *testing.T) {
	testenv.NoRace(t)
	depth := func(m *Mesh) (deepest int) {
		for n := range m.Nodes() {
			deepest = max(deepest, n.Level)
		}
		return deepest
	}
	t.Run("all in one point", func(t *testing.T) {
		m := mustNew(t, []geom.Vec3{{X: 1}}, make([]uint32, 3*200_000))
		assert.LessOrEqual(t, depth(m), 15, "as many as halving takes")
	})
	t.Run("all but one in one point", func(t *testing.T) {
		indices := make([]uint32, 3*50_000)
		indices[30_000] = 1
		m := mustNew(t, []geom.Vec3{{X: 1}, {X: 5}}, indices)
		assert.LessOrEqual(t, depth(m), 14)
	})
	t.Run("each smaller and nearer", func(t *testing.T) {
		// Each split separates a few of the largest, so that the heuristic alone would exceed the
		// depth. Below, many small ones need all remaining levels.
		s := spiral()
		var v []geom.Vec3
		var i []uint32
		for range 4 {
			for axis := range 3 {
				for _, p := range s.vertices {
					i = append(i, uint32(len(v)))
					a := p.Array()
					v = append(v, geom.V(a[axis], a[(axis+1)%3], a[(axis+2)%3]))
				}
			}
		}
		i = append(i, make([]uint32, 3*10_000)...)
		m := mustNew(t, v, i)
		assert.LessOrEqual(t, depth(m), 63)
		assert.Greater(t, depth(m), 4, "the test should need depth")
	})
}

// A small mesh as far away as float32 reaches: the areas of its boxes are not finite.
func TestAtTheEndOfFloats(t *testing.T) {
	vertices := []geom.Vec3{{X: 1, Y: 3e38, Z: 0.25}, {X: 1, Y: 3e38}}
	for _, n := range []int{3, 33, 300, 3000} {
		indices := make([]uint32, n)
		indices[n-1] = 1
		m, err := New(vertices, indices)
		require.NoError(t, err)
		require.Equal(t, n/3, m.NumTriangles())
		_, ok := m.CastRay(geom.NewRay(geom.V(0, 0, 0), geom.V(0, 1, 0)), geom.CullNone)
		require.False(t, ok)
	}
}
