package rigid

import (
	"math/bits"
	"slices"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/brief"
	"github.com/hitscan-go/hitscan/physics/internal/broad"
)

// contact is what the solver keeps of a pair of colliders that touch, from begin to end, by the
// slot of the tracker.
type contact struct {
	a, b    int32 // bodies; 0: static
	solid   bool  // the solver acts on it: a body of it is dynamic, and it has manifolds
	slides  bool  // a material has a surface velocity
	layered bool  // triangles have materials of their own
	passes  bool  // through a one-way surface
	rounds  uint8 // 2 if either collider is a ball, 1 if one is a capsule: see foresee
	colored int32 // the number of constraints that have a color
	held    int32 // the number of manifolds in memory
	first   int32 // 1 + index in Dynamics.memories, of the first manifold
	mixture
}

// memory is what is kept of a manifold from step to step.
type memory struct {
	childA, childB int32
	n              int32
	next           int32 // as contact.first, of the next manifold
	color          int32 // of the constraint of the same number
	heavy, stiff   bool  // see heavyLoad
	points         [physics.MaxContactPoints]pointMemory
	normal         geom.Vec3
	qA, qB         geom.Quat // rotations of the frames when the manifold was kept
	friction       geom.Vec3 // impulse, N·s
	rolling        geom.Vec3 // angular impulse, N·m·s
}

// pointMemory is the impulse of a contact point and what it is found again by.
type pointMemory struct {
	featureA, featureB   physics.Feature
	triangleA, triangleB int32
	impulse              float32
	armA, armB           geom.Vec3 // from the frames to the point when the manifold was kept
	gap                  float32   // then
}

// memory returns the memory of a contact's manifold by its number. It exists if the number is less
// than colored.
func (d *Dynamics) memory(c *contact, k int32) *memory {
	m := d.memories.at(c.first - 1)
	for ; k > 0; k-- {
		m = d.memories.at(m.next - 1)
	}
	return m
}

// grow gives a contact the memory of one more manifold than it has colors. What was in it is kept
// only of manifolds that are held: a state in bytes has no other.
func (d *Dynamics) grow(c *contact) *memory {
	next := &c.first
	if c.colored > 0 {
		next = &d.memory(c, c.colored-1).next
	}
	if *next == 0 {
		if n := len(d.freeMemories); n > 0 {
			*next, d.freeMemories = d.freeMemories[n-1], d.freeMemories[:n-1]
			*d.memories.touch(*next - 1) = memory{}
		} else {
			d.memories.grow(d.memories.n + 1)
			*next = d.memories.n
		}
	} else if c.colored >= c.held {
		m := d.memories.touch(*next - 1)
		*m = memory{next: m.next}
	}
	c.colored++
	return d.memories.at(*next - 1)
}

// forget gives the memory of a contact back.
func (d *Dynamics) forget(c *contact) {
	for at := c.first; at != 0; {
		d.freeMemories = append(d.freeMemories, at)
		at = d.memories.at(at - 1).next
	}
	c.first, c.held = 0, 0
}

// A constraint has a color that no other constraint of its dynamic bodies has. So constraints of
// the same color can be solved in any order, and at the same time. Each keeps its color while it
// lasts. Contacts with static or kinematic bodies have colors of their own, which are solved last,
// so that nothing is pushed into the ground; where these are taken, they have one of the others.
// What finds no color is solved at the very end, one by one. The graph coloring is that of Box2D 3.
const (
	maxColors           = 32
	staticColors uint32 = 0xff000000 // a set
	overflow            = maxColors
	// colorChoice is of how many free colors, the lowest ones, a hash of the two bodies chooses. At
	// 1, the contacts of a regular stack get colors in the order of its bodies: each box is pushed
	// from its left before it is pushed from its right, and a pyramid of base 100 sways by 0.45 m
	// as it settles. At 2 it is 0.16 m, at 4 0.06 m. More colors are fewer constraints each.
	colorChoice = 4
)

