package meshio_test

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

// level is a document with an empty above two placed cubes; uv of a vertex is its (X, Y).
func level() *gltf.Document {
	doc := cubeDocument()
	doc.Nodes = []*gltf.Node{node(0), node(0), node(0)}
	doc.Nodes[0].Name, doc.Nodes[0].Mesh, doc.Nodes[0].Children = "spawn", nil, []int{2}
	doc.Nodes[0].Translation = [3]float64{1, 2, 3}
	doc.Nodes[0].Extras = json.RawMessage(`{"team":9007199254740993}`)
	doc.Nodes[2].Name, doc.Nodes[2].Scale = "child", [3]float64{-2, 1, 1}
	doc.Scenes[0].Nodes = []int{1, 0}
	var uvs [][2]float32
	for _, v := range cubeVertices {
		uvs = append(uvs, [2]float32{v.X, v.Y})
	}
	p := doc.Meshes[0].Primitives[0]
	p.Attributes[gltf.TEXCOORD_0] = modeler.WriteTextureCoord(doc, make([][2]float32, len(uvs)))
	p.Attributes[gltf.TEXCOORD_1] = modeler.WriteTextureCoord(doc, uvs)
	p.Attributes[gltf.COLOR_0] = modeler.WriteColor(doc, [][3]uint8{{255, 0, 0}, {0, 51, 0}, {}, {}, {}, {}, {}, {}})
	p.Material = gltf.Index(0)
	p.Extras, doc.Meshes[0].Extras = "primitive", "mesh"
	doc.Meshes[0].Primitives = append(doc.Meshes[0].Primitives, &gltf.Primitive{Attributes: p.Attributes, Indices: p.Indices})
	doc.Materials = []*gltf.Material{{
		Name: "wire", AlphaMode: gltf.AlphaMask, DoubleSided: true,
		PBRMetallicRoughness: &gltf.PBRMetallicRoughness{
			BaseColorFactor: &[4]float64{0.5, 0.25, 1, 0.75}, BaseColorTexture: &gltf.TextureInfo{Index: 0, TexCoord: 1},
		},
	}}
	doc.Textures = []*gltf.Texture{{Source: gltf.Index(0)}}
	doc.Images = []*gltf.Image{{Name: "mask", MimeType: "image/png", BufferView: gltf.Index(modeler.WriteBufferView(doc, gltf.TargetNone, []uint8("PNG!")))}}
	return doc
}

func TestGLTFNodes(t *testing.T) {
	model, err := decodeGLB(t, level())
	require.NoError(t, err)
	checkModel(t, model)
	require.Len(t, model.Nodes, 3)
	assert.Equal(t, meshio.Node{Parent: -1, Matrix: geom.Mat4Identity()}, model.Nodes[0])
	spawn, child := model.Nodes[1], model.Nodes[2]
	assert.Equal(t, "spawn", spawn.Name)
	assert.Equal(t, -1, spawn.Parent)
	assert.Equal(t, `{"team":9007199254740993}`, string(spawn.Extras), "an integer that no float64 holds")
	assert.Equal(t, geom.At(1, 2, 3).Affine().Mat4(), spawn.Matrix)
	assert.Equal(t, 1, child.Parent)
	assert.Equal(t, geom.Transform{Position: geom.V(1, 2, 3), Scale: geom.V(-2, 1, 1)}.Affine().Mat4(), child.Matrix)
	var nodes []int
	var own []string
	for _, p := range model.Parts {
		nodes, own = append(nodes, p.Node), append(own, string(p.Extras))
	}
	assert.Equal(t, []int{0, 0, 2, 2}, nodes)
	assert.Equal(t, []string{`"primitive"`, `"mesh"`, `"primitive"`, `"mesh"`}, own)

	doc := level()
	doc.Nodes[0].Scale, doc.Nodes[2].Scale = [3]float64{1e300, 1, 1}, [3]float64{1e300, 1, 1}
	_, err = decodeGLB(t, doc)
	requirePlaced(t, err)
	assert.ErrorContains(t, err, "the transform of the node is not finite")
}

