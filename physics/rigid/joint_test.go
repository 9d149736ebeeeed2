package rigid_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

var jointKinds = []rigid.JointKind{
	rigid.FixedJoint, rigid.BallJoint, rigid.HingeJoint, rigid.SliderJoint, rigid.DistanceJoint, rigid.WheelJoint, rigid.MotorJoint,
}

// free is a scene without gravity, ground or sleep.
func free(t testing.TB) *scene {
	s := &scene{rigid.New(physics.NewSpace()), t, 0}
	s.Settings.Gravity, s.Settings.SleepSpeed = geom.Vec3{}, 0
	return s
}

func (s *scene) joint(j rigid.Joint) rigid.JointID {
	id, err := s.AddJoint(j)
	require.NoError(s.t, err)
	return id
}

func (s *scene) state(id rigid.JointID) rigid.JointState {
	state, ok := s.JointState(id)
	require.True(s.t, ok)
	return state
}

// ball adds a ball of 1 kg and of the radius 0.1 m, whose moment of inertia is 0.004 kg·m².
func (s *scene) ball(at geom.Vec3) rigid.BodyID {
	return s.add(rigid.Body{Mass: rigid.Mass{Mass: 1}}, geom.Sphere{Radius: 0.1}, geom.Transform{Position: at})
}

const substep = 1.0 / 240

// A pendulum swings with the period of a physical pendulum, 2π·√(I/(m·g·d))·(1 + θ²/16).
func TestPendulumPeriod(t *testing.T) {
	for _, kind := range []rigid.JointKind{rigid.BallJoint, rigid.HingeJoint} {
		s := free(t)
		s.Settings.Gravity = geom.V(0, -9.81, 0)
		const d, theta = 1, 0.1
		bob := s.ball(geom.V(float32(d*math.Sin(theta)), float32(-d*math.Cos(theta)), 0))
		s.joint(s.JointAt(kind, 0, bob, geom.Vec3{}, geom.V(0, 0, 1)))
		var crossings []float64
		before := 0.0
		for i := range 1800 {
			s.Step()
			x := float64(s.position(bob).X)
			if before < 0 && x >= 0 {
				crossings = append(crossings, (float64(i)+before/(before-x))/60)
			}
			before = x
		}
		n := len(crossings) - 1
		require.Greater(t, n, 12)
		period := (crossings[n] - crossings[0]) / float64(n)
		inertia := 0.004 + d*d
		want := 2 * math.Pi * math.Sqrt(inertia/(9.81*d)) * (1 + theta*theta/16)
		// Semi-implicit Euler is off by (ωh)²/24 = 7e-6. The amplitude may have decayed, which
		// changes the period by up to θ²/16 = 6e-4 of it.
		require.InEpsilon(t, want, period, 7e-6+theta*theta/16, "kind %d", kind)
	}
}

