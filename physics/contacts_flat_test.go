package physics

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A tracker that may exclude pairs, and excludes none, checks all contacts in the general way. One
// that defers manifolds has the same ones once they are complete, also after it was restored.
func TestFlatContactsStayAsInTheGeneralWay(t *testing.T) {
	r := testenv.Rand(16, 41)
	number := func(most float32) float32 { return most * (2*r.Float32() - 1) }
	s := NewPlanarSpace()
	var ids []ColliderID
	for range 150 {
		var shape Shape = geom.Box{HalfExtents: geom.V(0.2+0.3*r.Float32(), 0.2+0.3*r.Float32(), 0)}
		if r.IntN(8) == 0 {
			shape = geom.Sphere{Radius: 0.4}
		}
		ids = append(ids, s.Add(Collider{Shape: shape, Transform: geom.At2D(number(4), number(4), float64(number(3))), Sensor: r.IntN(16) == 0}))
	}
	moves := map[ColliderID]geom.Vec3{}
	motion := func(id ColliderID) (shift, turn geom.Vec3) { return moves[id], geom.Vec3{} }
	fast := ContactTracker{Margin: 0.02, Ahead: 0.5, Motion: motion}
	general := ContactTracker{Margin: 0.02, Ahead: 0.5, Motion: motion, Excludes: func(_, _ ColliderID) bool { return false }}
	late, state := ContactTracker{Margin: 0.02, Ahead: 0.5, Motion: motion}, TrackerState{}
	late.checks.defers = true
	same := func(expected, is []*Contact) {
		require.Len(t, is, len(expected))
		for i, x := range is {
			y := expected[i]
			require.Equal(t, [...]any{y.Pair(), y.UserA, y.UserB, y.Sensor, y.Still, y.Slot, y.Manifolds}, [...]any{x.Pair(), x.UserA, x.UserB, x.Sensor, x.Still, x.Slot, x.Manifolds})
		}
	}
	stayed, ended := 0, 0
	var old *Space
	for i := range 300 {
		for _, id := range ids {
			c, _ := s.Collider(id)
			switch r.IntN(20) {
			case 0:
				c.User++
			case 1:
				c.Sensor = !c.Sensor && r.IntN(4) == 0
			case 2, 3, 4, 5: // stays
				continue
			}
			moves[id] = geom.V(number(0.05), number(0.05), 0).Mul(float32(r.IntN(2)))
			c.Transform = geom.At2D(c.Transform.Position.X+number(0.02), c.Transform.Position.Y+number(0.02), float64(number(0.05))).Mul(geom.Transform{Rotation: c.Transform.Rotation})
			s.Set(id, c)
		}
		at := s
		switch i % 40 {
		case 10:
			old = s.Snapshot()
		case 13: // where other colliders are sensors, and have other values
			at = old
		}
		fast.Update(at)
		general.Update(at)
		if i%7 == 6 {
			late.Save(&state)
			late.Update(at)
			late.Restore(&state)
		}
		late.Update(at)
		same(general.All, fast.All)
		if i%4 == 0 {
			late.checks.complete()
			same(general.All, late.All)
		}
		require.Len(t, fast.Began, len(general.Began))
		same(general.Ended, fast.Ended)
		same(general.Ended, late.Ended)
		stayed, ended = stayed+len(fast.All)-len(fast.Began), ended+len(fast.Ended)
	}
	testenv.Drawn(t, min(stayed, 100*ended), 20_000)
}
