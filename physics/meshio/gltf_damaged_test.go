package meshio_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/qmuntal/gltf"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

// largest is the largest number of bytes that an int of the reader can hold.
var largest = strconv.Itoa(math.MaxInt)

// triangleGLTF is a triangle with indices; tests replace parts of it. Each list begins on its own
// line.
func triangleGLTF(replace ...string) string {
	var data bytes.Buffer
	// A buffer never fails.
	_ = binary.Write(&data, binary.LittleEndian, [9]float32{0, 0, 0, 1, 0, 0, 0, 1, 0})
	_ = binary.Write(&data, binary.LittleEndian, [4]uint16{0, 1, 2, 0})
	text := `{
"asset": {"version": "2.0"},
"scene": 0,
"scenes": [{"nodes": [0]}],
"nodes": [{"mesh": 0}],
"meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
"accessors": [
 {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
 {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"}
],
"bufferViews": [
 {"buffer": 0, "byteLength": 36},
 {"buffer": 0, "byteOffset": 36, "byteLength": 6}
],
"buffers": [
 {"byteLength": 44, "uri": "data:application/octet-stream;base64,` + base64.StdEncoding.EncodeToString(data.Bytes()) + `"}
]
}
`
	return strings.NewReplacer(replace...).Replace(text)
}

