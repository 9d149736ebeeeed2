package meshio_test

import (
	"math"
	"testing"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

func TestGLTFRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := partGen().Draw(t, "part")
		part.Normals = make([]geom.Vec3, len(part.Vertices))
		for i := range part.Normals {
			part.Normals[i] = geom.Axis(i % 3).Unit()
		}
		model, err := decodeGLB(t, document(part))
		require.NoError(t, err)
		require.Equal(t, []meshio.Part{part}, model.Parts)
	})
}

func node(mesh int) *gltf.Node {
	return &gltf.Node{
		Mesh: gltf.Index(mesh), Matrix: gltf.DefaultMatrix, Rotation: gltf.DefaultRotation, Scale: gltf.DefaultScale,
	}
}

// Each transform is compared with that of a geom.Transform, and triangles must keep their outside.
func TestGLTFTransforms(t *testing.T) {
	tests := []struct {
		name   string
		nodes  []geom.Transform // from the root down to the node of the cube
		volume float64
	}{
		{"none", []geom.Transform{{}}, 8},
		{"moved", []geom.Transform{geom.At(1, 2, 3)}, 8},
		{"turned", []geom.Transform{{Rotation: geom.Quat{Y: 0.6, W: 0.8}}}, 8},
		{"scaled", []geom.Transform{{Scale: geom.V(2, 3, 0.5)}}, 24},
		{"mirrored", []geom.Transform{{Scale: geom.V(-1, 1, 1)}}, 8},
		{"mirrored twice", []geom.Transform{{Scale: geom.V(-1, 1, -2)}}, 16},
		{"mirrored thrice", []geom.Transform{{Scale: geom.V(-1, -1, -1)}}, 8},
		{"mirrored in a mirror", []geom.Transform{{Scale: geom.V(-1, 1, 1)}, {Scale: geom.V(1, -1, 1)}}, 8},
		{"turned, moved and mirrored", []geom.Transform{{Position: geom.V(5, 0, 0), Rotation: geom.Quat{X: 1, W: 1}, Scale: geom.V(1, -2, 3)}}, 48},
		{
			"three deep, sheared", []geom.Transform{
				{Scale: geom.V(1, 4, 1)}, {Rotation: geom.Quat{Z: 0.3, W: 1}, Position: geom.V(1, 0, 0)}, {Scale: geom.V(1, 1, -1)},
			}, 32,
		},
	}
	for _, test := range tests {
		for _, asMatrix := range []bool{false, true} {
			name := test.name
			if asMatrix {
				name += " as matrices"
			}
			t.Run(name, func(t *testing.T) {
				sharp := cube.Smooth(0.5)
				doc := document(sharp)
				doc.Nodes = nil
				want := geom.AffineIdentity()
				for i, transform := range test.nodes {
					want = want.Mul(transform.Affine())
					n := node(0)
					n.Mesh = nil
					if i+1 < len(test.nodes) {
						n.Children = []int{i + 1}
					} else {
						n.Mesh = gltf.Index(0)
					}
					if asMatrix {
						n.Matrix = transform.Affine().Mat4()
					} else {
						q, s, p := transform.Rotation, transform.Factors(), transform.Position
						if q != (geom.Quat{}) {
							q = q.Normalize()
							n.Rotation = [4]float64{float64(q.X), float64(q.Y), float64(q.Z), float64(q.W)}
						}
						n.Scale = [3]float64{float64(s.X), float64(s.Y), float64(s.Z)}
						n.Translation = [3]float64{float64(p.X), float64(p.Y), float64(p.Z)}
					}
					doc.Nodes = append(doc.Nodes, n)
				}
				model, err := decodeGLB(t, doc)
				require.NoError(t, err)
				checkModel(t, model)
				require.Len(t, model.Parts, 1)
				part := model.Parts[0]
				back, ok := want.Inverse()
				require.True(t, ok)
				for i, v := range part.Vertices {
					assert.Less(t, v.Distance(want.Point(sharp.Vertices[i])), float32(1e-5))
					assert.Less(t, part.Normals[i].Distance(back.Normal(sharp.Normals[i])), float32(1e-5))
				}
				centred := part
				centred.Vertices = append([]geom.Vec3(nil), part.Vertices...)
				for i := range centred.Vertices {
					centred.Vertices[i] = centred.Vertices[i].Sub(want.Origin)
				}
				assert.InEpsilon(t, test.volume, volume(centred), 1e-5, "positive: the outside is outside")
				// Normals and triangles have the same outside.
				for k := 0; k < len(part.Indices); k += 3 {
					c := part.Indices[k : k+3]
					face := area2(part.Vertices[c[0]], part.Vertices[c[1]], part.Vertices[c[2]])
					assert.Positive(t, face.Dot(part.Normals[c[0]].Wide()))
				}
			})
		}
	}
}

