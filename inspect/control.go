package inspect

import (
	"net/http"
	"slices"
	"strconv"
	"sync"
)

// Control lets requests change a game: pause it, make it step, and take it back in time. Without
// one, an Inspector changes nothing. With Inspector.Remote other machines may do so, too.
//
//	states := make([]rigid.State, inspect.Slots)
//	inspector.Control = &inspect.Control{
//		Save:    func(slot int) { dynamics.Save(&states[slot]) },
//		Restore: func(slot int) { dynamics.Restore(&states[slot]) },
//	}
//	for game.runs() {
//		if inspector.Runs() {
//			game.tick()
//		}
//		inspector.Frame(space)
//	}
//
// The states are those of the last ticks, from which a game goes on as it did then if they hold all
// that it changes. The game pays for a Save every few ticks, while a browser has the page open and
// until ten seconds later.
type Control struct {
	// Save copies the state of the game to a slot, 0 ≤ slot < Slots, in place of what that held.
	// Restore gives the game the state of that Save. Frame calls them, in the game's goroutine.
	// If one is nil, a game can be paused and stepped, and not taken back.
	Save, Restore func(slot int)

	mutex  sync.Mutex // of what follows
	paused bool
	steps  int  // that are due while it is paused
	held   bool // Runs has last returned false
	back   int  // the tick that a request goes back to; 0: none
	saves  []saved
}

// Slots is the number of states that are kept.
const Slots = 100

// maxSteps is the greatest number of steps that are due.
const maxSteps = 1000

// saved is the tick of a state, and where that is.
type saved struct{ tick, slot int }

// Runs reports whether the game shall make a tick now: false while a request has paused it. Call it
// before each tick, and go on to call Frame while it is false. Without a Control it returns true.
func (i *Inspector) Runs() bool {
	c := i.Control
	if c == nil {
		return true
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.held = c.paused && (c.steps == 0 || c.back != 0)
	if c.paused && !c.held {
		c.steps--
	}
	return !c.held
}

// frame counts the tick that was made and returns its number, and whether one was made. It calls
// Save if one is due after so many ticks and a browser looks, or Restore if a request has asked for
// it.
func (c *Control) frame(tick, every int, watched bool) (now int, made bool) {
	c.mutex.Lock()
	back, slot := c.back, -1
	c.back = 0
	if back != 0 && c.Save != nil && c.Restore != nil {
		for _, s := range c.saves { // the last that is not later, else the first
			if slot < 0 || s.tick <= back {
				tick, slot = s.tick, s.slot
			}
		}
	}
	held := c.held
	c.mutex.Unlock()
	switch {
	case slot >= 0:
		c.Restore(slot)
		return tick, false
	case held:
		return tick, false
	}
	tick++
	if slot = c.room(tick, every, watched); slot >= 0 {
		c.Save(slot)
		c.mutex.Lock()
		c.saves = append(c.saves, saved{tick, slot})
		c.mutex.Unlock()
	}
	return tick, true
}

// room returns the slot for the state of a tick, −1 if it is not kept. The states of this tick and
// later ones are those of a time that the game has left.
func (c *Control) room(tick, every int, watched bool) int {
	n := len(c.saves) // which this goroutine alone changes
	if !watched && (n == 0 || c.saves[n-1].tick < tick) {
		return -1
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for n > 0 && c.saves[n-1].tick >= tick {
		n--
	}
	c.saves = c.saves[:n]
	switch {
	case !watched || c.Save == nil || c.Restore == nil || n > 0 && tick < c.saves[n-1].tick+every:
		return -1
	case n == 0:
		return 0
	case n == Slots:
		c.saves = slices.Delete(c.saves, 0, 1)
	}
	return (c.saves[len(c.saves)-1].slot + 1) % Slots
}

// state returns whether the game is paused, and the ticks to which it can go back.
func (c *Control) state() (paused bool, ticks []int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, s := range c.saves {
		ticks = append(ticks, s.tick)
	}
	return c.paused, ticks
}

var crossOrigin = http.NewCrossOriginProtection()

// control answers "/control?do=": "pause", "run", "step", and "back" with a tick.
func (i *Inspector) control(w http.ResponseWriter, r *http.Request) {
	c, q := i.Control, r.URL.Query()
	tick, err := strconv.Atoi(q.Get("tick"))
	switch {
	case c == nil:
		http.Error(w, "inspect: the game cannot be changed: Control is not set", http.StatusForbidden)
		return
	case r.Method != http.MethodPost:
		http.Error(w, "inspect: only POST", http.StatusMethodNotAllowed)
		return
	case crossOrigin.Check(r) != nil:
		http.Error(w, "inspect: not from a page of another site", http.StatusForbidden)
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	switch do := q.Get("do"); {
	case do == "pause":
		c.paused, c.steps = true, 0
	case do == "run":
		c.paused, c.steps = false, 0
	case do == "step":
		c.paused, c.steps = true, min(c.steps+1, maxSteps)
	case do == "back" && err == nil && tick > 0:
		c.paused, c.steps, c.back = true, 0, tick
	default:
		http.Error(w, "inspect: want do=pause, run, step, or back and a tick above 0", http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
