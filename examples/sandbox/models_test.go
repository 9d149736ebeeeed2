package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

func TestModels(t *testing.T) {
	tests := []struct {
		name                string
		load                func() (*meshio.Model, error)
		vertices, triangles int
		touching            int // edges that more than two triangles share
		bytes               int64
	}{
		{"bunny", loadBunny, 1839, 3674, 0, 150e3},
		{"dragon", loadDragon, 5136, 10322, 34, 150e3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			model, err := test.load()
			require.NoError(t, err)
			require.Len(t, model.Parts, 1)
			part := model.Parts[0]
			assert.Equal(t, test.name, part.Name)
			assert.Equal(t, test.triangles, len(part.Indices)/3)
			require.Len(t, part.Normals, len(part.Vertices))
			for i, n := range part.Normals {
				require.InDelta(t, 1, n.Len(), 1e-6, "normal %d", i)
			}

			m, err := model.Mesh()
			require.NoError(t, err)
			assert.Equal(t, test.triangles, m.NumTriangles())
			assert.Len(t, m.Vertices(), test.vertices)
			bounds := m.Bounds()
			assert.Zero(t, bounds.Min.Y, "the feet")
			assert.InDelta(t, 1, bounds.Max.Y, 1e-7, "the height")
			assert.InDelta(t, 0, bounds.Center().X, 1e-7)
			assert.InDelta(t, 0, bounds.Center().Z, 1e-7)

			// Closed: each edge is walked as often one way as the other. Outward: the enclosed
			// volume is positive.
			ways := map[[2]uint32]int{}
			uses := map[[2]uint32]int{}
			var volume float64
			indices, vertices := m.Indices(), m.Vertices()
			for i := 0; i < len(indices); i += 3 {
				c := indices[i : i+3]
				volume += vertices[c[0]].Wide().Dot(vertices[c[1]].Wide().Cross(vertices[c[2]].Wide())) / 6
				for k := range c {
					a, b := c[k], c[(k+1)%3]
					edge := [2]uint32{min(a, b), max(a, b)}
					uses[edge]++
					if a < b {
						ways[edge]++
					} else {
						ways[edge]--
					}
				}
			}
			touching := 0
			for edge, way := range ways {
				assert.Zero(t, way, "edge %v is open", edge)
				if uses[edge] != 2 {
					touching++
				}
			}
			assert.Equal(t, test.touching, touching)
			assert.Positive(t, volume)

			info, err := os.Stat("assets/" + test.name + ".glb")
			require.NoError(t, err)
			assert.Less(t, info.Size(), test.bytes)
		})
	}
}

func TestModelsAreDecodedEachTime(t *testing.T) {
	a, err := loadBunny()
	require.NoError(t, err)
	a.Parts[0].Vertices[0] = geom.V(9, 9, 9)
	b, err := loadBunny()
	require.NoError(t, err)
	assert.NotEqual(t, a.Parts[0].Vertices[0], b.Parts[0].Vertices[0])
}
