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
