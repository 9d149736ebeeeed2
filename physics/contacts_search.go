package physics

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/hitscan-go/hitscan/physics/geom"

	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// search is which pairs of colliders touch, and what is needed to find out only once for as long as
// neither changes.
type search struct {
	checks, previous []check // in the order of pairs
	pairs            []Pair
	root             *Space // of the previous, with their version and margin
	version          uint64
	margin           float32
	turn             int
	crew             *crew
}

// check is what was found out of a pair.
type check struct {
	Pair
	prior     int32 // the place of the pair among the previous, −1 if it has none
	touching  bool
	sensor    bool
	manifolds []Manifold
}

// update finds out what touches in a space, and reports whether that is the same space as before,
// at another time perhaps.
func (h *search) update(s *Space, margin float32, layers Layers) (same bool) {
	s.settle()
	same = h.root == s.lineage()
	h.checks, h.previous = h.previous[:0], h.checks
	if !same {
		h.previous = h.previous[:0]
	}
	h.pairs = s.pairsWithin(h.pairs[:0], margin, layers)
	h.merge()
	// An older snapshot does not know what has changed since.
	known := same && margin == h.margin && s.version >= h.version
	h.turn ^= 1
	if h.crew == nil {
		h.crew = new(crew)
	}
	h.crew.work(job{s, h.checks, h.previous, margin, known, h.version, h.turn})
	h.root, h.version, h.margin = s.lineage(), s.version, margin
	return same
}

// merge makes a check of each pair and looks up what was known of it.
func (h *search) merge() {
	j := 0
	for _, p := range h.pairs {
		c := check{Pair: p, prior: -1}
		for j < len(h.previous) && h.previous[j].Compare(p) < 0 {
			j++
		}
		if j < len(h.previous) && h.previous[j].Pair == p {
			c.prior = int32(j)
		}
		h.checks = append(h.checks, c)
	}
}

// pairsWithin appends the pairs of colliders on some layers whose bounds are within a margin of
// each other, and some more that nearly are, in order.
func (s *Space) pairsWithin(dst []Pair, margin float32, layers Layers) []Pair {
	w := takeScratch()
	w.couples = s.boxes.PairsWithin(w.couples[:0], margin, runtime.GOMAXPROCS(0))
	for _, c := range w.couples {
		a, b := &s.records[c.A], &s.records[c.B]
		if a.layer&layers != 0 && b.layer&layers != 0 && a.meets(b) && a.bounds().Grow(margin+a.slack+b.slack).OverlapsAABB(*b.bounds()) {
			dst = append(dst, pairOf(a.id, b.id))
		}
	}
	for _, i := range s.planes {
		r := &s.records[i]
		if r.layer&layers == 0 {
			continue
		}
		near := func(b *geom.AABB) bool {
			return isWithin(r.subshapes(), b, margin+placed.Slack(b))
		}
		s.boxes.VisitWhere(near, func(i uint32) bool {
			if o := &s.records[i]; o.layer&layers != 0 && r.meets(o) && near(o.bounds()) {
				dst = append(dst, pairOf(r.id, o.id))
			}
			return true
		})
	}
	w.sortPairs(dst)
	w.give()
	return dst
}

// crew is those who share the work of a search.
type crew struct {
	job
	searchers []*searcher
	taken     atomic.Int64
	done      sync.WaitGroup
}

// job is what they do.
type job struct {
	space            *Space
	checks, previous []check
	margin           float32
	known            bool   // what was found before holds of what is no younger than
	version          uint64 // this
	turn             int
}

// searcher is one of them, with memory of its own.
type searcher struct {
	run       func()        // made once: a go statement with it allocates nothing
	manifolds [2][]Manifold // that it fills in turns; the other holds what was found before
}

// checkBatch is how many checks a searcher takes at a time.
const checkBatch = 64

// work does all checks. What is found does not depend on who finds it.
func (c *crew) work(j job) {
	c.job = j
	c.taken.Store(0)
	workers := max(min(runtime.GOMAXPROCS(0), (len(j.checks)+checkBatch-1)/checkBatch), 1)
	for len(c.searchers) < workers {
		c.hire()
	}
	for _, h := range c.searchers {
		h.manifolds[j.turn] = h.manifolds[j.turn][:0]
	}
	c.done.Add(workers)
	for _, h := range c.searchers[1:workers] {
		go h.run()
	}
	c.searchers[0].run()
	c.done.Wait()
	c.job = job{}
}

func (c *crew) hire() {
	h := new(searcher)
	h.run = func() {
		defer c.done.Done()
		w := takeScratch()
		defer w.give()
		for {
			end := int(c.taken.Add(checkBatch))
			start := end - checkBatch
			if start >= len(c.checks) {
				return
			}
			batch := c.checks[start:min(end, len(c.checks))]
			for i := range batch {
				h.check(&c.job, w, &batch[i])
			}
		}
	}
	c.searchers = append(c.searchers, h)
}

// check finds out whether a pair touches.
func (h *searcher) check(j *job, w *scratch, c *check) {
	x, y := c.A.index(), c.B.index()
	details := j.space.details
	found := &h.manifolds[j.turn]
	start := len(*found)
	if j.known && c.prior >= 0 && details[x].changed <= j.version && details[y].changed <= j.version {
		before := &j.previous[c.prior]
		c.touching, c.sensor = before.touching, before.sensor
		*found = append(*found, before.manifolds...)
		c.manifolds = (*found)[start:len(*found):len(*found)]
		return
	}
	a, b := &j.space.records[x], &j.space.records[y]
	if c.sensor = a.sensor || b.sensor; c.sensor {
		c.touching = w.overlaps(a.subshapes(), b.subshapes())
		return
	}
	*found = w.collide(*found, a.subshapes(), b.subshapes(), j.margin)
	c.manifolds = (*found)[start:len(*found):len(*found)]
	c.touching = len(c.manifolds) > 0
}
