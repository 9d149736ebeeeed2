package xpointer

import "fmt"

// Script plays a game in its own loop: the game calls Tick once a tick.
type Script struct {
	Steps []Step
	ticks int // of the first of Steps
}

// Step is what a Script does, and what it waits for before it goes on.
type Step struct {
	Name  string
	Do    func(p *Pointer) error // nil: nothing
	Until func() bool            // nil: the next tick
}

// Press is a step that presses the left button.
func Press(name string, until func() bool) Step {
	return Step{name, func(p *Pointer) error { return p.Press(Left) }, until}
}

// Release is a step that releases the left button.
func Release(name string, until func() bool) Step {
	return Step{name, func(p *Pointer) error { return p.Release(Left) }, until}
}

// Play calls frame, a tick of a game, until all steps have come to their ends.
func Play(p *Pointer, frame func() error, steps ...Step) error {
	s := Script{Steps: steps}
	for {
		if err := frame(); err != nil {
			return err
		}
		if done, err := s.Tick(p); done || err != nil {
			return err
		}
	}
}

// patience is the number of ticks after which a step has failed: ten seconds at 60 ticks a second.
const patience = 600

// Tick does the next step, or waits for the one that was done. done is true once all have come to
// their ends.
func (s *Script) Tick(p *Pointer) (done bool, err error) {
	if len(s.Steps) == 0 {
		return true, nil
	}
	step := &s.Steps[0]
	if s.ticks == 0 && step.Do != nil {
		if err := step.Do(p); err != nil {
			return false, fmt.Errorf("xpointer: %s: %w", step.Name, err)
		}
	}
	s.ticks++
	switch {
	case s.ticks > 1 && (step.Until == nil || step.Until()):
		s.Steps, s.ticks = s.Steps[1:], 0
	case s.ticks > patience:
		return false, fmt.Errorf("xpointer: %s: it has not come about after %d ticks", step.Name, patience)
	}
	return len(s.Steps) == 0, nil
}
