package ply

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/hitscan-go/hitscan/internal/testenv" // fixes the seed of rapid
	"github.com/hitscan-go/hitscan/physics/geom"
)

const good = `ply
format ascii 1.0
comment by hand
element vertex 4
property float x
property float y
property float z
property float confidence
element face 2
property list uchar int vertex_indices
end_header
0 0 0 1
1 0 0 0.5
0 -1.5e-3 0 1

0 0 1 1
3 0 1 2
3 3 2 1
`

func TestDecode(t *testing.T) {
	for name, text := range map[string]string{
		"as it is":       good,
		"no last line":   strings.TrimSuffix(good, "\n"),
		"Windows' lines": strings.ReplaceAll(good, "\n", "\r\n"),
		"blanks":         strings.ReplaceAll(good, "\n", " \t\n") + "\n \n",
	} {
		t.Run(name, func(t *testing.T) {
			vertices, indices, err := Decode(strings.NewReader(text))
			require.NoError(t, err)
			assert.Equal(t, []geom.Vec3{{}, {X: 1}, {Y: -1.5e-3}, {Z: 1}}, vertices)
			assert.Equal(t, []uint32{0, 1, 2, 3, 2, 1}, indices)
		})
	}
}

func TestDecodeDamaged(t *testing.T) {
	for name, c := range map[string]struct{ old, new, says string }{
		"another kind":          {"ply\n", "solid\n", `line 1: "solid": want "ply"`},
		"an empty line first":   {"ply\n", "\nply\n", "line 2"},
		"binary":                {"ascii", "binary_little_endian", "line 2"},
		"another version":       {"1.0", "2.0", "line 2"},
		"another element":       {"element face", "element edge", "line 9"},
		"faces twice":           {"element face 2\n", "element face 2\nelement face 2\n", "line 10"},
		"a property of nothing": {"element vertex 4\n", "", "line 4"},
		"an unknown word":       {"comment", "remark", "line 3"},
		"a negative number":     {"vertex 4", "vertex -4", "line 4"},
		"too many":              {"vertex 4", "vertex 4294967296", "line 4"},
		"no y":                  {"property float y\n", "", `"float z" of a vertex`},
		"another order":         {"property float x\nproperty float y", "property float y\nproperty float x", `"float y" of a vertex`},
		"only x and y":          {"property float z\nproperty float confidence\n", "", "2 properties of a vertex"},
		"vertices with a list":  {"property float confidence", "property list uchar int k", "of a vertex"},
		"faces without a list":  {"property list uchar int vertex_indices\n", "", "0 of a face"},
		"faces of a number":     {"list uchar int", "int", "one list"},
		"faces with a colour":   {"end_header", "property uchar red\nend_header", "2 of a face"},
		"no faces":              {"element face 2\nproperty list uchar int vertex_indices\n", "", "no vertices and faces"},
		"a number too few":      {"1 0 0 0.5", "1 0 0", "line 13: vertex 1: 3 numbers"},
		"a number too many":     {"1 0 0 0.5", "1 0 0 0.5 7", "line 13"},
		"a word":                {"1 0 0 0.5", "1 0 zero 0.5", `line 13: vertex 1: strconv`},
		"a word at the end":     {"1 0 0 0.5", "1 0 0 half", "line 13"},
		"NaN":                   {"1 0 0 0.5", "1 nan 0 0.5", "line 13: vertex 1: nan is not finite"},
		"infinite":              {"1 0 0 0.5", "1 -Inf 0 0.5", "not finite"},
		"beyond single":         {"1 0 0 0.5", "1e39 0 0 0.5", "out of range"},
		// The first face looks like a vertex.
		"a vertex too few":   {"0 0 1 1\n", "", "line 17: face 1 of 2"},
		"a vertex too many":  {"0 0 1 1\n", "0 0 1 1\n0 0 1 1\n", "line 17: face 0"},
		"a face of four":     {"3 3 2 1", "4 3 2 1 0", "line 18: face 1"},
		"a face of two":      {"3 3 2 1", "3 3 2", "line 18"},
		"out of range":       {"3 3 2 1", "3 4 2 1", "line 18: face 1: vertex 4 of 4"},
		"negative":           {"3 3 2 1", "3 -1 2 1", "line 18"},
		"a face too few":     {"3 3 2 1\n", "", "line 17: face 1 of 2: unexpected EOF"},
		"a face too many":    {"3 3 2 1\n", "3 3 2 1\n3 0 1 2\n", `line 19: "3 0 1 2" follows`},
		"a promise":          {"face 2", "face 2147483647", "face 2 of 2147483647: unexpected EOF"},
		"a line without end": {"by hand", strings.Repeat("x", 1<<17), "line 3: header: bufio.Scanner: token too long"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, good, c.old)
			_, _, err := Decode(strings.NewReader(strings.Replace(good, c.old, c.new, 1)))
			require.ErrorContains(t, err, c.says)
		})
	}
}

