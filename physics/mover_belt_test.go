package physics_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A belt carries a mover by its velocity along the surface, level, up and down a slope, and beside
// the motion of the collider; a jump keeps it, a wall stops it, and other ground has none.
func TestMoverOnABelt(t *testing.T) {
	const speed = 2
	for _, degrees := range []float64{0, 20, -20} {
		for _, shape := range []physics.Shape{geom.Box{HalfExtents: geom.V(20, 0.5, 4)}, meshOf(t, []physics.Shape{slab(-20, -0.5, -4, 20, 0.5, 4)})} {
			a := degrees * math.Pi / 180
			tilt := geom.QuatAxisAngle(geom.V(0, 0, 1), a)
			s := &stage{Space: physics.NewSpace()}
			belt := s.Add(physics.Collider{Shape: shape, Transform: geom.Transform{Rotation: tilt}})
			foot := tilt.Rotate(geom.V(0, 0.5, 0))
			s.at(foot.X, foot.Y+0.3, 0)
			s.walk(geom.Vec3{}, 30) // lands
			require.Equal(t, physics.OnGround, s.state.Ground)
			run := tilt.Rotate(geom.V(speed, 0, 0))
			tick := func(velocity geom.Vec3) {
				// What leads out of the surface counts for nothing.
				s.state.SurfaceVelocity = run.Add(tilt.Rotate(geom.V(0, 7, 0)))
				s.tick(velocity)
			}
			from := s.position()
			for range 60 {
				tick(geom.Vec3{})
			}
			require.InDelta(t, 0, s.position().Distance(from.Add(run)), 2e-3, degrees)
			assert.Zero(t, s.state.Velocity)
			assert.InDelta(t, 0, s.state.GroundVelocity.Distance(run), 1e-3)

			from = s.position()
			for range 60 {
				tick(geom.V(-run.X, 0, 1))
			}
			require.InDelta(t, 0, s.position().Distance(from.Add(geom.V(0, 0, 1))), 2e-3, "walks against it and aside")

			from = s.position()
			at, _ := s.Transform(belt)
			for range 30 {
				at.Position = at.Position.Add(geom.V(0, 1./60, -3./60))
				s.SetTransform(belt, at)
				tick(geom.Vec3{})
			}
			require.InDelta(t, 0, s.position().Distance(from.Add(run.Mul(0.5)).Add(geom.V(0, 0.5, -1.5))), 2e-3, "a belt on a lift")
			assert.InDelta(t, 0, s.state.GroundVelocity.Distance(run.Add(geom.V(0, 1, -3))), 2e-3)

			s.mover.Unmoved = true
			from = s.position()
			tick(geom.Vec3{})
			assert.InDelta(t, 0, s.position().Distance(from), 1e-3)
			s.mover.Unmoved = false

			tick(geom.V(0, 6, 0))
			require.Equal(t, physics.InAir, s.state.Ground)
			assert.InDelta(t, 0, s.state.Velocity.Distance(run.Add(geom.V(0, 6, 0))), 1e-3, "a jump")
			assert.Zero(t, s.state.SurfaceVelocity)
		}
	}

	s := &stage{Space: physics.NewSpace()}
	s.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(3, 0.5, 3)}})
	s.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(3, 0.5, 3)}, Transform: geom.At(6, 0, 0)})
	s.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(1, 9, 9)}, Transform: geom.At(8, 0, 0)})
	s.at(2, 0.52, 0)
	s.walk(geom.Vec3{}, 2)
	first := s.state.GroundCollider
	for range 120 {
		if s.state.GroundCollider == first {
			s.state.SurfaceVelocity = geom.V(3, 0, 0)
		}
		s.tick(geom.Vec3{})
	}
	assert.NotEqual(t, first, s.state.GroundCollider)
	assert.InDelta(t, 3, s.position().X, 0.4, "it stops behind the belt")
	assert.Zero(t, s.state.SurfaceVelocity)
	for range 120 {
		s.state.SurfaceVelocity = geom.V(3, 0, 0)
		s.tick(geom.Vec3{})
	}
	assert.InDelta(t, 7-0.32, s.position().X, 2e-3, "and at a wall")
}
