package inspect

import (
	"slices"

	"github.com/hitscan-go/hitscan/physics"
)

// Looks that are kept, so that requests can look at the past while the game goes on.

// isWatched reports whether a request has come within the last Slots times every calls.
func (i *Inspector) isWatched(every int) bool {
	if i.asked.Load() {
		i.asked.Store(false)
		i.watch = Slots * every
	} else if i.watch > 0 {
		i.watch--
	}
	return i.watch > 0
}

// keep keeps a look at a tick if one is due while a browser looks. Those of this tick and later
// ones are of a time that the game has left.
func (i *Inspector) keep(s *physics.Space, every int, watched bool) {
	n := len(i.past) // which this goroutine alone changes
	if !watched && (n == 0 || i.past[n-1].tick < i.ticks) {
		return
	}
	i.mutex.Lock()
	for n > 0 && i.past[n-1].tick >= i.ticks {
		n--
	}
	drop := i.past[n:]
	due := watched && (n == 0 || i.ticks >= i.past[n-1].tick+every)
	if due && n >= i.Past {
		drop = append(slices.Clone(drop), i.past[0])
		i.past, n = i.past[1:], n-1
	}
	i.past = i.past[:n]
	i.mutex.Unlock()
	for _, l := range drop {
		i.leave(l)
	}
	if !due {
		return
	}
	i.mutex.Lock()
	l := i.blank()
	i.mutex.Unlock()
	close(l.ready) // nothing waits for it
	i.fill(l, s)
	i.mutex.Lock()
	defer i.mutex.Unlock()
	i.past = append(i.past, l)
}

// kept returns the last look that is kept of a tick or before it, else the first; nil if the tick
// is 0 or no look is kept. The mutex is locked.
func (i *Inspector) kept(tick int) (l *Look) {
	for _, past := range i.past {
		if tick > 0 && (l == nil || past.tick <= tick) {
			l = past
		}
	}
	return l
}

// complete adds what does not belong to a look but to the present.
func (i *Inspector) complete(f *frame) *frame {
	i.mutex.Lock()
	for _, l := range i.past {
		f.Looks = append(f.Looks, l.tick)
	}
	i.mutex.Unlock()
	if f.Control = i.Control != nil; f.Control {
		f.Paused, f.Saves = i.Control.state()
	}
	return f
}
