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

// Of any buffers of the same triangles comes the mesh that New returns.
func TestOfIsNew(t *testing.T) {
	vertices, indices := mesh.Torus(2, 0.5, 12, 8)
	want, err := mesh.New(vertices, indices)
	require.NoError(t, err)
	var positions, soup []float32
	var short []uint16
	for _, v := range vertices {
		positions = append(positions, v.X, v.Y, v.Z)
	}
	for _, i := range indices {
		short = append(short, uint16(i))
		soup = append(soup, positions[3*i:3*i+3]...)
	}
	wide, err := mesh.Of(positions, indices)
	require.NoError(t, err)
	narrow, err := mesh.Of(positions, short)
	require.NoError(t, err)
	plain, err := mesh.Of[uint32](soup, nil)
	require.NoError(t, err)
	for _, got := range []*mesh.Mesh{wide, narrow} {
		require.Equal(t, want.Vertices(), got.Vertices())
		require.Equal(t, want.Indices(), got.Indices())
	}
	require.Equal(t, want.NumTriangles(), plain.NumTriangles())
	for i := range want.NumTriangles() {
		require.Equal(t, want.Triangle(i), plain.Triangle(i))
	}
	positions[0] = 1e9
	short[0] = 9999
	assert.Equal(t, want.Bounds(), wide.Bounds(), "copied")
	assert.Equal(t, want.Indices(), narrow.Indices(), "copied")
}

func TestOfRefuses(t *testing.T) {
	good := []float32{0, 0, 0, 1, 0, 0, 0, 1, 0}
	for _, k := range []struct {
		positions []float32
		indices   []uint16
		want      string
	}{
		{good[:8], nil, "mesh: Of: 8 positions: vertex 2 has only 2"},
		{good[:6], nil, "mesh: Of: 2 indices: triangle 0 has only 2"},
		{good, []uint16{0, 1, 3}, "mesh: Of: triangle 0: index 3 out of range (3 vertices)"},
		{[]float32{0, 0, 0, 1, 0, 0, 0, float32(math.NaN()), 0}, nil, "mesh: Of: vertex 2: (0, NaN, 0) is not finite"},
		{nil, nil, "mesh: Of: no triangles"},
	} {
		m, err := mesh.Of(k.positions, k.indices)
		assert.Nil(t, m)
		assert.EqualError(t, err, k.want)
	}
	_, err := mesh.Of[uint32](nil, nil)
	assert.ErrorIs(t, err, mesh.ErrEmpty)
}

// A mesh of the buffers that an engine draws.
func ExampleOf() {
	positions := []float32{-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1}
	indices := []uint16{0, 2, 1, 0, 3, 2}
	floor, err := mesh.Of(positions, indices)
	if err != nil {
		fmt.Println(err)
		return
	}
	hit, ok := floor.CastRay(geom.NewRay(geom.V(0.5, 2, 0), geom.V(0, -1, 0)), geom.CullBack)
	fmt.Println(hit.Point, hit.Normal, ok)
	// Output: (0.5, 0, 0) (0, 1, 0) true
}
