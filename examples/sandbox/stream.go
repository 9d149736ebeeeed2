package main

import (
	"bufio"
	"io"
	"os"

	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/picking"
)

// stream records what the pointer does, or plays it back: a line a frame, in the form of package picking. Keys are not in it
// but for those that modify.
type stream struct {
	recorder *picking.Recorder
	replay   *picking.Replay
	frame    picking.Frame
	over     bool // all is played back
	files    []*os.File
}

// open opens the files of -record and -replay; an empty name is none.
func (s *stream) open(record, replay string) error {
	if replay != "" {
		f, err := os.Open(replay)
		if err != nil {
			return err
		}
		s.files = append(s.files, f)
		s.replay = picking.NewReplay(replay, bufio.NewReader(f))
	}
	if record != "" {
		f, err := os.Create(record)
		if err != nil {
			s.close()
			return err
		}
		s.files = append(s.files, f)
		s.recorder = picking.NewRecorder(f)
	}
	return nil
}

func (s *stream) close() {
	for _, f := range s.files {
		f.Close()
	}
	s.files = nil
}

// feed takes in what the pointer does in this frame, from the window or from what was recorded.
func (a *app) feed() error {
	s := &a.stream
	a.window.Feed(&a.world, &a.renderer.HUD)
	if s.replay != nil {
		switch err := s.replay.Next(&s.frame); err {
		case nil:
			physecs.Play(&a.world, &s.frame)
		case io.EOF:
			s.over = true
			ecs.GetResource[physecs.Pointer](&a.world).Inside = false
		default:
			return err
		}
		a.renderer.HUD.Input(*ecs.GetResource[physecs.Pointer](&a.world))
		a.renderer.HUD.Resize(a.view().Window)
	}
	if s.recorder != nil {
		return physecs.Record(&a.world, s.recorder)
	}
	return nil
}
