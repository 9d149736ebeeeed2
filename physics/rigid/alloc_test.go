//go:build !race

package rigid_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// The impacts of balls allocate nothing, also where the centre is not the origin. The race detector
// adds allocations of its own.
func TestBallsAllocateNothing(t *testing.T) {
	s := physics.NewSpace()
	d := rigid.New(s)
	d.Settings.Gravity, d.Settings.BounceSpeed = geom.Vec3{}, 0
	for _, x := range []float32{-1, 1} {
		s.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(0.1, 9, 9)}, Transform: geom.At(x, 0, 0)})
	}
	var ids [8]rigid.BodyID
	for i := range ids {
		c := s.Add(physics.Collider{Shape: geom.Sphere{Center: geom.V(0, 0.1, 0), Radius: 0.1}, Transform: geom.At(0, float32(i)-4, 0)})
		require.NoError(t, d.SetMaterial(c, rigid.Material{Restitution: 1}))
		var err error
		ids[i], err = d.Add(rigid.Body{NoSleep: true, Velocity: geom.V(6+float32(i), 0, 3)}, c)
		require.NoError(t, err)
	}
	run := func() {
		for range 120 {
			d.Step()
			for i, id := range ids {
				d.SetTransform(id, geom.At(0, float32(i)-4, 0))
				d.Step()
			}
		}
	}
	run()
	require.Zero(t, testing.AllocsPerRun(1, run))
}
