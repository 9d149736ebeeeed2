// Package spare keeps values that nobody uses any more for those who need one next.
package spare

// Period is the number of turns after which values that nobody needed are dropped: some minutes of
// updates. Less: what comes and goes more seldom is allocated each time. More: memory that one busy
// moment needed is kept for longer. Tests change it.
var Period = 1 << 16

// List is values out of use. Those that were not needed during a period are left to the garbage
// collector, so that a game that runs for days has the memory of its last minutes, and not the most
// that any moment of it needed. While the need varies within a period as it did in the one before,
// nothing is allocated.
type List[T any] struct {
	free  []T
	least int // of the length of free in this period: so many at its start were not needed
	turns int // of this period
}

// Take returns the value given last; false if there is none.
func (l *List[T]) Take() (value T, ok bool) {
	n := len(l.free) - 1
	if n < 0 {
		return value, false
	}
	value, l.free[n] = l.free[n], value
	l.free = l.free[:n]
	l.least = min(l.least, n)
	return value, true
}

// Give adds a value.
func (l *List[T]) Give(value T) { l.free = append(l.free, value) }

// Len returns the number of values.
func (l *List[T]) Len() int { return len(l.free) }

// Turn counts time: an update.
func (l *List[T]) Turn() {
	if l.turns++; l.turns < Period {
		return
	}
	n := copy(l.free, l.free[l.least:])
	clear(l.free[n:])
	l.free, l.least, l.turns = l.free[:n], n, 0
}
