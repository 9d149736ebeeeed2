package physics

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/internal/par"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/broad"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// tracked is what a [ContactTracker] keeps of a contact, from begin to end.
type tracked struct {
	Contact
	pair    int32    // the slot of the pair in the table; of a free one, 1 + the next free one
	settled bool     // neither has changed, and nothing refers to an arena
	young   bool     // the finding is in an arena, else it is that of resting
	copied  bool     // Manifolds are not the finding's, but in an arena, or resting if settled
	margin  float32  // with which the shapes were last compared
	found   uint64   // the clock when the shapes were last compared; 0: not comparable now
	finding *finding // of that time
}

// event is a change of whether a pair touches.
type event struct {
	slot               int32
	ends, begins, over bool
	pair               Pair
	was                Contact // if it ends
	is                 tracked // if it begins, and does not end
}

// checks is the parallel part of an update: which of the pairs in a table touch.
type checks struct {
	contactMemory
	loop     par.Loop[*checks]
	events   []*event           // in the order of pairs
	found    [][]event          // by worker
	queue    []int32            // contacts with a collider that changed in the update before
	nears    slotted[mesh.Near] // see nearOf
	table    *pairTable
	space    *Space
	distance float64 // see ContactTracker.RecycleDistance; 0: off
	excludes func(a, b ColliderID) bool
}

const (
	// checkBatch is how many pairs a worker claims at a time.
	checkBatch = 64
	// warmFrom is the number of colliders from which on not all are in the cache. With less, to
	// prefetch them takes longer than it saves: 2 % of a step of 5,000 boxes.
	warmFrom = 1 << 13
)

// run checks the pairs with a collider that has changed in this update or in the one before. The
// results do not depend on which worker checks which.
func (c *checks) run(t *pairTable, s *Space, distance float64) {
	if t.scans() {
		for slot := int32(0); slot < c.n; slot += pageSize {
			c.touch(slot)
		}
	} else {
		for _, i := range c.queue {
			if x := c.contact(i); x.A != 0 && !x.settled {
				t.queueOne(x.pair)
			}
		}
		for _, slot := range t.queue {
			if i := t.slots[slot].contact; i > 0 {
				c.touch(i - 1)
			}
		}
	}
	c.table, c.space, c.distance = t, s, distance
	workers := par.Workers(len(t.queue), checkBatch)
	for len(c.found) < workers {
		c.found = append(c.found, nil)
	}
	for i := range c.found {
		c.found[i] = c.found[i][:0]
	}
	c.part(workers - 1)
	if s.planar && c.defers {
		c.waiting[0] = resized(c.waiting[0], (len(t.queue)+7)/8)
	}
	c.nears.free.Trim()
	c.nears.grow(len(t.slots))
	c.loop.Run(c, workers, len(t.queue), checkBatch, (*checks).some)
	c.keepUsed()
	c.table, c.space = nil, nil
	c.events = c.events[:0]
	for i := range c.found {
		for k := range c.found[i] {
			c.events = append(c.events, &c.found[i][k])
		}
	}
	slices.SortFunc(c.events, func(a, b *event) int { return a.pair.Compare(b.pair) })
}

func (c *checks) some(worker, from, to int) {
	w := takeScratch()
	defer w.give()
	if len(c.space.records) >= warmFrom {
		c.warm(from, to)
	}
	if c.space.planar {
		c.someFlat(worker, w, from, to)
		return
	}
	for _, slot := range c.table.queue[from:to] {
		c.check(worker, w, slot)
	}
}

// warm prefetches what the checks of some pairs will read: first their contacts, then what these
// point to.
func (c *checks) warm(from, to int) {
	t, records := c.table, c.space.records
	queue := t.queue[from:to]
	for _, slot := range queue {
		if k := &t.slots[slot]; k.contact > 0 {
			broad.HintAll(c.contact(k.contact - 1))
		}
	}
	for _, slot := range queue {
		k := &t.slots[slot]
		if k.contact > 0 {
			if f := c.contact(k.contact - 1).finding; f != nil {
				broad.HintAll(f)
			}
		} else if t.isStillApart(k) {
			continue
		}
		for _, id := range [2]ColliderID{k.A, k.B} {
			i := id.index()
			if broad.HintAll(&t.proxies[i]); i < len(records) { // an older snapshot may have fewer
				broad.HintAll(&records[i])
			}
		}
	}
}

