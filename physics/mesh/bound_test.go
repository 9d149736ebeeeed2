package mesh_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// A visit with a bound, of any mesh, and what is kept without what a bound misses, are the
// triangles whose bounds touch the box that the bound does not miss.
func TestVisitBound(t *testing.T) {
	n := golden.Numbers(6)
	vertices, indices := mesh.Plane(20, 20, 20, 20)
	for i := range vertices {
		vertices[i] = vertices[i].Add(n.Vec(0.3))
	}
	whole, err := mesh.New(vertices, indices)
	require.NoError(t, err)
	split, err := mesh.Build(context.Background(), vertices, indices, mesh.BuildOptions{Quality: mesh.High})
	require.NoError(t, err)
	heights := make([]float32, 21*21)
	for i := range heights {
		heights[i] = n.Float(0.5)
	}
	field, err := mesh.NewField(mesh.FieldOptions{Columns: 21, Rows: 21, CellX: 1, CellZ: 1}, heights)
	require.NoError(t, err)
	whole.EdgeConvexity(0)
	dropped, kept := 0, 0
	for name, m := range map[string]*mesh.Mesh{"mesh": whole, "split": split, "field": field.Mesh()} {
		t.Run(name, func(t *testing.T) {
			for i := range 300 {
				var b wide.Bound
				at, half := m.Bounds().Center().Add(n.Vec(6)), n.Vec(2).Abs()
				b.Center, b.Share = at, 0x1p-19
				b.AddPlane(n.Vec(1).Normalize(), n.Float(1))
				box := geom.AABBAround(at, half)
				var touched, want, got []int
				m.VisitAABB(box, func(i int) bool {
					var e wide.Eight
					tri := m.Triangle(i)
					if e.Set(0, &tri); b.Misses(&e)&1 == 0 {
						want = append(want, i)
					}
					touched = append(touched, i)
					return true
				})
				few := 1 + i%8
				m.VisitBound(box, few, func() *wide.Bound { return &b }, func(i int) { got = append(got, i) })
				slices.Sort(want)
				if dropped += len(touched) - len(want); len(touched) < few {
					want = slices.Sorted(slices.Values(touched))
				}
				kept += len(want)
				slices.Sort(got)
				require.Equal(t, want, got)
				if few > 1 {
					continue
				}
				var near mesh.Near
				_, ok := near.Visit(nil, m, box)
				require.False(t, ok, "nothing is kept yet")
				places, ok := near.Visit(nil, m, box)
				got = got[:0]
				for _, p := range near.Drop(places, &b) {
					got = append(got, int(near.Number(p)))
				}
				if ok {
					require.Equal(t, want, got)
				}
			}
		})
	}
	require.Greater(t, dropped, 300)
	require.Greater(t, kept, 300)
}