// Wherever a file is cut off, that is an error, except for the end of the last line.
func TestDecodeCut(t *testing.T) {
	for n := range len(good) - 2 {
		_, _, err := Decode(strings.NewReader(good[:n]))
		require.Error(t, err, "%d bytes", n)
	}
	_, _, err := Decode(strings.NewReader(""))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	_, _, err = Decode(io.MultiReader(strings.NewReader(good), iotest.ErrReader(io.ErrClosedPipe)))
	require.ErrorIs(t, err, io.ErrClosedPipe)
}

func TestReadFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "two.ply")
	require.NoError(t, os.WriteFile(name, []byte(good), 0o644))
	vertices, indices, err := ReadFile(name)
	require.NoError(t, err)
	assert.Len(t, vertices, 4)
	assert.Len(t, indices, 6)

	require.NoError(t, os.WriteFile(name, []byte("ply\n"), 0o644))
	_, _, err = ReadFile(name)
	require.ErrorContains(t, err, name+": line 1: no PLY file")
	_, _, err = ReadFile("none.ply")
	require.ErrorIs(t, err, os.ErrNotExist)
}

// What is written comes back, bit by bit.
func TestDecodeWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Float32()
		vertices := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) geom.Vec3 {
			return geom.V(number.Draw(t, "x"), number.Draw(t, "y"), number.Draw(t, "z"))
		}).Filter(geom.Vec3.IsFinite), 1, 20).Draw(t, "vertices")
		corner := rapid.Uint32Range(0, uint32(len(vertices)-1))
		faces := rapid.SliceOfN(rapid.SliceOfN(corner, 3, 3), 1, 20).Draw(t, "faces")
		text := fmt.Sprintf("ply\nformat ascii 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\n"+
			"element face %d\nproperty list uchar int vertex_indices\nend_header\n", len(vertices), len(faces))
		for _, v := range vertices {
			text += fmt.Sprintln(v.X, v.Y, v.Z)
		}
		var indices []uint32
		for _, f := range faces {
			text += fmt.Sprintln(3, f[0], f[1], f[2])
			indices = append(indices, f...)
		}
		gotVertices, gotIndices, err := Decode(strings.NewReader(text))
		require.NoError(t, err)
		require.Equal(t, vertices, gotVertices)
		require.Equal(t, indices, gotIndices)
	})
}

// Whatever is read, it is an error or a mesh that can be built.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte(strings.Replace(good, "face 2", "face 2147483647", 1)))
	f.Add([]byte("ply\nformat ascii 1.0\nend_header\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		vertices, indices, err := Decode(strings.NewReader(string(data)))
		if err != nil {
			require.Nil(t, vertices)
			require.Nil(t, indices)
			return
		}
		require.Zero(t, len(indices)%3)
		for _, i := range indices {
			require.Less(t, int(i), len(vertices))
		}
		for _, v := range vertices {
			require.True(t, v.IsFinite())
		}
	})
}