// paint gives a constraint of two bodies a color.
func (d *Dynamics) paint(a, b int32) int32 {
	p, q := &d.bodies[a], &d.bodies[b]
	free := ^(p.colors | q.colors)
	c := int32(overflow)
	if both := p.moves && q.moves; both {
		if free &^= staticColors; free != 0 {
			for n := mixed(a, b) % colorChoice; n > 0 && free&(free-1) != 0; n-- {
				free &= free - 1
			}
			c = int32(bits.TrailingZeros32(free))
		}
	} else if free != 0 {
		c = 31 - int32(bits.LeadingZeros32(free))
	}
	d.touchBody(a)
	d.touchBody(b)
	if c != overflow {
		if p.moves {
			p.colors |= 1 << c
		}
		if q.moves {
			q.colors |= 1 << c
		}
	}
	return c
}

// mixed returns a hash of two numbers, by multiplications and a shift.
func mixed(a, b int32) uint32 {
	h := (uint64(uint32(a))<<32 | uint64(uint32(b))) * 0x9e3779b97f4a7c15
	h = (h ^ h>>32) * 0xd6e8feb86659fd93
	return uint32(h >> 33)
}

// unpaint takes the colors of a contact's constraints from the n-th on.
func (d *Dynamics) unpaint(c *contact, n int32) {
	d.touchBody(c.a)
	d.touchBody(c.b)
	for k := n; k < c.colored; k++ {
		if color := d.memory(c, k).color; color != overflow {
			d.bodies[c.a].colors &^= 1 << color
			d.bodies[c.b].colors &^= 1 << color
		}
	}
	c.colored = min(c.colored, n)
}

// bind sets which bodies and materials a contact is of, when it begins or when these have changed.
func (d *Dynamics) bind(t *physics.Contact, began bool) {
	c := d.touchContact(t.Slot)
	a, b := d.owner(t.A), d.owner(t.B)
	if a.body != c.a || b.body != c.b {
		d.unpaint(c, 0)
		c.held = 0
	}
	c.a, c.b = a.body, b.body
	c.solid = !t.Sensor && (d.bodies[c.a].moves || d.bodies[c.b].moves) && c.a != c.b && !d.isExempt(c.a, c.b)
	if !c.solid {
		d.unpaint(c, 0)
		return
	}
	c.rounds = max(d.roundness(t.A), d.roundness(t.B))
	p, q := d.Material(t.A), d.Material(t.B)
	c.layered = a.triangles != nil || b.triangles != nil
	c.mixture = mix(&p, &q)
	c.slides = c.layered || p.SurfaceVelocity != (geom.Vec3{}) || q.SurfaceVelocity != (geom.Vec3{})
	if began {
		f := &t.Manifolds[0]
		c.passes = d.passesBy(p.OneWay, t.A, t.B, c, f, f.Normal) || d.passesBy(q.OneWay, t.B, t.A, c, f, f.Normal.Neg())
	}
	c.solid = !c.passes
}

// passesBy reports whether a contact, whose normal points out of a collider with a one-way surface,
// began on a side on which it is not solid.
func (d *Dynamics) passesBy(oneWay geom.Vec3, id, other physics.ColliderID, c *contact, f *physics.Manifold, normal geom.Vec3) bool {
	if oneWay == (geom.Vec3{}) {
		return false
	}
	if d.isBehind(oneWay, id, normal) {
		return !d.isAtop(oneWay, id, other, f, normal)
	}
	return d.enteredAside(c, f)
}

// isBehind reports whether a normal that points out of a collider is that of a side on which it is
// not solid.
func (d *Dynamics) isBehind(oneWay geom.Vec3, id physics.ColliderID, normal geom.Vec3) bool {
	return oneWay != (geom.Vec3{}) && d.turned(oneWay, id).Dot(normal) <= 0
}

