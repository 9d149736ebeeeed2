package meshio_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

func writeFile(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return path
}

// All files of testdata hold the same cube.
func TestReadFile(t *testing.T) {
	for _, name := range []string{"cube.obj", "cube.stl", "cube-binary.stl", "cube.gltf", "cube-embedded.gltf", "cube.glb"} {
		t.Run(name, func(t *testing.T) {
			model, err := meshio.ReadFile(filepath.Join("testdata", name))
			require.NoError(t, err)
			checkModel(t, model)
			assert.Equal(t, trianglesOf(cube), trianglesOf(model.Parts...))
			assert.Equal(t, 12, model.NumTriangles())
		})
	}
}

func TestReadFileByExtension(t *testing.T) {
	for name, data := range map[string][]byte{
		"A.OBJ": []byte(objText(cube)), "b.Stl": []byte(stlText(cube)), "c.GLB": glb(t, cubeDocument()), "d.glTF": glb(t, cubeDocument()),
	} {
		t.Run(name, func(t *testing.T) {
			model, err := meshio.ReadFile(writeFile(t, name, data))
			require.NoError(t, err)
			assert.Equal(t, trianglesOf(cube), trianglesOf(model.Parts...))
		})
	}
}

func TestReadFileErrors(t *testing.T) {
	tests := []struct {
		name, data, want string // want stands behind the file's path
	}{
		{"a.obj", "v 0 0 0\nf 1 2 3", `:2: corner "2": vertex 2 is out of range, there are 1 so far`},
		{"a.stl", "solid", ":1: the file ends within a solid"},
		{"b.stl", "so", ": byte 2: the file ends within the 84 bytes that an STL begins with"},
		{"a.gltf", "{\n\"asset\": 1}", `:2: JSON: number does not fit at "asset"`},
		{"a.glb", "glTF", ": byte 4: the file ends within the 12 bytes that a GLB begins with"},
		{"a.ply", "ply", `: the extension ".ply" is none of .obj, .stl, .gltf and .glb`},
		{"a", "", `: the extension "" is none of .obj, .stl, .gltf and .glb`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := writeFile(t, test.name, []byte(test.data))
			_, err := meshio.ReadFile(path)
			require.EqualError(t, err, "meshio: "+path+test.want)
			if placed := (*meshio.Error)(nil); errors.As(err, &placed) {
				assert.Equal(t, path, placed.File)
			}
		})
	}
	for _, name := range []string{"none.obj", "none.glb", "none/none.glb"} {
		_, err := meshio.ReadFile(filepath.Join(t.TempDir(), name))
		require.ErrorIs(t, err, fs.ErrNotExist)
		assert.ErrorContains(t, err, "meshio: ")
		assert.ErrorContains(t, err, "none")
	}
}

func TestModelMesh(t *testing.T) {
	left := meshio.Part{
		Vertices: []geom.Vec3{{X: 9, Y: 9, Z: 9}, {}, {X: 1}, {X: 1, Y: 1}}, Indices: []uint32{1, 2, 3},
	}
	right := meshio.Part{Vertices: []geom.Vec3{{}, {X: 1, Y: 1}, {Y: 1}}, Indices: []uint32{0, 1, 2, 0, 0, 1}}
	m, err := (&meshio.Model{Parts: []meshio.Part{left, right}}).Mesh()
	require.NoError(t, err)
	assert.Equal(t, squareVertices, m.Vertices(), "shared corners are one vertex, and unused ones are gone")
	assert.Equal(t, []uint32{0, 1, 2, 0, 2, 3, 0, 0, 2}, m.Indices())

	t.Run("empty", func(t *testing.T) {
		_, err := new(meshio.Model).Mesh()
		require.ErrorIs(t, err, mesh.ErrEmpty)
	})
	t.Run("index out of range", func(t *testing.T) {
		bad := meshio.Part{Name: "bad", Vertices: squareVertices, Indices: []uint32{0, 1, 2, 0, 1, 4}}
		_, err := (&meshio.Model{Parts: []meshio.Part{left, bad}}).Mesh()
		require.EqualError(t, err, `meshio: part 1 ("bad"): triangle 1: index 4 out of range (4 vertices)`)
	})
}

// Welding changes no triangle, and leaves no two vertices at one position.
func TestModelMeshProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(partGen(), 1, 4).Draw(t, "parts")
		m, err := (&meshio.Model{Parts: parts}).Mesh()
		require.NoError(t, err)
		welded := meshio.Part{Vertices: m.Vertices(), Indices: m.Indices()}
		require.Equal(t, trianglesOf(parts...), trianglesOf(welded))
		unique := map[geom.Vec3]bool{}
		for _, v := range m.Vertices() {
			require.False(t, unique[v])
			unique[v] = true
		}
	})
}
