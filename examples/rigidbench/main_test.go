package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

func TestMadeScenesAreThoseOfTheFiles(t *testing.T) {
	for _, name := range []string{"pyramid", "crates", "tumbler"} {
		want, err := readScene(testenv.Data(t, "rigid/"+name+".json.gz"), 0)
		require.NoError(t, err)
		got, err := makeScene(name, 0)
		require.NoError(t, err)
		if name != "tumbler" { // every file has the points of its hull
			assert.Empty(t, got.hull)
			got.hull = want.hull
		}
		if len(want.idx) == 0 {
			want.idx = nil
		}
		assert.True(t, len(want.bodies) >= 1000)
		assert.Equal(t, want, got)
	}
}

func TestMeasuresAndSaves(t *testing.T) {
	dir := t.TempDir()
	poses, times := filepath.Join(dir, "poses"), filepath.Join(dir, "times")
	for _, c := range []struct {
		scene         string
		count, bodies int
	}{{"pyramid", 5, 15}, {"crates", 10, 10}, {"tumbler", 8, 8}, {"joint_grid", 4, 16}} {
		var out bytes.Buffer
		args := []string{"-scene", c.scene, "-count", fmt.Sprint(c.count), "-steps", "5", "-sleep", "-poses", poses, "-times", times}
		require.NoError(t, run(args, &out, &out))
		for _, line := range []string{"step_ms_median ", "step_ms_p99 ", fmt.Sprintf("bodies %d dynamic\n", c.bodies), fmt.Sprintf("awake %d dynamic\n", c.bodies)} {
			assert.Contains(t, out.String(), line)
		}
		p, err := os.ReadFile(poses)
		require.NoError(t, err)
		require.Len(t, p, c.bodies*7*4)
		norm := 0.0 // of the first rotation, after the position
		for k := 3; k < 7; k++ {
			x := float64(math.Float32frombits(binary.LittleEndian.Uint32(p[4*k:])))
			norm += x * x
		}
		assert.InDelta(t, 1, norm, 8*0x1p-24, "four components rounded to single precision")
		hash := fnv.New64a()
		hash.Write(p)
		assert.Contains(t, out.String(), fmt.Sprintf("hash %016x of_poses\n", hash.Sum64()))
		took, err := os.ReadFile(times)
		require.NoError(t, err)
		assert.Len(t, took, 5*8)
	}
}

// Nothing of Box3D's scenes is lost, falls through its ground or flies off.
func TestStagesKeepTheirBodies(t *testing.T) {
	for name := range stages {
		if name == "trees25" || name == "trees50" {
			continue // as trees100, with more triangles
		}
		count := map[string]int{"convex_pile": 4, "junkyard": 1, "large_world": 4, "rain": 1, "washer": 4}[name]
		s, err := makeScene(name, or(count, 3))
		require.NoError(t, err)
		w, err := s.world(false)
		require.NoError(t, err, name)
		for i := range 80 {
			if w.before != nil {
				w.before(i)
			}
			w.dynamics.Step()
			require.Empty(t, w.dynamics.Lost, name)
		}
		require.NotEmpty(t, w.bodies, name)
		for _, id := range w.bodies {
			at, _ := w.dynamics.Transform(id)
			// The waves under trees are 0.4 m deep.
			require.Greater(t, at.Position.Y, float32(-0.5), name)
			require.Less(t, at.Position.Len(), float32(150), name)
		}
	}
}

func TestReadsFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "two.json")
	text := `{"steps":3,"density":10,"bodies":[[0,0.5,0.5,0.5,0,0.5,0,0,0,0,1,0],[1,0.5,0,0,5,0.5,0,0,0,0,1,0]],"joints":[]}`
	require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	var out bytes.Buffer
	require.NoError(t, run([]string{"-scene", name}, &out, &out))
	assert.Contains(t, out.String(), "bodies 2 dynamic\n")
	assert.Contains(t, out.String(), "steps 3 steps\n")
	for with, want := range map[string]string{
		`"joints":[[0,1]]`:                           "joint 0: [0 1]: want two bodies, 0 for a ball or 1 for a hinge, and 12 numbers more",
		`"joints":[[0,0,0,0,0,0,0,0,0,1,0,0,0,0,0]]`: "joint 0: rigid: Dynamics.AddJoint: A and B are both",
		`"joints":[],"bodies":[]`:                    "no steps, or no bodies",
		`"joints":[],"bodies":[[0,1]]`:               "body 0: [0 1]: want a kind from 0 to 3 and 11 numbers more",
		`"joints":[],"tumbler":1,"walls":[[0,1]]`:    "wall 0: [0 1]: want half extents and position",
		`"joints":[],"verts":[0,0,0],"idx":[0,0]`:    "mesh",
	} {
		require.NoError(t, os.WriteFile(name, []byte(strings.Replace(text, `"joints":[]`, with, 1)), 0o666))
		assert.ErrorContains(t, run([]string{"-scene", name}, &out, &out), want)
	}
}

func TestCompressedFilesHaveALimit(t *testing.T) {
	var file bytes.Buffer
	z := gzip.NewWriter(&file)
	fmt.Fprintf(z, `{"steps":1,"density":10,"verts":[%s0],"bodies":[[0,1,1,1,0,1,0,0,0,0,1,0]]}`, strings.Repeat("0,", 1<<20))
	require.NoError(t, z.Close())
	name := filepath.Join(t.TempDir(), "zeros.json.gz")
	require.NoError(t, os.WriteFile(name, file.Bytes(), 0o666))
	_, err := readScene(name, 0)
	require.ErrorContains(t, err, "zeros.json.gz: too large when it is unpacked; -unpacked takes more")
	_, err = readScene(name, 3<<20)
	require.NoError(t, err)
}

func TestRefusesWhatItCannotDo(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"words":      {[]string{"pyramid"}, "what is \"pyramid\"?"},
		"no scene":   {[]string{"-scene", "ragdolls"}, "-scene ragdolls: want convex_pile, crates, joint_grid, "},
		"no file":    {[]string{"-scene", "missing.json"}, "missing.json"},
		"count":      {[]string{"-scene", "missing.json", "-count", "3"}, "a file has all of its bodies"},
		"no threads": {[]string{"-threads", "0"}, "-threads 0: want at least 1"},
		"steps":      {[]string{"-steps", "-1"}, "-steps -1"},
		"unpacked":   {[]string{"-unpacked", "-1"}, "-unpacked -1: want at least 1"},
	} {
		assert.ErrorContains(t, run(c.args, new(bytes.Buffer), new(bytes.Buffer)), c.want, name)
	}
}