// isAtop reports whether another collider would pass over a one-way surface if it were higher by
// the margin. What slides from tile to tile has sunk in by rounding, or by its load, and meets the
// next tile at its side.
func (d *Dynamics) isAtop(oneWay geom.Vec3, id, other physics.ColliderID, f *physics.Manifold, normal geom.Vec3) bool {
	up := d.turned(oneWay, id).Normalize()
	if up.Dot(normal) < -0.1 {
		return false
	}
	c, _ := d.space.Collider(other)
	margin := d.Settings.Margin
	c.Transform.Position = c.Transform.Position.Add(up.Mul(margin)).Add(normal.Mul(min(0, f.Depth()-margin)))
	d.near = d.space.OverlapShape(d.near[:0], physics.Placed{Shape: c.Shape, Transform: c.Transform}, filterOf(&c))
	return !slices.Contains(d.near, id)
}

// enteredAside reports whether two bodies that began to touch were deep in each other along the
// normal a step ago, and move by more than that: they came in across the normal, or against it, so
// fast that they were not found at the side. A quarter of the thickness counts as deep.
func (d *Dynamics) enteredAside(c *contact, f *physics.Manifold) bool {
	a, b, at := &d.bodies[c.a], &d.bodies[c.b], f.Points[0].PointA
	velocity := func(x *body, m *motion) geom.Vec3 { return m.v.Add(m.w.Cross(at.Sub(x.center))) }
	moved := velocity(b, &d.motions[c.b]).Sub(velocity(a, &d.motions[c.a])).Mul(d.Settings.Step)
	depth, closing, far := f.Depth(), max(0, -moved.Dot(f.Normal)), moved.Len()
	return depth-closing > 2*max(a.core, b.core) && far > depth && far > 2*closing
}

// turned returns a vector in a collider's axes in those of the world.
func (d *Dynamics) turned(v geom.Vec3, id physics.ColliderID) geom.Vec3 {
	t, _ := d.space.Transform(id)
	return t.Rotation.Rotate(v)
}

// touchContact returns what is kept of a contact, to be written to.
func (d *Dynamics) touchContact(slot int32) *contact {
	d.contacts.grow(slot + 1)
	return d.contacts.touch(slot)
}

// meet finds the contacts, wakes what they wake, and lists those that are active.
func (d *Dynamics) meet() {
	t := &d.tracker
	// An infinite limit would be none that the tracker takes.
	t.Margin, t.Ahead = d.Settings.Margin, min(d.Settings.MaxMargin-d.Settings.Margin, 1000)
	t.Motion, t.AheadOf = d.motionOf, d.aheadOf
	if d.compound {
		t.Excludes = d.ofOneBody
	}
	t.Update(d.space)
	d.part()
	if d.unbound {
		for _, x := range t.All {
			was := *d.touchContact(x.Slot)
			d.bind(x, t.Age(x) == 0)
			if now := d.contacts.at(x.Slot); *now != was {
				d.release(x.Slot)
			}
		}
	} else {
		for _, x := range t.Began {
			d.bind(x, true)
		}
	}
	// What rests on something that moves, or on the ground when it is moved, may fall. A rebase
	// changes all colliders.
	if d.Awake() < d.count {
		if d.rebased {
			brief.Complete(t)
		}
		for x := range t.Moved() {
			if c := d.contacts.at(x.Slot); c.solid && !(d.rebased && d.isInPlace(c, x)) {
				d.wakeSleeping(c.a)
				d.wakeSleeping(c.b)
			}
		}
	}
	d.rebased = false
	d.stirJoints()
	switch events := len(t.Began) > 0 || len(t.Ended) > 0; {
	case d.unbound || d.grouped != d.shifts || events && len(d.passing) > 0:
		d.group()
	case events:
		d.regroup()
	}
	d.unbound = false
	for _, slot := range d.passing {
		d.pass(t.Contact(slot))
	}
}

