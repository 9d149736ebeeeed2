package mesh

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

func TestCentroid(t *testing.T) {
	box, indices := Box(geom.V(1, 2, 3))
	for i := range box {
		box[i].X += 5
	}
	m, err := New(box, indices)
	require.NoError(t, err)
	assert.InDelta(t, 0, m.Centroid().Sub(geom.V(5, 0, 0)).Len(), 1e-6)

	// Three triangles of an area of 1/2, of which one is in the plane X = 0, and one of √3/2.
	const middle = (1 + 1.7320508/2) / 3 / ((3 + 1.7320508) / 2)
	tip, err := New([]geom.Vec3{{}, {X: 1}, {Y: 1}, {Z: 1}}, []uint32{0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3})
	require.NoError(t, err)
	assert.InDelta(t, middle, tip.Centroid().X, 1e-6)
	assert.InDelta(t, middle, tip.Centroid().Z, 1e-6)

	var moved Mesh
	require.NoError(t, tip.Refit(&moved, []geom.Vec3{{X: 2}, {X: 3}, {X: 2, Y: 1}, {X: 2, Z: 1}}))
	assert.InDelta(t, 2+middle, moved.Centroid().X, 1e-6)
	require.NoError(t, tip.Refit(&moved, tip.Vertices()))
	assert.InDelta(t, middle, moved.Centroid().X, 1e-6)

	line, err := New([]geom.Vec3{{}, {X: 1}, {X: 4}}, []uint32{0, 1, 2})
	require.NoError(t, err)
	assert.Equal(t, geom.V(2, 0, 0), line.Centroid())
	assert.NotPanics(t, func() { new(Mesh).Centroid() })
}
