package mesh

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

func TestGenerators(t *testing.T) {
	for _, c := range []struct {
		scene
		triangles int
		bounds    geom.Vec3 // half extents
		volume    float64   // of the true shape; 0 for a plane
		handles   int       // holes through it
	}{
		{generated("box", true)(Box(geom.V(1, 2, 3))), 12, geom.V(1, 2, 3), 48, 0},
		{generated("uv sphere", true)(UVSphere(2, 64, 32)), 64 * 2 * 31, geom.V(2, 2, 2), 33.510, 0},
		{generated("coarsest uv sphere", true)(UVSphere(1, 4, 2)), 8, geom.V(1, 1, 1), 4.0 / 3, 0},
		{generated("icosahedron", true)(Icosphere(1, 0)), 20, geom.V(0.8507, 0.8507, 0.8507), 2.5362, 0},
		{generated("icosphere", true)(Icosphere(2, 4)), 20 * 256, geom.V(2, 2, 2), 33.510, 0},
		{generated("capsule", true)(Capsule(3, 2, 64, 16)), 64 * 2 * 32, geom.V(2, 5, 2), 108.909, 0},
		{generated("coarsest capsule", true)(Capsule(1, 1, 4, 1)), 16, geom.V(1, 2, 1), 4 + 4.0/3, 0},
		{generated("torus", true)(Torus(3, 1, 64, 48)), 64 * 48 * 2, geom.V(4, 1, 4), 59.218, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := mustNew(t, c.vertices, c.indices)
			assert.Equal(t, c.triangles, m.NumTriangles())
			b := m.Bounds()
			assert.InDelta(t, 0, b.Center().Len(), 0.01)
			assert.InDelta(t, 0, b.HalfExtents().Distance(c.bounds), 0.01*float64(c.bounds.Len()))

			// Closed and consistently wound: each edge occurs once in each direction.
			edges := map[[2]uint32]int{}
			volume := 0.0
			for i := 0; i < len(c.indices); i += 3 {
				a, b, d := c.indices[i], c.indices[i+1], c.indices[i+2]
				edges[[2]uint32{a, b}]++
				edges[[2]uint32{b, d}]++
				edges[[2]uint32{d, a}]++
				tri := m.Triangle(i / 3)
				require.NotZero(t, tri.Normal(), "no triangle is degenerate")
				volume += tri.A.Wide().Dot(tri.B.Wide().Cross(tri.C.Wide())) / 6
			}
			for e, n := range edges {
				require.Equal(t, 1, n, "edge %v", e)
				require.Equal(t, 1, edges[[2]uint32{e[1], e[0]}], "the other side of edge %v", e)
			}
			assert.Equal(t, 2-2*c.handles, len(c.vertices)-len(edges)/2+c.triangles, "every vertex is used and shared (Euler)")
			assert.InEpsilon(t, c.volume, volume, 0.01, "positive: the front is outside")
		})
	}
	t.Run("plane", func(t *testing.T) {
		vertices, indices := Plane(2, 3, 4, 5)
		m := mustNew(t, vertices, indices)
		assert.Len(t, vertices, 30)
		assert.Equal(t, 40, m.NumTriangles())
		assert.Equal(t, geom.AABBAround(geom.Vec3{}, geom.V(2, 0, 3)), m.Bounds())
		for i := range m.NumTriangles() {
			assert.Equal(t, geom.V(0, 1, 0), m.Triangle(i).Normal())
		}
	})
}

func TestGeneratorsPanic(t *testing.T) {
	for want, f := range map[string]func(){
		"mesh: Plane: 0 columns: at least 1":         func() { Plane(1, 1, 0, 1) },
		"mesh: Plane: -1 rows: at least 1":           func() { Plane(1, 1, 1, -1) },
		"mesh: UVSphere: 2 segments: at least 3":     func() { UVSphere(1, 2, 9) },
		"mesh: UVSphere: 1 rings: at least 2":        func() { UVSphere(1, 9, 1) },
		"mesh: Capsule: 2 segments: at least 3":      func() { Capsule(1, 1, 2, 9) },
		"mesh: Capsule: 0 rings: at least 1":         func() { Capsule(1, 1, 9, 0) },
		"mesh: Torus: 2 segments: at least 3":        func() { Torus(1, 1, 2, 9) },
		"mesh: Torus: 2 sides: at least 3":           func() { Torus(1, 1, 9, 2) },
		"mesh: Icosphere: level -1: must be 0 to 10": func() { Icosphere(1, -1) },
		"mesh: Icosphere: level 11: must be 0 to 10": func() { Icosphere(1, 11) },
	} {
		assert.PanicsWithValue(t, want, f)
	}
}
