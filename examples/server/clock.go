package main

import (
	"context"
	"time"
)

// All ticks have the same length, so that the game does not depend on the machine: bots walk
// equally far, and the same seed gives the same game. Elapsed time is accumulated and spent tick by
// tick.

// savings is elapsed time that has not been spent on ticks yet.
type savings struct {
	tick  time.Duration
	saved time.Duration
}

// maxOwed is the largest number of ticks that run at once to catch up. On a machine that is slower
// than the game the backlog would grow without end; ticks beyond this number are dropped, and the
// game runs slower.
const maxOwed = 5

// spend adds time and returns the number of ticks that are due, and of ticks dropped.
func (s *savings) spend(passed time.Duration) (due, lost int) {
	s.saved += passed
	due = int(s.saved / s.tick)
	s.saved -= time.Duration(due) * s.tick
	if due > maxOwed {
		due, lost = maxOwed, due-maxOwed
	}
	return due, lost
}

// realTime calls tick rate times a second for the given time or, if that is 0, until the context
// ends. It returns the number of ticks dropped.
func realTime(ctx context.Context, rate int, long time.Duration, tick func()) (lost int) {
	if long > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, long)
		defer stop()
	}
	s := savings{tick: time.Second / time.Duration(rate)}
	bell := time.NewTicker(s.tick)
	defer bell.Stop()
	for last := time.Now(); ; {
		select {
		case <-ctx.Done():
			return lost
		case <-bell.C:
		}
		now := time.Now()
		due, late := s.spend(now.Sub(last))
		last, lost = now, lost+late
		for range due {
			tick()
		}
	}
}
