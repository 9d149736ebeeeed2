package meshio_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

// cubeVertices and cubeIndices are a cube of edge 2 around the origin, with triangles
// counter-clockwise as seen from outside.
var (
	cubeVertices = []geom.Vec3{
		{X: -1, Y: -1, Z: -1}, {X: 1, Y: -1, Z: -1}, {X: 1, Y: 1, Z: -1}, {X: -1, Y: 1, Z: -1},
		{X: -1, Y: -1, Z: 1}, {X: 1, Y: -1, Z: 1}, {X: 1, Y: 1, Z: 1}, {X: -1, Y: 1, Z: 1},
	}
	cubeIndices = []uint32{
		0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 2, 3, 7, 2, 7, 6, 1, 2, 6, 1, 6, 5, 0, 4, 7, 0, 7, 3,
	}
	cube = meshio.Part{Name: "cube", Vertices: cubeVertices, Indices: cubeIndices}
)

// trianglesOf returns the corners of all triangles, which a round trip must preserve.
func trianglesOf(parts ...meshio.Part) []geom.Vec3 {
	var list []geom.Vec3
	for _, p := range parts {
		for _, i := range p.Indices {
			list = append(list, p.Vertices[i])
		}
	}
	return list
}

// volume returns the volume that the triangles enclose: positive if they face outward.
func volume(parts ...meshio.Part) float64 {
	var v float64
	t := trianglesOf(parts...)
	for i := 0; i < len(t); i += 3 {
		v += t[i].Wide().Dot(t[i+1].Wide().Cross(t[i+2].Wide())) / 6
	}
	return v
}

// partGen draws a part of random triangles with random vertices, some of them degenerate or
// repeated.
func partGen() *rapid.Generator[meshio.Part] {
	return rapid.Custom(func(t *rapid.T) meshio.Part {
		coordinate := rapid.OneOf(rapid.Float32Range(-1e6, 1e6), rapid.SampledFrom([]float32{0, 1, -1, 1e-30, 3e38}))
		vertex := rapid.Custom(func(t *rapid.T) geom.Vec3 {
			return geom.V(coordinate.Draw(t, "x"), coordinate.Draw(t, "y"), coordinate.Draw(t, "z"))
		})
		vertices := rapid.SliceOfN(vertex, 1, 20).Draw(t, "vertices")
		n := 3 * rapid.IntRange(1, 20).Draw(t, "triangles")
		indices := rapid.SliceOfN(rapid.Uint32Range(0, uint32(len(vertices)-1)), n, n).Draw(t, "indices")
		return meshio.Part{Name: "part", Vertices: vertices, Indices: indices}
	})
}

func objText(p meshio.Part) string {
	var b strings.Builder
	fmt.Fprintf(&b, "o %s\n", p.Name)
	for _, v := range p.Vertices {
		fmt.Fprintf(&b, "v %v %v %v\n", v.X, v.Y, v.Z)
	}
	for i := 0; i < len(p.Indices); i += 3 {
		fmt.Fprintf(&b, "f %d %d %d\n", p.Indices[i]+1, p.Indices[i+1]+1, p.Indices[i+2]+1)
	}
	return b.String()
}

func stlText(p meshio.Part) string {
	var b strings.Builder
	fmt.Fprintf(&b, "solid %s\n", p.Name)
	for i, v := range trianglesOf(p) {
		if i%3 == 0 {
			b.WriteString(" facet normal 0 0 0\n  outer loop\n")
		}
		fmt.Fprintf(&b, "   vertex %v %v %v\n", v.X, v.Y, v.Z)
		if i%3 == 2 {
			b.WriteString("  endloop\n endfacet\n")
		}
	}
	fmt.Fprintf(&b, "endsolid %s\n", p.Name)
	return b.String()
}

func stlBinary(header string, p meshio.Part) []byte {
	var b bytes.Buffer
	b.WriteString(header + strings.Repeat("\x00", 80-len(header)))
	put := func(x any) { _ = binary.Write(&b, binary.LittleEndian, x) } // a buffer never fails
	put(uint32(len(p.Indices) / 3))
	for i, v := range trianglesOf(p) {
		if i%3 == 0 {
			put([3]float32{})
		}
		put(v)
		if i%3 == 2 {
			put(uint16(0))
		}
	}
	return b.Bytes()
}

