package meshio

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// Model is the content of a file: one or more parts in one common space.
type Model struct {
	Parts []Part
	// Nodes are the nodes of the default scene of a glTF, parents before children; nil for other
	// formats and for a file without nodes.
	Nodes []Node
}

// Part is one object, group, solid or primitive of a file.
type Part struct {
	// Name is the name in the file; empty if there is none. Names need not be unique.
	Name string
	// Vertices are the corners, in the space of the model.
	Vertices []geom.Vec3
	// Normals are the unit shading normals of Vertices; nil if the file has none, see
	// [Part.Smooth]. A normal that is zero in the file stays zero.
	Normals []geom.Vec3
	// Indices are the indices of three vertices for each triangle, counter-clockwise as seen from
	// its front.
	Indices []uint32
	// UVs are the texture coordinates of Vertices, and Colors their colours; nil if the file has
	// none.
	UVs    []UV
	Colors []Color
	// Material is that of the part; nil if there is none, as in every OBJ and STL. Parts share
	// materials.
	Material *Material
	// Node is the index in [Model.Nodes] of the node that placed the part; 0 in a model without
	// nodes.
	Node int
	// Extras is the JSON of the application's own data of a glTF's primitive or, if that has none,
	// of its mesh, as written; nil if there is none.
	Extras json.RawMessage
}

// ReadFile reads a model from a file with the extension .obj, .stl, .gltf or .glb, in upper or
// lower case.
//
// A .gltf or .glb may refer to further files for its buffers. They must be in the folder of the
// file or below it, even after symbolic links are followed; others are an error. An error about the
// content is an [*Error].
func ReadFile(name string) (*Model, error) { return Limits{}.ReadFile(name) }

// ReadFile is [ReadFile] within the limits.
func (l Limits) ReadFile(name string) (*Model, error) {
	var decode func(io.Reader) (*Model, error)
	switch ext := strings.ToLower(filepath.Ext(name)); ext {
	case ".obj":
		decode = l.DecodeOBJ
	case ".stl":
		decode = l.DecodeSTL
	case ".gltf", ".glb":
		root, err := os.OpenRoot(filepath.Dir(name))
		if err != nil {
			return nil, fmt.Errorf("meshio: %w", err)
		}
		defer root.Close()
		decode = func(r io.Reader) (*Model, error) { return l.DecodeGLTF(r, root.FS()) }
	default:
		return nil, fmt.Errorf("meshio: %s: the extension %q is none of .obj, .stl, .gltf and .glb", name, ext)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("meshio: %w", err)
	}
	defer file.Close()
	model, err := decode(file)
	if placed := (*Error)(nil); errors.As(err, &placed) {
		placed.File = name
	}
	return model, err
}

// readAll wraps io.ReadAll: formats are decoded from memory, so that every size in the file can be
// compared with the number of bytes.
func readAll(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("meshio: %w", err)
	}
	return data, nil
}

// NumTriangles returns the number of triangles in all parts.
func (m *Model) NumTriangles() int {
	n := 0
	for i := range m.Parts {
		n += len(m.Parts[i].Indices) / 3
	}
	return n
}

// Mesh returns all parts as one mesh with welded vertices: vertices at exactly the same position
// become one, and vertices that no triangle uses are left out. Triangles keep their order, part
// after part: the index of the second part's first triangle is the number of triangles of the first
// part. Degenerate triangles are kept.
//
// An index out of range is an error that names the part. Other errors are those of [mesh.New].
func (m *Model) Mesh() (*mesh.Mesh, error) {
	var w welder
	indices := make([]uint32, 0, 3*m.NumTriangles())
	for i := range m.Parts {
		p := &m.Parts[i]
		for k, v := range p.Indices {
			if uint64(v) >= uint64(len(p.Vertices)) {
				return nil, fmt.Errorf("meshio: part %d (%q): triangle %d: index %d out of range (%d vertices)",
					i, p.Name, k/3, v, len(p.Vertices))
			}
			indices = append(indices, w.add(p.Vertices[v]))
		}
	}
	return mesh.New(w.vertices, indices)
}

// welder assigns the same index to vertices at the same position. Positions are compared exactly: a
// tolerance would merge separate vertices of a small model, and is not transitive. 0 and −0 are
// equal.
type welder struct {
	vertices []geom.Vec3
	index    map[geom.Vec3]uint32
}

func (w *welder) add(v geom.Vec3) uint32 {
	i, ok := w.index[v]
	if !ok {
		if w.index == nil {
			w.index = map[geom.Vec3]uint32{}
		}
		i = uint32(len(w.vertices))
		w.index[v] = i
		w.vertices = append(w.vertices, v)
	}
	return i
}