// A triangle of one or two corners at the end is left out, as all that draws leaves it out.
func TestDecodeGLTFIncompleteTriangle(t *testing.T) {
	want, err := decodeGLTFText(triangleGLTF())
	require.NoError(t, err)
	got, err := decodeGLTFText(triangleGLTF(`"count": 3, "type": "S`, `"count": 4, "type": "S`, `"byteLength": 6`, `"byteLength": 8`))
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestDecodeGLTFDamaged(t *testing.T) {
	_, err := decodeGLTFText(triangleGLTF())
	require.NoError(t, err, "what the cases are made from is sound")

	nanBuffer := `"buffers": [{"byteLength": 36, "uri": "data:;base64,` +
		base64.StdEncoding.EncodeToString(append(make([]byte, 16), 0, 0, 0xc0, 0x7f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) + `"}], "x": [`
	tests := []struct {
		name    string
		replace []string
		want    string
	}{
		{"cut off", []string{"]\n}\n", ""}, "line 16: JSON: unexpected end of JSON input"},
		{"bad JSON", []string{`"scene": 0,`, `"scene": 0`}, `line 4: JSON: invalid character '"' after object key:value pair`},
		{"no JSON", []string{triangleGLTF(), "\n\nhello"}, "line 3: JSON: invalid character 'h' looking for beginning of value"},
		{"empty", []string{triangleGLTF(), ""}, "line 1: JSON: unexpected end of JSON input"},
		{"a list", []string{triangleGLTF(), "\n[]"}, "line 2: JSON: the document is not an object"},
		{"a string for a number", []string{`"count": 3, "type": "S`, `"count": "3", "type": "S`}, `line 9: JSON: string does not fit at "accessors.count"`},
		{"a fraction for a number", []string{`"byteLength": 6`, `"byteLength": 6.5`}, `line 13: JSON: number 6.5 does not fit at "bufferViews.byteLength"`},
		{"a word in a matrix", []string{`{"mesh": 0}`, `{"matrix": ["a"]}`}, `line 5: JSON: string does not fit at "nodes.matrix"`},
		{"an object for a list", []string{`[{"nodes": [0]}]`, `{"nodes": [0]}`}, `line 4: JSON: object does not fit at "scenes"`},
		{"an unknown type", []string{"VEC3", "VEC5"}, "line 8: JSON: gltf: unknown accessor's type: VEC5"},
		{"version 1", []string{`"2.0"`, `"1.0"`}, `line 2: glTF version "1.0", want 2`},
		{"a required extension", []string{`"scene": 0,`, `"extensionsRequired": ["KHR_materials_unlit",` + "\n" + `"KHR_draco_mesh_compression"],`}, `line 4: the file requires the extension "KHR_draco_mesh_compression"`},

		{"no scene", []string{`"scene": 0`, `"scene": 1`}, "line 3: scenes[1] does not exist, there are 1"},
		{"a negative scene", []string{`"scene": 0`, `"scene": -1`}, "line 3: scenes[-1] does not exist, there are 1"},
		{"a scene of null", []string{`{"nodes": [0]}`, "null"}, "line 4: scenes[0] is null"},
		{"no node", []string{`"nodes": [0]`, `"nodes": [0, 7]`}, "line 4: nodes[7] does not exist, there are 1"},
		{"a node of null", []string{`{"mesh": 0}`, "null"}, "line 5: nodes[0] is null"},
		{"a node in itself", []string{`{"mesh": 0}`, "{\n" + `"mesh": 0, "children": [0]}`}, "line 6: node 0 has two parents or is its own ancestor"},
		{"a node twice", []string{`"nodes": [0]`, `"nodes": [0, 0]`}, "line 4: node 0 has two parents or is its own ancestor"},
		{"nodes in a ring without a scene", []string{
			`"scene": 0,`, "", `"scenes": [{"nodes": [0]}],`, "", `{"mesh": 0}`, `{"mesh": 0, "children": [0]}`,
		}, "line 1: the file has no triangles"},
		{"no mesh", []string{`{"mesh": 0}`, `{"mesh": 1}`}, "line 5: meshes[1] does not exist, there are 1"},
		{"a mesh of null", []string{`{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}`, "null"}, "line 6: meshes[0] is null"},
		{"a primitive of null", []string{`{"attributes": {"POSITION": 0}, "indices": 1}`, "\nnull"}, "line 7: is null"},
		{"nothing to show", []string{`"mesh": 0`, `"name": "a"`}, "line 1: the file has no triangles"},
		{"no accessor", []string{`"POSITION": 0`, `"POSITION": 5`}, "line 6: accessors[5] does not exist, there are 2"},
		{"a negative accessor", []string{`"indices": 1`, `"indices": -1`}, "line 6: accessors[-1] does not exist, there are 2"},
		{"positions of another type", []string{`"POSITION": 0`, `"POSITION": 1`}, "line 9: SCALAR of UNSIGNED_SHORT cannot be positions or normals"},
		{"indices of another type", []string{`"indices": 1`, `"indices": 0`}, "line 8: VEC3 of FLOAT cannot be indices"},
		{"normals of another number", []string{
			`"POSITION": 0`, `"POSITION": 0, "NORMAL": 2`, `"SCALAR"}`, `"SCALAR"}, {"bufferView": 0, "componentType": 5126, "count": 2, "type": "VEC3"}`,
		}, "line 6: 2 normals for 3 positions"},
		{"two corners", []string{`"count": 3, "type": "S`, `"count": 2, "type": "S`}, "line 1: the file has no triangles"},
		{"an index too high", []string{`"count": 3, "type": "V`, `"count": 2, "type": "V`}, "line 6: index 2 is vertex 2 of 2"},

		{"no items", []string{`"count": 3, "type": "V`, `"count": 0, "type": "V`}, "line 8: accessors[0] has 0 items"},
		{"a negative count", []string{`"count": 3, "type": "V`, `"count": -3, "type": "V`}, "line 8: accessors[0] has -3 items"},
		{"a billion items", []string{`"count": 3, "type": "V`, `"count": 1000000000, "type": "V`}, "line 8: 1000000000 items of 12 bytes from byte 0 are not in bufferViews[0], which has 36 bytes"},
		{"a billion indices", []string{`"count": 3, "type": "S`, `"count": 1000000000, "type": "S`}, "line 9: 1000000000 items of 2 bytes from byte 0 are not in bufferViews[1], which has 6 bytes"},
		{"a billion items of nothing", []string{`"bufferView": 0, "componentType": 5126, "count": 3`, `"componentType": 5126, "count": 1000000000`}, "line 8: accessors[0] claims 1000000000 items without a buffer view"},
		{"more than there are", []string{`"count": 3, "type": "V`, `"count": 4, "type": "V`}, "line 8: 4 items of 12 bytes from byte 0 are not in bufferViews[0], which has 36 bytes"},
		{"an offset too high", []string{`"count": 3, "type": "V`, `"byteOffset": 1, "count": 3, "type": "V`}, "line 8: 3 items of 12 bytes from byte 1 are not in bufferViews[0], which has 36 bytes"},
		{"an offset past the end", []string{`"count": 3, "type": "V`, `"byteOffset": ` + largest + `, "count": 3, "type": "V`}, "line 8: 3 items of 12 bytes from byte " + largest + " are not in bufferViews[0], which has 36 bytes"},
		{"a negative offset", []string{`"count": 3, "type": "V`, `"byteOffset": -4, "count": 3, "type": "V`}, "line 8: 3 items of 12 bytes from byte -4 are not in bufferViews[0], which has 36 bytes"},
		{"no buffer view", []string{`"bufferView": 1`, `"bufferView": 3`}, "line 9: bufferViews[3] does not exist, there are 2"},
		{"a stride too short", []string{`"byteLength": 36`, `"byteLength": 36, "byteStride": 4`}, "line 12: a stride of 4 bytes for items of 12"},
		{"a negative stride", []string{`"byteLength": 36`, `"byteLength": 36, "byteStride": -12`}, "line 12: a stride of -12 bytes for items of 12"},
		{"a stride too long", []string{`"byteLength": 36`, `"byteLength": 36, "byteStride": 256`}, "line 12: a stride of 256 bytes for items of 12"},
		{"a view past the buffer", []string{`"byteOffset": 36`, `"byteOffset": 39`}, "line 13: bytes 39 to 45 are not in buffer 0, which has 44"},
		{"a view of negative length", []string{`"byteLength": 36`, `"byteLength": -1`}, "line 12: bytes 0 to -1 are not in buffer 0, which has 44"},
		{"no buffer", []string{`"buffer": 0, "byteOffset"`, `"buffer": 1, "byteOffset"`}, "line 13: buffers[1] does not exist, there are 1"},
		{"a buffer that claims more", []string{`"byteLength": 44`, `"byteLength": ` + largest}, "line 16: buffer 0 claims " + largest + " bytes and has 44"},
		{"a buffer without bytes", []string{`"uri"`, `"url"`}, "line 16: the buffer has neither a uri nor a chunk of the file"},
		{"bad base64", []string{"base64,AAAA", "base64,AA*A"}, "line 16: the embedded buffer is damaged: illegal base64 data at input byte 2"},
		{"no base64", []string{";base64,", ","}, "line 16: the embedded buffer is not base64"},
		{"NaN", []string{`"buffers": [`, nanBuffer, `"indices": 1`, `"mode": 4`}, "line 8: item 1, at byte 12 of buffer 0, is not finite"},

		{"too many sparse items", []string{`"count": 3, "type": "V`, `"sparse": {"count": 4}, "count": 3, "type": "V`}, "line 8: 4 sparse items of 3"},
		{"a negative number of sparse items", []string{`"count": 3, "type": "V`, `"sparse": {"count": -1}, "count": 3, "type": "V`}, "line 8: -1 sparse items of 3"},
		{"sparse indices of another type", []string{`"count": 3, "type": "V`, `"sparse": {"count": 1}, "count": 3, "type": "V`}, "line 8: FLOAT is not a type of an index"},
		{"sparse items that are not there", []string{
			`"count": 3, "type": "V`, `"sparse": {"count": 3, "indices": {"bufferView": 1, "byteOffset": 2, "componentType": 5123}, "values": {}}, "count": 3, "type": "V`,
		}, "line 8: 3 items of 2 bytes from byte 2 are not in bufferViews[1], which has 6 bytes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := triangleGLTF(test.replace...)
			require.NotEqual(t, triangleGLTF(), text)
			model, err := decodeGLTFText(text)
			assert.Nil(t, model)
			requirePlaced(t, err)
			assert.EqualError(t, err, "meshio: "+test.want)
		})
	}
	t.Run("a sparse item out of range", func(t *testing.T) {
		_, err := decodeGLTFText(triangleGLTF(
			`"count": 3, "type": "V`, "\"sparse\": {\"count\": 1,\n"+`"indices": {"bufferView": 1, "byteOffset": 4, "componentType": 5123}, "values": {"bufferView": 0}}, "count": 2, "type": "V`))
		requirePlaced(t, err)
		assert.EqualError(t, err, "meshio: line 9: sparse item 0 replaces item 2 of 2")
	})
}

func TestDecodeGLBDamaged(t *testing.T) {
	whole := glb(t, cubeDocument())
	jsonLength := int(binary.LittleEndian.Uint32(whole[12:]))
	bin := 20 + jsonLength
	put := func(at int, x uint32) []byte {
		data := append([]byte(nil), whole...)
		binary.LittleEndian.PutUint32(data[at:], x)
		return data
	}
	accessor := 20 + bytes.Index(whole[20:], []byte(`"accessors":[`)) + len(`"accessors":[`)
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"cut off in the header", whole[:11], "byte 11: the file ends within the 12 bytes that a GLB begins with"},
		{"cut off in a chunk", whole[:100], fmt.Sprintf("byte 8: the file claims %d bytes and has 100", len(whole))},
		{"version 1", put(4, 1), "byte 4: GLB version 1, want 2"},
		{"a file of four gigabytes", put(8, math.MaxUint32), fmt.Sprintf("byte 8: the file claims 4294967295 bytes and has %d", len(whole))},
		{"a file of nothing", put(8, 12), "byte 12: the file has no JSON chunk"},
		{"a file cut in a chunk's header", put(8, 17), "byte 12: the file ends within a chunk's header"},
		{"no JSON first", put(16, 0x004e4942), "byte 12: the first chunk is not the JSON"},
		{"JSON of four gigabytes", put(12, math.MaxUint32), fmt.Sprintf("byte 12: a chunk claims 4294967295 bytes, and %d are left", len(whole)-20)},
		{"buffer of four gigabytes", put(bin, math.MaxUint32-8), fmt.Sprintf("byte %d: a chunk claims 4294967287 bytes, and %d are left", bin, len(whole)-bin-8)},
		{"bad JSON", put(20, 0x2a2a2a2a), "byte 20: JSON: invalid character '*' looking for beginning of value"},
		{"a buffer of another kind", put(bin+4, 1), fmt.Sprintf("byte %d: the buffer has neither a uri nor a chunk of the file",
			20+bytes.Index(whole[20:], []byte(`"buffers":[`))+len(`"buffers":[`))},
		{"NaN in the third vertex", put(bin+8+24, math.Float32bits(float32(math.NaN()))),
			fmt.Sprintf("byte %d: item 2, at byte 24 of buffer 0, is not finite", accessor)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			model, err := meshio.DecodeGLTF(bytes.NewReader(test.data), nil)
			assert.Nil(t, model)
			requirePlaced(t, err)
			assert.EqualError(t, err, "meshio: "+test.want)
		})
	}
}