func arrays(list []geom.Vec3) [][3]float32 {
	a := make([][3]float32, len(list))
	for i, v := range list {
		a[i] = v.Array()
	}
	return a
}

// cubeDocument returns a document with one node for the cube, for tests to change.
func cubeDocument() *gltf.Document { return document(cube) }

func document(p meshio.Part) *gltf.Document {
	doc := gltf.NewDocument()
	primitive := &gltf.Primitive{
		Attributes: gltf.PrimitiveAttributes{gltf.POSITION: modeler.WritePosition(doc, arrays(p.Vertices))},
		Indices:    gltf.Index(modeler.WriteIndices(doc, p.Indices)),
	}
	if p.Normals != nil {
		primitive.Attributes[gltf.NORMAL] = modeler.WriteNormal(doc, arrays(p.Normals))
	}
	doc.Meshes = []*gltf.Mesh{{Name: p.Name, Primitives: []*gltf.Primitive{primitive}}}
	doc.Nodes = []*gltf.Node{{Mesh: gltf.Index(0)}}
	doc.Scenes[0].Nodes = []int{0}
	return doc
}

func glb(t require.TestingT, doc *gltf.Document) []byte {
	var b bytes.Buffer
	require.NoError(t, gltf.NewEncoder(&b).Encode(doc))
	return b.Bytes()
}

func decodeGLB(t require.TestingT, doc *gltf.Document) (*meshio.Model, error) {
	return meshio.DecodeGLTF(bytes.NewReader(glb(t, doc)), nil)
}

func decodeGLTFText(text string) (*meshio.Model, error) {
	return meshio.DecodeGLTF(strings.NewReader(text), nil)
}

// checkModel asserts the invariants of a decoded model.
func checkModel(t require.TestingT, model *meshio.Model) {
	require.NotEmpty(t, model.Parts)
	for i, n := range model.Nodes {
		require.Less(t, n.Parent, i)
	}
	for i, p := range model.Parts {
		require.NotEmpty(t, p.Indices, "part %d", i)
		require.Zero(t, len(p.Indices)%3, "part %d", i)
		if p.Normals != nil {
			require.Len(t, p.Normals, len(p.Vertices), "part %d", i)
		}
		if p.UVs != nil {
			require.Len(t, p.UVs, len(p.Vertices), "part %d", i)
		}
		if p.Colors != nil {
			require.Len(t, p.Colors, len(p.Vertices), "part %d", i)
		}
		require.True(t, p.Node < max(len(model.Nodes), 1), "part %d", i)
		for _, v := range p.Vertices {
			require.True(t, v.IsFinite(), "part %d: vertex %v", i, v)
		}
		for _, n := range p.Normals {
			require.True(t, n == geom.Vec3{} || n.Len() > 0.999 && n.Len() < 1.001, "part %d: normal %v", i, n)
		}
		for _, v := range p.Indices {
			require.Less(t, int(v), len(p.Vertices), "part %d", i)
		}
	}
}

// damaged is a file and the error it has.
type damaged struct{ name, text, want string }

func requireErrors(t *testing.T, decode func(io.Reader) (*meshio.Model, error), files []damaged) {
	for _, file := range files {
		t.Run(file.name, func(t *testing.T) {
			model, err := decode(strings.NewReader(file.text))
			assert.Nil(t, model)
			requirePlaced(t, err)
			assert.EqualError(t, err, file.want)
		})
	}
}

// requirePlaced asserts that an error about the content is an *Error.
func requirePlaced(t require.TestingT, err error) {
	var placed *meshio.Error
	require.ErrorAs(t, err, &placed)
	require.True(t, placed.Line > 0 || placed.Offset >= 0)
	require.NotNil(t, errors.Unwrap(err))
}

// allocated returns the bytes that f allocates, used or not.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestReaderErrors(t *testing.T) {
	for name, decode := range map[string]func() (*meshio.Model, error){
		"OBJ":  func() (*meshio.Model, error) { return meshio.DecodeOBJ(failingReader{}) },
		"STL":  func() (*meshio.Model, error) { return meshio.DecodeSTL(failingReader{}) },
		"glTF": func() (*meshio.Model, error) { return meshio.DecodeGLTF(failingReader{}, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decode()
			require.ErrorIs(t, err, io.ErrUnexpectedEOF)
			assert.EqualError(t, err, "meshio: unexpected EOF")
		})
	}
}
