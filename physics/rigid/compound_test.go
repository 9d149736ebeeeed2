package rigid_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// Colliders of one body that overlap, one of them a sensor, have no contact, and have one once they
// are of two.
func TestPartsOfOneBodyHaveNoContact(t *testing.T) {
	s := newScene(t)
	s.Settings.Gravity = geom.Vec3{}
	var ids [3]physics.ColliderID
	for i := range ids {
		ids[i] = s.Space().Add(physics.Collider{Shape: box(0.5), Transform: geom.At(0.4*float32(i), 5, 0), Sensor: i == 2})
	}
	s.Step()
	require.Len(t, s.Contacts(), 3, "of static colliders")
	id, err := s.Add(rigid.Body{Velocity: geom.V(0, 0.1, 0)}, ids[:]...)
	require.NoError(t, err)
	s.steps(2)
	require.Empty(t, s.Contacts())

	bytes := s.AppendState(nil)
	loaded := rigid.New(physics.NewSpace())
	require.NoError(t, loaded.LoadState(bytes))
	loaded.Step()
	require.Empty(t, loaded.Contacts())

	require.NoError(t, s.Reshape(id, ids[0], ids[2]))
	s.steps(2)
	require.Len(t, s.Contacts(), 2)
	for _, c := range s.Contacts() {
		require.NotEqual(t, s.BodyOf(c.A), s.BodyOf(c.B))
	}
}
