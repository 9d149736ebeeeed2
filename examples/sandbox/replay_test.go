package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/picking"
)

// TestRecordedSession replays a session with all that the pointer does: the same events come of it, the same selection, the same
// places and the same camera.
func TestRecordedSession(t *testing.T) {
	h := newHand(t)
	var file bytes.Buffer
	h.a.tape = newTape(&config{record: &file})
	h.step()
	h.click("ball")
	h.in.Mods = picking.ModShift
	h.click("crate")
	h.in.Mods = 0
	from, to := h.handle(picking.HandleY, 40)
	h.drag(from, to)
	h.in.ScrollY = 1
	h.step()
	h.in.ScrollY = 0
	h.move(400, 500)
	h.press(picking.Right)
	h.move(430, 510)
	h.in.Inside = false // the drag goes on over a panel
	h.move(470, 520)
	h.in.Inside = true
	h.move(480, 520)
	h.release(picking.Right)
	from, to = h.around("marble")
	h.in.Mods = picking.ModShift
	h.drag(from, to)
	h.in.Mods = 0
	require.Subset(t, h.a.selected(), []string{"ball", "crate", "marble"})

	name := filepath.Join(t.TempDir(), "session.txt")
	require.NoError(t, os.WriteFile(name, file.Bytes(), 0o666))
	frames, err := readReplay(name)
	require.NoError(t, err)
	again := newHand(t)
	again.a.tape = newTape(&config{replay: frames})
	for len(again.a.tape.in) > 0 {
		again.a.tape.play(again.a)
		again.a.act()
		require.NoError(t, again.a.tell(&again.told))
	}
	assert.Contains(t, again.told.String(), "Click Left ball\n")
	assert.Contains(t, again.told.String(), "DragStart Left ground\n")
	assert.Equal(t, h.told.String(), again.told.String())
	assert.Equal(t, h.a.selected(), again.a.selected())
	assert.Equal(t, h.place("crate"), again.place("crate"))
	assert.Equal(t, h.a.controls.orbit, again.a.controls.orbit)
	assert.Equal(t, *ecs.GetResource[physecs.View](&h.a.world), *ecs.GetResource[physecs.View](&again.a.world))
}
