package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// replay plays a recording.
func (h *simulatedPointer) replay(text []byte) {
	name := filepath.Join(h.t.TempDir(), "session.txt")
	require.NoError(h.t, os.WriteFile(name, text, 0o666))
	frames, err := readReplay(name)
	require.NoError(h.t, err)
	h.a.tape = newTape(&config{replay: frames})
	for len(h.a.tape.in) > 0 {
		h.a.tape.play(h.a)
		h.a.respond()
		require.NoError(h.t, h.a.writeEvents(&h.events))
	}
}

// TestRecordedSession replays a session with all that the pointer does: the events, the selection,
// the transforms and the camera are the same.
func TestRecordedSession(t *testing.T) {
	h := newSimulatedPointer(t)
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

	again := newSimulatedPointer(t)
	again.replay(file.Bytes())
	assert.Contains(t, again.events.String(), "Click Left ball\n")
	assert.Contains(t, again.events.String(), "DragStart Left ground\n")
	assert.Equal(t, h.events.String(), again.events.String())
	assert.Equal(t, h.a.selected(), again.a.selected())
	assert.Equal(t, h.place("crate"), again.place("crate"))
	assert.Equal(t, h.a.controls.orbit, again.a.controls.orbit)
	assert.Equal(t, *ecs.GetResource[physecs.View](&h.a.world), *ecs.GetResource[physecs.View](&again.a.world))
}

// TestRecordedKeys replays a session in which keys select tools, move the camera and switch
// overlays.
func TestRecordedKeys(t *testing.T) {
	h := newSimulatedPointer(t)
	var file bytes.Buffer
	h.a.tape = newTape(&config{record: &file})
	h.click("crate")
	h.key("3")
	from, to := h.handle(picking.HandleY, 40)
	h.drag(from, to)
	h.key("1", "O")
	from, to = h.handle(picking.HandleX, 30)
	h.move(from[0], from[1])
	h.press(picking.Left)
	h.move(to[0], to[1])
	h.key("Escape") // takes the drag back
	h.release(picking.Left)
	h.key("F") // a jump of the camera, in some frames
	for range jumpFrames + 3 {
		h.step()
	}
	h.key("L")
	h.key("I")
	h.hold("X")
	h.hold("X", "Plus")
	h.hold("X")
	h.hold()
	h.key("2")
	h.key("R")
	require.Greater(t, h.place("crate").Factors().Y, float32(1.1))
	require.NotZero(t, h.a.controls.jump)
	require.True(t, h.a.gizmo.Gizmo.Local)
	assert.Contains(t, file.String(), " | keys down=1+O pressed=1+O | ")
	assert.Contains(t, file.String(), " | keys down=Plus+X pressed=Plus | ")

	state := func(h *simulatedPointer) []any {
		g, m := &h.a.gizmo.Gizmo, &h.a.marquee
		return []any{
			h.events.String(), h.a.selected(), h.place("crate"), h.a.controls, h.a.overlays, g.Mode, g.Local, m.Marquee.Lasso,
			m.Options.Contained, *ecs.GetResource[physecs.View](&h.a.world),
		}
	}
	again := newSimulatedPointer(t)
	again.replay(file.Bytes())
	assert.Equal(t, state(h), state(again))

	without := newSimulatedPointer(t)
	without.replay(regexp.MustCompile(` \| keys [^|\n]*`).ReplaceAll(file.Bytes(), nil))
	for i, s := range state(without) {
		if i != 1 { // the crate is still selected
			assert.NotEqual(t, state(h)[i], s, "%d: the keys count", i)
		}
	}
}

// TestRecordedWalk replays a walk in the arena: held keys walk, others jump, shoot and restart.
func TestRecordedWalk(t *testing.T) {
	walker := func() *simulatedPointer {
		a := &app{world: ecs.NewWorld(), config: config{steady: true}, renderer: &render.Renderer{}, spots: map[string]render.Rect{}}
		a.transforms = generic.NewMap[physecs.Transform](&a.world)
		require.NoError(t, a.fill(arenaScene))
		*a.view() = physecs.View{Camera: a.scene.home.Camera(), Viewport: picking.FullViewport(simulatedWindow, simulatedWindow)}
		return &simulatedPointer{t: t, a: a, in: picking.Input{Inside: true, X: 500, Y: 300}}
	}
	h := walker()
	var file bytes.Buffer
	h.a.tape = newTape(&config{record: &file})
	for i := range 120 {
		keys := []string{"W"}
		if i > 60 {
			keys = append(keys, "D", "LeftShift")
		}
		if i%40 == 20 {
			keys = append(keys, "Space")
		}
		if i%17 == 16 {
			keys = append(keys, "F")
		}
		h.in.X += 2
		h.hold(keys...)
	}
	again := walker()
	start := again.place("character")
	again.replay(file.Bytes())
	require.Greater(t, h.place("character").Position.Distance(start.Position), float32(3))
	assert.Equal(t, h.events.String(), again.events.String())
	require.Equal(t, len(h.a.scene.all), len(again.a.scene.all))
	for i, e := range h.a.scene.all {
		assert.Equal(t, *h.a.transforms.Get(e), *again.a.transforms.Get(again.a.scene.all[i]), h.a.scene.names[e])
	}
}

// A recording with keys unknown to the sandbox is an error.
func TestReplayOfUnknownKeys(t *testing.T) {
	name := filepath.Join(t.TempDir(), "session.txt")
	require.NoError(t, os.WriteFile(name, []byte("hitscan pointers 1\n0.5 | keys pressed=jump\n"), 0o666))
	_, err := readReplay(name)
	require.ErrorContains(t, err, name+`: "jump", at 500ms, is none of the keys 0, 1, `)
}

// Which of the window's key events count as presses.
func TestKeyboard(t *testing.T) {
	var k, read keyboard
	for _, tt := range []struct {
		name        string
		down, typed []string
		text        string
		wantTyped   []string
		wantDown    []string
	}{
		{"nothing", nil, nil, "", nil, nil},
		{"down", []string{"L"}, []string{"L"}, "l", []string{"L"}, []string{"L"}},
		{"held", []string{"L"}, []string{"L", "L"}, "ll", nil, []string{"L"}},
		{"repeated before it went up", nil, []string{"L", "L"}, "ll", nil, nil},
		{"up and down within a frame", nil, []string{"3"}, "3", []string{"3"}, nil},
		{"the plus of a keypad", []string{"PadAdd"}, []string{"PadAdd"}, "+", []string{"Plus"}, []string{"Plus"}},
		{"held plus of a keypad", []string{"PadAdd"}, []string{"PadAdd"}, "+", nil, []string{"Plus"}},
		{"another plus, and a minus", nil, []string{"Equal"}, "+=-_", []string{"Plus", "Plus", "Minus", "Minus"}, nil},
		{"a key without a meaning", []string{"F7"}, []string{"F7"}, "", nil, nil},
	} {
		k.take(tt.down, tt.typed, []rune(tt.text))
		var keys physecs.Keys
		k.write(&keys)
		assert.Equal(t, tt.wantDown, keys.Down, tt.name)
		assert.Equal(t, tt.wantTyped, append([]string(nil), k.typed...), tt.name)
		read.read(&keys)
		assert.Equal(t, tt.wantTyped, append([]string(nil), read.typed...), tt.name)
		for _, key := range usedKeys {
			assert.Equal(t, k.isDown(key), read.isDown(key), tt.name)
		}
	}
}
