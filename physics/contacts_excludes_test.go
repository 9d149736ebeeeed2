package physics

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// A pair that is excluded has no contact, whether it touches or is a sensor's, from the update at
// which a collider of it has changed.
func TestExcludes(t *testing.T) {
	for _, sensor := range []bool{false, true} {
		s := NewSpace()
		a := s.Add(Collider{Shape: geom.Sphere{Radius: 1}, Sensor: sensor})
		b := s.Add(Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(1, 0, 0)})
		c := s.Add(Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(0, 1, 0)})
		own := true
		tracker := ContactTracker{Excludes: func(x, y ColliderID) bool { return own && x == a && y == b }}
		update := func(want, began, ended int) {
			tracker.Update(s)
			require.Len(t, tracker.All, want)
			require.Len(t, tracker.Began, began)
			require.Len(t, tracker.Ended, ended)
		}
		update(2, 2, 0)
		require.Equal(t, Pair{a, c}, tracker.All[0].Pair())
		own = false
		update(2, 0, 0)
		s.SetTransform(b, geom.At(1.1, 0, 0))
		update(3, 1, 0)
		own = true
		s.SetTransform(a, geom.At(0, 0.1, 0))
		update(2, 0, 1)
		require.Equal(t, Pair{a, b}, tracker.Ended[0].Pair())
	}
}
