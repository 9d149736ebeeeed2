package meshio_test

import (
	"bufio"
	"bytes"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

// corners reads a file of plain "v x y z" and "f a b c" lines in the shortest way there is.
func corners(t *testing.T, path string) (vertices int, list []geom.Vec3) {
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	var all []geom.Vec3
	for lines := bufio.NewScanner(file); lines.Scan(); {
		words := strings.Fields(lines.Text())
		switch words[0] {
		case "v":
			var v [3]float32
			for i := range v {
				x, err := strconv.ParseFloat(words[1+i], 32)
				require.NoError(t, err)
				v[i] = float32(x)
			}
			all = append(all, geom.VecOf(v))
		case "f":
			require.Len(t, words, 4)
			for _, word := range words[1:] {
				i, err := strconv.Atoi(word)
				require.NoError(t, err)
				list = append(list, all[i-1])
			}
		}
	}
	return len(all), list
}

// Scanned meshes survive every format with the triangles in their order.
func TestGoldenMeshes(t *testing.T) {
	testenv.NoRace(t)
	tests := []struct {
		name                string
		vertices, triangles int
	}{
		{"bunny.obj", 35947, 69451}, {"teapot.obj", 3644, 6320}, {"arena1.obj", 36197, 66570},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := testenv.Data(t, "meshes/"+test.name)
			vertices, want := corners(t, path)
			require.Equal(t, test.vertices, vertices)
			model, err := meshio.ReadFile(path)
			require.NoError(t, err)
			checkModel(t, model)
			require.Len(t, model.Parts, 1)
			require.Equal(t, test.triangles, model.NumTriangles())
			part := model.Parts[0]
			require.True(t, assert.ObjectsAreEqual(want, trianglesOf(part)))
			assert.LessOrEqual(t, len(part.Vertices), test.vertices)

			m, err := model.Mesh()
			require.NoError(t, err)
			require.Equal(t, test.triangles, m.NumTriangles())
			require.True(t, assert.ObjectsAreEqual(want, trianglesOf(meshio.Part{Vertices: m.Vertices(), Indices: m.Indices()})))

			stl, err := meshio.DecodeSTL(bytes.NewReader(stlBinary("solid", part)))
			require.NoError(t, err)
			require.True(t, assert.ObjectsAreEqual(want, trianglesOf(stl.Parts...)))
			gltf, err := decodeGLB(t, document(part))
			require.NoError(t, err)
			require.True(t, assert.ObjectsAreEqual(want, trianglesOf(gltf.Parts...)))

			smooth := part.Smooth(0.5)
			require.True(t, assert.ObjectsAreEqual(want, trianglesOf(smooth)))
		})
	}
}
