package physics

import (
	"slices"

	"github.com/hitscan-go/hitscan/internal/par"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// tracked is what a [ContactTracker] keeps of a pair in its table, from begin to end.
type tracked struct {
	Contact
	touching bool
	settled  bool     // neither has changed, and nothing refers to an arena
	young    bool     // the finding is in an arena, else it is that of resting
	copied   bool     // Manifolds are not the finding's, but in an arena, or resting if settled
	margin   float32  // with which the shapes were last compared
	apart    float32  // if not touching, how far they may move; 0: unknown, −1: hardly
	found    uint64   // the clock when the shapes were last compared; 0: not comparable now
	finding  *finding // of that time
}

// event is a change of whether a pair touches.
type event struct {
	slot               int32
	ends, begins, over bool
	pair               Pair
	was                Contact
}

// checks is the parallel part of an update: which of the pairs in a table touch.
type checks struct {
	contactMemory
	loop     par.Loop[*checks]
	events   []event   // in the order of pairs
	found    [][]event // by worker
	queue    []int32   // of the update before
	table    *pairTable
	space    *Space
	distance float64 // see ContactTracker.RecycleDistance; 0: off
}

const (
	// checkBatch is how many pairs a worker claims at a time.
	checkBatch = 64
	// warmFrom is the number of colliders from which on they are not all in the cache: 128 bytes
	// each. With less, they are read twice for nothing.
	warmFrom = 1 << 14
)

// run checks the pairs of which a collider has changed, in this update or in the one before. The
// results do not depend on which worker checks which.
func (c *checks) run(t *pairTable, s *Space, distance float64) {
	c.grow(len(t.slots))
	if t.scans() {
		c.changed.touchAll(len(t.slots), t.clock)
	} else {
		for _, slot := range c.queue {
			if int(slot) < len(t.slots) && !c.contact(slot).settled && t.slots[slot].A != 0 {
				t.queueOne(slot)
			}
		}
		for _, slot := range t.queue {
			c.changed.touch(int(slot), t.clock)
		}
	}
	c.table, c.space, c.distance = t, s, distance
	workers := par.Workers(len(t.queue), checkBatch)
	for len(c.found) < workers {
		c.found = append(c.found, nil)
	}
	for len(c.now.workers) < workers {
		c.now.workers = append(c.now.workers, arenaPart{})
	}
	c.loop.Run(c, workers, len(t.queue), checkBatch, (*checks).some)
	c.table, c.space = nil, nil
	c.queue = append(c.queue[:0], t.queue...)
	c.events = c.events[:0]
	for i := range c.found {
		c.events = append(c.events, c.found[i]...)
		c.found[i] = c.found[i][:0]
	}
	slices.SortFunc(c.events, func(a, b event) int { return a.pair.Compare(b.pair) })
}

func (c *checks) some(worker, from, to int) {
	w := takeScratch()
	defer w.give()
	if len(c.space.records) >= warmFrom {
		w.sum += c.warm(from, to)
	}
	for _, slot := range c.table.queue[from:to] {
		c.check(worker, w, slot)
	}
}

// warm reads from memory what the checks of some pairs will read, and returns a sum of it, so that
// the reads are not left out. None of them waits for another, as those of the checks do.
func (c *checks) warm(from, to int) (sum uint64) {
	t, records := c.table, c.space.records
	for _, slot := range t.queue[from:to] {
		k := &t.slots[slot]
		for _, id := range [2]ColliderID{k.A, k.B} {
			i := id.index()
			if sum += t.proxies[i].moved; i < len(records) { // an older snapshot may have fewer
				sum += uint64(records[i].layer) + records[i].user // in two cache lines
			}
		}
	}
	return sum
}

// check finds whether a pair touches.
func (c *checks) check(worker int, w *scratch, slot int32) {
	t, x := c.table, c.contact(slot)
	e := event{slot: slot, over: t.isOver(c.space, slot), pair: t.slots[slot].Pair}
	if !e.over && t.isStill(slot) {
		c.settle(slot, x)
		return
	}
	e.was, e.ends = x.Contact, x.touching
	if e.over {
		x.drop()
	} else {
		i, j := e.pair.A.index(), e.pair.B.index()
		c.look(w, slot, x, &c.space.records[i], &c.space.records[j], &c.now.workers[worker])
	}
	e.begins = x.touching
	if e.ends && e.begins && e.was.Sensor == x.Sensor {
		e.ends, e.begins = false, false
	}
	if e.ends || e.begins || e.over {
		c.found[worker] = append(c.found[worker], e)
	}
}

// settle notes that neither collider of a pair has changed, and moves what was found from the arena
// to the memory of the pair.
func (c *checks) settle(slot int32, x *tracked) {
	if x.settled {
		return
	}
	c.keep(slot, x)
	if x.copied {
		k := c.resting(slot, c.table.clock)
		k.now.set(x.Manifolds)
		x.Manifolds = k.now.list()
	} else if x.touching && !x.Sensor {
		x.Manifolds = x.finding.manifolds.list()
	}
	x.Still, x.settled = true, true
}

// keep moves the finding to the memory of the pair.
func (c *checks) keep(slot int32, x *tracked) {
	if x.young {
		k := c.resting(slot, c.table.clock)
		k.finding.copyFrom(x.finding)
		x.finding, x.young = &k.finding, false
	}
}

// look finds whether two colliders touch.
func (c *checks) look(w *scratch, slot int32, x *tracked, a, b *record, mem *arenaPart) {
	x.Still, x.settled = false, false
	x.A, x.B, x.UserA, x.UserB, x.Slot = a.id, b.id, a.user, b.user, slot
	if x.Sensor = a.sensor || b.sensor; x.Sensor {
		x.drop()
		x.touching = isNear(a, b, c.table.margin) && w.overlaps(a.subshapes(), b.subshapes())
		return
	}
	margin, near := c.table.margin, false
	if i, j := a.id.index(), b.id.index(); c.table.isFast(i) || c.table.isFast(j) {
		margin, near = c.table.pairMargin(i, j, a, b)
	} else {
		near = isNear(a, b, margin)
	}
	if !near {
		x.drop()
		return
	}
	c.compare(w, slot, x, a, b, margin, mem)
}

// compare finds the manifolds of two colliders whose bounds are near each other.
func (c *checks) compare(w *scratch, slot int32, x *tracked, a, b *record, margin float32, mem *arenaPart) {
	t := c.table
	i, j := a.id.index(), b.id.index()
	keeps, near, hovers := isWorthKeeping(a, b), false, false
	p, q := &t.proxies[i], &t.proxies[j]
	if keeps && x.found >= max(t.epoch, p.reset, q.reset, 1) {
		f := x.finding
		if f.poses == [2]pose{p.pose, q.pose} && margin == x.margin {
			c.keep(slot, x)
			if x.copied = false; x.touching {
				x.Manifolds = x.finding.manifolds.list()
			}
			return
		}
		// What moved far in the update before probably does so again. What has become faster since
		// may have more points.
		if c.distance > 0 && float64(margin-x.margin) <= c.distance &&
			!(x.found == t.clock-1 && f.isFar(&p.pose, &q.pose, max(c.distance, float64(x.apart)))) {
			var m relativeMotion
			m.set(f, a, b, &p.pose, &q.pose)
			switch {
			case x.touching && m.far <= min(c.distance, m.radius*recycleShare) && x.recycle(&mem.manifolds, f, &m, margin),
				!x.touching && m.far < float64(x.apart-(margin-t.margin)):
				c.keep(slot, x)
				return
			}
			near = !x.touching && m.far <= c.distance
			hovers = near && x.apart < 0
		}
	}
	x.drop()
	if !keeps {
		from := len(mem.manifolds)
		mem.manifolds = w.collide(mem.manifolds, a.subshapes(), b.subshapes(), margin)
		if margin > t.margin {
			mem.manifolds = mem.manifolds[:from+len(t.approaching(mem.manifolds[from:], i, j, a, b))]
		}
		x.Manifolds = mem.manifolds[from:len(mem.manifolds):len(mem.manifolds)]
		x.touching = len(x.Manifolds) > 0
		x.copied = x.touching
		return
	}
	f := mem.finding()
	w.manifolds = w.collide(w.manifolds[:0], a.subshapes(), b.subshapes(), margin)
	if margin > t.margin {
		w.manifolds = t.approaching(w.manifolds, i, j, a, b)
	}
	f.poses = [2]pose{p.pose, q.pose}
	f.manifolds.set(w.manifolds)
	if x.touching = len(w.manifolds) > 0; x.touching {
		x.Manifolds = f.manifolds.list()
	}
	x.finding, x.young, x.found, x.apart, x.margin = f, true, t.clock, 0, margin
	if near && !x.touching {
		if x.apart = -1; !hovers {
			if far := clearance(a, b, t.margin); far > c.distance {
				x.apart = float32(far)
			}
		}
	}
}

// drop makes a contact one that does not touch. The manifolds of the update before stay in memory.
func (x *tracked) drop() {
	x.touching, x.young, x.copied, x.found, x.finding, x.Manifolds = false, false, false, 0, nil, nil
}

// isNear reports whether the bounds of two colliders are within a margin of each other, or nearly.
func isNear(a, b *record, margin float32) bool {
	switch {
	case a.where == inPlanes:
		return isNearBox(a, b.bounds(), margin)
	case b.where == inPlanes:
		return isNearBox(b, a.bounds(), margin)
	}
	return a.bounds().Grow(margin + a.slack + b.slack).OverlapsAABB(*b.bounds())
}

// isNearBox is isNear for a collider without finite bounds and a box.
func isNearBox(a *record, box *geom.AABB, margin float32) bool {
	return isWithin(a.subshapes(), box, margin+placed.Slack(box))
}
