package meshio

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// The figure of the sandbox has the bones, vertices and weights that its program wrote; a file
// without a skin and each damaged byte of its JSON give an error or a skin, and no panic.
func TestDecodeSkins(t *testing.T) {
	testenv.NoRace(t)
	data, err := os.ReadFile("../../examples/sandbox/assets/figure.glb")
	require.NoError(t, err)
	skins, err := DecodeSkins(bytes.NewReader(data), nil)
	require.NoError(t, err)
	s := &skins[0]
	require.Len(t, s.Bones, 16)
	require.Len(t, s.Vertices, 16*18)
	assert.Equal(t, "left_forearm", s.Bones[5].Name)
	assert.Equal(t, "left_upperarm", s.Bones[s.Bones[5].Parent].Name)
	at := s.Bones[5].Rest.Position
	assert.InDelta(t, 0.41, at.X, 1e-6)
	assert.InDelta(t, 1.25, at.Y, 1e-6)
	assert.Equal(t, -1, s.Bones[0].Parent)
	for i := range s.Influences {
		sum := float32(0)
		for _, w := range s.Influences[i].Weights {
			sum += w
		}
		require.InDelta(t, 1, sum, 1e-6)
	}
	cube, err := os.ReadFile("testdata/cube.glb")
	require.NoError(t, err)
	_, err = DecodeSkins(bytes.NewReader(cube), nil)
	require.ErrorContains(t, err, "no skins")
	length := int(data[12]) | int(data[13])<<8
	for i := range length {
		damaged := bytes.Clone(data)
		damaged[20+i] ^= 1
		_, _ = DecodeSkins(bytes.NewReader(damaged), nil)
	}
}
