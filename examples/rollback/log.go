package main

import (
	"slices"
	"time"
)

// confirmation is a tick as it happened.
type confirmation struct {
	step
	hash uint64
}

// log is the newest ticks that were confirmed; those that everyone has are dropped, so that a game
// may go on for days.
type log struct {
	dropped int64 // the ticks before the first of the list
	list    []confirmation
}

// last returns the last tick.
func (l *log) last() int64 { return l.dropped + int64(len(l.list)) }

// at returns a tick that is not dropped.
func (l *log) at(tick int64) *confirmation { return &l.list[tick-l.dropped-1] }

// from returns up to n ticks from one on. They do not change later.
func (l *log) from(tick, n int64) []confirmation {
	end := min(tick-1+n, l.last()) - l.dropped
	return l.list[tick-1-l.dropped : end : end]
}

// drop drops the ticks up to one, now and then. Packets may still hold the old list.
func (l *log) drop(tick int64) {
	const batch = 1024
	if n := min(tick, l.last()) - l.dropped; n >= batch {
		l.list = append(make([]confirmation, 0, 2*batch), l.list[n:]...)
		l.dropped += n
	}
}

// times is how long something took, the last times at least.
type times []time.Duration

func (t *times) add(d time.Duration) {
	const most = 1 << 13
	if *t == nil {
		*t = make(times, 0, most) // at once, so that memory does not grow while the game goes on
	}
	if len(*t) == most {
		*t = slices.Delete(*t, 0, most/2)
	}
	*t = append(*t, d)
}
