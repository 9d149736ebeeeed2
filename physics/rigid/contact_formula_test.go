package rigid_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// slope makes the ground of a scene a slope that falls toward +X, by turning gravity. It returns
// the accelerations along the slope and into it.
func (s *scene) slope(degrees float64) (along, into float64) {
	along, into = 9.81*math.Sin(degrees*math.Pi/180), 9.81*math.Cos(degrees*math.Pi/180)
	s.Settings.Gravity = geom.V(float32(along), float32(-into), 0)
	return along, into
}

// material changes the material of the ground.
func (s *scene) material(change func(*rigid.Material)) {
	m := s.Material(s.ground)
	change(&m)
	require.NoError(s.t, s.SetMaterial(s.ground, m))
}

// sag is how far in metres a body sinks into the ground under a given acceleration: it stands on a
// spring of 40 Hz.
func sag(into float64) float64 { return into / math.Pow(2*math.Pi*40, 2) }

// A ball rolls down a slope at 5/7·g·sin.
func TestBallRollsDownASlope(t *testing.T) {
	for _, degrees := range []float64{5, 20} {
		s := newScene(t)
		along, _ := s.slope(degrees)
		id := s.add(rigid.Body{}, geom.Sphere{Radius: 0.5}, geom.At(-50, 0.5, 0))
		const steps = 120
		s.steps(steps)
		h := float64(s.Settings.Step) / 4
		want := flown(5.0/7*along, h, 4*steps)
		// Friction acts from the second substep on, as it needs the normal impulse of the first;
		// until then the ball slides, and is ahead by 2/7 of the speed of two substeps.
		ahead := 2.0 / 7 * along * 2 * h * steps / 60
		dv, ds := roundingOf(10, 50, steps)
		require.InDelta(t, want, s.position(id).X+50, ahead+ds)
		b, _ := s.Body(id)
		require.InDelta(t, 2*5.0/7*along, b.Velocity.X, 2.0/7*along*2*h+dv)
		// It rolls: the lowest point is at rest.
		require.InDelta(t, b.Velocity.X, -b.AngularVelocity.Z*0.5, 2*along*h)
	}
}

// A box slides if the slope is a tenth of a degree steeper than the friction angle, by g·(sin −
// µ·cos), and rests if it is a tenth of a degree less steep.
func TestFrictionAngle(t *testing.T) {
	for _, mu := range []float64{0.2, 0.6, 0.9} {
		angle := math.Atan(mu) * 180 / math.Pi
		for _, degrees := range []float64{angle - 0.1, angle + 0.1} {
			t.Run(fmt.Sprintf("friction %g, %.2f degrees", mu, degrees), func(t *testing.T) {
				s := newScene(t)
				s.material(func(m *rigid.Material) { m.Friction, m.CombineFriction = float32(mu), rigid.Minimum })
				other := rigid.Material{Friction: 1}
				c := s.Space().Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(0.5, 0.25, 0.5)}, Transform: geom.At(0, 0.25, 0)})
				require.NoError(t, s.SetMaterial(c, other))
				id, err := s.Add(rigid.Body{NoSleep: true}, c)
				require.NoError(t, err)
				s.steps(60) // until the normal impulses are those of its weight
				along, into := s.slope(degrees)
				s.steps(60)
				early, _ := s.Body(id)
				s.steps(240)
				late, _ := s.Body(id)
				a := along - mu*into
				dv, ds := roundingOf(1, 1, 300)
				if a > 0 {
					require.InDelta(t, 4*a, late.Velocity.X-early.Velocity.X, dv)
					return
				}
				// Until friction has built up, in one substep, it gets this speed.
				u := along * float64(s.Settings.Step) / 4
				require.InDelta(t, 0, late.Velocity.X, dv)
				require.InDelta(t, 0, s.position(id).X, u*u/(2*-a)+ds)
			})
		}
	}
}

