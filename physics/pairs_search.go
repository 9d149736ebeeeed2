package physics

import (
	"runtime"

	"github.com/hitscan-go/hitscan/internal/par"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/broad"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// The search for new pairs of a table: by a join of the trees with themselves, or one by one for
// the colliders that have left their fat AABB.

// join finds the new pairs of all proxies, by a join of the trees with themselves.
func (t *pairTable) join(s *Space) {
	t.colliders.touchAll(len(t.proxies), t.clock)
	for i := range t.proxies {
		left := &t.travels[i].left
		if t.proxies[i].where == inBoxes && !(t.tight && *left) {
			t.refit(s, i)
		}
		*left = false
	}
	t.left = t.left[:0]
	w := takeScratch()
	w.boxPairs = s.boxes.PairsWithin(w.boxPairs[:0], t.reach(), runtime.GOMAXPROCS(0))
	t.searching().run(s, w.boxPairs, len(w.boxPairs), joinBatch, (*pairSearch).join)
	w.give()
	s.visitPlanes(func(i uint32) bool {
		t.found = t.searchPlane(t.found, s, int(i))
		return true
	})
}

// add appends a pair unless the proxies do not pair, or do so already.
func (t *pairTable) add(dst []Pair, s *Space, a, b int) []Pair {
	if !t.near(s, a, b) {
		return dst
	}
	k := pairOf(t.proxies[a].id, t.proxies[b].id)
	slot := t.set.slot(t.slots, k)
	switch {
	case slot < 0:
		dst = append(dst, k)
	case t.joins > 0:
		t.marks[slot] = t.clock
	}
	return dst
}

// searchPlane appends the new pairs of a collider without finite bounds.
func (t *pairTable) searchPlane(dst []Pair, s *Space, i int) []Pair {
	if t.proxies[i].where != inPlanes {
		return dst
	}
	// What the reach is along each axis is less than twice as much along a diagonal.
	near := func(box *geom.AABB) bool {
		return isWithin(s.records[i].subshapes(), box, float32(2*t.reach())+placed.Slack(box))
	}
	s.boxes.VisitWhere(near, func(j uint32) bool {
		dst = t.add(dst, s, i, int(j))
		return true
	})
	return dst
}

// searchBox appends the new pairs of a proxy that has left its fat AABB. Of two that have, the
// lower finds the pair, and of a plane and another collider the plane.
func (t *pairTable) searchBox(dst []Pair, s *Space, i int) []Pair {
	// Some at a time, so that the entries of all of them are prefetched before they are read.
	var some [16]uint32
	n := 0
	s.visitAABB(t.fats[i].Grow(t.reach()), func(j uint32) bool {
		if int(j) == i || t.travels[j].left && !(t.proxies[j].where == inBoxes && i < int(j)) {
			return true
		}
		t.set.hint(pairOf(t.proxies[i].id, t.proxies[j].id))
		some[n] = j
		if n++; n == len(some) {
			for _, j := range some {
				dst = t.add(dst, s, i, int(j))
			}
			n = 0
		}
		return true
	})
	for _, j := range some[:n] {
		dst = t.add(dst, s, i, int(j))
	}
	return dst
}

// pairSearch is the parallel search of pairs.
type pairSearch struct {
	loop  par.Loop[*pairSearch]
	found [][]Pair // by worker
	table *pairTable
	space *Space
	boxes []broad.Pair // that a join has found
}

// searchLeft finds the new pairs of the proxies that left their fat AABBs.
func (t *pairTable) searchLeft(s *Space) {
	if len(t.left) == 0 {
		return
	}
	t.tight = false
	for _, i := range t.left {
		if t.proxies[i].where == inBoxes {
			t.refit(s, int(i))
		}
	}
	t.searching().run(s, nil, len(t.left), searchBatch, (*pairSearch).searchChunk)
}

func (t *pairTable) searching() *pairSearch {
	if t.search == nil {
		t.search = new(pairSearch)
	}
	t.search.table = t
	return t.search
}

// run collects what a function finds for chunks of n.
func (h *pairSearch) run(s *Space, boxes []broad.Pair, n, chunk int, find func(h *pairSearch, worker, from, to int)) {
	h.space, h.boxes = s, boxes
	workers := par.Workers(n, chunk)
	for len(h.found) < workers {
		h.found = append(h.found, nil)
	}
	h.loop.Run(h, workers, n, chunk, find)
	for w := range workers {
		h.table.found = append(h.table.found, h.found[w]...)
		h.found[w] = h.found[w][:0]
	}
	h.table, h.space, h.boxes = nil, nil, nil
}

// join finds the new pairs of those whose boxes touch.
func (h *pairSearch) join(worker, from, to int) {
	found := h.found[worker]
	t, pairs := h.table, h.boxes[from:to]
	for i, c := range pairs {
		if i+joinAhead < len(pairs) {
			next := pairs[i+joinAhead]
			t.set.hint(pairOf(t.proxies[next.A].id, t.proxies[next.B].id))
		}
		found = t.add(found, h.space, int(c.A), int(c.B))
	}
	h.found[worker] = found
}

func (h *pairSearch) searchChunk(worker, from, to int) {
	t, found := h.table, h.found[worker]
	for _, i := range t.left[from:to] {
		switch t.proxies[i].where {
		case inBoxes:
			found = t.searchBox(found, h.space, int(i))
		case inPlanes:
			found = t.searchPlane(found, h.space, int(i))
		}
	}
	h.found[worker] = found
}
