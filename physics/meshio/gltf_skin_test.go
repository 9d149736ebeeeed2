package meshio

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/skin"
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

// Bones whose nodes show the mesh at a hundredth, as an armature does over a figure in centimetres,
// make the skin as small; a mesh that they stretch is an error.
func TestDecodeSkinsScale(t *testing.T) {
	data, err := os.ReadFile("../../examples/sandbox/assets/figure.glb")
	require.NoError(t, err)
	length := binary.LittleEndian.Uint32(data[12:])
	decode := func(scale ...float64) ([]skin.Skin, error) {
		var doc map[string]any
		require.NoError(t, json.Unmarshal(data[20:20+length], &doc))
		nodes := doc["nodes"].([]any)
		joints := doc["skins"].([]any)[0].(map[string]any)["joints"].([]any)
		root := joints[0].(float64)
		doc["nodes"] = append(nodes, map[string]any{"scale": scale, "children": []any{root}})
		text, err := json.Marshal(doc)
		require.NoError(t, err)
		text = append(text, "   "[:(4-len(text)%4)%4]...)
		glb := append(bytes.Clone(data[:20]), text...)
		glb = append(glb, data[20+length:]...)
		binary.LittleEndian.PutUint32(glb[8:], uint32(len(glb)))
		binary.LittleEndian.PutUint32(glb[12:], uint32(len(text)))
		return DecodeSkins(bytes.NewReader(glb), nil)
	}
	want, err := decode(1, 1, 1)
	require.NoError(t, err)
	got, err := decode(0.01, -0.01, 0.01)
	require.NoError(t, err)
	for i, v := range want[0].Vertices {
		require.InDelta(t, 0, got[0].Vertices[i].Distance(v.Mul(0.01)), 1e-8)
	}
	for i, b := range want[0].Bones {
		require.InDelta(t, 0, got[0].Bones[i].Rest.Position.Distance(b.Rest.Position.Mul(0.01)), 1e-8)
		require.Equal(t, b.Rest.Rotation, got[0].Bones[i].Rest.Rotation)
	}
	for _, scale := range [][]float64{{1, 2, 1}, {0, 0, 0}} {
		_, err = decode(scale...)
		require.ErrorContains(t, err, "bone 0 scales the mesh by different factors along its axes, by none, or by no finite one")
	}
}