// A ball bounces to the height of restitution² times that of the fall, again and again, whatever
// the step; and one that bounces off a ceiling comes back down as fast as it went up.
func TestBounceHeight(t *testing.T) {
	for _, rate := range []float32{30, 60, 240} {
		for _, e := range []float64{0, 0.25, 0.5, 0.8, 1} {
			s := newScene(t)
			s.Settings.Step = 1 / rate
			s.material(func(m *rigid.Material) { m.Restitution = float32(e) })
			id := s.add(rigid.Body{}, geom.Sphere{Radius: 0.5}, geom.At(0, 5.5, 0))
			top, rises, want := 0.0, false, 5.0
			bounces := 0
			for range int(20 * rate) {
				s.Step()
				v, _, _ := s.Velocity(id)
				switch {
				case v.Y > 0:
					top, rises = max(top, float64(s.position(id).Y)-0.5), true
				case rises:
					// The top is between two steps, and the impact as deep as the way of one.
					// Near BounceSpeed the last bounce may be left out.
					bounces++
					met := math.Sqrt(2 * 9.81 * want)
					if want *= e * e; met > 1.1 {
						require.InDelta(t, want, top, (1-e*e)*met/float64(rate)+9.81/8/float64(rate*rate)+1e-3, "restitution %g, %g Hz, bounce %d", e, rate, bounces)
					}
					top, rises = 0, false
				}
			}
			require.GreaterOrEqual(t, bounces, int(9*e*e*e), "restitution %g, %g Hz", e, rate)
		}
		s := newScene(t)
		s.Settings.Step = 1 / rate
		lid := s.Space().Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(5, 1, 5)}, Transform: geom.At(0, 5, 0)})
		require.NoError(t, s.SetMaterial(lid, rigid.Material{Restitution: 1, CombineRestitution: rigid.Maximum}))
		id := s.add(rigid.Body{Velocity: geom.V(0, 10, 0)}, geom.Sphere{Radius: 0.5}, geom.At(0, 1, 0))
		var v geom.Vec3
		for v.Y >= 0 || s.position(id).Y > 2 {
			s.Step()
			v, _, _ = s.Velocity(id)
		}
		// The method has a speed half a substep before the place that belongs to it.
		half := 9.81 / 8 / float64(rate)
		up := 10 - half
		require.InDelta(t, math.Sqrt(up*up-2*9.81*float64(s.position(id).Y-1)), half-float64(v.Y), 1e-3)
	}
}

// What is slower than BounceSpeed does not bounce.
func TestSlowImpactsDoNotBounce(t *testing.T) {
	s := newScene(t)
	s.material(func(m *rigid.Material) { m.Restitution = 1 })
	id := s.add(rigid.Body{}, geom.Sphere{Radius: 0.5}, geom.At(0, 0.54, 0)) // hits at 0.9 m/s
	s.steps(20)
	for range 60 {
		s.Step()
		require.Less(t, s.position(id).Y, float32(0.5))
	}
	require.False(t, s.IsAwake(id))
}

// A box stops after v²/(2·µ·g), a ball after its rolling resistance has used its energy up, and a
// spinning ball after its spinning resistance has used its angular momentum up.
func TestStoppingDistances(t *testing.T) {
	const v, g = 5.0, 9.81
	h := 1 / 240.0
	t.Run("box", func(t *testing.T) {
		s := newScene(t)
		id := s.add(rigid.Body{Velocity: geom.V(v, 0, 0)}, geom.Box{HalfExtents: geom.V(0.5, 0.1, 0.5)}, geom.At(0, 0.1, 0))
		s.steps(180)
		// The first substeps brake late, by two substeps; and by the sag, see TestFrictionAngle.
		require.InDelta(t, v*v/(2*0.6*g), s.position(id).X, 2*v*h+2*sag(g))
		require.False(t, s.IsAwake(id))
	})
	t.Run("rolling", func(t *testing.T) {
		s := newScene(t)
		const r, resistance = 0.5, 0.02
		s.material(func(m *rigid.Material) { m.RollingResistance = resistance })
		id := s.add(rigid.Body{Velocity: geom.V(v, 0, 0), AngularVelocity: geom.V(0, 0, -v/r)}, geom.Sphere{Radius: r}, geom.At(0, r, 0))
		s.steps(1500)
		// The torque resistance·m·g brakes m·v²·7/10 on the way s by s/r.
		want := 0.7 * v * v * r / (resistance * g)
		require.InDelta(t, want, s.position(id).X, 2*v*h+want*2*h)
		require.False(t, s.IsAwake(id))
	})
	const r, resistance, w = 0.5, 0.02, 10.0
	for _, c := range []struct {
		name     string
		axis     geom.Vec3
		material rigid.Material // of the ground
	}{
		{"spinning", geom.V(0, 1, 0), rigid.Material{Friction: 0.6, SpinningResistance: resistance}},
		{"spinning on ice", geom.V(0, 1, 0), rigid.Material{SpinningResistance: resistance}},
		{"turning on ice", geom.V(0, 0, 1), rigid.Material{RollingResistance: resistance}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t)
			s.material(func(m *rigid.Material) { *m = c.material })
			id := s.add(rigid.Body{AngularVelocity: c.axis.Mul(w)}, geom.Sphere{Radius: r}, geom.At(0, r, 0))
			s.steps(60)
			b, _ := s.Body(id)
			// The torque resistance·m·g on the moment 2/5·m·r².
			require.InDelta(t, w-resistance*g/(0.4*r*r), b.AngularVelocity.Dot(c.axis), resistance*g/(0.4*r*r)*2*h+resistance*math.Sqrt(2*g*sag(g))/(0.4*r*r))
		})
	}
}

