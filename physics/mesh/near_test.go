package mesh_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// What is kept near a box that wanders is what a visit of the whole mesh finds, even after the mesh
// was refitted in place, or exchanged for another one. No triangle is within the distance that it
// is clear of.
func TestNearKeepsWhatIsVisited(t *testing.T) {
	n := golden.Numbers(5)
	vertices, indices := mesh.Plane(20, 20, 20, 20)
	bent := func() []geom.Vec3 {
		v := slices.Clone(vertices)
		for i := range v {
			v[i] = v[i].Add(n.Vec(0.5))
		}
		return v
	}
	first, err := mesh.New(bent(), indices)
	require.NoError(t, err)
	split, err := mesh.Build(context.Background(), bent(), indices, mesh.BuildOptions{Quality: mesh.High})
	require.NoError(t, err)
	meshes := [3]*mesh.Mesh{first, {}, split}
	var near mesh.Near
	require.Zero(t, near.Clear(first, geom.AABB{}))
	var found, want []int32
	kept, most, cleared, at := 0, 0, 0, geom.Vec3{}
	for i := range 4000 {
		if i%500 == 0 {
			require.NoError(t, first.Refit(meshes[1], bent()))
		}
		m := meshes[i/200%3]
		if i%8 == 0 {
			m.EdgeConvexity(0)
		}
		half := n.Vec(1.5).Abs()
		if i%40 == 0 {
			half = half.Mul(8)
			at = n.Vec(10)
		}
		at = at.Add(n.Vec(0.02))
		box := geom.AABB{Min: at.Sub(half), Max: at.Add(half)}
		var ok bool
		if found, ok = near.Visit(found[:0], m, box); !ok {
			require.Empty(t, found)
			continue
		}
		kept++
		clear := near.Clear(m, box)
		around := box.Grow(clear - 1e-5)
		want = want[:0]
		for k := range m.NumTriangles() {
			tri := m.Triangle(k)
			if tri.Bounds().OverlapsAABB(box) {
				want = append(want, int32(k))
			}
			require.False(t, clear > 0 && tri.Bounds().OverlapsAABB(around))
		}
		if clear > 0 {
			cleared++
		}
		require.Len(t, found, len(want))
		most = max(most, len(want))
		for j, place := range found {
			require.Equal(t, want[j], near.Number(place))
			require.Equal(t, m.Triangle(int(want[j])), near.Triangle(place))
			require.Equal(t, m.EdgeConvexity(int(want[j])), near.EdgeConvexity(place))
		}
	}
	require.Greater(t, kept, 1000)
	require.Greater(t, most, 8)
	require.Greater(t, cleared, 100)
}