// Springs along and about an axis move as the implicit Euler method says, and decay as a damped
// oscillator.
func TestJointSprings(t *testing.T) {
	for _, kind := range []rigid.JointKind{rigid.HingeJoint, rigid.SliderJoint, rigid.DistanceJoint, rigid.WheelJoint} {
		for _, damping := range []float32{0, 0.1, 1} {
			s := free(t)
			at, rotation, axis := geom.V(0.2, 0, 0), geom.Quat{}, geom.V(1, 0, 0)
			switch kind {
			case rigid.DistanceJoint:
				at = geom.V(1.2, 0, 0)
			case rigid.WheelJoint:
				at, axis = geom.V(0, 0.2, 0), geom.V(0, 0, 1)
			case rigid.HingeJoint:
				at, rotation = geom.Vec3{}, geom.QuatAxisAngle(axis, 0.2)
			}
			id := s.ball(geom.Vec3{})
			j := s.JointAt(kind, 0, id, geom.Vec3{}, axis)
			s.SetTransform(id, geom.Transform{Position: at, Rotation: rotation})
			j.SpringHertz, j.SpringDamping = 2, damping
			if kind == rigid.DistanceJoint {
				j.Target = 1
			}
			joint := s.joint(j)
			x, v, omega := 0.2, 0.0, 2*math.Pi*2
			decayed := 0.0 // the bound of the amplitude
			for i := range 120 {
				s.Step()
				for range 4 {
					v = (v - substep*omega*omega*x) / (1 + 2*float64(damping)*omega*substep + omega*omega*substep*substep)
					x += substep * v
				}
				// Each substep rounds x, of up to 1.2 m, and the impulse: 4·120 roundings of
				// 1.2e-7, amplified at most by the frequency.
				require.InDelta(t, x, float64(s.state(joint).Value-j.Target), 480*1.2e-7, "kind %d, damping %g, step %d", kind, damping, i)
				if damping == 0.1 {
					decayed = 0.2 * math.Exp(-float64(damping)*omega*float64(i+1)/60)
					require.LessOrEqual(t, math.Abs(x), 1.01*decayed+1e-4)
				}
			}
		}
	}
}

// A motor accelerates with its force up to its speed; a brake stops a wheel with its torque.
func TestJointMotors(t *testing.T) {
	for _, kind := range []rigid.JointKind{rigid.HingeJoint, rigid.SliderJoint, rigid.WheelJoint} {
		s := free(t)
		id := s.ball(geom.Vec3{})
		j := s.JointAt(kind, 0, id, geom.Vec3{}, geom.V(0, 0, 1))
		j.MotorSpeed, j.MotorForce = 2, 0.004 // 1 rad/s² to the ball's inertia
		if kind == rigid.SliderJoint {
			j.MotorForce = 1
		}
		joint := s.joint(j)
		speed := func() float32 {
			v, w, _ := s.Velocity(id)
			return v.Add(w).Dot(geom.V(0, 0, 1))
		}
		for i := 1; i <= 180; i++ {
			s.Step()
			// 4 roundings a step of a speed of up to 2.
			require.InDelta(t, min(float64(i)/60, 2), speed(), float64(i)*4*1.2e-7+1e-6, "kind %d", kind)
		}
		if kind == rigid.WheelJoint {
			j.MotorForce, j.Brake = 0, 0.004
			require.NoError(t, s.SetJoint(joint, j))
			for i := 1; i <= 180; i++ {
				s.Step()
				require.InDelta(t, max(2-float64(i)/60, 0), speed(), float64(i)*4*1.2e-7+1e-4, "brake")
			}
		}
	}
}

// overshoot is how far in metres a body that meets a limit at a speed moves beyond it: to the
// second order of the way of a substep, and in one substep by the share of the speed that a soft
// constraint of 60 Hz and a damping ratio of 5 leaves.
func overshoot(speed float64) float64 {
	omega := 2 * math.Pi * 60.0
	share := 1 / (1 + substep*omega*(2*5+substep*omega))
	way := speed * substep
	return way*way + share*way
}

// A body that falls onto the limit of its joint goes no further than the limit, which is a spring
// of 60 Hz, gives way under gravity.
func TestJointLimits(t *testing.T) {
	for _, kind := range []rigid.JointKind{rigid.HingeJoint, rigid.SliderJoint, rigid.DistanceJoint, rigid.WheelJoint} {
		for _, upper := range []bool{true, false} {
			s := free(t)
			s.Settings.Gravity = geom.V(0, -9.81, 0)
			at, axis, anchor := geom.V(1, 0, 0), geom.V(0, -1, 0), geom.V(1, 0, 0)
			switch kind {
			case rigid.HingeJoint:
				axis, anchor = geom.V(0, 0, -1), geom.Vec3{}
			case rigid.WheelJoint:
				axis = geom.V(1, 0, 0)
			}
			id := s.ball(at)
			j := s.JointAt(kind, 0, id, anchor, axis)
			j.Limited, j.Lower, j.Upper = true, -0.5, 0.5
			sign := float32(1)
			if kind == rigid.WheelJoint {
				sign = -1
			}
			if kind == rigid.DistanceJoint {
				j.Lower = 0
			}
			if !upper {
				if kind == rigid.DistanceJoint {
					continue
				}
				s.Settings.Gravity = s.Settings.Gravity.Neg()
				sign = -sign
			}
			joint := s.joint(j)
			sag := 9.81 / math.Pow(2*math.Pi*60, 2)
			worst := float32(0)
			for range 300 {
				s.Step()
				worst = max(worst, sign*s.state(joint).Value)
			}
			require.InDelta(t, 0.5, sign*s.state(joint).Value, sag+1e-5, "kind %d", kind)
			require.LessOrEqual(t, worst, float32(0.5+sag+overshoot(3.2)), "kind %d", kind)
		}
	}
}

