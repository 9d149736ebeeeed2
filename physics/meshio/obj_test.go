package meshio_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

const square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

var squareVertices = []geom.Vec3{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}}

func TestDecodeOBJ(t *testing.T) {
	tests := []struct {
		name, text string
		want       []meshio.Part
	}{
		{"triangle", square + "f 1 2 3\n", []meshio.Part{{Vertices: squareVertices[:3], Indices: []uint32{0, 1, 2}}}},
		{"no newline at the end", square + "f 1 2 3", []meshio.Part{{Vertices: squareVertices[:3], Indices: []uint32{0, 1, 2}}}},
		{"quad", square + "f 1 2 3 4\n", []meshio.Part{{Vertices: squareVertices, Indices: []uint32{0, 1, 2, 0, 2, 3}}}},
		{"negative indices", square + "f -4 -3 -2 -1\n", []meshio.Part{{Vertices: squareVertices, Indices: []uint32{0, 1, 2, 0, 2, 3}}}},
		{
			"negative indices count from the face", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf -3 -2 -1\nv 0 1 0\nf -4 -2 -1\n",
			[]meshio.Part{{Vertices: squareVertices, Indices: []uint32{0, 1, 2, 0, 2, 3}}},
		},
		{"texture coordinates", square + "f 1/7 2/8 3/9\n", []meshio.Part{{Vertices: squareVertices[:3], Indices: []uint32{0, 1, 2}}}},
		{
			"normals", square + "vn 0 0 2\nf 1//1 2//-1 3/5/1\n",
			[]meshio.Part{{
				Vertices: squareVertices[:3], Normals: []geom.Vec3{{Z: 1}, {Z: 1}, {Z: 1}}, Indices: []uint32{0, 1, 2},
			}},
		},
		{
			"a vertex with two normals becomes two", square + "vn 0 0 1\nvn 0 1 0\nf 1//1 2//1 3//1\nf 1//1 3//2 4//1\n",
			[]meshio.Part{{
				Vertices: []geom.Vec3{{}, {X: 1}, {X: 1, Y: 1}, {X: 1, Y: 1}, {Y: 1}},
				Normals:  []geom.Vec3{{Z: 1}, {Z: 1}, {Z: 1}, {Y: 1}, {Z: 1}},
				Indices:  []uint32{0, 1, 2, 0, 3, 4},
			}},
		},
		{
			"normals at some corners are none", square + "vn 0 0 1\nf 1//1 2//1 3//1\nf 1 3 4\n",
			[]meshio.Part{{
				Vertices: []geom.Vec3{{}, {X: 1}, {X: 1, Y: 1}, {}, {X: 1, Y: 1}, {Y: 1}},
				Indices:  []uint32{0, 1, 2, 3, 4, 5},
			}},
		},
		{"normals that are missing are none", square + "vt 0 0\nf 1// 2/1/ 3//\n", []meshio.Part{{
			Vertices: squareVertices[:3], Indices: []uint32{0, 1, 2},
		}}},
		{"normals out of range are none", square + "vn 0 0 1\nf 1//2 2//1 3//-2\n", []meshio.Part{{
			Vertices: squareVertices[:3], Indices: []uint32{0, 1, 2},
		}}},
		{"damaged normals are none, and are counted", square + "vn\nvn 1 NaN 0\nvn 0 x 0\nvn 0 0 1\ng a\nf 1//1 2//2 3//3\ng b\nf 1//4 2//4 3//4\n", []meshio.Part{
			{Name: "a", Vertices: squareVertices[:3], Indices: []uint32{0, 1, 2}},
			{Name: "b", Vertices: squareVertices[:3], Normals: []geom.Vec3{{Z: 1}, {Z: 1}, {Z: 1}}, Indices: []uint32{0, 1, 2}},
		}},
		{"a zero normal stays", square + "vn 0 0 0\nf 1//1 2//1 3//1\n", []meshio.Part{{
			Vertices: squareVertices[:3], Normals: make([]geom.Vec3, 3), Indices: []uint32{0, 1, 2},
		}}},
		{"CRLF", strings.ReplaceAll(square+"g a b\nf 1 2 3\n", "\n", "\r\n"), []meshio.Part{{
			Name: "a b", Vertices: squareVertices[:3], Indices: []uint32{0, 1, 2},
		}}},
		{"tabs and blanks", "\tv\t0  0 0 \nv 1 0 0\n\n   \nv 1 1 0\nf  1\t2 3  \n", []meshio.Part{{
			Vertices: squareVertices[:3], Indices: []uint32{0, 1, 2},
		}}},
		{"comments", "# v 9 9\n" + square + "f 1 2 3 # 4\n  # end", []meshio.Part{{
			Vertices: squareVertices[:3], Indices: []uint32{0, 1, 2},
		}}},
		{"a comment's last backslash joins nothing", "# C:\\models\\\n" + square + "f 1 2 3\n", []meshio.Part{{
			Vertices: squareVertices[:3], Indices: []uint32{0, 1, 2},
		}}},
		{"continued lines", square + "f 1 \\\n2\\\r\n3 \\\n\\\n4\nf 1 2 3\\", []meshio.Part{{
			Vertices: squareVertices, Indices: []uint32{0, 1, 2, 0, 2, 3, 0, 1, 2},
		}}},
		{"byte order mark", "\xef\xbb\xbf" + square + "f 1 2 3\n", []meshio.Part{{
			Vertices: squareVertices[:3], Indices: []uint32{0, 1, 2},
		}}},
		{"weights and colours", "v 0 0 0 1\nv 1 0 0 .5 .5 .5\nv 1 1 0 1 1 1 1\nf 1 2 3\n", []meshio.Part{{
			Vertices: squareVertices[:3], Indices: []uint32{0, 1, 2},
		}}},
		{"what is skipped", "mtllib a.mtl\n" + square + "vt 0 0\nvp 1\ns off\nusemtl red\nl 1 2\np 1\nwhatever 1\nf 1 2 3\n", []meshio.Part{{
			Vertices: squareVertices[:3], Indices: []uint32{0, 1, 2},
		}}},
		{
			"objects and groups", square + "o house\nf 1 2 3\ng door left\nf 1 3 4\no tree\nf 2 3 4\n",
			[]meshio.Part{
				{Name: "house", Vertices: squareVertices[:3], Indices: []uint32{0, 1, 2}},
				{Name: "house/door left", Vertices: []geom.Vec3{{}, {X: 1, Y: 1}, {Y: 1}}, Indices: []uint32{0, 1, 2}},
				{Name: "tree", Vertices: squareVertices[1:], Indices: []uint32{0, 1, 2}},
			},
		},
		{
			"a group taken up again, and an empty one", square + "g a\nf 1 2 3\ng b\ng c\nf 2 3 4\ng a\nf 1 3 4\n",
			[]meshio.Part{
				{Name: "a", Vertices: squareVertices, Indices: []uint32{0, 1, 2, 0, 2, 3}},
				{Name: "c", Vertices: squareVertices[1:], Indices: []uint32{0, 1, 2}},
			},
		},
		{"a face that names a vertex twice", square + "f 1 1 2\n", []meshio.Part{{Vertices: squareVertices[:2], Indices: []uint32{0, 0, 1}}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			model, err := meshio.DecodeOBJ(strings.NewReader(test.text))
			require.NoError(t, err)
			assert.Equal(t, test.want, model.Parts)
			checkModel(t, model)
		})
	}
}