func TestGLTFMaterials(t *testing.T) {
	model, err := decodeGLB(t, level())
	require.NoError(t, err)
	m := model.Parts[0].Material
	assert.Equal(t, &meshio.Material{
		Name: "wire", Color: meshio.Color{R: 0.5, G: 0.25, B: 1, A: 0.75}, Cutoff: 0.5, DoubleSided: true,
		Texture: &meshio.Texture{Name: "mask", Data: []byte("PNG!")},
	}, m)
	assert.Same(t, m, model.Parts[2].Material)
	assert.Nil(t, model.Parts[1].Material)
	assert.Equal(t, meshio.UV{}, model.Parts[1].UVs[0], "without a texture, the first coordinates")
	assert.Equal(t, []meshio.Color{{R: 1, A: 1}, {G: 0.2, A: 1}}, model.Parts[0].Colors[:2])

	tests := []struct{ name, uri, want, err string }{
		{"data", "data:image/png;base64,UE5HIQ==", "PNG!", ""},
		{"data that is damaged", "data:image/png;base64,?", "", "the embedded buffer is damaged"},
		{"file", "a.png", "PNG?", ""},
		{"no file", "b.png", "", "image file: open b.png: file does not exist"},
		{"file outside", "../a.png", "", `the image "../a.png" is not in the folder of the model`},
		{"large file", "large.png", "", "the limit of meshio.Limits"},
		{"nothing", "", "", "the image has neither a uri nor a bufferView"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			doc := level()
			doc.Images[0] = &gltf.Image{URI: test.uri}
			files := fstest.MapFS{"a.png": {Data: []byte("PNG?")}, "large.png": {Data: make([]byte, 1<<20)}}
			model, err := meshio.Limits{Memory: 1 << 19}.DecodeGLTF(bytes.NewReader(glb(t, doc)), files)
			require.NoError(t, err, "triangles need no image")
			texture := model.Parts[0].Material.Texture
			assert.Equal(t, test.want, string(texture.Data))
			if test.err == "" {
				assert.NoError(t, texture.Err)
			} else {
				requirePlaced(t, texture.Err)
				assert.ErrorContains(t, texture.Err, test.err)
			}
		})
	}
	doc := level()
	p := doc.Meshes[0].Primitives[0]
	p.Attributes[gltf.TEXCOORD_1] = modeler.WriteTextureCoord(doc, append(make([][2]float32, 7), [2]float32{0, float32(math.NaN())}))
	p.Attributes[gltf.COLOR_0] = modeler.WriteColor(doc, append(make([][4]float32, 7), [4]float32{float32(math.Inf(1))}))
	model, err = decodeGLB(t, doc)
	require.NoError(t, err)
	assert.Nil(t, model.Parts[0].UVs, "one is not finite")
	assert.Nil(t, model.Parts[0].Colors, "one is not finite")
	assert.NotNil(t, model.Parts[1].UVs)
	damaged := []struct {
		want   string
		change func(doc *gltf.Document, p *gltf.Primitive)
	}{
		{"materials[7] does not exist, there are 1", func(_ *gltf.Document, p *gltf.Primitive) { p.Material = gltf.Index(7) }},
		{"textures[0] does not exist, there are 0", func(doc *gltf.Document, _ *gltf.Primitive) { doc.Textures = nil }},
		{"images[0] does not exist, there are 0", func(doc *gltf.Document, _ *gltf.Primitive) { doc.Images = nil }},
		{"cannot be texture coordinates", func(_ *gltf.Document, p *gltf.Primitive) { p.Attributes[gltf.TEXCOORD_1] = p.Attributes[gltf.POSITION] }},
		{"cannot be colours", func(_ *gltf.Document, p *gltf.Primitive) { p.Attributes[gltf.COLOR_0] = p.Attributes[gltf.TEXCOORD_1] }},
		{"1 colours for 8 positions", func(doc *gltf.Document, p *gltf.Primitive) {
			p.Attributes[gltf.COLOR_0] = modeler.WriteColor(doc, [][3]uint8{{}})
		}},
	}
	for _, test := range damaged {
		doc := level()
		test.change(doc, doc.Meshes[0].Primitives[0])
		_, err := decodeGLB(t, doc)
		requirePlaced(t, err)
		assert.ErrorContains(t, err, test.want)
	}
}