// A limit at half a turn holds what is pressed against it, in octets and out of them, and so does
// a spring without limits.
func TestHalfATurn(t *testing.T) {
	testenv.NoRace(t)
	for _, kind := range []rigid.JointKind{rigid.HingeJoint, rigid.BallJoint} {
		for _, hertz := range []float32{0, 30} {
			for _, limits := range [][2]float32{{0, math.Pi}, {-1, math.Pi}, {1, math.Pi}, {0, 3.1}, {-1, 1}, {-3, 3}} {
				for _, sign := range []float32{1, -1} {
					s := free(t)
					id := s.ball(geom.Vec3{})
					j := s.JointAt(kind, 0, id, geom.Vec3{}, geom.V(1, 0, 0))
					j.Limited, j.Lower, j.Upper, j.Hertz = true, limits[0], limits[1], hertz
					if sign < 0 {
						j.Lower, j.Upper = -j.Upper, -j.Lower
					}
					joint := s.joint(j)
					for range 300 {
						s.ApplyTorque(id, geom.V(0.2*sign, 0, 0))
						s.Step()
						require.Less(t, sign*s.state(joint).Value, limits[1]+0.1, "%v %v %v", kind, hertz, limits)
					}
					require.InDelta(t, limits[1], sign*s.state(joint).Value, 0.02, "%v %v %v", kind, hertz, limits)
				}
			}
		}
	}
	for _, target := range []float32{math.Pi, -3, 2, 20} {
		s := free(t)
		id := s.ball(geom.Vec3{})
		j := s.JointAt(rigid.HingeJoint, 0, id, geom.Vec3{}, geom.V(1, 0, 0))
		j.SpringHertz, j.SpringDamping, j.Target = 2, 0.2, target
		joint := s.joint(j)
		worst := float32(0)
		for range 600 {
			s.Step()
			_, w, _ := s.Velocity(id)
			worst = max(worst, w.Len())
		}
		require.InDelta(t, target, s.state(joint).Value, 1e-3)
		// That of a swing from half a turn away.
		require.Less(t, worst, float32(2*math.Pi*2*math.Pi))
	}
}

// The cone of a ball joint holds a body as far as its limit, in all directions.
func TestConeLimit(t *testing.T) {
	testenv.NoRace(t)
	r := testenv.Rand(15, 1)
	for range 20 {
		s := free(t)
		down := geom.V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5).Normalize()
		s.Settings.Gravity, s.Settings.LimitFriction = down.Mul(9.81), 0
		axis := down.Neg() // it starts upright and falls to one side
		id := s.ball(axis)
		j := s.JointAt(rigid.BallJoint, 0, id, geom.Vec3{}, axis)
		j.Cone = 0.3 + r.Float32()
		j.Limited, j.Lower, j.Upper = true, -0.2, 0.3
		joint := s.joint(j)
		s.SetVelocity(id, geom.V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5), geom.V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5).Mul(5))
		worst, twist := float32(0), float32(0)
		for range 600 {
			s.Step()
			state := s.state(joint)
			worst, twist = max(worst, state.Swing), max(twist, state.Value-j.Upper, j.Lower-state.Value)
		}
		sag := 9.81 / math.Pow(2*math.Pi*60, 2)
		// It falls by up to 2 m, and turns at up to 4.3 rad/s.
		slack := float32(sag + overshoot(math.Sqrt(2*9.81*2)+1))
		require.LessOrEqual(t, worst, j.Cone+slack)
		require.LessOrEqual(t, twist, slack)
		require.Greater(t, worst, j.Cone-0.01)
	}
}

