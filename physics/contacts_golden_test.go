package physics_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The hashes of TestContactsSameBits.
const (
	goldenTouches  = 0x2a27b03b032ec242
	goldenRecycled = 0x969599d3b9644612
	goldenPushes   = 0x4c532f9b7bc72f7d
)

// Contacts and pushes have the same bits on every architecture.
func TestContactsSameBits(t *testing.T) {
	testenv.Long(t)
	n := golden.Numbers(12)
	s := goldenWorld(t, &n)
	touches, recycled, pushes := golden.New(), golden.New(), golden.New()
	tracker := physics.ContactTracker{Margin: 0.05, RecycleDistance: -1}
	recycler := physics.ContactTracker{Margin: 0.05, RecycleDistance: 0.05}
	var movables []physics.Movable
	for id := range s.All() {
		if id%4 > 0 {
			movables = append(movables, physics.Movable{Collider: id, Weight: float32(id % 3)})
		}
	}
	var p physics.Separator
	for tick := range 4 {
		tracker.Update(s)
		addContacts(touches, &tracker)
		recycler.Update(s)
		addContacts(recycled, &recycler)
		if tick == 2 {
			p.Up = geom.V(1, 3, 0)
		}
		p.Separate(s, movables)
		for _, m := range movables {
			pushes.Vec(m.Push)
			c, _ := s.Collider(m.Collider)
			c.Transform.Position = c.Transform.Position.Add(m.Push)
			s.SetTransform(m.Collider, c.Transform)
		}
	}
	require.NotEmpty(t, tracker.Ended)
	touches.Check(t, "touches", goldenTouches)
	recycled.Check(t, "recycled", goldenRecycled)
	pushes.Check(t, "pushes", goldenPushes)
}

func addContacts(h *golden.Hash, t *physics.ContactTracker) {
	for _, list := range [][]*physics.Contact{t.All, t.Began, t.Ended} {
		h.Uint(uint64(len(list)))
		for _, x := range list {
			h.Uint(uint64(x.A))
			h.Uint(uint64(x.B))
			h.Bool(x.Sensor)
			for _, m := range x.Manifolds {
				h.Vec(m.Normal)
				for _, c := range m.ContactPoints() {
					h.Vec(c.PointA, c.PointB)
					h.Float(c.Depth)
					h.Uint(uint64(c.FeatureA)<<32 | uint64(c.FeatureB))
				}
			}
		}
	}
}
