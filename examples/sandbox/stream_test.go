package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
)

// What the real pointer did in one sandbox is done again in another, by what was recorded.
func TestRecordAndReplay(t *testing.T) {
	c := config{width: 720, height: 450, noVSync: true, steady: true}
	a, play := played(t, c)
	file := filepath.Join(t.TempDir(), "session.txt")
	require.NoError(t, a.stream.open(file, ""))
	play(t, "move bunny\nclick left\nexpect selected bunny\nmove ball\nhold shift\nclick left\nlet shift\nscroll 2\nframes 20\npress right\nmove by 40 10\nrelease right\nframes 2")
	a.stream.close()
	want := ecs.GetResource[physecs.Selection](&a.world).List()
	require.Len(t, want, 2)

	b, err := newApp(c)
	require.NoError(t, err)
	defer b.close()
	b.renderer.Style.Shadows, b.renderer.Style.Samples = false, 1
	require.NoError(t, b.stream.open("", file))
	defer b.stream.close()
	for !b.stream.over {
		require.NoError(t, b.frame())
	}
	assert.Equal(t, want, ecs.GetResource[physecs.Selection](&b.world).List())
	assert.Equal(t, a.controls.orbit, b.controls.orbit)
	assert.Equal(t, a.gizmo.hit, b.gizmo.hit)
}

func TestReplayErrors(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.txt")
	require.NoError(t, os.WriteFile(bad, []byte("hitscan pointers 1\n1 | mouse 1\n"), 0o644))
	assert.ErrorContains(t, run([]string{"-replay", bad, "-play", "x"}, io.Discard), "use one")
	var s stream
	assert.ErrorIs(t, s.open("", bad+"x"), os.ErrNotExist)
	assert.Error(t, s.open(filepath.Join(bad, "none"), bad), "no such folder")
	assert.Empty(t, s.files)
	require.NoError(t, s.open("", bad))
	defer s.close()
	assert.EqualError(t, s.replay.Next(&s.frame), "picking: "+bad+":2: pointer mouse without a place")
}
