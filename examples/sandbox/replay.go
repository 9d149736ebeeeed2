package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/picking"
)

// Recording and replaying the pointer and the keys of a session, so that a fault can be reproduced.

// tape is the source of input: the window's, recorded on request, or a recording's.
type tape struct {
	out *picking.Recorder
	in  []picking.Frame // those to come, of a replay
}

// newTape returns the tape for the options of the command line.
func newTape(c *config) (t tape) {
	if c.record != nil {
		t.out = picking.NewRecorder(c.record)
	}
	t.in = c.replay
	return t
}

// input sets the pointer and the keys of this frame.
func (t *tape) input(a *app) error {
	if a.config.replay == nil {
		a.window.Feed(&a.world, &a.renderer.HUD)
		a.keys.listen(a.window)
	} else if len(t.in) > 0 {
		t.play(a)
	}
	if t.out == nil {
		return nil
	}
	return t.record(a)
}

// record writes the frame.
func (t *tape) record(a *app) error {
	if id, all := ecs.ResourceID[physecs.Keys](&a.world), a.world.Resources(); !all.Has(id) {
		all.Add(id, &physecs.Keys{})
	}
	a.keys.write(ecs.GetResource[physecs.Keys](&a.world))
	return physecs.Record(&a.world, t.out)
}

// play sets the pointer and the keys of the recording's next frame. A pointer that was over a panel
// was recorded as outside of the world; the panel gets it again.
func (t *tape) play(a *app) {
	physecs.Play(&a.world, &t.in[0])
	a.keys.read(&t.in[0].Keys)
	t.in = t.in[1:]
	a.renderer.HUD.Input(*ecs.GetResource[physecs.Pointer](&a.world))
	a.renderer.HUD.Resize(a.view().Window)
}

// replay plays the recording to its end and writes what happened.
func (a *app) replay(w io.Writer) error {
	for len(a.tape.in) > 0 && !a.window.ShouldClose() {
		a.window.Poll()
		if err := a.frame(); err != nil {
			return err
		}
		if err := a.writeEvents(w); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, "selected:", orNothing(a.selected()))
	return err
}

// writeEvents writes the pointer events of a frame, one a line: time, kind, button, target.
func (a *app) writeEvents(w io.Writer) error {
	for _, e := range ecs.GetResource[physecs.Events](&a.world).List {
		words := []string{fmt.Sprintf("%.3f", e.Time.Seconds()), e.Kind.String()}
		switch e.Kind {
		case picking.Down, picking.Up, picking.Click, picking.Cancel, picking.DragStart, picking.Drag, picking.DragEnter,
			picking.DragOver, picking.DragLeave, picking.Drop, picking.DragEnd:
			words = append(words, e.Button.String())
		}
		name := "background"
		if !e.Background {
			name = a.scene.names[e.Target]
		}
		if _, err := fmt.Fprintln(w, strings.Join(append(words, name), " ")); err != nil {
			return err
		}
	}
	return nil
}

// selected returns the names of the selected entities.
func (a *app) selected() (names []string) {
	for _, e := range ecs.GetResource[physecs.Selection](&a.world).List() {
		names = append(names, a.scene.names[e])
	}
	return names
}

// readReplay reads a recording.
func readReplay(file string) ([]picking.Frame, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	frames, err := picking.ReadFrames(file, f)
	if err == nil && len(frames) == 0 {
		err = fmt.Errorf("%s: there is no frame in it", file)
	}
	if err == nil {
		if err = checkKeys(frames); err != nil {
			err = fmt.Errorf("%s: %w", file, err)
		}
	}
	return frames, err
}