// isInPlace reports whether the two sides of a contact have hardly moved against each other since
// it was solved: all that a rebase does is to round.
func (d *Dynamics) isInPlace(c *contact, x *physics.Contact) bool {
	if int(c.held) != len(x.Manifolds) {
		return false
	}
	s, a, b := start{a: c.a, b: c.b}, d.frame(c.a, x.A), d.frame(c.b, x.B)
	for k := range x.Manifolds {
		if !d.keeps(&s, d.memory(c, int32(k)), &x.Manifolds[k], &a, &b) {
			return false
		}
	}
	return true
}

// part handles the contacts that have ended.
func (d *Dynamics) part() {
	for _, x := range d.tracker.Ended {
		d.release(x.Slot)
		c := d.touchContact(x.Slot)
		d.unpaint(c, 0)
		if c.solid {
			d.wakeSleeping(c.a)
			d.wakeSleeping(c.b)
		}
		d.forget(c)
		*c = contact{}
	}
}

// group lists the contacts of which a body is awake: those that the solver acts on, and those that
// pass through each other.
func (d *Dynamics) group() {
	d.grouped = d.shifts
	all := d.tracker.All
	d.counts = slices.Grow(d.counts[:0], len(all))[:len(all)]
	d.each(0, len(all), contactChunk, (*Dynamics).sift)
	d.active, d.passing = d.active[:0], d.passing[:0]
	for _, slot := range d.counts {
		if slot > 0 {
			d.active = append(d.active, slot-1)
		} else if slot < 0 {
			d.passing = append(d.passing, ^slot)
		}
	}
}

// sift finds which of some contacts are active.
func (d *Dynamics) sift(_, from, to int) {
	for i, x := range d.tracker.All[from:to] {
		d.counts[from+i] = d.sifted(x.Slot)
	}
}

// sifted returns 1 + slot of a contact that is active, ^slot of one that passes, and 0 of others.
func (d *Dynamics) sifted(slot int32) int32 {
	c := d.contacts.at(slot)
	switch {
	case !d.bodies[c.a].awake && !d.bodies[c.b].awake:
	case c.solid:
		return 1 + slot
	case c.passes:
		return ^slot
	}
	return 0
}

// regroup is group where nothing has changed since the last one, except that contacts have begun
// and ended, and where none passes.
func (d *Dynamics) regroup() {
	t := &d.tracker
	d.counts = d.counts[:0]
	for _, x := range t.Began {
		switch n := d.sifted(x.Slot); {
		case n > 0:
			d.counts = append(d.counts, x.Slot)
		case n < 0:
			d.group()
			return
		}
	}
	if n := int(d.contacts.n) - len(d.ended); n > 0 {
		d.ended = append(d.ended, make([]uint8, n)...)
	}
	for _, x := range t.Ended {
		d.ended[x.Slot] = 1
	}
	to := 0
	for _, slot := range d.active {
		d.active[to] = slot
		to += 1 - int(d.ended[slot])
	}
	for _, x := range t.Ended {
		d.ended[x.Slot] = 0
	}
	// The others move once, from the end on.
	rest := to
	to += len(d.counts)
	d.active = slices.Grow(d.active[:rest], len(d.counts))[:to]
	for i := len(d.counts) - 1; i >= 0; i-- {
		x := t.Contact(d.counts[i])
		at, _ := slices.BinarySearchFunc(d.active[:rest], x.Pair(), func(slot int32, p physics.Pair) int {
			return t.Contact(slot).Pair().Compare(p)
		})
		to -= copy(d.active[to-(rest-at):to], d.active[at:rest])
		rest = at
		to--
		d.active[to] = x.Slot
	}
}

// list lists the constraints of the loose contacts. What the step writes to is made the Dynamics'
// own first, and constraints get their colors one after the other, so that several goroutines can
// do the rest.
func (d *Dynamics) list() {
	n := len(d.loose)
	brief.CompleteSome(&d.tracker, d.loose)
	d.counts = slices.Grow(d.counts[:0], n)[:n]
	d.contacts.unmark()
	d.memories.unmark()
	d.each(0, n, contactChunk, (*Dynamics).countJobs)
	d.contacts.touchMarked()
	d.memories.touchMarked()
	end := int32(0)
	for i, count := range d.counts {
		if count < 0 {
			count = ^count
			d.repaint(d.contacts.at(d.loose[i]), count)
		}
		d.counts[i] = end
		end += count
	}
	d.jobs = emptied(d.jobs, int(end))[:end]
	d.each(0, n, contactChunk, (*Dynamics).enter)
}

