package physics

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// pairTable holds the pairs of colliders that are near each other, from one update to the next. A
// pair begins when the fat AABBs of its colliders come to touch, and ends when they part, when one
// of the colliders is removed or when their filters no longer let them pair. In between it keeps
// its slot, by which a tracker stores the contacts of the pair.
//
// A collider gets a fat AABB, and its pairs are searched, only when it has left the one before, as
// in Box2D. So a tick in which nothing leaves its fat AABB searches no pairs.
type pairTable struct {
	tableLists
	tableState
	set         pairSet
	travels     []travel         // by ColliderID.index
	predictions []prediction     // the same; valid if the proxy is fast
	flats       []narrow.FlatBox // the same, of a planar space
	colliders   pages            // of proxies and fats
	pairPages   pages            // of slots
	axes        []geom.Vec3      // by slot: see contacts_apart.go
	marks       []uint64         // by slot, the clock when a join found the pair or it was queued
	clock       uint64           // counts updates and restores
	patient     bool             // in tests: join only where there is no other way

	// See ContactTracker.Motion, Ahead and AheadOf.
	motion  func(ColliderID) (shift, turn geom.Vec3)
	limit   float32
	limitOf func(ColliderID) float32 // nil if the limit is the same of all

	// Of the update.
	before float32 // tableState.widest at the update before
	tight  bool    // the next join, if any, makes AABBs that are not fat
	moved  []int32 // proxies that changed
	left   []int32 // those of them that left their fat AABB
	found  []Pair
	queue  []int32 // slots of all pairs with a collider that changed
	search *pairSearch
}

// tableLists is what a table holds, by collider and by pair.
type tableLists struct {
	proxies []proxy // by ColliderID.index
	fats    []fat   // the same
	slots   []pairSlot
}

// tableState is what a saved state has of a table, apart from the lists. All clocks are those of
// updates.
type tableState struct {
	free    int32  // 1 + the slot freed last, of those not in use; 0: none
	joins   int    // successive updates with a join
	epoch   uint64 // the clock since which changes were followed, for the same margin
	root    *Space // of the last update, with its version, origin, margin and layers
	version uint64
	origin  geom.DVec3
	margin  float32
	layers  Layers
	widest  float32 // the most that any fat AABB exceeded its box when it was made
}

// proxy is the hot part of a collider's state at the last update, which each of its pairs reads:
// one cache line.
type proxy struct {
	id     ColliderID
	reset  uint64 // the clock when more had changed than position and rotation
	moved  uint64 // the clock when anything had
	pose   pose
	head   int32 // the first link of its pairs
	where  where // also nowhere if the collider is on none of the layers
	static bool
	fast   bool // see contacts_ahead.go
}

// pairSlot is a pair. Of a free slot A is 0, and B is 1 + the next free slot.
type pairSlot struct {
	Pair
	links   [2]link // of A and B
	contact int32   // 1 + the Slot of the contact, if the pair touches
	// gap is how far the two may move, in metres, before they can touch, measured when sum was the
	// sum of their paths; negative: unknown. See travel.
	gap float32
	sum float64
}

// link is in the list of the pairs of a collider. Links are 1 + 2·slot, plus 1 of B; 0 is none.
type link struct{ next, previous int32 }

// fat is the cold part: the fat AABB and the filter, which decide about the pairs of a collider.
type fat struct {
	geom.AABB
	layer, mask Layers
}

const (
	// fatReach is how far a fat AABB exceeds the bounds of its collider, in metres, at most.
	// Greater: more pairs that do not touch. Smaller: more searches.
	fatReach = 0.05
	// fatShare bounds the same as a fraction of the longest side of the bounds, for colliders that
	// are smaller than 0.4 m. Box3D's values are the same.
	fatShare = 0.125
	// joinCost is about the number of boxes that a join of the whole tree with itself handles in
	// the time of a search for one. Wrong by a factor, it makes some ticks slower.
	joinCost = 4
	// fatJoins: while boxes move so fast that each update takes a join, fat AABBs are useless, and
	// only one join in fatJoins makes them, to find out whether the boxes have become slower.
	fatJoins = 16
	// scanShare: if more than this fraction of the colliders moved, all pairs are looked at in
	// order, which is faster than to follow the lists of the colliders.
	scanShare = 8
	// pathJump is the length in metres that is added to a path when more than the pose of the
	// collider changes. It is longer than any gap.
	pathJump = 1 << 20
	// searchBatch is the number of proxies that a worker claims at a time.
	searchBatch = 32
	// joinBatch is the same of pairs of boxes that a join has found.
	joinBatch = 512
	// joinAhead is how many pairs ahead of a join the entries that it looks up are prefetched.
	joinAhead = 8
)

