package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/picking"
)

// TestPlayTools drags a handle and a marquee by a real pointer in a real window, and replays it.
func TestPlayTools(t *testing.T) {
	var file bytes.Buffer
	a, play := played(t, config{width: 600, height: 380, record: &file})
	place := func(a *app) (x, y, z float32) {
		e, _ := a.scene.named("crate")
		p := a.transforms.Get(e).Position
		return p.X, p.Y, p.Z
	}
	x, y, z := place(a)
	play(t, "move crate\nclick left\nexpect selected crate\nmove handle:Y\nframes 1\nexpect hover nothing")
	assert.Equal(t, picking.HandleY, a.gizmo.Gizmo.Handle())
	play(t, "press left\nglide by 0 -40 3\nrelease left\nframes 1\nexpect selected crate")
	toX, toY, toZ := place(a)
	assert.Equal(t, [2]float32{x, z}, [2]float32{toX, toZ}, "along its axis only")
	assert.Greater(t, toY, y+0.1)

	t.Log("escape gives a drag up, and ends the sandbox otherwise only")
	play(t, "move handle:X\npress left\nmove by 30 0\nkey escape\nframes 1\nrelease left\nexpect selected crate")
	againX, againY, againZ := place(a)
	assert.Equal(t, [3]float32{toX, toY, toZ}, [3]float32{againX, againY, againZ})
	assert.False(t, a.window.ShouldClose())

	t.Log("a marquee from the ground, and with alt and shift from a thing")
	play(t, "move 533 372\nexpect hover ground\npress left\nglide 250 169 3\nrelease left")
	assert.Greater(t, len(a.selected()), 3)
	assert.NotContains(t, a.selected(), "ground")
	play(t, "move ground\nclick left\nexpect selected nothing\nmove bunny\nhold alt\npress left\nmove by 6 6\nrelease left\nlet alt\nexpect selected bunny\n"+
		"move panel:aabbs\nclick left\nframes 1")
	require.True(t, a.overlays.aabbs)

	t.Log("the recording makes the same of it")
	dir := t.TempDir()
	session := func(name, text string) string {
		name = filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
		return name
	}
	frames, err := readReplay(session("all.txt", file.String()))
	require.NoError(t, err)
	a.close()
	a.window, a.renderer = nil, nil
	again, err := newApp(config{width: 600, height: 380, noVSync: true, steady: true, replay: frames})
	require.NoError(t, err)
	again.renderer.Style.Shadows, again.renderer.Style.Samples = false, 1
	again.unseen = true // that of the command line below is drawn
	var told bytes.Buffer
	err = again.replay(&told)
	again.close()
	require.NoError(t, err)
	assert.True(t, strings.HasSuffix(told.String(), "\nselected: bunny\n"), told.String())
	assert.True(t, again.overlays.aabbs, "clicks on panels are in it")
	assert.Equal(t, 1, strings.Count(told.String(), " Click Left crate\n"))

	t.Log("on the command line too, of its beginning")
	told.Reset()
	first := strings.Join(strings.SplitAfter(file.String(), "\n")[:5], "") // to the click
	require.NoError(t, run([]string{"-replay", session("first.txt", first), "-record", filepath.Join(dir, "again.txt"),
		"-screenshot", filepath.Join(dir, "end.png")}, &told))
	assert.True(t, strings.HasSuffix(told.String(), " Click Left crate\nselected: crate\n"), told.String())
	assert.Equal(t, 600, decode(t, filepath.Join(dir, "end.png")).Bounds().Dx())
	copied, err := os.ReadFile(filepath.Join(dir, "again.txt"))
	require.NoError(t, err)
	assert.Equal(t, first, string(copied), "a replay that is recorded is the same")
}
