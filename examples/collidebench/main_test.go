package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

func TestPosesAreAsFarApartAsTheySay(t *testing.T) {
	all := makePoses()
	require.Len(t, all, 63*len(states)*poses)
	for i := 0; i < len(all); i += 7 {
		require.InDelta(t, states[all[i].state].gap, all[i].gap(), 1e-5, all[i].name())
	}
}

// hall returns a room with a floor and a roof, 20 m by 20 m and 4 m high, at 32 units a metre.
func hall(t *testing.T) *mesh.Mesh {
	vertices, indices := mesh.Box(geom.V(320, 64, 320))
	for i := 0; i < len(indices); i += 3 { // seen from inside
		indices[i], indices[i+1] = indices[i+1], indices[i]
	}
	m, err := mesh.New(vertices, indices)
	require.NoError(t, err)
	return m
}

func TestMeasures(t *testing.T) {
	m := hall(t)
	var out bytes.Buffer
	measurePairs(&out, makePoses()[:2*poses], options{runs: 1})
	measureCasts(&out, m, makeCasts(m.Bounds()), options{runs: 1})
	require.NoError(t, measureMovers(&out, m, 20))
	for _, name := range []string{"sphere-sphere-apart ", "touching-sphere-sphere-apart 0.0000", "sphere-sphere-near ",
		"touching-sphere-sphere-near 1.0000", "cast-sphere-0.002 ", "cast-box-0.02 ", "touching-cast-hull-0.02 1.0000", "movers_ms "} {
		assert.Contains(t, out.String(), name)
	}
	assert.Contains(t, out.String(), " 1.0000 hit ", "there is no way through the hall but through its walls")
}

func TestSavesWhatItMeasures(t *testing.T) {
	dir := t.TempDir()
	ball := filepath.Join(dir, "ball.obj")
	require.NoError(t, run([]string{"-save", dir}, io.Discard, io.Discard))
	require.NoError(t, run([]string{"-mesh", ball, "-save", dir}, io.Discard, io.Discard))
	for name, want := range map[string]struct{ lines, words int }{
		"poses.txt": {63 * len(states) * poses, 17}, "ball.obj": {162 + 320, 4}, "field.txt": {34, 3}, "casts.txt": {len(castShapes) * len(castSizes) * casts, 8},
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		require.Len(t, lines, want.lines)
		require.Len(t, strings.Fields(lines[0]), want.words)
	}
}

func TestRefusesWhatItCannotDo(t *testing.T) {
	wide := filepath.Join(t.TempDir(), "wide.obj")
	require.NoError(t, os.WriteFile(wide, []byte("v 3.4e38 -3.4e38 0\nv -3.4e38 3.4e38 1\nv 3.4e38 3.4e38 -3.4e38\nf 1 2 3\n"), 0o600))
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"words":           {[]string{"bunny.obj"}, "what is \"bunny.obj\"?"},
		"no runs":         {[]string{"-runs", "0"}, "-runs 0: want at least 1"},
		"nothing to walk": {[]string{"-movers", "5"}, "-movers 5: want at least 1, and -mesh"},
		"too wide":        {[]string{"-mesh", wide}, "wide.obj: no casts can be made"},
		"no mesh":         {[]string{"-mesh", "missing.obj"}, "missing.obj"},
	} {
		err := run(c.args, new(bytes.Buffer), new(bytes.Buffer))
		require.ErrorContains(t, err, c.want, name)
	}
	empty := hall(t)
	var out bytes.Buffer
	assert.ErrorContains(t, measureMovers(&out, tiny(t, empty), 1), "no floor")
}

// tiny returns a mesh too small to stand in.
func tiny(t *testing.T, m *mesh.Mesh) *mesh.Mesh {
	vertices := append([]geom.Vec3(nil), m.Vertices()...)
	for i := range vertices {
		vertices[i] = vertices[i].Mul(0.1)
	}
	small, err := mesh.New(vertices, m.Indices())
	require.NoError(t, err)
	return small
}