// check finds whether a pair touches.
func (c *checks) check(worker int, w *scratch, slot int32) {
	t := c.table
	k := &t.slots[slot]
	over := t.isOver(c.space, slot)
	if k.contact == 0 && !over && t.isStillApart(k) {
		return
	}
	if k.contact == 0 {
		c.checkNew(worker, w, slot, over)
		return
	}
	x := c.contact(k.contact - 1)
	if c.defers {
		c.completeOne(x.Slot, c.round-1, &c.parts[worker])
	}
	if !over && t.isStill(slot) {
		c.settle(x)
		return
	}
	was := x.Contact
	begins := !over && c.update(w, x, slot, &c.parts[worker])
	if !begins || was.Sensor != x.Sensor {
		c.note(worker, event{slot: slot, ends: true, begins: begins, over: over, pair: k.Pair, was: was})
	}
}

// checkNew is check of a pair that is no contact.
func (c *checks) checkNew(worker int, w *scratch, slot int32, over bool) {
	var x tracked
	if begins := !over && c.update(w, &x, slot, &c.parts[worker]); begins || over {
		c.note(worker, event{slot: slot, begins: begins, over: over, pair: c.table.slots[slot].Pair, is: x})
	}
}

func (c *checks) note(worker int, e event) {
	f := &c.found[worker]
	*f = append(doubled(*f), e)
}

// settle notes that neither collider of a contact has changed, and moves what was found from the
// arena to the memory of the contact.
func (c *checks) settle(x *tracked) {
	if x.settled {
		return
	}
	c.keep(x)
	if x.copied {
		k := c.resting(x, c.table.clock)
		k.now.set(x.Manifolds)
		x.Manifolds = k.now.list()
	} else if !x.Sensor {
		x.Manifolds = x.finding.manifolds.list()
	}
	x.Still, x.settled = true, true
}

// keep moves the finding to the memory of the contact.
func (c *checks) keep(x *tracked) {
	if x.young {
		k := c.resting(x, c.table.clock)
		k.finding.copyFrom(x.finding)
		x.finding, x.young = &k.finding, false
	}
}

// update finds whether the two colliders of a pair touch.
func (c *checks) update(w *scratch, x *tracked, slot int32, mem *arenaPart) bool {
	t := c.table
	k := &t.slots[slot]
	a, b := &c.space.records[k.A.index()], &c.space.records[k.B.index()]
	x.Still, x.settled = false, false
	x.A, x.B, x.UserA, x.UserB = a.id, b.id, a.user, b.user
	x.Sensor = a.sensor || b.sensor
	if c.excludes != nil && c.excludes(a.id, b.id) {
		t.keepGap(k, 0)
		return false
	}
	margin, near := t.margin, false
	if i, j := a.id.index(), b.id.index(); !x.Sensor && (t.isFast(i) || t.isFast(j)) {
		margin, near = t.pairMargin(i, j, a, b, &w.closing)
	} else {
		near = isNear(a, b, margin)
	}
	switch {
	case !near:
		t.keepGap(k, boundsGap(a, b, t.margin))
		return false
	case x.Sensor:
		x.drop()
		if w.overlaps(a.subshapes(), b.subshapes()) {
			return true
		}
		t.keepGap(k, 0)
		return false
	}
	return c.compare(w, x, slot, a, b, margin, mem)
}

