package physics

import (
	"sync"

	"github.com/hitscan-go/hitscan/physics/internal/brief"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
)

// A solver reads few of the manifolds of two boxes in a plane: of most it has kept, a brief will
// do. To write them all takes longer than to find them. So a tracker of package rigid leaves them
// as they were found, and writes them when they are read.

// deferred is the contacts of which manifolds may have to be written.
type deferred struct {
	defers  bool
	lock    sync.Mutex
	briefs  []brief.Manifold         // by slot
	waiting [2][]narrow.FlatContacts // of this update, and of the one before
}

func init() {
	of := func(tracker any) *checks { return &tracker.(*ContactTracker).checks }
	brief.Of = func(tracker any) ([]brief.Manifold, uint32) { return of(tracker).briefs, of(tracker).round }
	brief.Defer = func(tracker any) { of(tracker).defers = true }
	brief.Complete = func(tracker any) { of(tracker).complete() }
	brief.CompleteSome = func(tracker any, slots []int32) {
		c := of(tracker)
		for _, slot := range slots {
			c.completeOne(slot, c.round, c.part(0))
		}
		c.keepUsed()
	}
}

// complete writes all manifolds that have not been written.
func (c *contactMemory) complete() {
	if c.defers {
		c.lock.Lock()
		c.completeAll(c.round)
		c.lock.Unlock()
	}
}

// completeAll writes the manifolds of an update, the present one or the one before.
func (c *contactMemory) completeAll(round uint32) {
	if !c.defers {
		return
	}
	for slot := range c.n {
		c.completeOne(slot, round, c.part(0))
	}
	c.keepUsed()
}

// completeOne writes the manifold of a contact if it was found at an update and not written.
func (c *contactMemory) completeOne(slot int32, round uint32, mem *arenaPart) {
	if b := &c.briefs[slot]; b.Update == round && b.At >= 0 {
		c.contact(slot).Manifolds = mem.flat(&c.waiting[(c.round-round)&1][b.At/8], int(b.At%8))
		b.At = -1
	}
}

// flat writes what was found of two boxes in a plane.
func (a *arenaPart) flat(f *narrow.FlatContacts, l int) []Manifold {
	a.room(1)
	from := len(a.manifolds)
	a.manifolds = a.manifolds[:from+1]
	to := a.manifolds[from : from+1 : from+1]
	m, n := &to[0], f.N(l)
	*m = Manifold{N: int32(n), ChildA: -1, ChildB: -1}
	m.Normal.X, m.Normal.Y, m.Normal.Z = f.Normal(l)
	for k := range m.Points[:n] {
		p := &m.Points[k]
		ax, ay, bx, by, depth, featureA, featureB := f.Point(l, k)
		p.PointA.X, p.PointA.Y, p.PointB.X, p.PointB.Y, p.Depth = ax, ay, bx, by, depth
		p.FeatureA, p.FeatureB, p.TriangleA, p.TriangleB = Feature(featureA), Feature(featureB), -1, -1
	}
	return to
}
