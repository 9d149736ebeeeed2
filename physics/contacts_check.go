package physics

import (
	"github.com/hitscan-go/hitscan/internal/par"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// tracked is the hot part of what a [ContactTracker] keeps of a pair in its table, from begin to
// end: one cache line.
type tracked struct {
	touching bool
	sensor   bool
	over     bool       // the pair has ended
	copied   bool       // now is in the memory of a worker, else it is finding.manifolds
	at       int32      // 1 + the index in ContactTracker.All; 0: not there
	users    [2]uint64  // of A and B
	found    uint64     // the update at which the shapes were last compared; 0: not comparable now
	apart    float64    // if not, how far they may move before they do; 0: unknown, −1: hardly
	now      []Manifold // in world coordinates, at this update
}

// finding is the cold part: what was found when the shapes were last compared.
type finding struct {
	poses     [2]pose   // of A and B
	manifolds manifolds // if they touched
}

// Findings are kept in pages, which are never moved: contacts refer to the manifolds.
const (
	findingBits = 7
	findingPage = 1 << findingBits
)

// manifolds is a list that is seldom longer than one.
type manifolds struct {
	n    int
	one  [1]Manifold
	more []Manifold
}

func (l *manifolds) set(m []Manifold) {
	if l.n = len(m); l.n <= 1 {
		copy(l.one[:], m)
	} else {
		l.more = append(l.more[:0], m...)
	}
}

func (l *manifolds) list() []Manifold {
	if l.n <= 1 {
		return l.one[:l.n:l.n]
	}
	return l.more[:l.n:l.n]
}

// checks is the parallel part of an update: which of the pairs in a table touch.
type checks struct {
	loop     par.Loop[*checks]
	contacts []tracked               // by slot of the table
	findings []*[findingPage]finding // the same, by pages
	workers  []checker
	table    *pairTable
	space    *Space
	distance float64 // see ContactTracker.RecycleDistance; 0: off
}

// checker is the memory of one worker.
type checker struct {
	manifolds [2][]Manifold // filled in turns; the other holds those of the update before
}

// checkBatch is how many pairs a worker claims at a time.
const checkBatch = 64

// run checks all pairs. The results do not depend on which worker checks which.
func (c *checks) run(t *pairTable, s *Space, distance float64) {
	if n := len(t.pairs); n > len(c.contacts) {
		c.contacts = append(c.contacts, make([]tracked, n-len(c.contacts))...)
		for len(c.findings)<<findingBits < n {
			c.findings = append(c.findings, new([findingPage]finding))
		}
	}
	c.table, c.space, c.distance = t, s, distance
	workers := par.Workers(len(t.order), checkBatch)
	for len(c.workers) < workers {
		c.workers = append(c.workers, checker{})
	}
	for i := range c.workers {
		m := &c.workers[i].manifolds[t.tick&1]
		*m = (*m)[:0]
	}
	c.loop.Run(c, workers, len(t.order), checkBatch, (*checks).some)
	c.table, c.space = nil, nil
}

// finding returns what was found of a pair.
func (c *checks) finding(slot int32) *finding {
	return &c.findings[slot>>findingBits][slot&(findingPage-1)]
}

func (c *checks) some(worker, from, to int) {
	w := takeScratch()
	defer w.give()
	for _, slot := range c.table.order[from:to] {
		c.check(worker, w, slot)
	}
}

// check finds whether a pair touches.
func (c *checks) check(worker int, w *scratch, slot int32) {
	t, x := c.table, &c.contacts[slot]
	out := &c.workers[worker].manifolds[t.tick&1]
	if t.isStill(slot) {
		if x.copied {
			x.now = extended(out, x.now)
		}
		return
	}
	x.copied = false
	if x.over = t.isOver(c.space, slot); x.over {
		x.drop()
		return
	}
	k := t.pairs[slot]
	i, j := k.A.index(), k.B.index()
	a, b := &c.space.records[i], &c.space.records[j]
	x.users = [2]uint64{a.user, b.user}
	if x.sensor = a.sensor || b.sensor; x.sensor {
		x.drop()
		x.touching = isNear(a, b, t.margin) && w.overlaps(a.subshapes(), b.subshapes())
		return
	}
	if !isNear(a, b, t.margin) {
		x.drop()
		return
	}
	c.compare(w, slot, a, b, out)
}

// compare finds the manifolds of two colliders whose bounds are near each other.
func (c *checks) compare(w *scratch, slot int32, a, b *record, out *[]Manifold) {
	t, x, f := c.table, &c.contacts[slot], c.finding(slot)
	i, j := a.id.index(), b.id.index()
	keeps, near, hovers := isWorthKeeping(a, b), false, false
	p, q := &t.proxies[i], &t.proxies[j]
	if keeps && x.found >= max(t.epoch, p.reset, q.reset, 1) {
		if f.poses == [2]pose{p.pose, q.pose} {
			if x.touching {
				x.now = f.manifolds.list()
			}
			return
		}
		if c.distance > 0 {
			var m relativeMotion
			m.set(f, a, b, &p.pose, &q.pose)
			switch {
			case x.touching && m.far <= min(c.distance, m.radius*recycleShare) && x.recycle(out, f, &m, t.margin),
				!x.touching && m.far < x.apart:
				return
			}
			near = !x.touching && m.far <= c.distance
			hovers = near && x.apart < 0
		}
	}
	x.drop()
	if !keeps {
		from := len(*out)
		*out = w.collide(*out, a.subshapes(), b.subshapes(), t.margin)
		x.now = (*out)[from:len(*out):len(*out)]
		x.touching = len(x.now) > 0
		x.copied = x.touching
		return
	}
	w.manifolds = w.collide(w.manifolds[:0], a.subshapes(), b.subshapes(), t.margin)
	if x.touching = len(w.manifolds) > 0; x.touching {
		f.manifolds.set(w.manifolds)
		x.now = f.manifolds.list()
	}
	x.found, x.apart, f.poses = t.tick, 0, [2]pose{p.pose, q.pose}
	if near && !x.touching {
		if x.apart = -1; !hovers {
			if far := clearance(a, b, t.margin); far > c.distance {
				x.apart = far
			}
		}
	}
}

// drop makes a contact one that does not touch. The manifolds of the update before stay in memory.
func (x *tracked) drop() { x.touching, x.found, x.now = false, 0, nil }

// isNear reports whether the bounds of two colliders are within a margin of each other, or nearly.
func isNear(a, b *record, margin float32) bool {
	switch {
	case a.where == inPlanes:
		return isWithin(a.subshapes(), b.bounds(), margin+placed.Slack(b.bounds()))
	case b.where == inPlanes:
		return isWithin(b.subshapes(), a.bounds(), margin+placed.Slack(a.bounds()))
	}
	return a.bounds().Grow(margin + a.slack + b.slack).OverlapsAABB(*b.bounds())
}

// extended appends to a buffer and returns what was appended.
func extended(to *[]Manifold, m []Manifold) []Manifold {
	n := len(*to)
	*to = append(*to, m...)
	return (*to)[n:len(*to):len(*to)]
}
