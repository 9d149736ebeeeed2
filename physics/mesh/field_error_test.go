package mesh_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

func TestFieldErrors(t *testing.T) {
	nan := float32(math.NaN())
	good := mesh.FieldOptions{Columns: 3, Rows: 2, CellX: 1, CellZ: 1, Low: -1, High: 1}
	for want, change := range map[string]func(*mesh.FieldOptions){
		"6 heights in 1 columns":            func(o *mesh.FieldOptions) { o.Columns = 1 },
		"6 heights in 3 columns and 0 rows": func(o *mesh.FieldOptions) { o.Rows = 0 },
		"cells of 0 by 1":                   func(o *mesh.FieldOptions) { o.CellX = 0 },
		"cells of 1 by NaN":                 func(o *mesh.FieldOptions) { o.CellZ = nan },
		"smaller than float32":              func(o *mesh.FieldOptions) { o.StartX = 1e9 },
		"is not finite":                     func(o *mesh.FieldOptions) { o.StartZ = nan },
		"heights from 2 to 1":               func(o *mesh.FieldOptions) { o.Low = 2 },
		"heights from -1 to NaN":            func(o *mesh.FieldOptions) { o.High = nan },
	} {
		o := good
		change(&o)
		_, err := mesh.NewField(o, make([]float32, 6))
		require.ErrorContains(t, err, want)
		_, err = mesh.NewFieldOfCodes(o, make([]uint16, 6))
		require.ErrorContains(t, err, want)
	}
	_, err := mesh.NewField(good, []float32{0, 0, 0, 0, 1.5, 0})
	require.ErrorContains(t, err, "height 1.5 of column 1 and row 1")
	f, err := mesh.NewField(good, make([]float32, 6))
	require.NoError(t, err)
	assert.Equal(t, good, f.Options())
	require.ErrorContains(t, f.SetHeights(2, 1, 2, []float32{0, 0}), "2 in rows of 2 from column 2")
	require.ErrorContains(t, f.SetHeights(0, 0, 1, []float32{nan}), "height NaN")
	require.ErrorContains(t, f.SetMaterials(2, 0, 1, []uint8{1}), "1 in rows of 1 from column 2")
	assert.Panics(t, func() { f.Height(3, 0) })
	assert.Panics(t, func() { f.Material(2, 0) })
	require.ErrorContains(t, f.Mesh().Refit(new(mesh.Mesh), nil), "Field")

	// A field of holes has nothing to find.
	require.NoError(t, f.SetMaterials(0, 0, 2, []uint8{mesh.Hole, mesh.Hole}))
	m := f.Mesh()
	assert.True(t, m.Bounds().IsEmpty())
	_, ok := m.CastRay(geom.NewRay(geom.V(0.5, 5, 0.5), geom.V(0, -1, 0)), geom.CullNone)
	assert.False(t, ok)
	_, ok = m.ClosestPoint(geom.Vec3{}, 1)
	assert.False(t, ok)
	assert.Empty(t, m.OverlapSphere(nil, geom.Sphere{Radius: 9}))
	require.NoError(t, m.Validate())
	again, ok := m.Field()
	require.True(t, ok)
	require.NoError(t, again.SetMaterials(1, 0, 1, []uint8{7}))
	assert.Equal(t, uint8(7), again.Mesh().Material(3))
	assert.Equal(t, float32(1), again.Mesh().Bounds().Min.X)
}
