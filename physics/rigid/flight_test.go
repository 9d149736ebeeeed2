package rigid_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// The tests by formula compare with the exact solution of the integration scheme, the semi-implicit
// Euler method, where there is one.

// void returns a Dynamics without ground, in whose origin a body of a shape starts.
func void(t testing.TB, b rigid.Body, shape physics.Shape) (*rigid.Dynamics, rigid.BodyID) {
	d := rigid.New(physics.NewSpace())
	id, err := d.Add(b, d.Space().Add(physics.Collider{Shape: shape}))
	require.NoError(t, err)
	return d, id
}

// flown returns how far a body moves from rest by a constant acceleration in some substeps.
func flown(a, h float64, substeps int) float64 {
	k := float64(substeps)
	return a * h * h * k * (k + 1) / 2
}

// roundingOf returns a bound on the error of a velocity of up to v m/s and a displacement of up to
// s metres after some steps of 4 substeps: each substep rounds the velocity, the displacement in
// the step, which is less than v/60 metres, and each step the position.
func roundingOf(v, s float64, steps int) (velocity, displacement float64) {
	const ulp = 0x1p-24
	k := float64(4 * steps)
	velocity = 2 * k * v * ulp
	return velocity, velocity*k/240 + k*v/60*ulp + float64(steps)*s*ulp
}

func TestParabola(t *testing.T) {
	for _, c := range []struct {
		name  string
		body  rigid.Body
		scale float64 // of gravity
	}{
		{"plain", rigid.Body{}, 1},
		{"half gravity", rigid.Body{GravityScale: 0.5}, 0.5},
		{"upward", rigid.Body{GravityScale: -2}, -2},
		{"weightless", rigid.Body{Weightless: true}, 0},
		{"turning", rigid.Body{AngularVelocity: geom.V(3, 2, 1)}, 1},
		{"heavy", rigid.Body{Density: 1e6}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.body.Velocity = geom.V(7, 10, -3)
			d, id := void(t, c.body, geom.Box{HalfExtents: geom.V(0.1, 0.2, 0.3)})
			const steps = 120
			for range steps {
				d.Step()
			}
			at, _ := d.Transform(id)
			b, _ := d.Body(id)
			g := -float64(d.Settings.Gravity.Y) * c.scale
			dv, ds := roundingOf(50, 70, steps)
			h := float64(d.Settings.Step) / 4
			require.InDelta(t, 7, b.Velocity.X, dv)
			require.InDelta(t, 10-2*g, b.Velocity.Y, dv)
			require.InDelta(t, 14, at.Position.X, ds)
			require.InDelta(t, 20-flown(g, h, 4*steps), at.Position.Y, ds)
			require.InDelta(t, -6, at.Position.Z, ds)
		})
	}
}

// Damping divides the velocity by 1 + h·k in each substep.
func TestDamping(t *testing.T) {
	d, id := void(t, rigid.Body{Weightless: true, Velocity: geom.V(8, 0, 0), AngularVelocity: geom.V(0, 6, 0), LinearDamping: 0.5, AngularDamping: 2}, box(0.5))
	for range 60 {
		d.Step()
	}
	b, _ := d.Body(id)
	h := float64(d.Settings.Step) / 4
	dv, _ := roundingOf(8, 8, 60)
	require.InDelta(t, 8*math.Pow(1+0.5*h, -240), b.Velocity.X, dv)
	require.InDelta(t, 6*math.Pow(1+2*h, -240), b.AngularVelocity.Y, dv)
	at, _ := d.Transform(id)
	require.InDelta(t, 8/0.5*(1-math.Pow(1+0.5*h, -240)), at.Position.X, 1e-4) // a geometric series
}

