package meshio_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

const facet = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nendloop\nendfacet\n"

func TestDecodeTextSTL(t *testing.T) {
	triangle := meshio.Part{Vertices: squareVertices[:3], Indices: []uint32{0, 1, 2}}
	named := func(name string) meshio.Part {
		p := triangle
		p.Name = name
		return p
	}
	tests := []struct {
		name, text string
		want       []meshio.Part
	}{
		{"one facet", "solid\n" + facet + "endsolid\n", []meshio.Part{triangle}},
		{"named", "solid a lid \n" + facet + "endsolid a lid\n", []meshio.Part{named("a lid")}},
		{"two solids", "solid a\n" + facet + "endsolid a\nsolid b\n" + facet + "endsolid b", []meshio.Part{named("a"), named("b")}},
		{"an empty solid is left out", "solid a\nendsolid a\nsolid b\n" + facet + "endsolid b", []meshio.Part{named("b")}},
		{"capitals", strings.ToUpper("solid\n" + facet + "endsolid\n"), []meshio.Part{triangle}},
		{"CRLF", strings.ReplaceAll("solid a\n"+facet+"endsolid\n", "\n", "\r\n"), []meshio.Part{named("a")}},
		{"blanks and a byte order mark", "\xef\xbb\xbf\n  solid\n" + strings.ReplaceAll(facet, " ", "\t ") + "endsolid\n", []meshio.Part{triangle}},
		{"a facet in one line", "solid\n" + strings.ReplaceAll(facet, "\n", " ") + "\nendsolid\n", []meshio.Part{triangle}},
		{"normals are not read", "solid\n" + strings.ReplaceAll(facet, "0 0 1\nouter", "-nan(ind) 1e99 x\nouter") + "endsolid", []meshio.Part{triangle}},
		{
			"corners are welded", "solid\n" + facet + strings.Replace(facet, "vertex 1 0 0", "vertex -0 1 0", 1) + "endsolid\n",
			[]meshio.Part{{
				Vertices: squareVertices, Indices: []uint32{0, 1, 2, 0, 3, 2},
			}},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			model, err := meshio.DecodeSTL(strings.NewReader(test.text))
			require.NoError(t, err)
			checkModel(t, model)
			assert.Equal(t, test.want, model.Parts)
		})
	}
}

func TestDecodeBinarySTL(t *testing.T) {
	withTrailer := append(stlBinary("", cube), "made by hand"...)
	solid := stlBinary("solid cube", cube)
	spaces := stlBinary("solid"+strings.Repeat(" ", 75), cube)
	oddNormals := stlBinary("", cube)
	copy(oddNormals[84:], bytes.Repeat([]byte{0xff}, 12)) // NaN
	for name, data := range map[string][]byte{
		"plain": stlBinary("made by hand", cube), "begins with solid": solid, "begins with solid and blanks": spaces,
		"more behind the triangles": withTrailer, "NaN normals": oddNormals,
	} {
		t.Run(name, func(t *testing.T) {
			model, err := meshio.DecodeSTL(bytes.NewReader(data))
			require.NoError(t, err)
			checkModel(t, model)
			require.Len(t, model.Parts, 1)
			assert.Empty(t, model.Parts[0].Name)
			assert.Len(t, model.Parts[0].Vertices, 8)
			assert.Equal(t, trianglesOf(cube), trianglesOf(model.Parts...))
		})
	}
}

func TestDecodeSTLDamaged(t *testing.T) {
	whole := stlBinary("solid cube", cube)
	claims := func(n uint32, size int) string {
		data := append([]byte(nil), whole[:size]...)
		binary.LittleEndian.PutUint32(data[80:], n)
		return string(data)
	}
	withFloat := func(at int, x float32) string {
		data := append([]byte(nil), whole...)
		binary.LittleEndian.PutUint32(data[at:], math.Float32bits(x))
		return string(data)
	}
	inf, nan := float32(math.Inf(-1)), float32(math.NaN())
	requireErrors(t, meshio.DecodeSTL, []damaged{
		{"empty", "", "meshio: byte 0: the file ends within the 84 bytes that an STL begins with"},
		{"cut off in the header", string(whole[:83]), "meshio: byte 83: the file ends within the 84 bytes that an STL begins with"},
		{"cut off in a triangle", string(whole[:200]), "meshio: byte 80: claims 12 triangles, which take 684 bytes, but the file has 200"},
		{"four billion triangles", claims(math.MaxUint32, 100), "meshio: byte 80: claims 4294967295 triangles, which take 214748364834 bytes, but the file has 100"},
		{"no triangles", claims(0, 84), "meshio: byte 80: the file has no triangles"},
		{"NaN", withFloat(84+12, nan), "meshio: byte 96: triangle 0: the corner (NaN, -1, -1) is not finite"},
		{"infinite last corner", withFloat(84+11*50+12+32, inf), "meshio: byte 670: triangle 11: the corner (-1, 1, -Inf) is not finite"},

		{"text without facets", "solid\nendsolid\n", "meshio: line 3: the file ends without a facet"},
		{"text cut off in a solid", "solid\n" + facet, "meshio: line 9: the file ends within a solid"},
		{"text cut off in a facet", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0", `meshio: line 4: the file ends where "vertex" is expected`},
		{"text cut off in a vertex", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0", "meshio: line 4: the file ends within a vertex"},
		{"a wrong word", "solid\nfacet normal 0 0 1\nouter lop\n", `meshio: line 3: "lop" where "loop" is expected`},
		{"something between facets", "solid\n" + facet + "face\n", `meshio: line 9: "face" where "facet" is expected`},
		{"something between solids", "solid\n" + facet + "endsolid a\nb", `meshio: line 10: "b" where "solid" is expected`},
		{"no normal", "solid\nfacet\nouter loop", `meshio: line 3: "outer" where "normal" is expected`},
		{"a normal of two", "solid\nfacet normal 0 0\nouter loop", "meshio: line 3: a normal has three coordinates"},
		{"four corners", "solid\n" + strings.Replace(facet, "endloop", "vertex 1 2 3\nendloop", 1), `meshio: line 7: "vertex" where "endloop" is expected`},
		{"no number", "solid\n" + strings.Replace(facet, "1 1 0", "1 one 0", 1), `meshio: line 6: "one" is not a number`},
		{"NaN in a text", "solid\n" + strings.Replace(facet, "1 1 0", "1 1 nan", 1), `meshio: line 6: "nan" is not finite`},
		{"too large in a text", "solid\n" + strings.Replace(facet, "1 1 0", "1 1 -1e40", 1), `meshio: line 6: "-1e40" is too large for a float32`},
	})
}

func TestSTLClaimsAllocateNothing(t *testing.T) {
	data := stlBinary("", cube)[:100]
	binary.LittleEndian.PutUint32(data[80:], math.MaxUint32)
	assert.Less(t, allocated(func() { _, _ = meshio.DecodeSTL(bytes.NewReader(data)) }), uint64(64<<10))
}

func TestSTLRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := partGen().Draw(t, "part")
		for name, data := range map[string][]byte{
			"text": []byte(stlText(part)), "binary": stlBinary("solid "+part.Name, part), "binary with any header": stlBinary("x", part),
		} {
			model, err := meshio.DecodeSTL(bytes.NewReader(data))
			require.NoError(t, err, name)
			checkModel(t, model)
			require.Equal(t, trianglesOf(part), trianglesOf(model.Parts...), name)
			unique := map[geom.Vec3]bool{}
			for _, v := range model.Parts[0].Vertices {
				require.False(t, unique[v], "%s: vertex %v is there twice", name, v)
				unique[v] = true
			}
		}
	})
}
