package meshio

import (
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/qmuntal/gltf"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The library github.com/qmuntal/gltf decodes the JSON document. This package reads the container,
// the buffers and the accessors itself, because the library allocates any size that a file states
// (a GLB of 100 bytes may request 4 GiB), and panics at negative offsets and at sparse indices out
// of range.

// DecodeGLTF reads glTF 2.0, as JSON or as a GLB. Buffers with a relative path are read from files;
// if files is nil they are an error.
//
// Each primitive of triangles, strips or fans becomes a part in the space of the file's default
// scene, once for each node that has its mesh. The part has the name of the node or, if that is
// empty, of the mesh. A mesh with a skin is where the joints have it, in the pose of the file: its
// node's own transform does not count (glTF 2.0, section 3.7.3.3). Under a mirroring transform the
// triangles are reversed, so that their front stays outside. If the file has no nodes, all meshes
// are read without a transform. Points and lines are skipped, and so is a last triangle with fewer
// than three corners. A file that requires an extension is an error, such as a compression, except
// KHR_mesh_quantization and those that change only materials, textures, lights or animations.
//
// Texture coordinates are those of the texture of the base colour, else the first ones. A part of
// which any is not finite has none, and so with colours. An image that cannot be read is no error
// of the model: [Texture.Err] has it.
//
// An [os.DirFS] follows symbolic links out of its folder; an [os.Root] does not.
//
// An error about the content is an [*Error] with the line of a .gltf or the byte of a .glb.
func DecodeGLTF(r io.Reader, files fs.FS) (*Model, error) { return Limits{}.DecodeGLTF(r, files) }

// DecodeGLTF is [DecodeGLTF] within the limits.
func (l Limits) DecodeGLTF(r io.Reader, files fs.FS) (*Model, error) {
	f, instances, err := readGLTF(r, files, l)
	if err != nil {
		return nil, err
	}
	model := &Model{Nodes: f.nodes}
	for _, in := range instances {
		if model.Parts, err = f.appendParts(model.Parts, in); err != nil {
			return nil, err
		}
	}
	if len(model.Parts) == 0 {
		return nil, f.errorf(jsonPath{}, "the file has no triangles")
	}
	return model, nil
}

// readGLTF reads a file and the meshes that its nodes place.
func readGLTF(r io.Reader, files fs.FS, l Limits) (*gltfFile, []instance, error) {
	data, err := readAll(r)
	if err != nil {
		return nil, nil, err
	}
	f := &gltfFile{files: files, budget: l.budget()}
	if err := f.open(data); err != nil {
		return nil, nil, err
	}
	if err := f.checkVersion(); err != nil {
		return nil, nil, err
	}
	instances, err := f.instances()
	if err != nil {
		return nil, nil, err
	}
	return f, instances, f.checkExpanded(instances)
}

func (f *gltfFile) checkVersion() error {
	if v := f.doc.Asset.Version; !strings.HasPrefix(v, "2.") {
		return f.errorf(jsonPath{"asset", "version"}, "glTF version %q, want 2", clipped(v))
	}
	for i, name := range f.doc.ExtensionsRequired {
		if !harmlessExtension(name) {
			return f.errorf(jsonPath{"extensionsRequired", i}, "the file requires the extension %q", clipped(name))
		}
	}
	return nil
}

// harmlessExtension reports whether the geometry is correct without support for the extension.
func harmlessExtension(name string) bool {
	for _, prefix := range [...]string{
		"KHR_mesh_quantization", "KHR_materials_", "KHR_techniques_webgl", "KHR_texture_", "EXT_texture_", "MSFT_texture_",
		"GOOGLE_texture_", "KHR_lights_", "EXT_lights_", "KHR_animation_", "KHR_xmp",
	} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// instance is a node with a mesh.
type instance struct {
	name   string
	mesh   *gltf.Mesh
	index  int      // of the mesh
	at     jsonPath // of the mesh
	node   jsonPath // of the node; of the mesh in a file without nodes
	matrix geom.Mat4
	skin   *int
	placed int // the index in the nodes of the model
}

// instances returns the instances of the default scene, parents before children.
func (f *gltfFile) instances() ([]instance, error) {
	var found []instance
	if len(f.doc.Nodes) == 0 {
		for i := range f.doc.Meshes {
			mesh, at, err := item(f, f.doc.Meshes, "meshes", i, nil)
			if err != nil {
				return nil, err
			}
			found = append(found, instance{name: mesh.Name, mesh: mesh, index: i, at: at, node: at, matrix: geom.Mat4Identity()})
		}
		return found, nil
	}
	type step struct {
		node   int
		from   jsonPath
		above  int // the parent's index in the nodes of the model; −1: none
		parent geom.Mat4
	}
	var stack []step
	push := func(nodes []int, from jsonPath, above int, parent geom.Mat4) {
		for i := len(nodes) - 1; i >= 0; i-- { // the first is popped first
			stack = append(stack, step{nodes[i], from.then(i), above, parent})
		}
	}
	roots, from, err := f.roots()
	if err != nil {
		return nil, err
	}
	push(roots, from, -1, geom.Mat4Identity())
	visited := make([]bool, len(f.doc.Nodes))
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		node, at, err := item(f, f.doc.Nodes, "nodes", s.node, s.from)
		if err != nil {
			return nil, err
		}
		if visited[s.node] {
			return nil, f.errorf(s.from, "node %d has two parents or is its own ancestor", s.node)
		}
		visited[s.node] = true
		matrix := s.parent.Mul(localMatrix(node))
		placed, err := f.addNode(node, s.node, s.above, matrix, at)
		if err != nil {
			return nil, err
		}
		if node.Mesh != nil {
			mesh, meshAt, err := item(f, f.doc.Meshes, "meshes", *node.Mesh, at.then("mesh"))
			if err != nil {
				return nil, err
			}
			name := node.Name
			if name == "" {
				name = mesh.Name
			}
			found = append(found, instance{name, mesh, *node.Mesh, meshAt, at, matrix, node.Skin, placed})
		}
		push(node.Children, at.then("children"), placed, matrix)
	}
	return found, nil
}

// roots returns the nodes of the default scene; in a file without scenes, the nodes without a
// parent.
func (f *gltfFile) roots() ([]int, jsonPath, error) {
	if len(f.doc.Scenes) > 0 {
		i := 0
		if f.doc.Scene != nil {
			i = *f.doc.Scene
		}
		scene, at, err := item(f, f.doc.Scenes, "scenes", i, jsonPath{"scene"})
		if err != nil {
			return nil, nil, err
		}
		return scene.Nodes, at.then("nodes"), nil
	}
	child := make([]bool, len(f.doc.Nodes))
	for i := range f.doc.Nodes {
		node, _, err := item(f, f.doc.Nodes, "nodes", i, nil)
		if err != nil {
			return nil, nil, err
		}
		for _, c := range node.Children {
			if c >= 0 && c < len(child) { // the traversal reports others
				child[c] = true
			}
		}
	}
	var roots []int
	for i, is := range child {
		if !is {
			roots = append(roots, i)
		}
	}
	return roots, jsonPath{"nodes"}, nil
}

// localMatrix returns a node's transform. It does not use the library's …OrDefault functions, which
// replace a scale of 0, with which files hide a node, by 1.
func localMatrix(n *gltf.Node) geom.Mat4 {
	if n.Matrix != gltf.DefaultMatrix {
		return geom.Mat4(n.Matrix)
	}
	q := geom.Quat{
		X: float32(n.Rotation[0]), Y: float32(n.Rotation[1]), Z: float32(n.Rotation[2]), W: float32(n.Rotation[3]),
	}
	m := geom.Transform{Rotation: q}.Affine().Mat4()
	for i := range 12 {
		m[i] *= n.Scale[i/4]
	}
	copy(m[12:15], n.Translation[:])
	return m
}

// checkExpanded spends what all instances take before any is read.
func (f *gltfFile) checkExpanded(instances []instance) error {
	items := map[*gltf.Mesh]int64{}
	for _, in := range instances {
		n, ok := items[in.mesh]
		if !ok {
			for i := range in.mesh.Primitives {
				p, err := f.primitive(in.mesh, i, in.at)
				if err != nil {
					return err
				}
				n += p.bytes
			}
			items[in.mesh] = n
		}
		if err := f.budget.spend(n); err != nil {
			return f.errorf(in.node, "%w", err)
		}
	}
	return nil
}

// primitive is a primitive whose accessors are checked, but not read.
type primitive struct {
	*gltf.Primitive
	at       jsonPath
	position int   // accessor; −1 if there are no triangles
	bytes    int64 // that the part takes
}

func (f *gltfFile) primitive(m *gltf.Mesh, i int, mesh jsonPath) (primitive, error) {
	at := mesh.then("primitives", i)
	p := primitive{Primitive: m.Primitives[i], at: at, position: -1, bytes: partBytes}
	if p.Primitive == nil {
		return p, f.errorf(at, "is null")
	}
	position, ok := p.Attributes[gltf.POSITION]
	switch p.Mode {
	case gltf.PrimitiveTriangles, gltf.PrimitiveTriangleStrip, gltf.PrimitiveTriangleFan:
	default:
		return p, nil
	}
	if !ok {
		return p, nil
	}
	p.position = position
	vertices, err := f.checkAccessor(position, at.then("attributes", gltf.POSITION))
	if err != nil {
		return p, err
	}
	indices := vertices
	if p.Indices != nil {
		if indices, err = f.checkAccessor(*p.Indices, at.then("indices")); err != nil {
			return p, err
		}
	}
	each := int64(indexBytes)
	if p.Mode != gltf.PrimitiveTriangles {
		each *= 4 // of a strip or a fan, and of its triangles
	}
	if _, ok := p.Attributes[f.texCoord(p)]; ok {
		p.bytes += int64(vertices) * uvBytes
	}
	if _, ok := p.Attributes[gltf.COLOR_0]; ok {
		p.bytes += int64(vertices) * colorBytes
	}
	p.bytes += int64(vertices)*vertexBytes + int64(indices)*each
	return p, nil
}

func (f *gltfFile) appendParts(parts []Part, in instance) ([]Part, error) {
	for i := range in.mesh.Primitives {
		p, err := f.primitive(in.mesh, i, in.at)
		if err != nil {
			return nil, err
		}
		if p.position < 0 {
			continue
		}
		part, err := f.part(p)
		if err != nil {
			return nil, err
		}
		if len(part.Indices) == 0 {
			continue
		}
		if err := f.place(&part, p, in); err != nil {
			return nil, err
		}
		if part.Material, err = f.material(p); err != nil {
			return nil, err
		}
		part.Name, part.Node, part.Extras = in.name, in.placed, f.extras.of(in.index, i)
		parts = append(parts, part)
	}
	return parts, nil
}

// part returns a primitive in the space of its mesh.
func (f *gltfFile) part(p primitive) (part Part, err error) {
	if part.Vertices, err = f.vec3s(p.position, p.at.then("attributes", gltf.POSITION)); err != nil {
		return part, err
	}
	if part.Normals, err = attribute(f, p, gltf.NORMAL, "normals", len(part.Vertices), f.vec3s); err != nil {
		return part, err
	}
	if part.UVs, err = attribute(f, p, f.texCoord(p), "texture coordinates", len(part.Vertices), f.uvs); err != nil {
		return part, err
	}
	if part.Colors, err = attribute(f, p, gltf.COLOR_0, "colours", len(part.Vertices), f.colors); err != nil {
		return part, err
	}
	if slices.ContainsFunc(part.UVs, UV.isDamaged) {
		part.UVs = nil
	}
	if slices.ContainsFunc(part.Colors, Color.isDamaged) {
		part.Colors = nil
	}
	var order []uint32
	if p.Indices != nil {
		at := p.at.then("indices")
		if order, err = f.indices(*p.Indices, at); err != nil {
			return part, err
		}
		for i, v := range order {
			if int64(v) >= int64(len(part.Vertices)) {
				return part, f.errorf(at, "index %d is vertex %d of %d", i, v, len(part.Vertices))
			}
		}
	} else {
		order = make([]uint32, len(part.Vertices))
		for i := range order {
			order[i] = uint32(i)
		}
	}
	part.Indices = triangleList(order, p.Mode)
	return part, nil
}

// attribute returns an attribute of a primitive, an item for each vertex; nil if it has none.
func attribute[T any](f *gltfFile, p primitive, key, what string, vertices int, read func(i int, from jsonPath) ([]T, error)) ([]T, error) {
	i, ok := p.Attributes[key]
	if !ok {
		return nil, nil
	}
	at := p.at.then("attributes", key)
	list, err := read(i, at)
	if err == nil && len(list) != vertices {
		err = f.errorf(at, "%d %s for %d positions", len(list), what, vertices)
	}
	return list, err
}

// triangleList converts a strip or a fan to a list of triangles, with corners in the order of the
// specification (glTF 2.0, section 3.7.2.1). It leaves out triangles of a strip with a repeated
// vertex, which only connect one strip to the next.
func triangleList(order []uint32, mode gltf.PrimitiveMode) []uint32 {
	if mode == gltf.PrimitiveTriangles {
		return order[:len(order)/3*3] // nothing draws an incomplete triangle
	}
	// One that grows would take more than the limits foresee.
	list := make([]uint32, 0, 3*max(len(order)-2, 0))
	for i := 0; i+2 < len(order); i++ {
		a, b, c := order[i], order[i+1+i%2], order[i+2-i%2]
		if mode == gltf.PrimitiveTriangleFan {
			a, b, c = order[i+1], order[i+2], order[0]
		} else if a == b || b == c || c == a {
			continue
		}
		list = append(list, a, b, c)
	}
	return list
}

// transform maps vertices first to first+n, and their normals, from the space of their mesh to that
// of the scene, and reports whether the matrix mirrors them.
func (p *Part) transform(m *geom.Mat4, first, n int) (mirrored bool, err error) {
	for i, v := range p.Vertices[first : first+n] {
		w, _ := m.Apply(v.Wide(), 1)
		placed := w.Narrow()
		if !placed.IsFinite() {
			return false, fmt.Errorf("the node maps vertex %v to %v, which is not finite", v, placed)
		}
		p.Vertices[first+i] = placed
	}
	// Normals are mapped by the cofactor matrix: the inverse transpose times the determinant. It
	// exists for every matrix.
	x, y, z := geom.DVec3{X: m[0], Y: m[1], Z: m[2]}, geom.DVec3{X: m[4], Y: m[5], Z: m[6]}, geom.DVec3{X: m[8], Y: m[9], Z: m[10]}
	yz, zx, xy := y.Cross(z), z.Cross(x), x.Cross(y)
	if mirrored = x.Dot(yz) < 0; mirrored {
		yz, zx, xy = yz.Neg(), zx.Neg(), xy.Neg()
	}
	if p.Normals != nil {
		for i, n := range p.Normals[first : first+n] {
			w := n.Wide()
			p.Normals[first+i] = yz.Mul(w.X).AddMul(w.Y, zx).AddMul(w.Z, xy).Normalize().Narrow()
		}
	}
	return mirrored, nil
}

// reverse turns the fronts of all triangles to the other side.
func (p *Part) reverse() {
	for i := 0; i < len(p.Indices); i += 3 {
		p.Indices[i+1], p.Indices[i+2] = p.Indices[i+2], p.Indices[i+1]
	}
}
