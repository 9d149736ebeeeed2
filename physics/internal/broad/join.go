package broad

import (
	"sync"

	"github.com/hitscan-go/hitscan/internal/par"
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
	for len(w.finders) < workers {
		w.finders = append(w.finders, new(finder))
	}
	if workers == 1 {
		for i := range w.tasks {
			dst = w.finders[0].find(dst, &w.tasks[i])
		}
		w.drop()
		return dst
	}
	for _, f := range w.finders {
		f.found = f.found[:0]
	}
	w.loop.Run(w, workers, len(w.tasks), 1, (*join).do)
	for _, t := range w.tasks {
		dst = append(dst, w.finders[t.finder].found[t.from:t.to]...)
	}
	w.drop()
	return dst
}

// join is a search for pairs that several workers share.
type join struct {
	tasks   []task // in the order of their results
	spare   []task
	opened  []meeting
	finders []*finder // of the workers
	loop    par.Loop[*join]
}

var joins = sync.Pool{New: func() any { return new(join) }}

// task is a meeting of a node of one tree with one of another, or of the same. When it is done its
// results are those from one place to another of what a finder has found.
type task struct {
	forest
	meeting  meeting
	finder   int
	from, to int
}

// finder is the memory of one worker.
type finder struct {
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

// do does one task.
func (w *join) do(worker, i, _ int) {
	f, t := w.finders[worker], &w.tasks[i]
	t.finder, t.from = worker, len(f.found)
	f.found = f.find(f.found, t)
	t.to = len(f.found)
}

// drop drops all references to the trees.
func (w *join) drop() {
	clear(w.tasks[:cap(w.tasks)])
	clear(w.spare[:cap(w.spare)])
}

// find appends the couples of a task to dst.
func (f *finder) find(dst []Couple, t *task) []Couple {
	stack := append(f.stack[:0], t.meeting)
	for len(stack) > 0 {
		m := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if x, y := t.at(m); x.level|y.level == 0 {
			dst = t.couples(dst, x, y)
		} else {
			stack = t.open(stack, m)
		}
	}
	f.stack = stack
	return dst
}
