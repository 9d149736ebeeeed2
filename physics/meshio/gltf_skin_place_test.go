package meshio

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// skinnedTriangle returns a glTF with a triangle, which a node far off places, and two joints, one
// below the other.
func skinnedTriangle(t *testing.T, corners []geom.Vec3, weights [][4]float32, inverse []geom.Mat4, root, tip string) []byte {
	t.Helper()
	var b bytes.Buffer
	put := func(x any) { require.NoError(t, binary.Write(&b, binary.LittleEndian, x)) }
	put(corners)
	for range corners {
		put([4]uint8{0, 1, 0, 0})
	}
	put(weights)
	matrices := ""
	for _, m := range inverse {
		for _, x := range m {
			put(float32(x))
		}
		matrices = `"inverseBindMatrices": 3,`
	}
	if inverse == nil {
		put([32]float32{})
	}
	return fmt.Appendf(nil, `{
		"asset": {"version": "2.0"}, "scenes": [{"nodes": [0, 1]}],
		"nodes": [
			{"mesh": 0, "skin": 0, "translation": [50, 60, 70], "scale": [-1, 2, 3]},
			{"name": "root", "children": [2], %s}, {"name": "tip", %s}
		],
		"skins": [{%s "joints": [1, 2]}],
		"meshes": [{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}}]}],
		"accessors": [
			{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
			{"bufferView": 0, "byteOffset": 36, "componentType": 5121, "count": 3, "type": "VEC4"},
			{"bufferView": 0, "byteOffset": 48, "componentType": 5126, "count": 3, "type": "VEC4"},
			{"bufferView": 0, "byteOffset": 96, "componentType": 5126, "count": 2, "type": "MAT4"}
		],
		"bufferViews": [{"buffer": 0, "byteLength": 224}],
		"buffers": [{"byteLength": 224, "uri": "data:application/octet-stream;base64,%s"}]
	}`, root, tip, matrices, base64.StdEncoding.EncodeToString(b.Bytes()))
}

// The parts of a mesh with a skin are where its joints have them, wherever its node is: each corner
// is the weighted sum of its places by the joints, which are turned by 0 or 90 degrees here. Joints
// that mirror it turn the triangle, its own node does not.
func TestGLTFPlacesSkinsByTheirJoints(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 7))
	vec := func() geom.DVec3 {
		return geom.DVec3{X: float64(r.IntN(17) - 8), Y: float64(r.IntN(17) - 8), Z: float64(r.IntN(17) - 8)}
	}
	shift := func(by geom.DVec3) geom.Mat4 {
		m := geom.Mat4Identity()
		m[12], m[13], m[14] = by.X, by.Y, by.Z
		return m
	}
	for _, mirror := range []float64{1, -1} {
		for range 50 {
			rootAt, tipAt, back := vec(), vec(), []geom.DVec3{vec(), vec()}
			corners := []geom.Vec3{vec().Narrow(), vec().Narrow(), vec().Narrow()}
			weights := [][4]float32{{1}, {0.25, 0.75}, {0, 2}}
			// The tip is turned about Y: x to −z, z to x.
			data := skinnedTriangle(t, corners, weights, []geom.Mat4{shift(back[0]), shift(back[1])},
				fmt.Sprintf(`"translation": [%v, %v, %v], "scale": [2, %v, 2]`, rootAt.X, rootAt.Y, rootAt.Z, 2*mirror),
				fmt.Sprintf(`"translation": [%v, %v, %v], "rotation": [0, 0.7071067811865476, 0, 0.7071067811865476]`, tipAt.X, tipAt.Y, tipAt.Z))
			byRoot := func(v geom.DVec3) geom.DVec3 {
				return geom.DVec3{X: 2*v.X + rootAt.X, Y: 2*mirror*v.Y + rootAt.Y, Z: 2*v.Z + rootAt.Z}
			}
			var want []geom.DVec3
			for i, c := range corners {
				share := float64(weights[i][1] / (weights[i][0] + weights[i][1]))
				p := c.Wide().Add(back[1])
				turned := geom.DVec3{X: p.Z, Y: p.Y, Z: -p.X}.Add(tipAt)
				want = append(want, byRoot(c.Wide().Add(back[0])).Mul(1-share).AddMul(share, byRoot(turned)))
			}
			if mirror < 0 {
				want[1], want[2] = want[2], want[1]
			}
			model, err := DecodeGLTF(bytes.NewReader(data), nil)
			require.NoError(t, err)
			part := model.Parts[0]
			for i, v := range part.Indices {
				require.InDelta(t, 0, part.Vertices[v].Wide().Sub(want[i]).Len(), 1e-4, "corner %d", i)
			}
			assert.Equal(t, "root", model.Nodes[1].Name)
		}
	}
}

// Without inverse bind matrices each is the identity (glTF 2.0, section 3.7.3.1): bones rest in
// the space of the mesh, and their frames in the file move it to where it is shown.
func TestDecodeSkinsWithoutInverseBindMatrices(t *testing.T) {
	corners := []geom.Vec3{{X: 1}, {X: 2, Y: 1}, {Z: 3}}
	data := skinnedTriangle(t, corners, [][4]float32{{1}, {0.5, 0.5}, {0, 1}}, nil,
		`"translation": [10, 0, 0]`, `"translation": [0, 20, 0]`)
	skins, err := DecodeSkins(bytes.NewReader(data), nil)
	require.NoError(t, err)
	s := &skins[0]
	require.Equal(t, corners, s.Vertices)
	for _, b := range s.Bones {
		require.Equal(t, geom.Vec3{}, b.Rest.Position)
	}
	model, err := DecodeGLTF(bytes.NewReader(data), nil)
	require.NoError(t, err)
	shown := s.Deform(nil, []geom.Transform{{Position: geom.V(10, 0, 0)}, {Position: geom.V(10, 20, 0)}})
	require.Equal(t, []geom.Vec3{{X: 11}, {X: 12, Y: 11}, {X: 10, Y: 20, Z: 3}}, shown)
	require.Equal(t, shown, model.Parts[0].Vertices)
}

// A skin that is damaged is an error of the model too, with its place.
func TestGLTFDamagedSkin(t *testing.T) {
	data := string(skinnedTriangle(t, make([]geom.Vec3, 3), [][4]float32{{1}, {1}, {1}}, nil, `"scale": [1, 1, 1]`, `"scale": [1, 1, 1]`))
	for _, test := range []struct{ from, to, want string }{
		{`"skin": 0`, `"skin": 1`, "line 4: skins[1] does not exist, there are 1"},
		{`"joints": [1, 2]`, `"joints": [1, 9]`, "nodes[9] does not exist, there are 3"},
		{`"joints": [1, 2]`, `"joints": [1]`, ""}, // nothing has weight on the second
		{`"WEIGHTS_0": 2`, `"WEIGHTS_0": 0`, "VEC3 cannot be weights"},
	} {
		_, err := DecodeGLTF(strings.NewReader(strings.Replace(data, test.from, test.to, 1)), nil)
		if test.want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, test.want)
	}
	for _, none := range [][4]float32{{}, {-1, 0, 0, -0.5}} {
		data := skinnedTriangle(t, make([]geom.Vec3, 3), [][4]float32{{1}, none, {1}}, nil, `"scale": [1, 1, 1]`, `"scale": [1, 1, 1]`)
		_, err := DecodeGLTF(bytes.NewReader(data), nil)
		require.ErrorContains(t, err, "vertex 1 has no weight above 0")
	}
}