// A joint that holds a weight feels m·g, and the torque of the weight's lever.
func TestJointFeelsTheWeight(t *testing.T) {
	for _, kind := range jointKinds {
		s := free(t)
		s.Settings.Gravity = geom.V(0, -9.81, 0)
		id := s.add(rigid.Body{Mass: rigid.Mass{Mass: 3}}, box(0.2), geom.At(0.5, 0, 0))
		lever := kind == rigid.FixedJoint || kind == rigid.MotorJoint || kind == rigid.SliderJoint
		at := geom.Vec3{}
		if !lever {
			at = geom.V(0.5, 0, 0)
		}
		j := s.JointAt(kind, 0, id, at, geom.V(1, 0, 0))
		switch kind {
		case rigid.DistanceJoint:
			j.FrameA.Position.Y, j.Target = 2, 2
		case rigid.WheelJoint, rigid.SliderJoint:
			j.Limited = true
		case rigid.MotorJoint:
			j.MaxForce, j.MaxTorque = 1000, 1000
		}
		joint := s.joint(j)
		s.steps(240)
		state := s.state(joint)
		// What is left of the motion is within the rounding of the velocity a step, 1e-6 m/s of
		// 0.16.
		require.InDelta(t, 3*9.81, state.Force.Y, 1e-3, "kind %d", kind)
		require.InDelta(t, 0, math.Hypot(float64(state.Force.X), float64(state.Force.Z)), 1e-2)
		if lever {
			require.InDelta(t, 3*9.81*0.5, state.Torque.Z, 1e-2, "kind %d", kind)
		}
		require.Less(t, state.Error, float32(1e-3))
	}
}

// Joints between free bodies keep their momentum, and their angular momentum up to what the forces
// do at the error of the joint.
func TestJointsConserveMomentum(t *testing.T) {
	testenv.NoRace(t)
	r := testenv.Rand(15, 2)
	vec := func(l float32) geom.Vec3 {
		return geom.V(r.Float32()*2-1, r.Float32()*2-1, r.Float32()*2-1).Mul(l)
	}
	for _, kind := range jointKinds {
		for range 5 {
			s := free(t)
			a, b := s.ball(geom.V(-0.3, 0, 0)), s.ball(geom.V(0.3, 0, 0))
			s.SetVelocity(a, vec(1), vec(3))
			s.SetVelocity(b, vec(1), vec(3))
			j := s.JointAt(kind, a, b, vec(0.2), vec(1))
			j.Limited, j.Lower, j.Upper, j.Cone = r.IntN(2) == 0, 0.1, 0.3, 0.5
			j.SpringHertz, j.MotorForce, j.MotorSpeed = r.Float32()*3, r.Float32(), r.Float32()
			j.MaxForce, j.MaxTorque = 3, 3
			joint := s.joint(j)
			momentum := func() (p, l geom.DVec3) {
				for _, id := range []rigid.BodyID{a, b} {
					v, w, _ := s.Velocity(id)
					p = p.Add(v.Wide())
					l = l.Add(w.Wide().Mul(0.004)).Add(s.position(id).Wide().Cross(v.Wide()))
				}
				return p, l
			}
			p, l := momentum()
			slack := 1e-4 // 240 steps of some 20 roundings of 3e-8
			for range 240 {
				before := s.state(joint).Error
				s.Step()
				state := s.state(joint)
				slack += float64(max(before, state.Error)) * float64(state.Force.Len()) / 60
			}
			q, m := momentum()
			require.InDelta(t, 0, p.Sub(q).Len(), 1e-4, "kind %d", kind)
			require.InDelta(t, 0, l.Sub(m).Len(), 2*slack, "kind %d", kind)
		}
	}
}

