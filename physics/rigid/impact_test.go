package rigid_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// A ball of mass m that meets a wall at the speed v gets the impulse m·v·(1 + e) along the normal,
// and along the surface, by Coulomb's law, the friction coefficient times as much, or what stops
// its surface there: 2/7 of m times the slip, since the other 5/7 stop it by its spin. A planar
// ball is a cylinder, whose share is 1/3. Whatever is left of its way to the wall when the step
// begins in which they meet, up to a margin, the arm is its radius.
func TestFrictionOfImpacts(t *testing.T) {
	testenv.NoRace(t)
	for _, planar := range []bool{false, true} {
		for _, v := range []float64{0.2, 1, 20} {
			for _, e := range []float64{0, 0.5, 1} {
				for _, mu := range []float64{0, 0.1, 0.6} {
					for _, spin := range []float64{0, 60, -300} {
						for k := range 6 {
							name := fmt.Sprintf("planar %t, v %g, e %g, mu %g, spin %g, %d", planar, v, e, mu, spin, k)
							t.Run(name, func(t *testing.T) { impactOfBall(t, planar, v, e, mu, spin, float64(k)/6) })
						}
					}
				}
			}
		}
	}
}

// Rolling resistance takes from the spin of a ball, about an axis along the wall, its coefficient
// times the impulse m·v·(1 + e) at most, or all of it. It leaves the speed and the other spin.
func TestRollingResistanceOfImpacts(t *testing.T) {
	testenv.NoRace(t)
	const radius = 0.3
	for _, v := range []float64{0.2, 1, 20} {
		for _, e := range []float64{0, 0.5, 1} {
			for _, resistance := range []float64{0.01, 0.1} {
				for _, spin := range []float64{0.1, 2, 50} {
					for k := range 6 {
						s := &scene{Dynamics: rigid.New(physics.NewSpace()), t: t}
						s.Settings.Gravity, s.Settings.BounceSpeed, s.Settings.MaxMargin = geom.Vec3{}, 0.1, 0.4
						s.ground = s.Space().Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(1, 100, 100)}, Transform: geom.At(1, 0, 0)})
						s.material(func(m *rigid.Material) {
							m.Friction, m.Restitution, m.RollingResistance = 0, float32(e), float32(resistance)
						})
						ball := s.add(rigid.Body{Velocity: geom.V(float32(v), 0.5, 0), AngularVelocity: geom.V(3, 0.6*float32(spin), -0.8*float32(spin))},
							geom.Sphere{Radius: radius}, geom.At(float32(-radius-v*(4+float64(k)/6)/60), 0, 0))
						s.steps(12)
						b, _ := s.Body(ball)
						left := max(0, spin-resistance*v*(1+e)/(0.4*radius*radius))
						const close = 2e-3
						require.InDelta(t, -e*v, b.Velocity.X, close*v)
						require.InDelta(t, 0.5, b.Velocity.Y, close)
						require.InDelta(t, 3, b.AngularVelocity.X, close)
						require.InDelta(t, 0.6*left, b.AngularVelocity.Y, close*spin, "v %g, e %g, resistance %g, spin %g, %d", v, e, resistance, spin, k)
						require.InDelta(t, -0.8*left, b.AngularVelocity.Z, close*spin)
					}
				}
			}
		}
	}
}

// impactOfBall throws a ball at a wall, at which it is a share of a step too early or late.
func impactOfBall(t *testing.T, planar bool, v, e, mu, spin, early float64) {
	const r, along = 0.03, 0.5
	s, share := physics.NewSpace(), 2.0/7
	if planar {
		s, share = physics.NewPlanarSpace(), 1.0/3
	}
	d := rigid.New(s)
	d.Settings.Gravity, d.Settings.BounceSpeed = geom.Vec3{}, 0.1
	d.Settings.MaxMargin = 0.4 // at 20 m/s it would sink in, by a third of a metre a step
	material := rigid.Material{Friction: float32(mu), Restitution: float32(e)}
	wall := s.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(1, 100, 100)}, Transform: geom.At(1, 0, 0)})
	require.NoError(t, d.SetMaterial(wall, material))
	ball := s.Add(physics.Collider{Shape: geom.Sphere{Radius: r}, Transform: geom.At(float32(-r-v*(4+early)/60), 0, 0)})
	require.NoError(t, d.SetMaterial(ball, material))
	id, err := d.Add(rigid.Body{Velocity: geom.V(float32(v), along, 0), AngularVelocity: geom.V(0, 0, float32(spin))}, ball)
	require.NoError(t, err)
	for range 12 {
		d.Step()
	}
	b, _ := d.Body(id)
	slip := along + r*spin // of its surface at the wall, upward
	most := mu * v * (1 + e)
	impulse := min(max(share*slip, -most), most)
	// By sums of some roundings of the speeds; and with e = 0 what is left presses on the wall.
	const close = 1e-3
	require.InDelta(t, -e*v, b.Velocity.X, close*v)
	require.InDelta(t, along-impulse, b.Velocity.Y, close*(v+max(slip, -slip)))
	// share = I/(I + m·r²), so the spin changes by the impulse times r·m/I = (1 − share)/share/r.
	require.InDelta(t, spin-impulse*(1-share)/(share*r), b.AngularVelocity.Z, close*(v+max(slip, -slip))/r*4)
}
