package physics

import (
	"github.com/hitscan-go/hitscan/physics/internal/brief"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
)

// Nearly all contacts of a 2D game are those of two boxes that touched at the update before too.
// They are checked here without what other pairs need, eight at a time.

// flatChecks is contacts that are to be checked at once.
type flatChecks struct {
	narrow.FlatPairs
	n     int
	slots [8]int32 // of the pairs
	found [8]*tracked
}

// someFlat is some of a planar space.
func (c *checks) someFlat(worker int, w *scratch, slots []int32) {
	f := &w.flats
	f.n = 0
	for _, slot := range slots {
		if !c.add(f, w, slot) {
			c.check(worker, w, slot)
		} else if f.n == len(f.slots) {
			c.checkFlats(worker, w)
		}
	}
	c.checkFlats(worker, w)
}

// add adds a contact of two boxes. It reports false if check has to decide.
func (c *checks) add(f *flatChecks, w *scratch, slot int32) bool {
	t := c.table
	k := &t.slots[slot]
	if k.contact == 0 || c.excludes != nil || t.epoch == t.clock { // then resets are not known
		return false
	}
	i, j := k.A.index(), k.B.index()
	a, b := &t.proxies[i], &t.proxies[j]
	x := c.contact(k.contact - 1)
	// What is no sensor becomes one by a reset, and so do the values of the user change.
	if x.found != 0 || x.Sensor || a.reset == t.clock || b.reset == t.clock || a.moved != t.clock && b.moved != t.clock || t.isOver(c.space, slot) {
		return false
	}
	p, q := &t.flats[i], &t.flats[j]
	if !p.IsSet() || !q.IsSet() {
		return false
	}
	margin := t.margin
	if t.isFast(i) || t.isFast(j) {
		near := false
		if margin, near = t.pairMargin(i, j, &c.space.records[i], &c.space.records[j], &w.closing); !near {
			return false
		}
	}
	l := f.n & 7
	f.n++
	f.A[l], f.B[l], f.Margin[l], f.slots[l], f.found[l] = p, q, float64(margin), slot, x
	return true
}

// checkFlats checks the contacts that were added.
func (c *checks) checkFlats(worker int, w *scratch) {
	f := &w.flats
	if f.n == 0 {
		return
	}
	for l := f.n; l < len(f.slots); l++ {
		f.A[l], f.B[l] = f.A[0], f.B[0]
	}
	all := f.CollideFlats()
	mem := &c.parts[worker]
	for l := range f.n {
		if all>>l&1 == 0 || !c.stay(f, l, mem) {
			c.check(worker, w, f.slots[l])
		}
	}
	f.n = 0
}

// stay writes what was found of a contact. It reports false if check has to decide.
func (c *checks) stay(f *flatChecks, l int, mem *arenaPart) bool {
	l &= 7
	x, t := f.found[l], c.table
	mem.room(1)
	from := len(mem.manifolds)
	to := mem.manifolds[from : from+1 : from+1]
	m := &to[0]
	*m = Manifold{}
	m.Normal.X, m.Normal.Y, m.Normal.Z = f.Normal(l)
	n := f.N(l)
	m.N, m.ChildA, m.ChildB = int32(n), -1, -1
	for k := range m.Points[:n] {
		p := &m.Points[k]
		ax, ay, bx, by, depth, featureA, featureB := f.Point(l, k)
		p.PointA.X, p.PointA.Y, p.PointB.X, p.PointB.Y, p.Depth = ax, ay, bx, by, depth
		p.FeatureA, p.FeatureB, p.TriangleA, p.TriangleB = Feature(featureA), Feature(featureB), -1, -1
	}
	if float32(f.Margin[l]) > t.margin {
		k := &t.slots[f.slots[l]]
		i, j := k.A.index(), k.B.index()
		if len(t.approaching(to, i, j, &c.space.records[i], &c.space.records[j])) == 0 {
			return false
		}
	}
	c.briefs[x.Slot] = brief.Manifold{X: m.Normal.X, Y: m.Normal.Y, Depth: m.Depth(), Update: c.round}
	mem.manifolds, x.Manifolds = mem.manifolds[:from+1], to
	x.Still, x.settled, x.copied = false, false, true
	return true
}
