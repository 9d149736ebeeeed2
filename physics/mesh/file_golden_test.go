package mesh_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

var updateFile = flag.Bool("update", false, "rewrite testdata/golden.mesh after a change of its version")

// A file of this version can be read on every architecture, with the same hits. If this test fails,
// the format of files or the layout of nodes and leaves has changed: raise the version, and run the
// test with -update.
func TestFileSameBits(t *testing.T) {
	name := filepath.Join("testdata", "golden.mesh")
	if *updateFile {
		s := ring(8, 6)
		loose := crossing()
		s.add(loose.vertices[:90], loose.indices[:90])
		require.NoError(t, s.mesh(t).WriteFile(name))
	}
	m, err := mesh.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, m.Validate())
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	var again bytes.Buffer
	_, err = m.WriteTo(&again)
	require.NoError(t, err)
	require.True(t, bytes.Equal(data, again.Bytes()), "what was read is written as it was")
	input, hits := golden.New(), golden.New()
	input.Vec(m.Vertices()...)
	for _, i := range m.Indices() {
		input.Uint(uint64(i))
	}
	fresh := surface{"", m.Vertices(), m.Indices()}.mesh(t)
	for i, r := range goldenRays(m, 3000) {
		all := m.CastRayAll(nil, r, culls[i%3])
		require.Equal(t, fresh.CastRayAll(nil, r, culls[i%3]), all)
		for _, h := range all {
			hits.Hit(h, true)
		}
		hits.Hit(m.CastRay(r, culls[i%3]))
		hits.Bool(m.CastRayAny(r, culls[i%3]))
	}
	input.Check(t, "input", 0xbc56d35048b7b7de)
	hits.Check(t, "hits", 0xa69a3bc0e6c4a5ed)
	assert.Greater(t, hits.Found, 3000)
}

func TestRoundTripOfLargeMeshes(t *testing.T) {
	for _, s := range []surface{bunny(t), city(), slivers(), crossing()} {
		t.Run(s.name, func(t *testing.T) {
			m := s.mesh(t)
			var file bytes.Buffer
			_, err := m.WriteTo(&file)
			require.NoError(t, err)
			t.Logf("%.1f bytes a triangle", float64(file.Len())/float64(m.NumTriangles()))
			read, err := mesh.Read(&file)
			require.NoError(t, err)
			require.Equal(t, m, read)
			for i, r := range goldenRays(m, 2000) {
				require.Equal(t, m.CastRayAll(nil, r, culls[i%3]), read.CastRayAll(nil, r, culls[i%3]))
			}
		})
	}
}
