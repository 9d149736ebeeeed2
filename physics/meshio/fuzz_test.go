package meshio_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/meshio"
)

// For any bytes, a decoder returns a valid model or an error with a position, and allocates memory
// in proportion to their number.
func fuzz(f *testing.F, pattern string, extra []string, decode func(data []byte) (*meshio.Model, error)) {
	names, err := filepath.Glob(filepath.Join("testdata", pattern))
	require.NoError(f, err)
	require.NotEmpty(f, names)
	for _, name := range names {
		data, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(data)
	}
	for _, text := range extra {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		model, err := decode(data)
		if err != nil {
			require.Nil(t, model)
			requirePlaced(t, err)
			return
		}
		checkModel(t, model)
		_, err = model.Mesh()
		require.NoError(t, err)
		for i, p := range model.Parts {
			smooth := p.Smooth(1)
			require.Equal(t, trianglesOf(p), trianglesOf(smooth), "part %d", i)
		}
	})
}

func FuzzDecodeOBJ(f *testing.F) {
	fuzz(f, "*.obj", []string{
		square + "g a\nf 1 2 3 4\nvn 0 0 1\ng b\nf -1//1 -2//1 \\\n-3//1", square + "v 0.2 0.2 0\nf 1 2 5 4",
		"v nan 0 0", "v 1e39 0 0\n", "o a\ng b\nv 0 0 0\nf 1/1/1 1/1 1 # x",
		"v 0 0 0 1 0 0\nv 1 0 0 1 0 1 0\nvt 0 .5\nvt 1\nf 1/1 2/2 1/-1",
	}, func(data []byte) (*meshio.Model, error) { return meshio.DecodeOBJ(bytes.NewReader(data)) })
}

func FuzzDecodeSTL(f *testing.F) {
	fuzz(f, "*.stl", []string{
		"solid a\n" + facet + "endsolid a\nsolid b\n" + facet + "endsolid b", string(stlBinary("solid", cube)[:150]),
	}, func(data []byte) (*meshio.Model, error) { return meshio.DecodeSTL(bytes.NewReader(data)) })
}

func FuzzDecodeGLTF(f *testing.F) {
	fuzz(f, "*.gl*", []string{
		triangleGLTF(), triangleGLTF(`"indices": 1`, `"mode": 5`), triangleGLTF(`{"mesh": 0}`, `{"mesh": 0, "scale": [-1, 2, 1e30], "children": [0]}`),
		triangleGLTF(`"count": 3, "type": "V`, `"sparse": {"count": 1, "indices": {"bufferView": 1, "byteOffset": 4, "componentType": 5123}, "values": {"bufferView": 0}}, "count": 3, "type": "V`),
		triangleGLTF("5126", "5122", `"count": 3, "type": "V`, `"normalized": true, "count": 3, "type": "V`),
	}, func(data []byte) (*meshio.Model, error) {
		return meshio.DecodeGLTF(bytes.NewReader(data), os.DirFS("testdata"))
	})
}
