// Package freelist holds unused memory for reuse, and drops what no update has needed for minutes.
package freelist

// Period is the number of calls of Trim, one per update, after which a list drops values that it
// did not need in between: 18 minutes at 60 Hz. Smaller: values that are needed only now and then
// are allocated again each time. Greater: the memory of one busy moment is held for longer. A
// variable, since tests change it.
var Period = 1 << 16

// List is a free list: a stack of unused values. It holds as many as the busiest update of the last
// two periods needed, and not as many as the busiest update of the whole game. It allocates nothing
// while the need stays within that.
type List[T any] struct {
	free  []T
	least int // least length of free in this period: the values below it were not needed
	trims int // calls of Trim in this period
}

// Take removes the value that was given last and returns it. It returns false if the list is empty.
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

// Give adds an unused value.
func (l *List[T]) Give(value T) { l.free = append(l.free, value) }

// Len returns the number of values.
func (l *List[T]) Len() int { return len(l.free) }

// Trim is to be called once per update. At the end of each period it drops the values that no Take
// has reached in that period.
func (l *List[T]) Trim() {
	if l.trims++; l.trims < Period {
		return
	}
	n := copy(l.free, l.free[l.least:])
	clear(l.free[n:])
	l.free, l.least, l.trims = l.free[:n], n, 0
}