// Forces and torques act during one step, impulses at once, and a push at a point is one at the
// centre and a turn.
func TestForces(t *testing.T) {
	shape := geom.Box{HalfExtents: geom.V(0.5, 1, 1.5)} // 1 × 2 × 3 m
	const mass = 6 * rigid.DefaultDensity
	ix, iy, iz := mass*(4.0+9)/12, mass*(1.0+9)/12, mass*(1.0+4)/12
	for _, c := range []struct {
		name string
		push func(d *rigid.Dynamics, id rigid.BodyID) bool
		v, w [3]float64
	}{
		{"force", func(d *rigid.Dynamics, id rigid.BodyID) bool { return d.ApplyForce(id, geom.V(6e5, 0, 0)) }, [3]float64{6e5 / mass / 60, 0, 0}, [3]float64{}},
		{"forces add up", func(d *rigid.Dynamics, id rigid.BodyID) bool {
			return d.ApplyForce(id, geom.V(6e5, 0, 0)) && d.ApplyForce(id, geom.V(-6e5, 3e5, 0))
		}, [3]float64{0, 3e5 / mass / 60, 0}, [3]float64{}},
		{"torque", func(d *rigid.Dynamics, id rigid.BodyID) bool { return d.ApplyTorque(id, geom.V(0, 6e5, 0)) }, [3]float64{}, [3]float64{0, 6e5 / iy / 60, 0}},
		{"force at a point", func(d *rigid.Dynamics, id rigid.BodyID) bool {
			return d.ApplyForceAt(id, geom.V(0, 0, 6e5), geom.V(0, 1, 0))
		}, [3]float64{0, 0, 6e5 / mass / 60}, [3]float64{6e5 / ix / 60, 0, 0}},
		{"impulse", func(d *rigid.Dynamics, id rigid.BodyID) bool { return d.ApplyImpulse(id, geom.V(0, 6e3, 0)) }, [3]float64{0, 6e3 / mass, 0}, [3]float64{}},
		{"angular impulse", func(d *rigid.Dynamics, id rigid.BodyID) bool { return d.ApplyAngularImpulse(id, geom.V(0, 0, 6e3)) }, [3]float64{}, [3]float64{0, 0, 6e3 / iz}},
		{"impulse at a point", func(d *rigid.Dynamics, id rigid.BodyID) bool {
			return d.ApplyImpulseAt(id, geom.V(6e3, 0, 0), geom.V(0, 0, 1))
		}, [3]float64{6e3 / mass, 0, 0}, [3]float64{0, 6e3 / iy, 0}},
		{"radial impulse", func(d *rigid.Dynamics, id rigid.BodyID) bool {
			return d.ApplyRadialImpulse(geom.V(-1, 0, 0), 4, 6e3, 2)
		}, [3]float64{6e3 * 0.75 * 0.75 / mass, 0, 0}, [3]float64{}},
		{"radial impulse out of its radius", func(d *rigid.Dynamics, id rigid.BodyID) bool {
			return d.ApplyRadialImpulse(geom.V(-4, 0, 0), 4, 6e3, 0)
		}, [3]float64{}, [3]float64{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, id := void(t, rigid.Body{Weightless: true}, shape)
			require.True(t, c.push(d, id))
			for range 2 { // forces last one step
				d.Step()
				b, _ := d.Body(id)
				v, w := b.Velocity, b.AngularVelocity
				// The mass is exact to 1e-5.
				for k, x := range [...]float32{v.X, v.Y, v.Z, w.X, w.Y, w.Z} {
					want := append(c.v[:], c.w[:]...)[k]
					require.InDelta(t, want, x, 2e-5*math.Abs(want), "component %d", k)
				}
			}
		})
	}
}

// A lock holds an axis against forces, impulses, gravity and contacts, and leaves the others free.
func TestLocks(t *testing.T) {
	for k, axis := range []rigid.Axes{rigid.MoveX, rigid.MoveY, rigid.MoveZ, rigid.TurnX, rigid.TurnY, rigid.TurnZ} {
		s := newScene(t)
		id := s.add(rigid.Body{Locked: axis}, geom.Box{HalfExtents: geom.V(0.2, 0.5, 0.3)}, geom.At(0, 1, 0))
		s.ApplyImpulseAt(id, geom.V(300, -200, 400), geom.V(0.1, 1.4, -0.2))
		s.ApplyAngularImpulse(id, geom.V(30, 20, 10))
		largest := [6]float32{}
		for range 30 {
			s.Step()
			b, _ := s.Body(id)
			v, w := b.Velocity.Abs(), b.AngularVelocity.Abs()
			for i, x := range [...]float32{v.X, v.Y, v.Z, w.X, w.Y, w.Z} {
				largest[i] = max(largest[i], x)
			}
		}
		for i, x := range largest {
			if i == k {
				require.Zero(t, x, "%d", axis)
			} else {
				require.NotZero(t, x, "%d", axis)
			}
		}
	}
}

