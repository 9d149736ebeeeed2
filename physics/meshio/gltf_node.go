package meshio

import (
	"bytes"
	"encoding/json"
	"math"
	"unsafe"

	"github.com/qmuntal/gltf"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Node is a node of the scene of a glTF, with a mesh or without: an empty, such as a place where
// players appear.
type Node struct {
	// Name is the name in the file; empty if there is none. Names need not be unique.
	Name string
	// Parent is the index in [Model.Nodes] of the node above this one, which is lower than the
	// node's own; −1 if there is none.
	Parent int
	// Matrix maps the space of the node to that of the model: the product of the transforms from
	// the root down. All numbers are finite. For a [geom.Transform] pass [geom.Mat4.Affine] of it
	// to [geom.TransformOf].
	Matrix geom.Mat4
	// Extras is the JSON of the application's own data of the node, as written; nil if there is
	// none.
	Extras json.RawMessage
}

// addNode appends to the nodes of the model, and returns the index there.
func (f *gltfFile) addNode(n *gltf.Node, i, parent int, matrix geom.Mat4, at jsonPath) (int, error) {
	for _, x := range matrix {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return 0, f.errorf(at, "the transform of the node is not finite")
		}
	}
	if f.nodes == nil {
		if err := f.budget.spend(int64(len(f.doc.Nodes)) * int64(unsafe.Sizeof(Node{}))); err != nil {
			return 0, f.errorf(at, "%w", err)
		}
		f.nodes = make([]Node, 0, len(f.doc.Nodes))
	}
	node := Node{Name: n.Name, Parent: parent, Matrix: matrix}
	if i < len(f.extras.Nodes) {
		node.Extras = f.extras.Nodes[i].Extras
	}
	f.nodes = append(f.nodes, node)
	return len(f.nodes) - 1, nil
}

// extras are the application's own data in a document. The library decodes them, and rounds large
// integers to float64: here they stay text.
type extras struct {
	Nodes []struct {
		Extras json.RawMessage `json:"extras"`
	} `json:"nodes"`
	Meshes []meshExtras `json:"meshes"`
}

type meshExtras struct {
	Extras     json.RawMessage `json:"extras"`
	Primitives []struct {
		Extras json.RawMessage `json:"extras"`
	} `json:"primitives"`
}

// readExtras reads the extras, if there are any.
func (f *gltfFile) readExtras(text []byte) error {
	if !bytes.Contains(text, []byte(`"extras"`)) {
		return nil
	}
	if err := f.budget.spend(2 * int64(len(text))); err != nil {
		return f.at(0, err)
	}
	if err := json.Unmarshal(text, &f.extras); err != nil {
		return f.errorf(jsonPath{}, "extras: %w", plain(err))
	}
	return nil
}

// of returns the extras of a primitive; if it has none, those of its mesh.
func (e *extras) of(mesh, primitive int) json.RawMessage {
	if mesh >= len(e.Meshes) {
		return nil
	}
	m := e.Meshes[mesh]
	if primitive < len(m.Primitives) && m.Primitives[primitive].Extras != nil {
		return m.Primitives[primitive].Extras
	}
	return m.Extras
}
