package main

import (
	"context"
	"time"
)

// A tick is always as long as the one before, so that the game does not depend on the machine: bots
// walk as far, and the same seed gives the same game. Time that passes is saved up and spent tick
// by tick.

// savings is time that has passed and not been spent on ticks.
type savings struct {
	tick  time.Duration
	saved time.Duration
}

// maxOwed is how many ticks are made up for at once. A machine that is slower than the game would
// owe more and more, and come to do nothing else: what is beyond is left out, and the game goes
// slower.
const maxOwed = 5

// spend adds time and returns how many ticks are due, and how many are left out.
func (s *savings) spend(passed time.Duration) (due, lost int) {
	s.saved += passed
	due = int(s.saved / s.tick)
	s.saved -= time.Duration(due) * s.tick
	if due > maxOwed {
		due, lost = maxOwed, due-maxOwed
	}
	return due, lost
}

// realTime calls tick so many times a second, for so long or, with 0, until the context ends. It
// returns how many ticks were left out.
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