// A body that may only turn carries and holds what is a hundred times as heavy, and still turns.
func TestPinnedBodies(t *testing.T) {
	const all = rigid.MoveX | rigid.MoveY | rigid.MoveZ
	for _, planar := range []bool{false, true} {
		s := newScene(t)
		if planar {
			s = &scene{rigid.New(physics.NewPlanarSpace()), t, 0}
		}
		light := rigid.Mass{Mass: 10}
		shelf := s.add(rigid.Body{Locked: all | rigid.TurnX | rigid.TurnY | rigid.TurnZ, Mass: light}, geom.Box{HalfExtents: geom.V(1, 0.1, 1)}, geom.At(0, 5, 0))
		crate := s.add(rigid.Body{Mass: rigid.Mass{Mass: 1000}}, box(0.5), geom.At(0, 5.6, 0))
		hub := s.add(rigid.Body{Locked: all, Mass: light}, box(0.2), geom.At(9, 5, 0))
		weight := s.add(rigid.Body{Mass: rigid.Mass{Mass: 1000}}, box(0.5), geom.At(9, 3, 0))
		rope := s.joint(s.JointAt(rigid.BallJoint, hub, weight, geom.V(9, 5, 0), geom.V(0, 0, 1)))
		s.SetVelocity(weight, geom.V(1, 0, 0), geom.Vec3{})
		s.ApplyAngularImpulse(hub, geom.V(0, 0, 0.1))
		_, spin, _ := s.Velocity(hub)
		for range 120 {
			s.Step()
			require.Less(t, s.state(rope).Error, float32(1e-3))
			require.InDelta(t, 5.6, s.position(crate).Y, 1e-3)
		}
		require.Equal(t, geom.V(0, 5, 0), s.position(shelf))
		require.Equal(t, geom.V(9, 5, 0), s.position(hub))
		_, now, _ := s.Velocity(hub)
		require.InDelta(t, 0.1/(10*0.4*0.4/6), spin.Z, 1e-4)
		require.InDelta(t, 0, spin.Sub(now).Len(), 1e-3*float64(spin.Len()), "it goes on turning")
	}
}

// A body of two balls turns about the centre of mass, which is neither collider's position: its
// first collider circles around it.
func TestCompoundCenter(t *testing.T) {
	d := rigid.New(physics.NewSpace())
	small := d.Space().Add(physics.Collider{Shape: geom.Sphere{Radius: 0.5}, Transform: geom.At(10, 0, 0)})
	large := d.Space().Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(13, 0, 0)})
	id, err := d.Add(rigid.Body{Weightless: true, AngularVelocity: geom.V(0, math.Pi, 0)}, small, large)
	require.NoError(t, err)
	const center = (10 + 8*13) / 9.0 // the masses are 1:8
	for range 60 {
		d.Step()
	}
	at, _ := d.Transform(id) // half a turn on
	// The tangent of half the angle of a substep, x + x³/3 instead of tan x, is wrong by 2x⁵/15.
	x := math.Pi / 480
	wrong := 240 * 2 * 2 * math.Pow(x, 5) / 15 * (center - 10)
	_, ds := roundingOf(9, 16, 60)
	require.InDelta(t, 2*center-10, at.Position.X, ds+wrong)
	require.InDelta(t, 0, at.Position.Z, ds+wrong)
	c, _ := d.Space().Collider(large)
	require.InDelta(t, 2*center-13, c.Transform.Position.X, ds+wrong)

	// A push at the centre does not turn it; one at the first collider does.
	require.NoError(t, d.Set(id, rigid.Body{Weightless: true}))
	d.ApplyImpulseAt(id, geom.V(0, 0, 1000), geom.V(center, 0, 0))
	d.Step()
	b, _ := d.Body(id)
	require.InDelta(t, 0, b.AngularVelocity.Len(), 1e-5)
	d.ApplyImpulseAt(id, geom.V(0, 0, 1000), at.Position)
	d.Step()
	b, _ = d.Body(id)
	require.Less(t, b.AngularVelocity.Y, float32(-0.01))
}