// Joints of a tree are solved exactly: after a step, both points of each have the same velocity.
func TestTreesOfJointsAreSolvedExactly(t *testing.T) {
	testenv.NoRace(t)
	r := testenv.Rand(15, 3)
	for range 20 {
		s := free(t)
		s.Settings.Gravity = geom.V(0, -9.81, 0)
		var ids []rigid.BodyID
		var joints []rigid.JointID
		add := func(a, b rigid.BodyID, at geom.Vec3) {
			joints = append(joints, s.joint(s.JointAt(rigid.BallJoint, a, b, at, geom.V(1, 0, 0))))
		}
		for i := range 40 {
			at := geom.V(r.Float32(), r.Float32(), r.Float32()).Mul(0.5)
			c := s.Space().Add(physics.Collider{Shape: geom.Sphere{Radius: 0.1}, Transform: geom.Transform{Position: at}, Layer: 2, Mask: 4})
			id, err := s.Add(rigid.Body{Mass: rigid.Mass{Mass: float32(math.Pow(10, 2*r.Float64()-1))}}, c)
			require.NoError(t, err)
			parent := rigid.BodyID(0)
			if i > 0 {
				parent = ids[r.IntN(i)]
			}
			ids = append(ids, id)
			add(parent, id, at.Add(geom.V(0.3, 0, 0)))
		}
		for range 30 {
			s.Step()
			for _, id := range joints {
				j, _ := s.Joint(id)
				a, b, _ := s.JointFrames(id)
				v, _, _ := s.AtPoint(j.A, a.Position, geom.V(1, 0, 0))
				w, _, _ := s.AtPoint(j.B, b.Position, geom.V(1, 0, 0))
				// Velocities of up to 20 m/s, and 400 rad/s at an arm of 5 m, are rounded a few
				// times.
				require.InDelta(t, 0, v.Sub(w).Len(), 2000*8*6e-8)
			}
		}
	}
}

// A chain of 100 links of 1 kg with 1000 kg at its end holds within 1 % of its length, also while
// it swings down from the horizontal.
func TestHeavyWeightOnAChain(t *testing.T) {
	testenv.NoRace(t)
	for _, upright := range []bool{true, false} {
		s := free(t)
		s.Settings.Gravity = geom.V(0, -9.81, 0)
		dir := geom.V(1, 0, 0)
		var q geom.Quat
		if upright {
			dir, q = geom.V(0, -1, 0), geom.QuatAxisAngle(geom.V(0, 0, 1), -math.Pi/2)
		}
		var last rigid.BodyID
		var joints []rigid.JointID
		for i := range 100 {
			mass := rigid.Mass{Mass: 1}
			if i == 99 {
				mass.Mass = 1000
			}
			id := s.add(rigid.Body{Mass: mass}, geom.Capsule{A: geom.V(-0.1, 0, 0), B: geom.V(0.1, 0, 0), Radius: 0.05},
				geom.Transform{Position: dir.Mul(float32(i)*0.25 + 0.125), Rotation: q})
			joints = append(joints, s.joint(s.JointAt(rigid.BallJoint, last, id, dir.Mul(float32(i)*0.25), dir)))
			last = id
		}
		for range 400 {
			s.Step()
			sum := float32(0)
			for _, id := range joints {
				sum += s.state(id).Error
			}
			require.Less(t, sum, float32(0.25))
		}
		if upright {
			require.InDelta(t, 1099*9.81, s.state(joints[0]).Force.Y, 1, "the sum of all weights")
		}
	}
}
