package meshio_test

import (
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

// Files in which a little stands for a lot: a times b of something, or empty objects.
var multiplying = []struct {
	name string
	file func(a, b int) (name, text string, buffer int)
}{
	{"OBJ, names × groups", func(a, b int) (string, string, int) {
		var t strings.Builder
		fmt.Fprintf(&t, "v 0 0 0\nv 1 0 0\nv 0 1 0\no %s\n", strings.Repeat("n", 16*a))
		for i := range b {
			fmt.Fprintf(&t, "g %d\nf 1 2 3\n", i)
		}
		return "a.obj", t.String(), 0
	}},
	{"OBJ, faces × corners", func(a, b int) (string, string, int) {
		return "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n" + strings.Repeat("f "+strings.Repeat("1 2 3 ", 1+a)+"\n", 1+b/8), 0
	}},
	{"OBJ, one face", func(a, b int) (string, string, int) {
		return "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf " + strings.Repeat("1 2 3 ", 1+a*b/2) + "\n", 0
	}},
	{"OBJ, a comb", func(a, b int) (string, string, int) {
		var t strings.Builder
		n := 2 + (a+b)*8
		for i := range n {
			fmt.Fprintf(&t, "v %d %d 0\n", i, 1+i%2*(7-i%7))
		}
		fmt.Fprintf(&t, "v %d -1 0\nv 0 -1 0\nf", n)
		for i := range n + 2 {
			fmt.Fprintf(&t, " %d", i+1)
		}
		return "a.obj", t.String(), 0
	}},
	{"OBJ, corners of all kinds", func(a, b int) (string, string, int) {
		var t strings.Builder
		for i := range 9 {
			fmt.Fprintf(&t, "v %d 0 0 1 1 1\nvt 0\nvn 1 0 0\n", i)
		}
		for i := range a * b / 4 {
			if i%729 == 0 {
				fmt.Fprintf(&t, "g %d\n", i)
			}
			fmt.Fprintf(&t, "f %d/%d/%d 1/1/1 1/1/1\n", 1+i%9, 1+i/9%9, 1+i/81%9)
		}
		return "a.obj", t.String(), 0
	}},
	{"OBJ, colours from the last vertex on", func(a, b int) (string, string, int) {
		return "a.obj", strings.Repeat("v 0 0 0\n", 16*(a+b)) + "v 0 0 0 1 1 1\nf 1 2 3\n", 0
	}},
	{"STL, solids", func(a, b int) (string, string, int) {
		facet := "solid\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet endsolid\n"
		return "a.stl", strings.Repeat(facet, 8*(a+b)), 0
	}},
	{"glTF, buffers that name one file", func(a, b int) (string, string, int) {
		var d gltfLists
		for i := range b {
			d.buffers = append(d.buffers, fmt.Sprintf(`{"uri":"b","byteLength":%d}`, 15*a+i%(a+1)))
			d.views = append(d.views, fmt.Sprintf(`{"buffer":%d,"byteLength":36}`, i))
			d.accessors = append(d.accessors, fmt.Sprintf(`{"bufferView":%d,"componentType":5126,"count":3,"type":"VEC3"}`, i))
			d.meshes = append(d.meshes, fmt.Sprintf(`{"primitives":[{"attributes":{"POSITION":%d}}]}`, i))
			d.nodes = append(d.nodes, fmt.Sprintf(`{"mesh":%d}`, i))
		}
		return "a.gltf", d.text(b), 16 * a
	}},
	{"glTF, primitives × nodes", func(a, b int) (string, string, int) { return primitivesTimesNodes(a, b, 4) }},
	{"glTF, strips × nodes", func(a, b int) (string, string, int) { return primitivesTimesNodes(a, b, 5) }},
	{"glTF, materials × nodes", func(a, b int) (string, string, int) {
		d := gltfLists{
			buffers:   []string{fmt.Sprintf(`{"uri":"b","byteLength":%d}`, 48*a)},
			views:     []string{fmt.Sprintf(`{"buffer":0,"byteLength":%d}`, 48*a)},
			images:    []string{`{"uri":"b"}`, `{"uri":"c"}`, `{"bufferView":0}`},
			materials: slices.Repeat([]string{`{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}`}, a),
			meshes:    []string{`{"extras":"` + strings.Repeat("x", 16*a) + `","primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1,"COLOR_0":2}}]}`},
			nodes:     slices.Repeat([]string{`{"mesh":0,"extras":1}`}, b),
		}
		for _, kind := range []string{"VEC3", "VEC2", "VEC4"} {
			d.accessors = append(d.accessors, fmt.Sprintf(`{"bufferView":0,"componentType":5126,"count":%d,"type":"%s"}`, 3*a, kind))
		}
		for i := range a {
			d.textures = append(d.textures, fmt.Sprintf(`{"source":%d}`, i%3))
			d.meshes[0] = strings.TrimSuffix(d.meshes[0], "]}") + fmt.Sprintf(`,{"material":%d,"attributes":{"POSITION":0}}]}`, i)
		}
		return "a.gltf", d.text(b), 48 * a
	}},
	{"glTF, bones × nodes", func(a, b int) (string, string, int) {
		return skins(a, b, false, func(joints string) []string { return []string{`{"joints":[` + joints + `]}`} })
	}},
	{"glTF, skins × chains", func(a, b int) (string, string, int) {
		last := fmt.Sprintf(`{"joints":[%d]}`, b+a)
		return skins(a, b, true, func(string) []string { return slices.Repeat([]string{last}, max(b, 1)) })
	}},
	{"glTF, empty nodes", func(a, b int) (string, string, int) { return emptyObjects(a+b, "nodes") }},
	{"glTF, empty accessors", func(a, b int) (string, string, int) { return emptyObjects(a+b, "accessors") }},
	{"glTF, empty animations", func(a, b int) (string, string, int) { return emptyObjects(a+b, "animations") }},
	{"glTF, extras of lists", func(a, b int) (string, string, int) { return extras(a*b/8, "[]") }},
	{"glTF, extras of objects", func(a, b int) (string, string, int) { return extras(a*b/8, `{"":0}`) }},
	{"glTF, nodes with children", func(a, b int) (string, string, int) { return emptyObjects(a+b, "scenes") }},
}

// gltfLists are the lists of a document.
type gltfLists struct{ buffers, views, accessors, images, textures, materials, meshes, skins, nodes []string }

// text returns a document whose scene has the first nodes.
func (d *gltfLists) text(roots int) string {
	var scene []string
	for i := range roots {
		scene = append(scene, fmt.Sprint(i))
	}
	list := func(l []string) string { return "[" + strings.Join(l, ",") + "]" }
	return `{"asset":{"version":"2.0"},"scenes":[{"nodes":` + list(scene) + `}],"nodes":` + list(d.nodes) + `,"meshes":` + list(d.meshes) +
		`,"skins":` + list(d.skins) +
		`,"images":` + list(d.images) + `,"textures":` + list(d.textures) + `,"materials":` + list(d.materials) + `,"accessors":` + list(d.accessors) + `,"bufferViews":` + list(d.views) + `,"buffers":` + list(d.buffers) + `}`
}

func primitivesTimesNodes(a, b, mode int) (string, string, int) {
	primitive := fmt.Sprintf(`{"mode":%d,"attributes":{"POSITION":0}}`, mode)
	d := gltfLists{
		buffers:   []string{fmt.Sprintf(`{"uri":"b","byteLength":%d}`, 36*a)},
		views:     []string{fmt.Sprintf(`{"buffer":0,"byteLength":%d}`, 36*a)},
		accessors: []string{fmt.Sprintf(`{"bufferView":0,"componentType":5126,"count":%d,"type":"VEC3"}`, 3*a)},
		meshes:    []string{`{"primitives":[` + strings.TrimSuffix(strings.Repeat(primitive+",", a), ",") + `]}`},
		nodes:     slices.Repeat([]string{`{"mesh":0}`}, b),
	}
	return "a.gltf", d.text(b), 36 * a
}

// skins returns b nodes with a mesh and one skin each, and a joints beside each other, or in a
// chain.
func skins(a, b int, chain bool, of func(joints string) []string) (string, string, int) {
	d := gltfLists{
		buffers: []string{
			`{"uri":"b","byteLength":36}`,
			`{"uri":"data:application/octet-stream;base64,` + base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x00\x00\x80\x3f", 12))) + `","byteLength":48}`,
		},
		views: []string{`{"buffer":0,"byteLength":36}`, `{"buffer":1,"byteLength":48}`},
		accessors: []string{
			`{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}`, `{"bufferView":0,"componentType":5121,"count":3,"type":"VEC4"}`,
			`{"bufferView":1,"componentType":5126,"count":3,"type":"VEC4"}`,
		},
		meshes: []string{`{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}]}`},
	}
	var joints []string
	for i := range a + 1 {
		joints = append(joints, fmt.Sprint(b+i))
	}
	d.skins = of(strings.Join(joints, ","))
	for i := range b {
		d.nodes = append(d.nodes, fmt.Sprintf(`{"mesh":0,"skin":%d}`, i%len(d.skins)))
	}
	for i := range a + 1 {
		node := "{}"
		if chain && i < a {
			node = fmt.Sprintf(`{"children":[%d]}`, b+i+1)
		}
		d.nodes = append(d.nodes, node)
	}
	return "a.gltf", d.text(b + 1), 36
}

func emptyObjects(n int, key string) (string, string, int) {
	return "a.gltf", `{"asset":{"version":"2.0"},"` + key + `":[` + strings.Repeat("{},", 32*n) + `{}]}`, 0
}

func extras(n int, one string) (string, string, int) {
	return "a.gltf", `{"asset":{"version":"2.0"},"nodes":[{"extras":[` + strings.Repeat(one+",", n) + one + `]}],"extras":[` + strings.Repeat(one+",", n) + one + `]}`, 0
}

// readers returns what reads a file: as a model, and its skins.
func readers(l meshio.Limits, name, text string, buffer int) (all []func() error) {
	files := fstest.MapFS{"b": {Data: make([]byte, buffer)}}
	add := func(read func(r io.Reader) error) {
		all = append(all, func() error { return read(strings.NewReader(text)) })
	}
	switch filepath.Ext(name) {
	case ".obj":
		add(func(r io.Reader) error { _, err := l.DecodeOBJ(r); return err })
	case ".stl":
		add(func(r io.Reader) error { _, err := l.DecodeSTL(r); return err })
	default:
		add(func(r io.Reader) error { _, err := l.DecodeGLTF(r, files); return err })
		add(func(r io.Reader) error { _, err := l.DecodeSkins(r, files); return err })
	}
	return all
}

// requireWithin reads a file, and requires that it takes little memory.
func requireWithin(t *testing.T, name, text string, buffer int) {
	size := len(text) + buffer
	for _, read := range readers(meshio.Limits{}, name, text, buffer) {
		var err error
		limit := uint64(64*size + 16<<20)
		used := allocated(func() { err = read() })
		if used >= limit { // once more, without what the fuzzer allocated meanwhile
			used = allocated(func() { err = read() })
		}
		require.Less(t, used, limit, "%d bytes: %v", size, err)
	}
}

// Whatever a file holds, reading it takes at most 64 times its bytes and 16 MB of memory, in all
// that is ever allocated, unless the caller allows more.
func TestMemoryByFileSize(t *testing.T) {
	testenv.NoRace(t)
	for _, m := range multiplying {
		t.Run(m.name, func(t *testing.T) {
			for _, n := range []int{64, 512} {
				name, text, buffer := m.file(n, n)
				requireWithin(t, name, text, buffer)
				if n == 64 {
					for _, read := range readers(meshio.Limits{Memory: 1 << 40, Steps: 1 << 50}, name, text, buffer) {
						assert.NotContains(t, fmt.Sprint(read()), "meshio.Limits")
					}
				}
			}
		})
	}
	assert.PanicsWithValue(t, "meshio: Limits: a Memory of -1 bytes", func() { _, _ = meshio.Limits{Memory: -1}.DecodeOBJ(strings.NewReader("")) })
}

// FuzzMemoryByFileSize is the same for any two numbers, small ones so that it is fast.
func FuzzMemoryByFileSize(f *testing.F) {
	for i := range multiplying {
		f.Add(uint8(i), uint16(3), uint16(127))
		f.Add(uint8(i), uint16(127), uint16(127))
	}
	f.Fuzz(func(t *testing.T, kind uint8, a, b uint16) {
		name, text, buffer := multiplying[int(kind)%len(multiplying)].file(int(a%128), int(b%128))
		requireWithin(t, name, text, buffer)
	})
}

// An error quotes at most 40 bytes of a word.
func TestErrorsAreShort(t *testing.T) {
	long, number := strings.Repeat("x", 10000), strings.Repeat("1", 10000)
	buffer := `{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],` +
		`"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"`
	for name, text := range map[string]string{
		"g.gltf": `{"accessors":[{"count":` + number + `}]}`, "h.gltf": `{"accessors":[{"type":"` + long + `"}]}`, "i.gltf": buffer + long + `"}]}`,
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

// A skin may have one joint, and has at least one.
func TestJointsOfASkin(t *testing.T) {
	files := fstest.MapFS{"b": {Data: make([]byte, 36)}}
	_, text, _ := skins(0, 1, false, func(joints string) []string { return []string{`{"joints":[` + joints + `]}`} })
	all, err := meshio.DecodeSkins(strings.NewReader(text), files)
	require.NoError(t, err)
	require.Len(t, all[0].Bones, 1)
	_, text, _ = skins(0, 1, false, func(string) []string { return []string{`{"joints":[]}`} })
	_, err = meshio.DecodeSkins(strings.NewReader(text), files)
	require.ErrorContains(t, err, "a skin without joints")
}