// extend returns a list with zeros up to a length, and with room for a quarter more. A million
// static colliders are often added at once; without the room the next copies all their entries.
func extend[T any](list []T, n int) []T {
	if n > cap(list) {
		list = slices.Grow(list, n+n/4-len(list))
	}
	from := len(list)
	clear(list[from:n])
	return list[:n]
}

// doubled returns a list with room for another element, and twice the memory if there was none.
// append adds a quarter at a time, and most of the first update of many colliders was copies.
func doubled[T any](list []T) []T {
	if len(list) < cap(list) {
		return list
	}
	return slices.Grow(list, max(len(list), checkBatch))
}

// update brings the table up to date with a space: pairs have begun, and [pairTable.isOver] reports
// which ended. It reports whether the space is that of the update before, or a snapshot of the
// same. If not, the table was emptied first.
func (t *pairTable) update(s *Space, margin float32, layers Layers) (same bool) {
	s.settle()
	t.clock++
	if same = t.root == s.lineage(); !same {
		t.clear()
	}
	// There is no record of changes after an older snapshot, or of those that a restore has undone.
	known := same && margin == t.margin && s.follows(t.version)
	if !known || s.Origin() != t.origin {
		t.epoch = t.clock
	}
	all := !known || layers != t.layers
	since := t.version
	t.root, t.version, t.origin, t.margin, t.layers = s.lineage(), s.version, s.Origin(), margin, layers
	if n := len(s.records); n > len(t.proxies) {
		t.fats, t.proxies = extend(t.fats, n), extend(t.proxies, n)
	}
	if n := len(t.proxies); n > len(t.travels) {
		t.travels, t.predictions = extend(t.travels, n), extend(t.predictions, n)
	}
	if n := len(t.proxies); s.planar && n > len(t.flats) {
		t.flats = extend(t.flats, n)
	}
	for _, i := range t.left {
		t.travels[i].left = false
	}
	t.moved, t.left, t.found = t.moved[:0], t.left[:0], t.found[:0]
	t.tight = !all && (t.joins+1)%fatJoins != 1
	t.before, t.widest = t.widest, 0
	t.follow(s, since, all)
	if all || len(t.left)*joinCost > s.boxes.Len() && !t.patient {
		t.joins++
		t.join(s)
	} else {
		t.joins, t.widest = 0, max(t.before, t.widest)
		t.searchLeft(s)
	}
	t.begin()
	t.queueMoved()
	return same
}

// clear ends all pairs.
func (t *pairTable) clear() {
	t.colliders.touchAll(len(t.proxies), t.clock)
	t.pairPages.touchAll(len(t.slots), t.clock)
	t.proxies, t.fats, t.slots = t.proxies[:0], t.fats[:0], t.slots[:0]
	t.set.clear()
	t.free, t.widest = 0, 0
}

// follow updates the proxies of the colliders that changed after a version, or of all.
func (t *pairTable) follow(s *Space, since uint64, all bool) {
	if all {
		for i := range t.proxies {
			t.travels[i].path += pathJump
			t.updateProxy(s, i, since)
		}
		return
	}
	s.pages.visitSince(since, len(s.records), func(start, end int) {
		t.colliders.touch(start, t.clock)
		for i := start; i < end; i++ {
			if s.each[i] > since {
				t.updateProxy(s, i, since)
			}
		}
	})
}