// Neither this package nor the library allocates a size that the file does not have.
func TestGLTFClaimsAllocateNothing(t *testing.T) {
	whole := glb(t, cubeDocument())
	huge := append([]byte(nil), whole...)
	binary.LittleEndian.PutUint32(huge[20+binary.LittleEndian.Uint32(huge[12:]):], math.MaxUint32-8)
	const billion = `"count": 1000000000, "type": "V`
	many := triangleGLTF(`"nodes": [0]`, `"nodes": [`+strings.TrimSuffix(strings.Repeat("0,", 10), ",")+`]`)
	for name, text := range map[string]string{
		"a chunk":                     string(huge),
		"an accessor":                 triangleGLTF(`"count": 3, "type": "V`, billion),
		"an accessor without a view":  triangleGLTF(`"bufferView": 0, "componentType": 5126, "count": 3, "type": "V`, `"componentType": 5126, `+billion),
		"a sparse accessor":           triangleGLTF(`"count": 3, "type": "V`, `"sparse": {"count": 1000000000}, `+billion),
		"a buffer":                    triangleGLTF(`"byteLength": 44`, `"byteLength": 4000000000`),
		"a view":                      triangleGLTF(`"byteLength": 36`, `"byteLength": 4000000000`),
		"a buffer of negative length": triangleGLTF(`"byteLength": 44`, `"byteLength": -1`, `"byteLength": 36`, `"byteLength": 4000000000`),
		"a node many times":           many,
	} {
		t.Run(name, func(t *testing.T) {
			assert.Less(t, allocated(func() {
				_, err := decodeGLTFText(text)
				requirePlaced(t, err)
			}), uint64(256<<10))
		})
	}
}

