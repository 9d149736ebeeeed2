package physics

import "slices"

// byBody holds lists by body in one slice, in the compressed sparse row format. Values are counted
// first, then added.
type byBody[T any] struct {
	// first[i] is where the list of body i begins. Body i is counted in first[i+2], whose prefix
	// sum leaves the place for its next value in first[i+1]. After the last add that is the list's
	// end.
	first []int32
	all   []T
}

// begin drops all values.
func (l *byBody[T]) begin(bodies int) {
	l.first = zeros(l.first, bodies+2)
}

func (l *byBody[T]) count(body, n int32) { l.first[body+2] += n }

// allocate makes room for what was counted.
func (l *byBody[T]) allocate() {
	n := int32(0)
	for i, k := range l.first {
		n += k
		l.first[i] = n
	}
	l.all = slices.Grow(l.all[:0], int(n))[:n]
}

func (l *byBody[T]) add(body int32, value T) {
	at := &l.first[body+1]
	l.all[*at] = value
	*at++
}

func (l *byBody[T]) of(body int32) []T { return l.all[l.first[body]:l.first[body+1]] }

// zeros returns a list of zeros in the memory of another.
func zeros[T any](list []T, n int) []T {
	list = slices.Grow(list[:0], n)[:n]
	clear(list)
	return list
}
