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
	goldenTouches = 0xf194007d842ccdc
	goldenPushes  = 0x6aa93e056a401961
)

// All bits of what touches, and of what is pushed, are the same on every architecture.
func TestContactsSameBits(t *testing.T) {
	testenv.Long(t)
	n := golden.Numbers(12)
	s := goldenWorld(t, &n)
	touches, pushes := golden.New(), golden.New()
	tracker := physics.ContactTracker{Margin: 0.05}
	var movables []physics.Movable
	for id := range s.All() {
		if id%4 > 0 {
			movables = append(movables, physics.Movable{Collider: id, Weight: float32(id % 3)})
		}
	}
	var p physics.Separator
	for tick := range 4 {
		tracker.Update(s)
		for _, list := range [][]physics.Contact{tracker.All, tracker.Began, tracker.Ended} {
			touches.Uint(uint64(len(list)))
			for i := range list {
				x := &list[i]
				touches.Uint(uint64(x.A))
				touches.Uint(uint64(x.B))
				touches.Bool(x.Sensor)
				for _, m := range x.Manifolds {
					touches.Vec(m.Normal)
					for _, c := range m.ContactPoints() {
						touches.Vec(c.PointA, c.PointB)
						touches.Float(c.Depth)
						touches.Uint(uint64(c.FeatureA)<<32 | uint64(c.FeatureB))
					}
				}
			}
		}
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
	pushes.Check(t, "pushes", goldenPushes)
}