// A small file can use the same mesh ten thousand times, and that mesh the same positions ten
// thousand times.
func TestGLTFExpansion(t *testing.T) {
	doc := cubeDocument()
	primitive := doc.Meshes[0].Primitives[0]
	doc.Nodes, doc.Scenes[0].Nodes = nil, nil
	for i := range 5000 {
		doc.Meshes[0].Primitives = append(doc.Meshes[0].Primitives, primitive)
		doc.Nodes = append(doc.Nodes, node(0))
		doc.Scenes[0].Nodes = append(doc.Scenes[0].Nodes, i)
	}
	data := glb(t, doc)
	var err error
	used := allocated(func() { _, err = meshio.DecodeGLTF(bytes.NewReader(data), nil) })
	requirePlaced(t, err)
	require.ErrorContains(t, err, " bytes of memory from here on, the limit of meshio.Limits")
	assert.Less(t, used, uint64(32<<20), "the 1.1 billion that are named would take 13 GB")
}

func TestGLTFExternalBuffers(t *testing.T) {
	embedded := triangleGLTF()
	start := strings.Index(embedded, "data:")
	end := start + strings.Index(embedded[start:], `"`)
	body := embedded[start+len("data:application/octet-stream;base64,") : end]
	data, err := base64.StdEncoding.DecodeString(body)
	require.NoError(t, err)
	withURI := func(uri string) string { return embedded[:start] + uri + embedded[end:] }

	outside := t.TempDir()
	folder := filepath.Join(outside, "model")
	require.NoError(t, os.MkdirAll(filepath.Join(folder, "sub dir"), 0o700))
	for _, name := range []string{"outside.bin", "model/a.bin", "model/sub dir/ä.bin"} {
		require.NoError(t, os.WriteFile(filepath.Join(outside, name), data, 0o600))
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, "short.bin"), data[:43], 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "long.bin"), append(data, 1, 2, 3), 0o600))
	read := func(uri string) error {
		name := filepath.Join(folder, "model.gltf")
		require.NoError(t, os.WriteFile(name, []byte(withURI(uri)), 0o600))
		model, err := meshio.ReadFile(name)
		if err == nil {
			assert.Equal(t, squareVertices[:2], model.Parts[0].Vertices[:2])
		} else {
			requirePlaced(t, err)
			assert.ErrorContains(t, err, "model.gltf:16: ")
		}
		return err
	}
	for _, uri := range []string{"a.bin", "./a.bin", "sub%20dir/%C3%A4.bin", "sub dir/ä.bin", `sub dir\\ä.bin`, "sub dir/../a.bin", "long.bin"} {
		t.Run(uri, func(t *testing.T) { assert.NoError(t, read(uri)) })
	}
	for uri, want := range map[string]string{
		"../outside.bin":               `the buffer "../outside.bin" is not in the folder of the model`,
		"%2e%2e/outside.bin":           `the buffer "%2e%2e/outside.bin" is not in the folder of the model`,
		"sub dir/../../outside.bin":    `the buffer "sub dir/../../outside.bin" is not in the folder of the model`,
		"/etc/passwd":                  `the buffer "/etc/passwd" is not in the folder of the model`,
		"C:/a.bin":                     `the buffer "C:/a.bin" is not in the folder of the model`,
		"https://example.com/a.bin":    `the buffer "https://example.com/a.bin" is not in the folder of the model`,
		"file:///etc/passwd":           `the buffer "file:///etc/passwd" is not in the folder of the model`,
		"short.bin":                    "buffer 0 claims 44 bytes and has 43",
		"sub dir":                      `the buffer "sub dir" is not a file`,
		"%zz":                          `buffer file: invalid URL escape "%zz"`,
		"data:application/gltf-buffer": "the embedded buffer is not base64",
	} {
		t.Run(uri, func(t *testing.T) { assert.ErrorContains(t, read(uri), want) })
	}
	t.Run("missing", func(t *testing.T) { assert.ErrorIs(t, read("none.bin"), os.ErrNotExist) })
	t.Run("a link out of the folder", func(t *testing.T) {
		err := os.Symlink("../outside.bin", filepath.Join(folder, "link.bin"))
		testenv.Needs(t, err == nil, "symbolic links")
		assert.ErrorContains(t, read("link.bin"), "escapes")
	})
	t.Run("no folder", func(t *testing.T) {
		_, err := decodeGLTFText(withURI("a.bin"))
		assert.EqualError(t, err, `meshio: line 16: the buffer "a.bin" is in another file, and no folder was given`)
	})
	t.Run("any file system", func(t *testing.T) {
		model, err := meshio.DecodeGLTF(strings.NewReader(withURI("a.bin")), fstest.MapFS{"a.bin": {Data: data}})
		require.NoError(t, err)
		checkModel(t, model)
	})
	t.Run("a buffer that claims more than its file is not allocated", func(t *testing.T) {
		text := strings.Replace(withURI("a.bin"), `"byteLength": 44`, `"byteLength": `+largest, 1)
		assert.Less(t, allocated(func() {
			_, err := meshio.DecodeGLTF(strings.NewReader(text), fstest.MapFS{"a.bin": {Data: data}})
			assert.EqualError(t, err, "meshio: line 16: buffer 0 claims "+largest+" bytes and has 44")
		}), uint64(256<<10))
	})
}