// A conveyor moves what lies on it at its speed; until it has that, it accelerates it by µ·g.
func TestConveyor(t *testing.T) {
	s := newScene(t)
	s.material(func(m *rigid.Material) { m.SurfaceVelocity = geom.V(3, 0, 0) })
	id := s.add(rigid.Body{}, geom.Box{HalfExtents: geom.V(0.5, 0.1, 0.5)}, geom.At(0, 0.1, 0))
	const mu, g, h = 0.6, 9.81, 1 / 240.0
	s.steps(15)
	b, _ := s.Body(id)
	require.InDelta(t, mu*g/4, b.Velocity.X, mu*g*2*h+mu*math.Sqrt(2*g*sag(g)))
	s.steps(105)
	b, _ = s.Body(id)
	require.InDelta(t, 3, b.Velocity.X, 1e-4)
	require.InDelta(t, 3*2-9/(2*mu*g), s.position(id).X, 3*2*h+2*sag(g))
	require.True(t, s.IsAwake(id))
}

// A platform that MoveTo moves carries what stands on it, also around, and lifts it.
func TestPlatformCarries(t *testing.T) {
	s := newScene(t)
	platform := s.add(rigid.Body{Kind: rigid.Kinematic}, geom.Box{HalfExtents: geom.V(2, 0.1, 2)}, geom.At(0, 1, 0))
	rider := s.add(rigid.Body{}, geom.Box{HalfExtents: geom.V(0.2, 0.1, 0.2)}, geom.At(1, 1.2, 0))
	s.steps(30)
	for k := range 240 {
		x := float64(k+1) / 240
		at := geom.At(float32(3*x*x*(3-2*x)), float32(1+x), 0)
		at.Rotation = geom.QuatAxisAngle(geom.V(0, 1, 0), math.Pi/2*x*x*(3-2*x))
		require.True(t, s.MoveTo(platform, at))
		s.Step()
		p := s.position(platform)
		require.InDelta(t, at.Position.X, p.X, 1e-5)
	}
	// It stood at (1, 0) on the platform, which has turned by a quarter. Friction follows at the
	// next substep, by the acceleration of at most 3·6/4² m/s² and that of the turn.
	p := s.position(rider)
	require.InDelta(t, 3, p.X, 0.01)
	require.InDelta(t, -1, p.Z, 0.01)
	require.InDelta(t, 2.2, p.Y, 2*sag(9.81)+0.001)
	b, _ := s.Body(rider)
	require.InDelta(t, 0, b.AngularVelocity.Y, 0.01)
}

// The friction of a contact follows the rule of its materials: the deceleration shows it.
func TestCombineRules(t *testing.T) {
	const a, b = 0.2, 0.5
	for _, c := range []struct {
		rule rigid.CombineRule
		want float64
	}{
		{rigid.GeometricMean, math.Sqrt(a * b)}, {rigid.Average, (a + b) / 2}, {rigid.Minimum, a}, {rigid.Product, a * b}, {rigid.Maximum, b},
	} {
		for _, swapped := range []bool{false, true} {
			s := newScene(t)
			ground, own := rigid.Material{Friction: a, CombineFriction: c.rule}, rigid.Material{Friction: b}
			if swapped {
				ground, own = rigid.Material{Friction: b}, rigid.Material{Friction: a, CombineFriction: c.rule}
			}
			require.NoError(t, s.SetMaterial(s.ground, ground))
			id := s.add(rigid.Body{Velocity: geom.V(10, 0, 0)}, geom.Box{HalfExtents: geom.V(0.5, 0.1, 0.5)}, geom.At(0, 0.1, 0))
			require.NoError(t, s.SetMaterial(s.Colliders(id)[0], own))
			s.steps(60)
			v, _ := s.Body(id)
			require.InDelta(t, 10-c.want*9.81, v.Velocity.X, c.want*(9.81*2/240+math.Sqrt(2*9.81*sag(9.81))), "rule %d", c.rule)
		}
	}
}

// A box that slides, however it is turned to its way, keeps to it, and comes to rest after v²/2µg.
func TestBoxesSlideStraight(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 4))
	for range 20 {
		s := newScene(t)
		mu, speed, angle := 0.1+0.5*r.Float64(), 1+5*r.Float64(), math.Pi*r.Float64()
		s.material(func(m *rigid.Material) { m.Friction, m.CombineFriction = float32(mu), rigid.Minimum })
		half := geom.V(float32(0.2+r.Float64()), 0.15, float32(0.2+r.Float64()))
		sin, cos := math.Sincos(angle)
		velocity := geom.DVec3{X: speed * cos, Z: speed * sin}
		id := s.add(rigid.Body{Velocity: velocity.Narrow()}, geom.Box{HalfExtents: half}, geom.At(0, half.Y, 0))
		way := speed * speed / (2 * mu * 9.81)
		for range int(60*2*way/speed) + 60 {
			s.Step()
		}
		p := s.position(id)
		aside := math.Asin((float64(p.X)*sin-float64(p.Z)*cos)/math.Hypot(float64(p.X), float64(p.Z))) * 180 / math.Pi
		require.InDelta(t, 0, aside, 0.03, "degrees: %v, friction %g, %v", half, mu, velocity)
		require.InDelta(t, way, math.Hypot(float64(p.X), float64(p.Z)), 0.02*way, "%v, friction %g, %v", half, mu, velocity)
	}
}
