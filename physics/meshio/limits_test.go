package meshio_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/meshio"
)

// Files in which a little stands for a lot: n times n of something, or n empty objects.
var multiplying = map[string]func(n int) (name, text string, files fs.FS){
	"OBJ, names × groups": func(n int) (string, string, fs.FS) {
		var b strings.Builder
		fmt.Fprintf(&b, "v 0 0 0\nv 1 0 0\nv 0 1 0\no %s\n", strings.Repeat("n", 16*n))
		for i := range n {
			fmt.Fprintf(&b, "g %d\nf 1 2 3\n", i)
		}
		return "a.obj", b.String(), nil
	},
	"OBJ, corners": func(n int) (string, string, fs.FS) {
		return "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf " + strings.Repeat("1 2 3 ", 16*n), nil
	},
	"STL, solids": func(n int) (string, string, fs.FS) {
		facet := "solid\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet endsolid\n"
		return "a.stl", strings.Repeat(facet, 16*n), nil
	},
	"glTF, buffers that name one file": func(n int) (string, string, fs.FS) {
		file := fstest.MapFS{"b": {Data: make([]byte, 16*n)}}
		var buffers, views, accessors, nodes, meshes, roots []string
		for i := range n {
			buffers = append(buffers, fmt.Sprintf(`{"uri":"b","byteLength":%d}`, 15*n+i))
			views = append(views, fmt.Sprintf(`{"buffer":%d,"byteLength":36}`, i))
			accessors = append(accessors, fmt.Sprintf(`{"bufferView":%d,"componentType":5126,"count":3,"type":"VEC3"}`, i))
			meshes = append(meshes, fmt.Sprintf(`{"primitives":[{"attributes":{"POSITION":%d}}]}`, i))
			nodes = append(nodes, fmt.Sprintf(`{"mesh":%d}`, i))
			roots = append(roots, fmt.Sprint(i))
		}
		return "a.gltf", gltfOf(buffers, views, accessors, meshes, nodes, roots), file
	},
	"glTF, primitives × nodes":  func(n int) (string, string, fs.FS) { return primitivesTimesNodes(n, 4) },
	"glTF, strips × nodes":      func(n int) (string, string, fs.FS) { return primitivesTimesNodes(n, 5) },
	"glTF, empty nodes":         func(n int) (string, string, fs.FS) { return emptyObjects(n, "nodes") },
	"glTF, empty accessors":     func(n int) (string, string, fs.FS) { return emptyObjects(n, "accessors") },
	"glTF, empty animations":    func(n int) (string, string, fs.FS) { return emptyObjects(n, "animations") },
	"glTF, nodes with children": func(n int) (string, string, fs.FS) { return emptyObjects(n, "scenes") },
}

func gltfOf(buffers, views, accessors, meshes, nodes, roots []string) string {
	list := func(l []string) string { return "[" + strings.Join(l, ",") + "]" }
	return `{"asset":{"version":"2.0"},"scenes":[{"nodes":` + list(roots) + `}],"nodes":` + list(nodes) + `,"meshes":` + list(meshes) +
		`,"accessors":` + list(accessors) + `,"bufferViews":` + list(views) + `,"buffers":` + list(buffers) + `}`
}

func primitivesTimesNodes(n, mode int) (string, string, fs.FS) {
	file := fstest.MapFS{"b": {Data: make([]byte, 36*n)}}
	primitive := fmt.Sprintf(`{"mode":%d,"attributes":{"POSITION":0}}`, mode)
	meshes := []string{`{"primitives":[` + strings.TrimSuffix(strings.Repeat(primitive+",", n), ",") + `]}`}
	var nodes, roots []string
	for i := range n {
		nodes, roots = append(nodes, `{"mesh":0}`), append(roots, fmt.Sprint(i))
	}
	accessor := fmt.Sprintf(`{"bufferView":0,"componentType":5126,"count":%d,"type":"VEC3"}`, 3*n)
	return "a.gltf", gltfOf([]string{fmt.Sprintf(`{"uri":"b","byteLength":%d}`, 36*n)}, []string{fmt.Sprintf(`{"buffer":0,"byteLength":%d}`, 36*n)}, []string{accessor}, meshes, nodes, roots), file
}

func emptyObjects(n int, key string) (string, string, fs.FS) {
	return "a.gltf", `{"asset":{"version":"2.0"},"` + key + `":[` + strings.Repeat("{},", 64*n) + `{}]}`, nil
}

// Whatever a file holds, reading it takes at most 64 times its bytes and 16 MB of memory, in all
// that is ever allocated, unless the caller allows more.
func TestMemoryByFileSize(t *testing.T) {
	for name, file := range multiplying {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{64, 512} {
				name, text, files := file(n)
				size := len(text)
				if f, ok := files.(fstest.MapFS); ok {
					size += len(f["b"].Data)
				}
				decode := func(l meshio.Limits) (err error) {
					switch r := strings.NewReader(text); filepath.Ext(name) {
					case ".obj":
						_, err = l.DecodeOBJ(r)
					case ".stl":
						_, err = l.DecodeSTL(r)
					default:
						_, err = l.DecodeGLTF(r, files)
					}
					return err
				}
				var err error
				used := allocated(func() { err = decode(meshio.Limits{}) })
				assert.Less(t, used, uint64(64*size+16<<20), "%d bytes, n = %d: %v", size, n, err)
				if err != nil && strings.Contains(err.Error(), "meshio.Limits") && n < 512 {
					err = decode(meshio.Limits{Memory: 1 << 40})
					assert.True(t, err == nil || !strings.Contains(err.Error(), "meshio.Limits"), "%v", err)
				}
			}
		})
	}
	assert.PanicsWithValue(t, "meshio: Limits: a Memory of -1 bytes", func() { _, _ = meshio.Limits{Memory: -1}.DecodeOBJ(strings.NewReader("")) })
}

// An error quotes at most 40 bytes of a word.
func TestErrorsAreShort(t *testing.T) {
	long := strings.Repeat("x", 10000)
	for name, text := range map[string]string{
		"a.obj": "v 0 0 " + long, "b.obj": "v 0 0 0\nf " + long, "c.obj": "v 0 0 0\nf 1/" + long, "d.stl": "solid\n" + long,
		"e.gltf": `{"asset":{"version":"` + long + `"}}`, "f.gltf": `{"asset":{"version":"2.0"},"extensionsRequired":["` + long + `"]}`,
	} {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := meshio.ReadFile(path)
		require.Error(t, err)
		assert.Less(t, len(err.Error()), len(path)+150, name)
	}
}

// Coordinates are decimal numbers: what else Go reads as a number is not one here.
func TestDecimalCoordinates(t *testing.T) {
	for _, word := range []string{"0x1p-2", "1_0", "0X1P4"} {
		_, err := meshio.DecodeOBJ(strings.NewReader("v 0 0 " + word + "\n"))
		require.ErrorContains(t, err, `"`+word+`" is not a number`)
	}
}