// A ray hits the model, and the point of the hit is what the texture coordinate must be: (X, Y) in
// the space of the cube, also under a mirror.
func TestUVAtHits(t *testing.T) {
	model, err := decodeGLB(t, level())
	require.NoError(t, err)
	m, err := model.Mesh()
	require.NoError(t, err)
	smooth := *model
	smooth.Parts = nil
	for _, p := range model.Parts {
		smooth.Parts = append(smooth.Parts, p.Smooth(0.5))
	}
	const part = 2 // the first one of the child, over all others
	for _, at := range []geom.Vec3{geom.V(0.3, 1.2, 9), geom.V(-0.4, 2.9, 9), geom.V(2.7, 1.9, 9)} {
		hit, ok := m.CastRay(geom.NewRay(at, geom.V(0, 0, -1)), geom.CullNone)
		require.True(t, ok)
		for _, model := range []*meshio.Model{model, &smooth} {
			p, triangle := model.PartOf(hit.Triangle)
			require.Same(t, &model.Parts[part], p)
			require.Equal(t, hit.Triangle, triangle+int32(part*len(cubeIndices)/3))
			uv, ok := p.UVAt(triangle, hit.U, hit.V)
			require.True(t, ok)
			assert.InDelta(t, (hit.Point.X-1)/-2, uv.U, 1e-6)
			assert.InDelta(t, hit.Point.Y-2, uv.V, 1e-6)
		}
	}
	color, ok := model.Parts[0].ColorAt(5, 0, 0.25) // of vertices 0, 5 and 4
	assert.True(t, ok)
	assert.Equal(t, meshio.Color{R: 0.75, A: 1}, color)

	for _, triangle := range []int32{-1, 4 * 12, 1<<31 - 1} {
		p, local := model.PartOf(triangle)
		assert.Nil(t, p)
		_, ok := p.UVAt(local, 0, 0)
		assert.False(t, ok)
		_, ok = p.ColorAt(local, 0, 0)
		assert.False(t, ok)
		_, ok = model.Parts[0].UVAt(triangle, 0, 0)
		assert.False(t, ok)
	}
	_, ok = cube.UVAt(0, 0, 0)
	assert.False(t, ok, "no texture coordinates")
}

func TestPartBoundsAndMesh(t *testing.T) {
	p := meshio.Part{Name: "p", Vertices: []geom.Vec3{{X: 9}, {}, {X: 1}, {X: 1, Y: 2}}, Indices: []uint32{1, 2, 3}}
	assert.Equal(t, geom.AABB{Max: geom.V(1, 2, 0)}, p.Bounds(), "of the triangles only")
	m, err := p.Mesh()
	require.NoError(t, err)
	assert.Equal(t, p.Vertices[1:], m.Vertices())
	assert.True(t, new(meshio.Part).Bounds().IsEmpty())
	p.Indices[0] = 4
	assert.PanicsWithValue(t, "meshio: Part.Bounds: index 4 out of range (4 vertices)", func() { p.Bounds() })
	_, err = p.Mesh()
	assert.ErrorContains(t, err, `("p"): triangle 0: index 4 out of range (4 vertices)`)
}

func TestOBJSurfaces(t *testing.T) {
	const text = "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 1 0 0 1\nv 0 1 0\nvt 0 0\nvt 1 0.25 9\nvt 1\n"
	model, err := meshio.DecodeOBJ(strings.NewReader(text + "g a\nf 1/1 2/2 3/-1\ng b\nf 1/1 2/2 4/3\ng c\nf 1/1 1/2 2/4\n"))
	require.NoError(t, err)
	checkModel(t, model)
	a, b, c := model.Parts[0], model.Parts[1], model.Parts[2]
	uvs := []meshio.UV{{U: 0, V: 1}, {U: 1, V: 0.75}, {U: 1, V: 1}}
	assert.Equal(t, uvs, a.UVs, "from the top")
	assert.Equal(t, []meshio.Color{{R: 1, A: 1}, {G: 1, A: 1}, {B: 1, A: 1}}, a.Colors, "after a weight, too")
	assert.Equal(t, uvs, b.UVs)
	assert.Nil(t, b.Colors, "a vertex has none")
	assert.Nil(t, c.UVs, "there is no fourth one")
	assert.Len(t, c.Vertices, 3, "a vertex with two texture coordinates becomes two")
	for _, damaged := range []string{"vt", "vt 0 x", "vt nan 0", "vt 0 -nan(ind)", "vt 1e39"} {
		model, err := meshio.DecodeOBJ(strings.NewReader(strings.Replace(text, "vt 1 0.25 9", damaged, 1) + "g a\nf 1/1 2/2 3/-1\ng b\nf 1/1 2/3 3/3\n"))
		require.NoError(t, err, damaged)
		assert.Nil(t, model.Parts[0].UVs, damaged)
		assert.NotNil(t, model.Parts[1].UVs, "it does not use %q", damaged)
	}
	model, err = meshio.DecodeOBJ(strings.NewReader(strings.Replace(text, "0 1 0\nv", "0 nan 0\nv", 1) + "f 1 2 3\n"))
	require.NoError(t, err)
	assert.Nil(t, model.Parts[0].Colors)
}
