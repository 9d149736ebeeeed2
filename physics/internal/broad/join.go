package broad

import (
	"sync"

	"github.com/hitscan-go/hitscan/internal/par"
)

// Pair is the numbers of two boxes that touch; A is the lesser.
type Pair struct{ A, B uint32 }

// Pairs appends to dst all pairs of boxes that touch, faces included, each once: two that move, or
// one that moves and one that is static. Their order depends on the trees, but not on the number of
// workers; below 1 counts as 1.
func (p *Phase) Pairs(dst []Pair, workers int) []Pair { return p.PairsWithin(dst, 0, workers) }

// PairsWithin is Pairs for boxes that are no further apart than margin along each axis, which must
// be finite and not negative. Since a coordinate ± margin is rounded, it may return pairs that are
// up to half an ulp of the coordinate further apart.
func (p *Phase) PairsWithin(dst []Pair, margin float32, workers int) []Pair {
	mover, stander := &p.trees[moving], &p.trees[still]
	if mover.root == 0 {
		return dst
	}
	w := joins.Get().(*join)
	defer joins.Put(w)
	w.divide(mover, stander, margin)
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

// join is one search for pairs by several workers.
type join struct {
	tasks   []task // in the order of their results
	spare   []task
	opened  []nodePair
	finders []*finder // of the workers
	loop    par.Loop[*join]
}

var joins = sync.Pool{New: func() any { return new(join) }}

// task is the search below a pair of nodes. When it is done, its results are found[from:to] of a
// finder.
type task struct {
	treePair
	nodes    nodePair
	finder   int
	from, to int
}

// finder is the memory of one worker.
type finder struct {
	stack []nodePair
	found []Pair
}

// divide divides the search into tasks, by opening pairs of nodes from the roots down.
func (w *join) divide(mover, stander *tree, margin float32) {
	w.tasks = append(w.tasks[:0], task{treePair: treePair{mover, mover, margin}, nodes: newNodePair(nodeRef(mover.root), nodeRef(mover.root))})
	if stander.root != 0 {
		w.tasks = append(w.tasks, task{treePair: treePair{mover, stander, margin}, nodes: newNodePair(nodeRef(mover.root), nodeRef(stander.root))})
	}
	for more := true; more && len(w.tasks) < minTasks; {
		more = false
		w.spare = w.spare[:0]
		for _, t := range w.tasks {
			if x, y := t.at(t.nodes); x.level|y.level == 0 {
				w.spare = append(w.spare, t)
				continue
			}
			more = true
			w.opened = t.open(w.opened[:0], t.nodes)
			for _, m := range w.opened {
				w.spare = append(w.spare, task{treePair: t.treePair, nodes: m})
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

// find appends the pairs of a task to dst.
func (f *finder) find(dst []Pair, t *task) []Pair {
	stack := append(f.stack[:0], t.nodes)
	for len(stack) > 0 {
		m := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if x, y := t.at(m); x.level|y.level == 0 {
			dst = t.pairs(dst, x, y)
		} else {
			stack = t.open(stack, m)
		}
	}
	f.stack = stack
	return dst
}
