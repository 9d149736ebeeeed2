package rigid_test

import (
	"fmt"
	"math"
	"strings"
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

// A joint breaks at its force or torque, with an event in the order of joints, and lets go.
func TestJointsBreak(t *testing.T) {
	s := free(t)
	s.Settings.Gravity = geom.V(0, -9.81, 0)
	var ids []rigid.BodyID
	var joints []rigid.JointID
	for i := range 4 {
		id := s.ball(geom.V(float32(i), 0, 0))
		j := s.JointAt(rigid.FixedJoint, 0, id, geom.V(float32(i), 0, 0.5), geom.V(1, 0, 0))
		switch i {
		case 0, 1:
			j.BreakForce = 9 + 1.5*float32(i)
		case 2, 3:
			j.BreakTorque = 4.5 + 1*float32(i-2)
		}
		ids, joints = append(ids, id), append(joints, s.joint(j))
	}
	s.RemoveJoint(joints[0]) // and give its place to a later one
	joints[0] = s.joint(func() rigid.Joint {
		j := s.JointAt(rigid.FixedJoint, 0, ids[0], geom.V(0, 0, 0.5), geom.V(1, 0, 0))
		j.BreakForce = 9
		return j
	}())
	var broken []rigid.JointID
	for range 60 {
		s.Step()
		for _, b := range s.Broken {
			broken = append(broken, b.ID)
			require.True(t, b.Force > 9 && b.Torque > 4.5)
		}
	}
	require.Equal(t, []rigid.JointID{joints[0], joints[2]}, broken)
	for i, id := range joints {
		j, ok := s.Joint(id)
		require.True(t, ok)
		require.Equal(t, i%2 == 0, j.Disabled)
		require.Equal(t, i%2 == 0, s.position(ids[i]).Y < -1)
	}
}

// A joint that does not act any more feels nothing, whatever ended it. It still acts in the step in
// which it breaks.
func TestJointsThatDoNotActFeelNothing(t *testing.T) {
	for _, end := range []func(s *scene, id rigid.BodyID, joint rigid.JointID, j rigid.Joint){
		func(s *scene, _ rigid.BodyID, joint rigid.JointID, j rigid.Joint) {
			j.BreakForce = 5
			require.NoError(t, s.SetJoint(joint, j))
			s.Step()
			require.InDelta(t, 9.81, s.state(joint).Force.Y, 1e-2)
		},
		func(s *scene, _ rigid.BodyID, joint rigid.JointID, j rigid.Joint) {
			j.Disabled = true
			require.NoError(t, s.SetJoint(joint, j))
		},
		func(s *scene, _ rigid.BodyID, joint rigid.JointID, j rigid.Joint) {
			j.MaxForce, j.MaxTorque = 0, 0
			require.NoError(t, s.SetJoint(joint, j))
		},
		func(s *scene, id rigid.BodyID, _ rigid.JointID, _ rigid.Joint) {
			require.NoError(t, s.Set(id, rigid.Body{Kind: rigid.Kinematic}))
		},
	} {
		s := free(t)
		s.Settings.Gravity = geom.V(0, -9.81, 0)
		id := s.ball(geom.Vec3{})
		j := s.JointAt(rigid.MotorJoint, 0, id, geom.V(0, 0, 0.5), geom.V(1, 0, 0))
		j.MaxForce, j.MaxTorque = 100, 100
		joint := s.joint(j)
		s.steps(60)
		require.InDelta(t, 9.81, s.state(joint).Force.Y, 1e-2)
		end(s, id, joint, j)
		s.Step()
		state := s.state(joint)
		require.Zero(t, state.Force)
		require.Zero(t, state.Torque)
		e, _ := s.Explain(id)
		require.Len(t, e.Pulls, 1)
		require.Zero(t, e.Pulls[0].Force)
	}
}

// Bodies that a joint connects collide only if it says so; with others, and again when it is
// disabled or removed, they do.
func TestJointsAndContacts(t *testing.T) {
	s := newScene(t)
	a, b := s.add(rigid.Body{}, box(0.5), geom.At(0, 0.5, 0)), s.add(rigid.Body{}, box(0.5), geom.At(0.5, 0.5, 0))
	j := s.JointAt(rigid.FixedJoint, a, b, geom.V(0, 0.5, 0), geom.V(1, 0, 0))
	joint := s.joint(j)
	ca, cb := s.Colliders(a)[0], s.Colliders(b)[0]
	s.steps(60)
	require.InDelta(t, 0.5, s.position(b).X-s.position(a).X, 1e-3)
	require.InDelta(t, 0.5, s.position(b).Y, 0.01, "the ground still holds them")
	require.Contains(t, s.ExplainPair(ca, cb), joint.String())
	j.Collide = true
	require.NoError(t, s.SetJoint(joint, j))
	s.Step()
	require.Contains(t, s.ExplainPair(ca, cb), "keeps them apart")
	j.Collide = false
	require.NoError(t, s.SetJoint(joint, j))
	s.Step()
	require.Contains(t, s.ExplainPair(ca, cb), joint.String())
	require.True(t, s.RemoveJoint(joint))
	require.False(t, s.RemoveJoint(joint))
	s.steps(120)
	require.InDelta(t, 1, s.position(b).Distance(s.position(a)), 0.02)
}

// Connected bodies sleep together; a change of a joint, a motor that is turned on and a kinematic
// body that begins to move wake them, and a joint that is set to what it was does not.
func TestJointsAndSleep(t *testing.T) {
	s := newScene(t)
	var ids []rigid.BodyID
	hook := s.add(rigid.Body{Kind: rigid.Kinematic}, box(0.1), geom.At(0, 4, 0))
	last := hook
	for i := range 3 {
		id := s.add(rigid.Body{LinearDamping: 2, AngularDamping: 2}, box(0.1), geom.At(0, 3.5-float32(i)*0.5, 0))
		s.joint(s.JointAt(rigid.BallJoint, last, id, geom.V(0, 3.75-float32(i)*0.5, 0), geom.V(0, 1, 0)))
		ids, last = append(ids, id), id
	}
	s.asleep()
	joint := s.AppendJointsOf(nil, ids[1])[0]
	j, _ := s.Joint(joint)
	check := func(what string, wakes bool, do func()) {
		do()
		s.Step()
		for _, id := range ids {
			require.Equal(t, wakes, s.IsAwake(id), what)
		}
		s.asleep()
	}
	check("nothing new", false, func() { require.NoError(t, s.SetJoint(joint, j)) })
	j.Cone = 0.5
	check("a limit", true, func() { require.NoError(t, s.SetJoint(joint, j)) })
	check("the hook moves", true, func() {
		s.SetVelocity(hook, geom.V(0, 0, 0.01), geom.Vec3{})
		s.Step()
		s.SetVelocity(hook, geom.Vec3{}, geom.Vec3{})
	})
	check("the hook is somewhere else", true, func() { s.SetTransform(hook, geom.At(0.1, 4, 0)) })
	check("an impulse", true, func() { s.ApplyImpulse(ids[2], geom.V(0.1, 0, 0)) })
	check("the joint is removed", true, func() { s.RemoveJoint(joint) })
}

// Removing a body removes its joints; their IDs are not used again.
func TestRemovingBodiesRemovesJoints(t *testing.T) {
	s := free(t)
	a, b, c := s.ball(geom.Vec3{}), s.ball(geom.V(1, 0, 0)), s.ball(geom.V(2, 0, 0))
	ab := s.joint(s.JointAt(rigid.BallJoint, a, b, geom.Vec3{}, geom.V(1, 0, 0)))
	bc := s.joint(s.JointAt(rigid.BallJoint, b, c, geom.Vec3{}, geom.V(1, 0, 0)))
	ca := s.joint(s.JointAt(rigid.BallJoint, c, a, geom.Vec3{}, geom.V(1, 0, 0)))
	require.Equal(t, []rigid.JointID{bc, ab}, s.AppendJointsOf(nil, b))
	s.Remove(b)
	require.Equal(t, 1, s.NumJoints())
	for id := range s.Joints() {
		require.Equal(t, ca, id)
	}
	for _, id := range []rigid.JointID{ab, bc} {
		_, ok := s.Joint(id)
		require.False(t, ok)
		_, ok = s.JointState(id)
		require.False(t, ok)
		require.Error(t, s.SetJoint(id, rigid.Joint{}))
	}
	again := s.joint(s.JointAt(rigid.BallJoint, c, a, geom.Vec3{}, geom.V(1, 0, 0)))
	require.NotContains(t, []rigid.JointID{ab, bc}, again)
	s.steps(3)
}

// A joint stays where it is when the collider that its frame belongs to is removed.
func TestJointOutlivesACollider(t *testing.T) {
	s := free(t)
	space := s.Space()
	turned := geom.Transform{Position: geom.V(1, 0.3, 0), Rotation: geom.QuatAxisAngle(geom.V(1, 2, 3), 1)}
	first := space.Add(physics.Collider{Shape: box(0.2)})
	second := space.Add(physics.Collider{Shape: box(0.2), Transform: turned})
	id, err := s.Add(rigid.Body{}, first, second)
	require.NoError(t, err)
	joint := s.joint(s.JointAt(rigid.FixedJoint, 0, id, geom.V(0.5, 1, 0), geom.V(0, 1, 0)))
	s.Settings.Gravity = geom.V(0, -1e-3, 0)
	space.Remove(first)
	s.steps(60)
	at, _ := s.Transform(id)
	require.InDelta(t, 0, at.Position.Distance(turned.Position), 1e-5)
	require.InDelta(t, 64*1e-3, s.state(joint).Force.Y, 1e-4)
}

// The world's side of a joint stays where it is when the space is rebased.
func TestJointsAndRebase(t *testing.T) {
	s := free(t)
	s.Settings.Gravity = geom.V(0, -9.81, 0)
	id := s.ball(geom.V(0, 0, 0))
	joint := s.joint(s.JointAt(rigid.BallJoint, 0, id, geom.V(0, 1, 0), geom.V(0, 1, 0)))
	s.steps(30)
	s.Space().Rebase(geom.DVec3{X: 100, Y: 20})
	s.steps(30)
	require.Less(t, s.state(joint).Error, float32(1e-3))
	require.InDelta(t, 0, s.position(id).Distance(geom.V(-100, -20, 0)), 1e-3)
	j, _ := s.Joint(joint)
	require.Equal(t, geom.V(-100, -19, 0), j.FrameA.Position)
}

// AddJoint and SetJoint name the field that is wrong.
func TestJointErrors(t *testing.T) {
	s := free(t)
	a, b := s.ball(geom.Vec3{}), s.ball(geom.V(1, 0, 0))
	gone := s.ball(geom.Vec3{})
	s.Remove(gone)
	good := s.joint(rigid.Joint{A: a, B: b})
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	cases := map[string][]func(*rigid.Joint){
		"Kind":         {func(j *rigid.Joint) { j.Kind = 7 }},
		"A":            {func(j *rigid.Joint) { j.A = gone }, func(j *rigid.Joint) { j.A = b }, func(j *rigid.Joint) { j.A, j.B = 0, 0 }},
		"B":            {func(j *rigid.Joint) { j.B = gone }},
		"FrameA":       {func(j *rigid.Joint) { j.FrameA.Position.X = nan }, func(j *rigid.Joint) { j.FrameA.Rotation.W = inf }},
		"FrameB":       {func(j *rigid.Joint) { j.FrameB.Position.Y = inf }},
		"Lower is 2":   {func(j *rigid.Joint) { j.Limited, j.Lower, j.Upper = true, 2, 1 }},
		"Lower is -1":  {func(j *rigid.Joint) { j.Kind, j.Limited, j.Lower = rigid.DistanceJoint, true, -1 }},
		"Lower is -4":  {func(j *rigid.Joint) { j.Kind, j.Limited, j.Lower = rigid.HingeJoint, true, -4 }},
		"Target is -1": {func(j *rigid.Joint) { j.Kind, j.Target = rigid.DistanceJoint, -1 }},
		"Steering":     {func(j *rigid.Joint) { j.Steering = 1.6 }},
		"Cone":         {func(j *rigid.Joint) { j.Cone = 3.2 }},
	}
	number := func(name string, least float32, field func(j *rigid.Joint) *float32) {
		for _, x := range []float32{nan, inf, least} {
			if x == 0 {
				continue
			}
			cases[name] = append(cases[name], func(j *rigid.Joint) { *field(j) = x })
		}
	}
	number("Hertz", -1, func(j *rigid.Joint) *float32 { return &j.Hertz })
	number("Damping", -1, func(j *rigid.Joint) *float32 { return &j.Damping })
	number("Lower", 0, func(j *rigid.Joint) *float32 { return &j.Lower })
	number("Upper", 0, func(j *rigid.Joint) *float32 { return &j.Upper })
	number("Cone", -1, func(j *rigid.Joint) *float32 { return &j.Cone })
	number("SpringHertz", -1, func(j *rigid.Joint) *float32 { return &j.SpringHertz })
	number("SpringDamping", -1, func(j *rigid.Joint) *float32 { return &j.SpringDamping })
	number("Target", 0, func(j *rigid.Joint) *float32 { return &j.Target })
	number("MotorSpeed", 0, func(j *rigid.Joint) *float32 { return &j.MotorSpeed })
	number("MotorForce", -1, func(j *rigid.Joint) *float32 { return &j.MotorForce })
	number("Brake", -1, func(j *rigid.Joint) *float32 { return &j.Brake })
	number("Steering", -2, func(j *rigid.Joint) *float32 { return &j.Steering })
	number("MaxForce", -1, func(j *rigid.Joint) *float32 { return &j.MaxForce })
	number("MaxTorque", -1, func(j *rigid.Joint) *float32 { return &j.MaxTorque })
	number("BreakForce", -1, func(j *rigid.Joint) *float32 { return &j.BreakForce })
	number("BreakTorque", -1, func(j *rigid.Joint) *float32 { return &j.BreakTorque })
	for name, changes := range cases {
		for _, change := range changes {
			j := rigid.Joint{A: a, B: b}
			change(&j)
			_, err := s.AddJoint(j)
			require.Error(t, err, name)
			require.True(t, strings.HasPrefix(err.Error(), "rigid: Dynamics.AddJoint: "+name), "%s: %v", name, err)
			err = s.SetJoint(good, j)
			require.Error(t, err, name)
			require.True(t, strings.HasPrefix(err.Error(), fmt.Sprintf("rigid: Dynamics.SetJoint: %v: %s", good, name)), "%s: %v", name, err)
		}
	}
	require.Equal(t, 1, s.NumJoints())
}
