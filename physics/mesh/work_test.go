package mesh_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

func ExampleMesh_CastRayWork() {
	m, err := mesh.New(mesh.Torus(3, 1, 64, 32))
	if err != nil {
		fmt.Println(err)
		return
	}
	r := geom.NewRay(geom.V(-9, 0.2, 0.1), geom.V(1, 0, 0))
	hit, ok, work := m.CastRayWork(r, geom.CullNone)
	fmt.Printf("%v at T = %.2f, for which fewer than one triangle in a hundred was tested: %v\n",
		ok, hit.T, 100*work.Triangles < m.NumTriangles())
	// Output: true at T = 5.03, for which fewer than one triangle in a hundred was tested: true
}

// The counts never exceed the size of the tree, and the hit is that of CastRay.
func TestCastRayWork(t *testing.T) {
	for _, s := range []surface{bunny(t), ring(48, 24), city(), slivers(), crossing()} {
		t.Run(s.name, func(t *testing.T) {
			m := s.mesh(t)
			var all mesh.Work
			for n := range m.Nodes() {
				if n.Leaf {
					all.Leaves++
					all.Triangles += n.Triangles
				} else {
					all.Nodes++
				}
			}
			require.Equal(t, m.NumTriangles(), all.Triangles)
			var sum mesh.Work
			for i, r := range goldenRays(m, 2000) {
				cull := culls[i%3]
				hit, ok, work := m.CastRayWork(r, cull)
				want, found := m.CastRay(r, cull)
				require.Equal(t, found, ok, "%v", r)
				require.Equal(t, want, hit, "%v", r)
				require.LessOrEqual(t, work.Nodes, all.Nodes, "%v", r)
				require.LessOrEqual(t, work.Leaves, all.Leaves, "%v", r)
				require.LessOrEqual(t, work.Triangles, all.Triangles, "%v", r)
				require.LessOrEqual(t, work.Leaves, work.Triangles, "%v", r)
				require.Positive(t, work.Nodes, "%v", r)
				require.True(t, !ok || work.Leaves > 0, "%v", r)
				sum.Nodes += work.Nodes
				sum.Triangles += work.Triangles
			}
			assert.Less(t, sum.Triangles, 2000*all.Triangles/2, "a tree is worth its while")
			assert.Positive(t, sum.Triangles)
		})
	}
}

func TestCastRayWorkOfLittle(t *testing.T) {
	torus, err := mesh.New(mesh.Torus(3, 1, 64, 32))
	require.NoError(t, err)
	one, err := mesh.New([]geom.Vec3{{}, {X: 1}, {Y: 1}}, []uint32{0, 1, 2})
	require.NoError(t, err)
	nan := float32(math.NaN())
	for _, c := range []struct {
		name string
		mesh *mesh.Mesh
		ray  geom.Ray
		want mesh.Work
	}{
		{"past the bounds", torus, geom.NewRay(geom.V(0, 9, 0), geom.V(1, 0, 0)), mesh.Work{Nodes: 1}},
		{"away from the bounds", torus, geom.NewRay(geom.V(9, 0, 0), geom.V(1, 0, 0)), mesh.Work{Nodes: 1}},
		{"too short", torus, geom.Ray{Origin: geom.V(9, 0, 0), Dir: geom.V(-1, 0, 0), MaxT: 2}, mesh.Work{Nodes: 1}},
		{"zero", torus, geom.Ray{}, mesh.Work{}},
		{"NaN", torus, geom.NewRay(geom.V(nan, 0, 0), geom.V(1, 0, 0)), mesh.Work{}},
		{"empty range", torus, geom.Ray{Origin: geom.V(9, 0, 0), Dir: geom.V(-1, 0, 0), MinT: 2, MaxT: 1}, mesh.Work{}},
		{"only a leaf", one, geom.NewRay(geom.V(0, 0, 9), geom.V(1, 0, 0)), mesh.Work{Leaves: 1, Triangles: 1}},
		{"no triangles", &mesh.Mesh{}, geom.NewRay(geom.V(0, 0, 9), geom.V(1, 0, 0)), mesh.Work{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, ok, work := c.mesh.CastRayWork(c.ray, geom.CullNone)
			assert.False(t, ok)
			assert.Equal(t, c.want, work)
		})
	}
}