func TestGLBOddities(t *testing.T) {
	whole := glb(t, cubeDocument())
	end := 20 + int(binary.LittleEndian.Uint32(whole[12:]))
	t.Run("bytes behind the end", func(t *testing.T) {
		model, err := meshio.DecodeGLTF(bytes.NewReader(append(append([]byte(nil), whole...), "more"...)), nil)
		require.NoError(t, err)
		checkModel(t, model)
	})
	t.Run("a chunk of another kind between", func(t *testing.T) {
		data := append(append(append([]byte(nil), whole[:end]...), 4, 0, 0, 0, 'X', 'Y', 'Z', 0, 1, 2, 3, 4), whole[end:]...)
		binary.LittleEndian.PutUint32(data[8:], uint32(len(data)))
		model, err := meshio.DecodeGLTF(bytes.NewReader(data), nil)
		require.NoError(t, err)
		assert.Equal(t, trianglesOf(cube), trianglesOf(model.Parts...))
	})
	t.Run("padded with zeros", func(t *testing.T) {
		data := append(append(append([]byte(nil), whole[:end]...), 0, 0, 0, 0), whole[end:]...)
		binary.LittleEndian.PutUint32(data[8:], uint32(len(data)))
		binary.LittleEndian.PutUint32(data[12:], uint32(end-20+4))
		model, err := meshio.DecodeGLTF(bytes.NewReader(data), nil)
		require.NoError(t, err)
		checkModel(t, model)
	})
	t.Run("a .gltf with a byte order mark", func(t *testing.T) {
		_, err := decodeGLTFText("\xef\xbb\xbf" + triangleGLTF())
		require.NoError(t, err)
	})
	t.Run("accessors on the default component type are found missing", func(t *testing.T) {
		doc := cubeDocument()
		doc.Accessors[0].ComponentType = gltf.ComponentUint
		_, err := decodeGLB(t, doc)
		assert.ErrorContains(t, err, "VEC3 of UNSIGNED_INT cannot be positions or normals")
	})
}
