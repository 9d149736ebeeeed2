package rigid_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// spin returns the angular momentum and twice the energy of a body, in double precision.
func spin(d *rigid.Dynamics, id rigid.BodyID, moments geom.Vec3) (l geom.DVec3, energy float64) {
	at, _ := d.Transform(id)
	b, _ := d.Body(id)
	i := moments.Wide()
	for k, axis := range [...]geom.Vec3{geom.V(1, 0, 0), geom.V(0, 1, 0), geom.V(0, 0, 1)} {
		a := at.Rotation.Rotate(axis).Wide()
		w := a.Dot(b.AngularVelocity.Wide())
		moment := [...]float64{i.X, i.Y, i.Z}[k]
		l = l.Add(a.Mul(moment * w))
		energy += moment * w * w
	}
	return l, energy
}

// A body that turns about its middle axis flips again and again (Dzhanibekov's nut), and keeps
// angular momentum and energy for 20 seconds.
func TestDzhanibekov(t *testing.T) {
	const w, steps = 10.0, 1200
	d, id := void(t, rigid.Body{Weightless: true, AngularVelocity: geom.V(0.1, w, 0.1)}, geom.Box{HalfExtents: geom.V(0.5, 1, 1.5)})
	moments := geom.V(6000*(4+9)/12., 6000*(1+9)/12., 6000*(1+4)/12.)
	l, energy := spin(d, id, moments)
	flips, side := 0, true
	// The midpoint rule is of the second order: the angle of a substep is h·ω.
	h := float64(d.Settings.Step) / 4
	lag := h * w * h * w
	// The energy is exact, except for the rounding of some ten operations a substep.
	rounded := 4 * steps * 10 * 0x1p-24
	for range steps {
		d.Step()
		now, e := spin(d, id, moments)
		require.Less(t, now.Sub(l).Len(), (lag+rounded)*l.Len())
		require.InDelta(t, energy, e, energy*rounded)
		at, _ := d.Transform(id)
		if up := at.Rotation.Rotate(geom.V(0, 1, 0)).Y > 0; up != side {
			side = up
			flips++
		}
	}
	require.GreaterOrEqual(t, flips, 6)
}

// How a body turns does not depend on its size or mass, from a tenth of a millimetre to 100 km.
func TestSpinOfAnySize(t *testing.T) {
	turn := func(size, density float32) geom.Quat {
		d, id := void(t, rigid.Body{Weightless: true, NoSleep: true, AngularVelocity: geom.V(2, 3, 1), Density: density},
			geom.Box{HalfExtents: geom.V(0.5, 1, 1.5).Mul(size)})
		for range 60 {
			d.Step()
		}
		at, ok := d.Transform(id)
		require.True(t, ok)
		require.Empty(t, d.Lost)
		return at.Rotation
	}
	want := turn(1, 1000)
	for _, size := range []float32{0x1p-13, 0x1p-4, 0x1p8, 0x1p17} {
		for _, density := range []float32{1000 * 0x1p-20, 1000, 1000 * 0x1p13} {
			require.Equal(t, want, turn(size, density), "%g m, %g kg/m³", size, density)
		}
	}
}

// The axis of a disc that wobbles goes around its angular momentum L at L/I, where I is the moment
// across the axis.
func TestFreePrecession(t *testing.T) {
	d, id := void(t, rigid.Body{
		Weightless: true, AngularVelocity: geom.V(1, 5, 0), Mass: rigid.Mass{Mass: 1, Inertia: geom.V(1, 2, 1)},
	}, geom.Sphere{Radius: 1})
	l := geom.DVec3{X: 1, Y: 10}
	rate := l.Len()
	const steps = 300
	around := 0.0
	before := geom.DVec3{}
	for k := range steps + 1 {
		at, _ := d.Transform(id)
		axis := at.Rotation.Rotate(geom.V(0, 1, 0)).Wide()
		axis = axis.Sub(l.Mul(axis.Dot(l) / l.Dot(l)))
		if k > 0 {
			around += math.Atan2(before.Cross(axis).Dot(l)/rate, before.Dot(axis))
		}
		before = axis
		d.Step()
	}
	// The angle of a substep, x, is that of a tangent (the wobble) or x + x³/3 instead of it (the
	// rotation): either is wrong by less than x²/3 of it.
	x := rate * float64(d.Settings.Step) / 4
	want := rate * steps / 60
	require.InDelta(t, want, around, want*x*x*2/3+steps*4*10*0x1p-24)
}

// A spinning top whose axis is horizontal turns about the vertical at τ/(I·ω).
func TestGyroscope(t *testing.T) {
	const spinning, moment, torque = 100.0, 2.0, 50.0
	const rate = torque / (moment * spinning)
	d, id := void(t, rigid.Body{
		Weightless: true, AngularVelocity: geom.V(spinning, rate, 0), Mass: rigid.Mass{Mass: 1, Inertia: geom.V(moment, 1, 1)},
	}, geom.Sphere{Radius: 1})
	const steps = 600
	for range steps {
		at, _ := d.Transform(id)
		axis := at.Rotation.Rotate(geom.V(1, 0, 0))
		// A weight at the end of the axis pulls down.
		d.ApplyTorque(id, axis.Cross(geom.V(0, -torque, 0)))
		d.Step()
	}
	at, _ := d.Transform(id)
	axis := at.Rotation.Rotate(geom.V(1, 0, 0)).Wide()
	angle := rate * steps / 60
	// The torque is that of the start of a step, half a step late; so the axis nods by that angle.
	late := rate / 120
	require.InDelta(t, 0, axis.Y, late+0.01)
	require.InDelta(t, angle, math.Atan2(-axis.Z, axis.X), 0.01*angle)
}

// A top on a ball joint, its axis horizontal, goes around at τ/(I·ω), and stays at its height.
func TestTop(t *testing.T) {
	const arm, across, seconds = 0.5, 0.0625, 10
	for _, spinning := range []float32{20, 50, 100} {
		for _, moment := range []float32{0.5 * across, across, 2 * across} {
			space := physics.NewSpace()
			d := rigid.New(space)
			rate := 9.81 * arm / (moment * spinning)
			id, err := d.Add(rigid.Body{
				NoSleep: true, Velocity: geom.V(0, 0, -rate*arm), AngularVelocity: geom.V(spinning, rate, 0),
				Mass: rigid.Mass{Mass: 1, Inertia: geom.V(moment, across, across)},
			}, space.Add(physics.Collider{Shape: geom.Sphere{Radius: 0.5}, Transform: geom.At(arm, 0, 0)}))
			require.NoError(t, err)
			_, err = d.AddJoint(rigid.Joint{Kind: rigid.BallJoint, B: id, FrameB: geom.At(-arm, 0, 0)})
			require.NoError(t, err)
			around, before := 0.0, 0.0
			for range seconds * 60 {
				d.Step()
				at, _ := d.Transform(id)
				require.InDelta(t, 0, at.Position.Y, 0.01, "%g rad/s, %g kg·m²", spinning, moment)
				angle := math.Atan2(-float64(at.Position.Z), float64(at.Position.X))
				around += math.Remainder(angle-before, 2*math.Pi)
				before = angle
			}
			require.InEpsilon(t, rate*seconds, around, 0.02, "%g rad/s, %g kg·m²", spinning, moment)
		}
	}
}