func TestGLTFFlattened(t *testing.T) {
	const scaled = `{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"scale":[1,0,1]}],
		"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
		"bufferViews":[{"buffer":0,"byteLength":36}],
		"buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}`
	model, err := decodeGLTFText(scaled)
	require.NoError(t, err)
	assert.Equal(t, []geom.Vec3{{}, {X: 1}, {}}, model.Parts[0].Vertices, "a scale of 0 is no missing scale")
}

func TestGLTFScenes(t *testing.T) {
	names := func(model *meshio.Model) []string {
		var list []string
		for _, p := range model.Parts {
			list = append(list, p.Name)
		}
		return list
	}
	named := func(name string, mesh int, children ...int) *gltf.Node {
		n := node(mesh)
		n.Name, n.Children = name, children
		return n
	}
	tests := []struct {
		name   string
		change func(doc *gltf.Document)
		want   []string
	}{
		{"one node", func(*gltf.Document) {}, []string{"cube"}},
		{"a mesh shown twice, parents first", func(doc *gltf.Document) {
			doc.Nodes = []*gltf.Node{named("b", 0), named("a", 0, 0, 2), named("c", 0)}
			doc.Scenes[0].Nodes = []int{1}
		}, []string{"a", "b", "c"}},
		{"several roots", func(doc *gltf.Document) {
			doc.Nodes = []*gltf.Node{named("a", 0), named("b", 0)}
			doc.Scenes[0].Nodes = []int{1, 0}
		}, []string{"b", "a"}},
		{"the default scene", func(doc *gltf.Document) {
			doc.Nodes = []*gltf.Node{named("a", 0), named("b", 0)}
			doc.Scenes = []*gltf.Scene{{Nodes: []int{0}}, {Nodes: []int{1}}}
			doc.Scene = gltf.Index(1)
		}, []string{"b"}},
		{"no default is the first scene", func(doc *gltf.Document) {
			doc.Nodes = []*gltf.Node{named("a", 0), named("b", 0)}
			doc.Scenes = []*gltf.Scene{{Nodes: []int{0}}, {Nodes: []int{1}}}
			doc.Scene = nil
		}, []string{"a"}},
		{"no scenes: all roots", func(doc *gltf.Document) {
			doc.Nodes = []*gltf.Node{named("child", 0), named("root", 0, 0), named("other", 0)}
			doc.Scenes, doc.Scene = nil, nil
		}, []string{"root", "child", "other"}},
		{"no nodes: all meshes", func(doc *gltf.Document) {
			doc.Meshes = append(doc.Meshes, &gltf.Mesh{Name: "again", Primitives: doc.Meshes[0].Primitives})
			doc.Nodes, doc.Scenes, doc.Scene = nil, nil, nil
		}, []string{"cube", "again"}},
		{"a part for each primitive", func(doc *gltf.Document) {
			doc.Meshes[0].Primitives = append(doc.Meshes[0].Primitives, doc.Meshes[0].Primitives[0])
		}, []string{"cube", "cube"}},
		{"points, lines and primitives without positions are skipped", func(doc *gltf.Document) {
			p := doc.Meshes[0].Primitives[0]
			for _, mode := range []gltf.PrimitiveMode{gltf.PrimitivePoints, gltf.PrimitiveLines, gltf.PrimitiveLineLoop, gltf.PrimitiveLineStrip} {
				doc.Meshes[0].Primitives = append(doc.Meshes[0].Primitives, &gltf.Primitive{Attributes: p.Attributes, Mode: mode})
			}
			doc.Meshes[0].Primitives = append(doc.Meshes[0].Primitives, &gltf.Primitive{Attributes: gltf.PrimitiveAttributes{}})
		}, []string{"cube"}},
		{"harmless extensions", func(doc *gltf.Document) {
			doc.ExtensionsRequired = []string{
				"KHR_materials_unlit", "KHR_texture_transform", "KHR_mesh_quantization", "KHR_techniques_webgl",
				"GOOGLE_texture_basis", "EXT_lights_image_based", "KHR_animation_pointer",
			}
		}, []string{"cube"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			doc := cubeDocument()
			test.change(doc)
			model, err := decodeGLB(t, doc)
			require.NoError(t, err)
			checkModel(t, model)
			assert.Equal(t, test.want, names(model))
			for _, p := range model.Parts {
				assert.Equal(t, trianglesOf(cube), trianglesOf(p))
			}
		})
	}
}