func TestDecodeOBJDamaged(t *testing.T) {
	requireErrors(t, meshio.DecodeOBJ, []damaged{
		{"empty", "", "meshio: line 1: the file ends without a face"},
		{"no faces", square + "# end\n", "meshio: line 5: the file ends without a face"},
		{"UTF-16", "\xff\xfev\x00 \x00", "meshio: line 1: the text is UTF-16, want UTF-8"},
		{"UTF-16, high bytes first", "\xfe\xff\x00v", "meshio: line 1: the text is UTF-16, want UTF-8"},
		{"vertex cut off", "v 1 2", "meshio: line 1: a vertex has three coordinates, this one has 2"},
		{"vertex cut off by a comment", "v 1 2 # 3", "meshio: line 1: a vertex has three coordinates, this one has 2"},
		{"no number", "v 0 0 0\nv 1 x 0\n", `meshio: line 2: vertex 2: "x" is not a number`},
		{"decimal comma", "v 1,5 0 0", `meshio: line 1: vertex 1: "1,5" is not a number`},
		{"NaN", "\nv 1 nan 0", `meshio: line 2: vertex 1: "nan" is not finite`},
		{"infinity", "v 1 -Inf 0", `meshio: line 1: vertex 1: "-Inf" is not finite`},
		{"too large", "v 1 1e39 0", `meshio: line 1: vertex 1: "1e39" is too large for a float32`},
		{"two corners", square + "f 1 2", "meshio: line 5: a face has three corners or more, this one has 2"},
		{"no corners", square + "f", "meshio: line 5: a face has three corners or more, this one has 0"},
		{"index 0", square + "f 1 0 2", `meshio: line 5: corner "0": vertex 0 is out of range, there are 4 so far`},
		{"index too high", square + "f 1 2 5", `meshio: line 5: corner "5": vertex 5 is out of range, there are 4 so far`},
		{"index too low", square + "f 1 2 -5", `meshio: line 5: corner "-5": vertex -5 is out of range, there are 4 so far`},
		{"vertex after the face", "v 0 0 0\nv 1 0 0\nf 1 2 3\nv 1 1 0\n", `meshio: line 3: corner "3": vertex 3 is out of range, there are 2 so far`},
		{"index of a word", square + "f 1 2 x", `meshio: line 5: corner "x": "x" is not an index`},
		{"index beyond int64", square + "f 1 2 99999999999999999999", `meshio: line 5: corner "99999999999999999999": "99999999999999999999" is not an index`},
		{"index missing", square + "f 1 2 /3", `meshio: line 5: corner "/3": "" is not an index`},
		{"texture coordinate of a word", square + "f 1/a 2 3", `meshio: line 5: corner "1/a": "a" is not an index`},
		{"normal of a word", square + "f 1//a 2 3", `meshio: line 5: corner "1//a": "a" is not an index`},
		{"first of the joined lines", square + "f 1 2 \\\n\\\nx\nf 1 2 3", `meshio: line 5: corner "x": "x" is not an index`},
		{"lines are counted past joined ones", square + "f 1 2 \\\n3\nf 9 9 9", `meshio: line 7: corner "9": vertex 9 is out of range, there are 4 so far`},
	})
}

func TestOBJRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := partGen().Draw(t, "part")
		model, err := meshio.DecodeOBJ(strings.NewReader(objText(part)))
		require.NoError(t, err)
		checkModel(t, model)
		require.Equal(t, trianglesOf(part), trianglesOf(model.Parts...))
	})
}
