package broad

import (
	"sync"
	"sync/atomic"
)

// Couple is two boxes that touch, by their numbers, of which A is the lesser.
type Couple struct{ A, B uint32 }

// Pairs appends to dst all pairs of boxes that touch, faces included, each once: of two that move,
// and of one that moves and one that stands still. Their order depends on how the boxes are kept,
// but not on workers, which is how many goroutines share the work; below 1 counts as 1.
func (p *Phase) Pairs(dst []Couple, workers int) []Couple { return p.PairsWithin(dst, 0, workers) }

// PairsWithin does what Pairs does for boxes that are no further apart than margin, along each
// axis, which is finite and not negative. It may tell of some that are so but for the rounding of
// one of their coordinates.
func (p *Phase) PairsWithin(dst []Couple, margin float32, workers int) []Couple {
	mover, stander := &p.trees[moving], &p.trees[still]
	if mover.root == 0 {
		return dst
	}
	w := joins.Get().(*join)
	defer joins.Put(w)
	w.share(mover, stander, margin)
	workers = max(min(workers, len(w.tasks)), 1)
	for len(w.hands) < workers {
		w.hire()
	}
	if workers == 1 {
		for i := range w.tasks {
			dst = w.hands[0].find(dst, &w.tasks[i])
		}
		w.dismiss()
		return dst
	}
	w.next.Store(0)
	w.done.Add(workers)
	for _, h := range w.hands[1:workers] {
		go h.run()
	}
	w.hands[0].run()
	w.done.Wait()
	for _, t := range w.tasks {
		dst = append(dst, w.hands[t.hand].found[t.from:t.to]...)
	}
	w.dismiss()
	return dst
}

// join is what several goroutines do together.
type join struct {
	tasks  []task // in the order of their results
	spare  []task
	opened []meeting
	hands  []*hand
	next   atomic.Int32
	done   sync.WaitGroup
}

var joins = sync.Pool{New: func() any { return new(join) }}

// task is a meeting of a node of one tree with one of another, or of the same; later, whose results
// at which place are its.
type task struct {
	forest
	meeting  meeting
	hand     int
	from, to int
}

// hand is one of them, with memory that is kept.
type hand struct {
	run   func() // works on tasks until there are none; kept, as to make it allocates
	stack []meeting
	found []Couple
}

// enough is how many tasks are made at least, if there are so many: the largest is to be a small
// part of the whole, as a goroutine that comes late may get it.
const enough = 64

// share divides the work into tasks.
func (w *join) share(mover, stander *tree, margin float32) {
	w.tasks = append(w.tasks[:0], task{forest: forest{mover, mover, margin}, meeting: newMeeting(nodeRef(mover.root), nodeRef(mover.root))})
	if stander.root != 0 {
		w.tasks = append(w.tasks, task{forest: forest{mover, stander, margin}, meeting: newMeeting(nodeRef(mover.root), nodeRef(stander.root))})
	}
	for more := true; more && len(w.tasks) < enough; {
		more = false
		w.spare = w.spare[:0]
		for _, t := range w.tasks {
			if x, y := t.at(t.meeting); x.level|y.level == 0 {
				w.spare = append(w.spare, t)
				continue
			}
			more = true
			w.opened = t.open(w.opened[:0], t.meeting)
			for _, m := range w.opened {
				w.spare = append(w.spare, task{forest: t.forest, meeting: m})
			}
		}
		w.tasks, w.spare = w.spare, w.tasks
	}
}

func (w *join) hire() {
	h, i := new(hand), len(w.hands)
	h.run = func() {
		defer w.done.Done()
		h.found = h.found[:0]
		for {
			n := int(w.next.Add(1)) - 1
			if n >= len(w.tasks) {
				return
			}
			t := &w.tasks[n]
			t.hand, t.from = i, len(h.found)
			h.found = h.find(h.found, t)
			t.to = len(h.found)
		}
	}
	w.hands = append(w.hands, h)
}

// dismiss lets go of the trees.
func (w *join) dismiss() {
	clear(w.tasks[:cap(w.tasks)])
	clear(w.spare[:cap(w.spare)])
}

// find appends the couples of a task to dst.
func (h *hand) find(dst []Couple, t *task) []Couple {
	stack := append(h.stack[:0], t.meeting)
	for len(stack) > 0 {
		m := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if x, y := t.at(m); x.level|y.level == 0 {
			dst = t.couples(dst, x, y)
		} else {
			stack = t.open(stack, m)
		}
	}
	h.stack = stack
	return dst
}