func TestGLTFPrimitives(t *testing.T) {
	five := [][3]float32{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {2, 2, 0}}
	tests := []struct {
		name    string
		mode    gltf.PrimitiveMode
		indices any // nil: none
		want    []uint32
	}{
		{"triangles", gltf.PrimitiveTriangles, []uint16{0, 1, 2, 2, 3, 0}, []uint32{0, 1, 2, 2, 3, 0}},
		{"byte indices", gltf.PrimitiveTriangles, []uint8{0, 1, 2}, []uint32{0, 1, 2}},
		{"long indices", gltf.PrimitiveTriangles, []uint32{0, 1, 2}, []uint32{0, 1, 2}},
		{"strip", gltf.PrimitiveTriangleStrip, []uint16{0, 1, 3, 2, 4}, []uint32{0, 1, 3, 1, 2, 3, 3, 2, 4}},
		{"strip without indices", gltf.PrimitiveTriangleStrip, nil, []uint32{0, 1, 2, 1, 3, 2, 2, 3, 4}},
		{"strips joined", gltf.PrimitiveTriangleStrip, []uint16{0, 1, 2, 2, 3, 3, 4, 0}, []uint32{0, 1, 2, 3, 0, 4}},
		{"fan", gltf.PrimitiveTriangleFan, []uint16{0, 1, 2, 3}, []uint32{1, 2, 0, 2, 3, 0}},
		{"fan without indices", gltf.PrimitiveTriangleFan, nil, []uint32{1, 2, 0, 2, 3, 0, 3, 4, 0}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			doc := cubeDocument()
			p := doc.Meshes[0].Primitives[0]
			p.Mode, p.Indices = test.mode, nil
			p.Attributes[gltf.POSITION] = modeler.WritePosition(doc, five)
			if test.indices != nil {
				p.Indices = gltf.Index(modeler.WriteAccessor(doc, gltf.TargetElementArrayBuffer, test.indices))
			}
			model, err := decodeGLB(t, doc)
			require.NoError(t, err)
			checkModel(t, model)
			assert.Equal(t, test.want, model.Parts[0].Indices)
		})
	}
	t.Run("a triangle list without indices", func(t *testing.T) {
		doc := cubeDocument()
		p := doc.Meshes[0].Primitives[0]
		p.Indices = nil
		p.Attributes[gltf.POSITION] = modeler.WritePosition(doc, arrays(trianglesOf(cube)))
		model, err := decodeGLB(t, doc)
		require.NoError(t, err)
		assert.Equal(t, trianglesOf(cube), trianglesOf(model.Parts...))
	})
}

