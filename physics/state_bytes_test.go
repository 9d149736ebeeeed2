package physics

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The shapes of a state are those of its space: each number of each kind.
func TestStateKeepsShapes(t *testing.T) {
	a, b, q := geom.V(1, 2, 3), geom.V(4, 6, 5), geom.Quat{X: 0.5, Y: -0.5, Z: 0.5, W: 0.5}
	s, other := NewSpace(), NewSpace()
	for _, shape := range []Shape{
		geom.AABB{Min: a, Max: b}, geom.Box{Center: a, HalfExtents: b, Rotation: q}, geom.Sphere{Center: a, Radius: 4}, geom.Capsule{A: a, B: b, Radius: 7},
		geom.Cylinder(a, b, 7), geom.Cone{A: a, B: b, RadiusA: 7, RadiusB: 8}, geom.TaperedCapsule{A: a, B: b, RadiusA: 1, RadiusB: 2},
		geom.Plane{Normal: geom.V(0, 1, 0), D: 4},
	} {
		s.Add(Collider{Shape: shape})
	}
	require.NoError(t, other.LoadState(s.AppendState(nil, nil), nil))
	for id, c := range s.All() {
		got, ok := other.Collider(id)
		require.True(t, ok)
		require.Equal(t, c, got)
	}
	require.Equal(t, s.Len(), other.Len())
}

// A state has the same bytes after it was loaded, even if its tracker has not been updated yet, or
// not since the space was restored to before.
func TestStateOfAnUnknownTracker(t *testing.T) {
	for name, prepare := range map[string]func(s *Space, tracker *ContactTracker){
		"new": func(*Space, *ContactTracker) {},
		"restored": func(s *Space, tracker *ContactTracker) {
			id := s.Add(Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(9, 0, 0)})
			before := s.Snapshot()
			s.SetTransform(id, geom.At(1, 0, 0))
			tracker.Update(s)
			s.Restore(before)
		},
		"restored to before there were others": func(s *Space, tracker *ContactTracker) {
			before := s.Snapshot()
			for range 3 {
				s.Add(Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(1, 0, 0)})
			}
			tracker.Update(s)
			s.Restore(before)
		},
	} {
		s, tracker := NewSpace(), &ContactTracker{Margin: 0.02}
		s.Add(Collider{Shape: geom.Sphere{Radius: 1}})
		prepare(s, tracker)
		want := s.AppendState(nil, tracker)
		for range 3 {
			s, tracker = NewSpace(), &ContactTracker{Margin: 0.02}
			require.NoError(t, s.LoadState(want, tracker), name)
			require.Equal(t, want, s.AppendState(nil, tracker), name)
		}
	}
}

// A state of a tracker whose numbers no tracker has is refused.
func TestStateOfADamagedTracker(t *testing.T) {
	for name, damage := range map[string]func(t *pairTable){
		"NaN in the origin":      func(t *pairTable) { t.origin.X = math.NaN() },
		"infinity in the origin": func(t *pairTable) { t.origin.Z = math.Inf(-1) },
		"infinite margin":        func(t *pairTable) { t.margin = float32(math.Inf(1)) },
	} {
		s, tracker := NewSpace(), &ContactTracker{Margin: 0.02}
		tracker.Update(s)
		damage(&tracker.table)
		err := NewSpace().LoadState(s.AppendState(nil, tracker), &ContactTracker{Margin: 0.02})
		require.ErrorContains(t, err, "the tracker has the origin", name)
	}
}
