package physics

import (
	"runtime"

	"github.com/hitscan-go/hitscan/internal/par"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// search finds which pairs of colliders touch. It keeps the results of a pair while neither
// collider changes.
type search struct {
	checks, previous []check // in the order of pairs
	pairs            []Pair
	root             *Space // of the previous, with their version and margin
	version          uint64
	margin           float32
	turn             int
	searching        *searching
}

// check is the result for a pair.
type check struct {
	Pair
	prior     int32 // index of the pair among the previous, −1 if there is none
	touching  bool
	sensor    bool
	manifolds []Manifold
}

// update finds the pairs that touch in a space. It reports whether that is the same space as
// before, or a snapshot of the same.
func (h *search) update(s *Space, margin float32, layers Layers) (same bool) {
	s.settle()
	same = h.root == s.lineage()
	h.checks, h.previous = h.previous[:0], h.checks
	if !same {
		h.previous = h.previous[:0]
	}
	h.pairs = s.pairsWithin(h.pairs[:0], margin, layers)
	h.merge()
	// An older snapshot has no record of later changes.
	known := same && margin == h.margin && s.version >= h.version
	h.turn ^= 1
	if h.searching == nil {
		h.searching = new(searching)
	}
	h.searching.work(job{s, h.checks, h.previous, margin, known, h.version, h.turn})
	h.root, h.version, h.margin = s.lineage(), s.version, margin
	return same
}

// merge makes a check of each pair and looks up its previous one.
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

// pairsWithin appends, in order, the pairs of colliders on some layers whose bounds are within a
// margin of each other, and some that nearly are.
func (s *Space) pairsWithin(dst []Pair, margin float32, layers Layers) []Pair {
	w := takeScratch()
	w.boxPairs = s.boxes.PairsWithin(w.boxPairs[:0], margin, runtime.GOMAXPROCS(0))
	for _, c := range w.boxPairs {
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

// searching is the parallel part of a search.
type searching struct {
	loop      par.Loop[*searching]
	searchers []*searcher // of the workers
	job
}

// job is the input of one update.
type job struct {
	space            *Space
	checks, previous []check
	margin           float32
	// Results of previous hold for colliders that have not changed since version.
	known   bool
	version uint64
	turn    int
}

// searcher is the memory of one worker.
type searcher struct {
	manifolds [2][]Manifold // filled in turns; the other holds the results of the update before
}

// checkBatch is how many checks a worker claims at a time.
const checkBatch = 64

// work does all checks. The results do not depend on which worker does which.
func (c *searching) work(j job) {
	c.job = j
	workers := par.Workers(len(j.checks), checkBatch)
	for len(c.searchers) < workers {
		c.searchers = append(c.searchers, new(searcher))
	}
	for i := range c.searchers {
		m := &c.searchers[i].manifolds[j.turn]
		*m = (*m)[:0]
	}
	c.loop.Run(c, workers, len(j.checks), checkBatch, (*searching).some)
	c.job = job{}
}

// some does the checks from start to end.
func (c *searching) some(worker, start, end int) {
	w := takeScratch()
	defer w.give()
	for i := start; i < end; i++ {
		c.searchers[worker].check(&c.job, w, &c.checks[i])
	}
}

// check finds whether a pair touches.
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