func TestGLTFAccessors(t *testing.T) {
	t.Run("interleaved", func(t *testing.T) {
		sharp := cube.Smooth(0.5)
		doc := document(sharp)
		attributes, err := modeler.WritePrimitiveAttributes(doc,
			modeler.PrimitiveAttribute{Name: gltf.POSITION, Data: arrays(sharp.Vertices)},
			modeler.PrimitiveAttribute{Name: gltf.NORMAL, Data: arrays(sharp.Normals)})
		require.NoError(t, err)
		require.NotZero(t, doc.BufferViews[*doc.Accessors[attributes[gltf.POSITION]].BufferView].ByteStride)
		doc.Meshes[0].Primitives[0].Attributes = attributes
		model, err := decodeGLB(t, doc)
		require.NoError(t, err)
		assert.Equal(t, []meshio.Part{sharp}, model.Parts)
	})
	sparse := func(doc *gltf.Document) *gltf.Accessor {
		acc := doc.Accessors[doc.Meshes[0].Primitives[0].Attributes[gltf.POSITION]]
		acc.Sparse = &gltf.Sparse{
			Count:   2,
			Indices: gltf.SparseIndices{BufferView: modeler.WriteBufferView(doc, gltf.TargetNone, []uint16{6, 7}), ComponentType: gltf.ComponentUshort},
			Values:  gltf.SparseValues{BufferView: modeler.WriteBufferView(doc, gltf.TargetNone, [][3]float32{{1, 5, 1}, {-1, 5, 1}})},
		}
		return acc
	}
	t.Run("sparse over a buffer", func(t *testing.T) {
		doc := cubeDocument()
		sparse(doc)
		model, err := decodeGLB(t, doc)
		require.NoError(t, err)
		want := append([]geom.Vec3(nil), cubeVertices...)
		want[6].Y, want[7].Y = 5, 5
		assert.Equal(t, want, model.Parts[0].Vertices)
	})
	t.Run("sparse over zeros", func(t *testing.T) {
		doc := cubeDocument()
		sparse(doc).BufferView = nil
		model, err := decodeGLB(t, doc)
		require.NoError(t, err)
		assert.Equal(t, []geom.Vec3{{}, {}, {}, {}, {}, {}, {X: 1, Y: 5, Z: 1}, {X: -1, Y: 5, Z: 1}}, model.Parts[0].Vertices)
	})
	t.Run("quantised", func(t *testing.T) {
		tests := []struct {
			name       string
			data       any
			normalized bool
			want       []geom.Vec3
		}{
			{"bytes", [][3]int8{{0, 0, 0}, {1, 0, 0}, {1, -128, 0}}, false, []geom.Vec3{{}, {X: 1}, {X: 1, Y: -128}}},
			{"unsigned bytes", [][3]uint8{{0, 0, 0}, {255, 0, 0}, {1, 1, 0}}, false, []geom.Vec3{{}, {X: 255}, {X: 1, Y: 1}}},
			{"shorts", [][3]int16{{0, 0, 0}, {1, 0, 0}, {1, -32768, 0}}, false, []geom.Vec3{{}, {X: 1}, {X: 1, Y: -32768}}},
			{"unsigned shorts", [][3]uint16{{0, 0, 0}, {65535, 0, 0}, {1, 1, 0}}, false, []geom.Vec3{{}, {X: 65535}, {X: 1, Y: 1}}},
			{"bytes, normalised", [][3]int8{{0, 0, 0}, {127, 0, 0}, {0, -128, 0}}, true, []geom.Vec3{{}, {X: 1}, {Y: -1}}},
			{"unsigned bytes, normalised", [][3]uint8{{0, 0, 0}, {255, 0, 0}, {0, 51, 0}}, true, []geom.Vec3{{}, {X: 1}, {Y: 0.2}}},
			{"shorts, normalised", [][3]int16{{0, 0, 0}, {32767, 0, 0}, {0, -32768, 0}}, true, []geom.Vec3{{}, {X: 1}, {Y: -1}}},
			{"unsigned shorts, normalised", [][3]uint16{{0, 0, 0}, {65535, 0, 0}, {0, 13107, 0}}, true, []geom.Vec3{{}, {X: 1}, {Y: 0.2}}},
		}
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				doc := cubeDocument()
				p := doc.Meshes[0].Primitives[0]
				i := modeler.WriteAccessor(doc, gltf.TargetArrayBuffer, test.data)
				doc.Accessors[i].Normalized = test.normalized
				p.Attributes[gltf.POSITION], p.Indices = i, nil
				model, err := decodeGLB(t, doc)
				require.NoError(t, err)
				assert.Equal(t, test.want, model.Parts[0].Vertices)
			})
		}
	})
	t.Run("normals are made unit", func(t *testing.T) {
		doc := cubeDocument()
		p := doc.Meshes[0].Primitives[0]
		long := make([][3]float32, 8)
		long[0] = [3]float32{0, 0, 1e30}
		p.Attributes[gltf.NORMAL] = modeler.WriteNormal(doc, long)
		model, err := decodeGLB(t, doc)
		require.NoError(t, err)
		assert.Equal(t, geom.Vec3{Z: 1}, model.Parts[0].Normals[0])
		assert.Equal(t, geom.Vec3{}, model.Parts[0].Normals[1], "and zero ones stay zero")
	})
}

func TestGLTFOverflow(t *testing.T) {
	doc := cubeDocument()
	doc.Nodes[0] = node(0)
	doc.Nodes[0].Scale = [3]float64{math.MaxFloat32, 1e30, 1}
	doc.Nodes[0].Translation = [3]float64{math.MaxFloat32, 0, 0}
	_, err := decodeGLB(t, doc)
	requirePlaced(t, err)
	assert.ErrorContains(t, err, "the node maps vertex (1, -1, -1) to (+Inf, -1e+30, -1), which is not finite")
}