// Limits of speed hold, the body's own and those of the settings.
func TestSpeedLimits(t *testing.T) {
	d, id := void(t, rigid.Body{Velocity: geom.V(100, 0, 0), AngularVelocity: geom.V(0, 900, 0), MaxSpeed: 20}, geom.Sphere{Radius: 1})
	d.Step()
	b, _ := d.Body(id)
	require.InDelta(t, 20, b.Velocity.Len(), 20*0x1p-22)
	require.InDelta(t, 400, b.AngularVelocity.Len(), 400*0x1p-22)
}

// What rests on a body does not see the velocities that it is given along and about axes that it
// does not move along and about: it stays where it is.
func TestLockedVelocities(t *testing.T) {
	spin := geom.V(0, 20, 0)
	for name, give := range map[string]func(s *scene, id rigid.BodyID) bool{
		"SetVelocity":         func(s *scene, id rigid.BodyID) bool { return s.SetVelocity(id, geom.V(0, 5, 0), spin) },
		"ApplyImpulse":        func(s *scene, id rigid.BodyID) bool { return s.ApplyImpulse(id, geom.V(0, 10*s.Mass(id), 0)) },
		"ApplyAngularImpulse": func(s *scene, id rigid.BodyID) bool { return s.ApplyAngularImpulse(id, spin.Mul(1e4)) },
		"MoveTo": func(s *scene, id rigid.BodyID) bool {
			at, _ := s.Transform(id)
			return s.MoveTo(id, geom.Transform{Position: at.Position, Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), 0.1).Mul(at.Rotation)})
		},
	} {
		s := newScene(t)
		kind := rigid.Kinematic
		if strings.HasPrefix(name, "Apply") {
			kind = rigid.Dynamic
		}
		table := s.add(rigid.Body{Kind: kind, Locked: rigid.Planar | rigid.MoveX | rigid.MoveY | rigid.TurnZ | rigid.TurnY}, geom.Box{HalfExtents: geom.V(2, 0.5, 2)}, geom.At(0, 9, 0))
		crate := s.add(rigid.Body{}, box(0.5), geom.At(0.5, 10, 0))
		for range 60 {
			require.True(t, give(s, table), name)
			v, w, _ := s.Velocity(table)
			require.Zero(t, v, name)
			require.Zero(t, w, name)
			s.Step()
			require.Empty(t, s.Hits, name)
		}
		at, _ := s.Transform(crate)
		require.Less(t, at.Position.Sub(geom.V(0.5, 10, 0)).Len(), float32(1e-2), name)
		require.Less(t, geom.V(at.Rotation.X, at.Rotation.Y, at.Rotation.Z).Len(), float32(1e-2), name)
	}
}

// Nor does it see those that a body is made with, which push nothing in its first step.
func TestLockedVelocitiesOfNewBodies(t *testing.T) {
	s := newScene(t)
	s.Settings.Gravity = geom.Vec3{}
	crate := s.add(rigid.Body{}, box(0.5), geom.At(0, 11, 0))
	table := s.add(rigid.Body{
		Kind: rigid.Kinematic, Locked: rigid.MoveY | rigid.TurnX, Velocity: geom.V(0, 5, 0), AngularVelocity: geom.V(9, 0, 0),
	}, box(0.5), geom.At(0, 10, 0))
	v, w, _ := s.Velocity(table)
	require.Zero(t, v)
	require.Zero(t, w)
	s.Step()
	v, _, _ = s.Velocity(crate)
	require.Zero(t, v)
	require.Empty(t, s.Hits)
}