// countJobs counts the manifolds of some loose contacts, inverted where as many colors are missing
// or too many, and marks what the step writes to.
func (d *Dynamics) countJobs(_, from, to int) {
	for i, slot := range d.loose[from:to] {
		c := d.contacts.at(slot)
		d.contacts.mark(slot)
		n := int32(len(d.tracker.Contact(slot).Manifolds))
		for k, at := max(n, c.held), c.first; k > 0 && at != 0; k-- {
			d.memories.mark(at - 1)
			if k > 1 {
				at = d.memories.at(at - 1).next
			}
		}
		if n != c.colored {
			n = ^n
		}
		d.counts[from+i] = n
	}
}

// repaint gives a contact as many colors as it has manifolds.
func (d *Dynamics) repaint(c *contact, manifolds int32) {
	d.unpaint(c, manifolds)
	for c.colored < manifolds {
		d.grow(c).color = d.paint(c.a, c.b)
	}
}

// enter makes the jobs of some loose contacts, from the number in counts on.
func (d *Dynamics) enter(_, from, to int) {
	for i, slot := range d.loose[from:to] {
		if next := from + i + ahead; next < to {
			slot := d.loose[next]
			broad.HintAll(&d.tracker.Contact(slot).Manifolds[0].N)
			broad.HintAll(&d.memories.at(d.contacts.at(slot).first - 1).color)
		}
		c, x := d.contacts.at(slot), d.tracker.Contact(slot)
		if c.held > 1 {
			d.sort(c, x.Manifolds)
		}
		at := c.first
		for k := range x.Manifolds {
			m, f := d.memories.at(at-1), &x.Manifolds[k]
			at = m.next
			j := &d.jobs[int(d.counts[from+i])+k]
			*j = job{}
			j.contact, j.manifold, j.kept, j.memory, j.k, j.n = x, f, c, m, int32(k), f.N
			j.alike = int(c.held) == len(x.Manifolds)
			j.color, j.heavy, j.slides = m.color, m.heavy && int32(k) < c.held, c.slides
		}
	}
}

// sort exchanges what is kept of the manifolds of a contact, so that it has their numbers again:
// manifolds come in the order of their depths. Taken for one another, two triangles that differ by
// little in slope keep each other's points, and a crate that lies on both rocks and sinks in.
func (d *Dynamics) sort(c *contact, now []physics.Manifold) {
	for k := range min(c.held, int32(len(now))) {
		f, m := &now[k], d.memory(c, k)
		best, most := m, m.alignment(f)
		for o := k + 1; o < c.held; o++ {
			if other := d.memory(c, o); other.alignment(f) > most {
				best, most = other, other.alignment(f)
			}
		}
		if best != m {
			*m, *best = *best, *m
			m.next, best.next = best.next, m.next
			m.color, best.color = best.color, m.color
		}
	}
}

// alignment returns how well a manifold agrees with what was kept of one: by the cosine of the
// normals, if the children are the same.
func (m *memory) alignment(f *physics.Manifold) float32 {
	if m.childA != f.ChildA || m.childB != f.ChildB {
		return -2
	}
	return m.normal.Dot(f.Normal)
}

// stirs reports whether a body wakes what touches it.
func (d *Dynamics) stirs(i int32) bool {
	b := &d.bodies[i]
	return b.awake && (b.moves || d.motions[i].v != (geom.Vec3{}) || d.motions[i].w != (geom.Vec3{}))
}

// wakeSleeping wakes a dynamic body; it reports whether it slept.
func (d *Dynamics) wakeSleeping(i int32) bool {
	if b := &d.bodies[i]; !b.moves || b.awake {
		return false
	}
	d.wake(i)
	return true
}