// updateProxy updates the proxy of a collider that may have changed, and queues it for the search
// for pairs if it has left its fat AABB.
func (t *pairTable) updateProxy(s *Space, i int, since uint64) {
	p, f := &t.proxies[i], &t.fats[i]
	p.moved = t.clock
	t.moved = append(t.moved, int32(i))
	if i >= len(s.records) { // which an older snapshot does not have
		p.id, p.where = 0, nowhere
		t.markLeft(i)
		return
	}
	r, was, now := &s.records[i], p.pose, &p.pose
	s.setPose(now, i) // in place, as a copy of what was just written in parts has to wait
	if s.details[i].reset > since {
		p.reset = t.clock
	}
	travel, at := &t.travels[i], pivot(r.bounds(), now)
	travel.radiusSq, travel.off = radiusSq(r.bounds(), at), at != now.position
	travel.move(now, &was, at, travel.radiusSq, p.reset == t.clock || p.id != r.id)
	if s.planar {
		r.single[0].SetFlatBox(&t.flats[i])
		t.flats[i].Mark = 0
	}
	p.fast, travel.approach = false, 0
	tight := r.bounds().Grow(r.slack)
	box := tight
	if t.motion != nil && !r.sensor {
		if shift, turn := t.motion(r.id); shift != (geom.Vec3{}) || turn != (geom.Vec3{}) {
			h := &t.predictions[i]
			if p.fast = h.set(at.Sub(now.position), travel.radiusSq, shift, turn, t.margin); p.fast {
				limit := t.limit
				if t.limitOf != nil {
					if own := t.limitOf(r.id); own > limit && own <= math.MaxFloat32 {
						limit = own
					}
				}
				h.limitTo(limit)
				box, travel.approach = h.swept(tight), h.approach(t.margin+float32(farPoints*limit))
			}
		}
	}
	where := r.where
	if r.layer&t.layers == 0 {
		where = nowhere
	}
	same := where == p.where && r.id == p.id && r.layer == f.layer && r.mask == f.mask && r.static == p.static
	stays := same && (where == nowhere || where == inBoxes && encloses(f.AABB, box) && !t.isLoose(f.AABB, tight))
	if s.planar && same && p.reset != t.clock && !r.sensor && t.flats[i].IsSet() {
		t.flats[i].Mark = plainMark(t.clock, p.fast, !stays)
	}
	if stays {
		return
	}
	p.id, p.where, p.static = r.id, where, r.static
	f.AABB, f.layer, f.mask = box, r.layer, r.mask
	t.markLeft(i)
	if t.tight && where == inBoxes {
		t.refit(s, i) // now that it is in the cache
	}
}

// The mark of a box in a plane that has only moved at an update is the clock, and two flags.
const (
	fastMark  = 1 << iota
	leftMark         // its fat AABB, so that pairs may be over
	clockMark = iota // a shift
)

func plainMark(clock uint64, fast, left bool) uint64 {
	m := clock << clockMark
	if fast {
		m |= fastMark
	}
	if left {
		m |= leftMark
	}
	return m
}

// markLeft queues a proxy for the search for pairs. Its fat AABB is not fat yet.
func (t *pairTable) markLeft(i int) {
	t.travels[i].left = true
	t.left = append(t.left, int32(i))
}

// isLoose reports whether a fat AABB exceeds a box by more than [pairTable.reach] allows for,
// because the box has become smaller, as the bounds of a shape that turns may.
func (t *pairTable) isLoose(fat, box geom.AABB) bool { return !encloses(box.Grow(2*t.before), fat) }

func encloses(a, b geom.AABB) bool {
	return a.Min.X <= b.Min.X && a.Min.Y <= b.Min.Y && a.Min.Z <= b.Min.Z &&
		a.Max.X >= b.Max.X && a.Max.Y >= b.Max.Y && a.Max.Z >= b.Max.Z
}

// refit makes the fat AABB of a proxy. That of a static collider is its own box: static colliders
// seldom move, and one of two colliders that pair is not static. Rounding displaces bounds by less
// than the slack, and sums of them by less than the least reach.
func (t *pairTable) refit(s *Space, i int) {
	r, f := &s.records[i], &t.fats[i]
	reach := float32(4 * r.slack)
	if !t.tight {
		side := r.bounds().Max.Sub(r.bounds().Min)
		reach = max(reach, min(fatReach, fatShare*max(side.X, side.Y, side.Z)))
	}
	if r.static {
		reach = 0
	}
	f.AABB = r.bounds().Grow(r.slack + reach)
	if t.proxies[i].fast {
		h := &t.predictions[i]
		f.AABB = h.swept(f.AABB)
		reach += h.reach()
	}
	t.widest = max(t.widest, reach)
}

// near reports whether two proxies pair.
func (t *pairTable) near(s *Space, a, b int) bool {
	p, q, f, g := &t.proxies[a], &t.proxies[b], &t.fats[a], &t.fats[b]
	if p.where == nowhere || q.where == nowhere || p.static && q.static || f.mask&g.layer == 0 || g.mask&f.layer == 0 {
		return false
	}
	reach := t.margin + float32(t.margin*placed.RelativeSlack)
	switch {
	case p.where == inBoxes && q.where == inBoxes:
		return f.Grow(reach).OverlapsAABB(g.AABB)
	case p.where == inBoxes:
		return isWithin(s.records[b].subshapes(), &f.AABB, reach+placed.Slack(&f.AABB))
	case q.where == inBoxes:
		return isWithin(s.records[a].subshapes(), &g.AABB, reach+placed.Slack(&g.AABB))
	}
	return false // two planes
}

