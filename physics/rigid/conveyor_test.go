package rigid_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// A box moves with a belt, however slow it is, and what rolls at the share of its speed that leaves
// no angular momentum about the points of the belt: 2/7 of a ball, 1/3 of a cylinder. A box that
// a wall stops sleeps, and one that sleeps starts with the belt.
func TestConveyorSleep(t *testing.T) {
	shapes := map[physics.Shape]float32{
		box(0.25): 1, geom.Sphere{Radius: 0.25}: 2. / 7,
		geom.Cylinder(geom.V(0, 0, -0.3), geom.V(0, 0, 0.3), 0.25): 1. / 3,
	}
	for _, speed := range []float32{0.02, 2} {
		for shape, share := range shapes {
			if share < 1 && speed < 1 {
				continue // the rolling is slow enough to sleep
			}
			s := newScene(t)
			belt := s.Space().Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(50, 0.5, 3)}, Static: true,
				Transform: geom.Transform{Position: geom.V(0, 0.5, 0), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), math.Pi)}})
			id := s.add(rigid.Body{}, shape, geom.At(0, 1.25, 0))
			s.steps(60)
			require.False(t, s.IsAwake(id))
			m := rigid.DefaultMaterial()
			m.SurfaceVelocity = geom.V(-speed, 0, 0)
			require.NoError(t, s.SetMaterial(belt, m))
			s.steps(180)
			require.True(t, s.IsAwake(id), "%v %T", speed, shape)
			b, _ := s.Body(id)
			assert.InDelta(t, share*speed, b.Velocity.X, 0.001*float64(speed), "%v %T", speed, shape)
			if e, _ := s.Explain(id); speed < 1 {
				assert.Contains(t, e.String(), "the surface of "+belt.String()+" moves it")
			}
			s.Space().Add(physics.Collider{Shape: box(1), Transform: geom.At(s.position(id).X+1.3, 2, 0), Static: true})
			if s.steps(300); share == 1 {
				assert.False(t, s.IsAwake(id), "%v", speed)
			}
		}
	}
}

// What lies on a turntable goes around with it, at v²/r less than friction bears, and does not
// drift outward: its way is that of a point of the table.
func TestTurntableCarries(t *testing.T) {
	for _, first := range []bool{false, true} {
		s := &scene{Dynamics: rigid.New(physics.NewSpace()), t: t}
		const spin, radius = 1.5, 1.5 // 3.4 m/s² against 5.9
		var table, crate rigid.BodyID
		add := func() {
			table = s.add(rigid.Body{Kind: rigid.Kinematic, AngularVelocity: geom.V(0, spin, 0)},
				geom.Box{HalfExtents: geom.V(3, 0.5, 3)}, geom.At(0, -0.5, 0))
		}
		if first {
			add()
		}
		crate = s.add(rigid.Body{Velocity: geom.V(0, 0, -spin*radius), AngularVelocity: geom.V(0, spin, 0)},
			box(0.2), geom.At(radius, 0.2, 0))
		if !first {
			add()
		}
		s.steps(600)
		at, _ := s.Transform(table)
		p := at.Point(geom.V(radius, 0.7, 0))
		require.InDelta(t, 0, s.position(crate).Sub(p).Len(), 0.02)
	}
}

// A ball that rolls on a turntable goes round a circle in the same sense, however fast it is, at
// 2/7 of the speed of the turntable (Earnshaw 1844).
func TestBallOnTurntable(t *testing.T) {
	for _, spin := range []float64{1, 3} {
		s := &scene{Dynamics: rigid.New(physics.NewSpace()), t: t}
		s.add(rigid.Body{Kind: rigid.Kinematic, AngularVelocity: geom.V(0, float32(spin), 0)},
			geom.Box{HalfExtents: geom.V(9, 0.5, 9)}, geom.At(0, -0.5, 0))
		const radius = 0.25
		id := s.add(rigid.Body{Velocity: geom.V(1, 0, 0), AngularVelocity: geom.V(0, 0, -1/radius)},
			geom.Sphere{Radius: radius}, geom.At(0, radius, 0))
		const steps = 240
		s.steps(steps)
		rate := 2. / 7 * spin
		sin, cos := math.Sincos(rate * steps / 60)
		v, _, _ := s.Velocity(id)
		assert.InDelta(t, 0, v.Sub(geom.V(float32(cos), 0, float32(-sin))).Len(), 0.01)
		assert.InDelta(t, 0, s.position(id).Sub(geom.V(float32(sin/rate), radius, float32((cos-1)/rate))).Len(), 0.01)
	}
}