// compare finds the manifolds of two colliders whose bounds are near each other. It reports whether
// there are any.
func (c *checks) compare(w *scratch, x *tracked, slot int32, a, b *record, margin float32, mem *arenaPart) bool {
	t := c.table
	k := &t.slots[slot]
	i, j := a.id.index(), b.id.index()
	p, q := &t.proxies[i], &t.proxies[j]
	if x.found >= max(t.epoch, p.reset, q.reset, 1) {
		f := x.finding
		if f.poses[0] == p.pose && f.poses[1] == q.pose && margin == x.margin {
			c.keep(x)
			x.copied, x.Manifolds = false, x.finding.manifolds.list()
			return true
		}
		// What moved far in the update before probably does so again. What has become faster since
		// may have more points.
		if c.distance > 0 && float64(margin-x.margin) <= c.distance && !(x.found == t.clock-1 && f.isFar(&p.pose, &q.pose, c.distance)) {
			var m relativeMotion
			m.set(t, f, a, b)
			if m.far <= min(c.distance, m.radius*recycleShare) && x.recycle(mem, f, &m, margin) {
				c.keep(x)
				return true
			}
		}
	}
	if k.contact == 0 && c.isApart(slot, a, b, margin) {
		return false
	}
	x.drop()
	if w.finder.Closing = nil; margin > t.margin {
		w.finder.Closing = &w.closing
	}
	w.way = t.wayOf(i, j, a, b, margin)
	flat := c.space.planar && t.flats[i].IsSet() && t.flats[j].IsSet()
	if w.gap, w.clear = 0, 0; !flat {
		w.finder.Apart, w.kept = geom.DVec3{}, c.nearOf(slot, a, b)
	}
	if flat || !isWorthKeeping(a, b) {
		mem.room(1)
		from := len(mem.manifolds)
		if flat {
			mem.manifolds = w.collideFlat(mem.manifolds, &t.flats[i], &t.flats[j], &a.single[0], &b.single[0], margin)
		} else {
			mem.manifolds = w.collide(mem.manifolds, a.subshapes(), b.subshapes(), margin)
		}
		if margin > t.margin {
			mem.manifolds = mem.manifolds[:from+len(t.approaching(mem.manifolds[from:], i, j, a, b))]
		}
		x.Manifolds = mem.manifolds[from:len(mem.manifolds):len(mem.manifolds)]
		x.copied = true
		if len(x.Manifolds) == 0 {
			gap := float32(0)
			if w.gap > 0 { // of two boxes in a plane
				gap = max(0, float32(w.gap*(1-1e-3))-t.margin-float32(4*(a.slack+b.slack)))
			}
			t.keepGap(k, gap)
			c.keepAxis(slot, a, b, w.finder.Apart)
		}
		return len(x.Manifolds) > 0
	}
	w.manifolds = w.collide(w.manifolds[:0], a.subshapes(), b.subshapes(), margin)
	if margin > t.margin {
		w.manifolds = t.approaching(w.manifolds, i, j, a, b)
	}
	if len(w.manifolds) == 0 {
		t.keepGap(k, c.clearance(w, k, a, b))
		c.keepAxis(slot, a, b, w.finder.Apart)
		return false
	}
	f := mem.finding()
	f.poses = [2]pose{p.pose, q.pose}
	f.manifolds.set(w.manifolds)
	x.finding, x.young, x.found, x.margin, x.Manifolds = f, true, t.clock, margin, f.manifolds.list()
	return true
}

// nearOf returns what is kept of a mesh for a pair of it and a convex shape, else nil. It is of
// no consequence for the results, so no state has it.
func (c *checks) nearOf(slot int32, a, b *record) *mesh.Near {
	p, q := a.single[0].Kind, b.single[0].Kind
	if (p == placed.KindMesh) == (q == placed.KindMesh) || p == placed.KindCompound || q == placed.KindCompound {
		return nil
	}
	return c.nears.at(slot)
}

// clearance returns the gap between two colliders that were compared and do not touch. It is not
// measured where they moved far since the comparison before, nor, unless triangles are kept, if
// there was a gap then, as it takes longer than a comparison: 0.
func (c *checks) clearance(w *scratch, k *pairSlot, a, b *record) float32 {
	t := c.table
	if gap := certain(w.clear, a, b, t.margin); gap > 0 {
		return float32(gap)
	}
	if !(t.pathOf(k)-k.sum <= c.distance) {
		return 0
	}
	if gap, ok := w.clearanceNear(a, b, t.margin); ok {
		return max(0, float32(gap))
	}
	if k.gap != 0 {
		return 0
	}
	return max(float32(clearance(a, b, t.margin)), math.SmallestNonzeroFloat32)
}

// drop drops what was found of a contact. The manifolds of the update before stay in memory.
func (x *tracked) drop() {
	x.young, x.copied, x.found, x.finding, x.Manifolds = false, false, 0, nil, nil
}

// boundsGap returns how far two colliders whose bounds are not within a margin of each other may
// move before they can be.
func boundsGap(a, b *record, margin float32) float32 {
	if a.where == inPlanes || b.where == inPlanes {
		return 0
	}
	v, w := a.bounds(), b.bounds()
	gap := v.Min.Sub(w.Max).Max(w.Min.Sub(v.Max))
	return max(0, max(gap.X, gap.Y, gap.Z)-margin-float32(4*(a.slack+b.slack)))
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