// reach returns how far along each axis the bounds of a collider can be from a fat AABB that is
// near its own. A box that has moved within its fat AABB may be twice as far from one of its sides.
func (t *pairTable) reach() float32 { return float32((t.margin + float32(2*t.widest)) * (1 + 1.0/16)) }

// isOver reports whether a pair ended in this update.
func (t *pairTable) isOver(s *Space, slot int32) bool {
	if t.joins > 0 {
		return t.marks[slot] != t.clock
	}
	k := &t.slots[slot]
	a, b := k.A.index(), k.B.index()
	return (t.travels[a].left || t.travels[b].left) && (t.proxies[a].id != k.A || t.proxies[b].id != k.B || !t.near(s, a, b))
}

// isStill reports whether neither collider of a pair has changed since the update before.
func (t *pairTable) isStill(slot int32) bool {
	k := &t.slots[slot]
	return t.proxies[k.A.index()].moved != t.clock && t.proxies[k.B.index()].moved != t.clock && t.epoch != t.clock
}

// queueMoved queues the pairs with a collider that changed: by the lists of the colliders, or all
// pairs if that is faster.
func (t *pairTable) queueMoved() {
	t.queue = t.queue[:0]
	if t.scans() {
		for slot := range t.slots {
			if t.slots[slot].A != 0 {
				t.queue = append(t.queue, int32(slot))
			}
		}
		return
	}
	for _, i := range t.moved {
		for at := t.proxies[i].head; at != 0; at = t.link(at).next {
			t.queueOne((at - 1) / 2)
		}
	}
}

// scans reports whether all pairs are queued.
func (t *pairTable) scans() bool {
	return t.joins > 0 || t.epoch == t.clock || len(t.moved) > len(t.proxies)/scanShare
}

// queueOne queues a pair unless it is queued.
func (t *pairTable) queueOne(slot int32) {
	if t.marks[slot] != t.clock {
		t.marks[slot] = t.clock
		t.queue = append(t.queue, slot)
	}
}

func (t *pairTable) link(at int32) *link { return &t.slots[(at-1)/2].links[(at-1)%2] }

// attach adds a pair to the lists of its colliders.
func (t *pairTable) attach(slot int32) {
	for side, id := range [2]ColliderID{t.slots[slot].A, t.slots[slot].B} {
		i, at := id.index(), 1+2*slot+int32(side)
		next := t.proxies[i].head
		t.proxies[i].head = at
		*t.link(at) = link{next: next}
		if next != 0 {
			t.link(next).previous = at
			t.pairPages.touch(int(next-1)/2, t.clock)
		}
		t.colliders.touch(i, t.clock)
	}
	t.pairPages.touch(int(slot), t.clock)
}

// detach removes a pair from the lists of its colliders.
func (t *pairTable) detach(slot int32) {
	for side, id := range [2]ColliderID{t.slots[slot].A, t.slots[slot].B} {
		l := t.slots[slot].links[side]
		if l.next != 0 {
			t.link(l.next).previous = l.previous
			t.pairPages.touch(int(l.next-1)/2, t.clock)
		}
		if l.previous != 0 {
			t.link(l.previous).next = l.next
			t.pairPages.touch(int(l.previous-1)/2, t.clock)
		} else {
			t.proxies[id.index()].head = l.next
			t.colliders.touch(id.index(), t.clock)
		}
	}
	t.pairPages.touch(int(slot), t.clock)
}

// begin gives each pair found a slot, in the order of pairs, so that slots do not depend on which
// worker found them.
func (t *pairTable) begin() {
	w := takeScratch()
	w.sortPairs(t.found)
	w.give()
	for _, k := range t.found {
		slot := t.free - 1
		if slot >= 0 {
			t.free = int32(t.slots[slot].B)
		} else {
			slot = int32(len(t.slots))
			t.slots = append(doubled(t.slots), pairSlot{})
			if len(t.marks) < len(t.slots) {
				t.marks, t.axes = append(doubled(t.marks), 0), append(doubled(t.axes), geom.Vec3{})
			}
		}
		t.slots[slot] = pairSlot{Pair: k, gap: -1}
		t.marks[slot], t.axes[slot] = 0, geom.Vec3{}
		if t.joins > 0 {
			t.marks[slot] = t.clock
		}
		t.set.add(t.slots, slot)
		t.attach(slot)
	}
}

// end ends a pair. Its slot is used again from the next update on.
func (t *pairTable) end(slot int32) {
	t.set.remove(t.slots, slot)
	t.detach(slot)
	t.slots[slot].Pair = Pair{B: ColliderID(t.free)}
	t.free = slot + 1
}
