package rigid_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// A pendulum with limits loses an angle of 2·R/d in each half of a swing to friction, where R is
// the lever of friction and d that of gravity, and stays where friction holds its weight. Without
// LimitFriction it swings on. A joint in an octet is the same as one that a motor, of no force to
// speak of, there or at its neighbour keeps from octets.
func TestLimitFriction(t *testing.T) {
	for _, kind := range []rigid.JointKind{rigid.BallJoint, rigid.HingeJoint} {
		for _, friction := range []float32{0, 0.2} {
			for _, driven := range []bool{false, true} {
				s := newScene(t)
				s.Settings.LimitFriction = friction
				const d, theta = 1, 0.5
				bob := s.ball(geom.V(float32(d*math.Sin(theta)), float32(3-d*math.Cos(theta)), 0))
				j := s.JointAt(kind, 0, bob, geom.V(0, 3, 0), geom.V(0, 0, 1))
				j.Limited, j.Lower, j.Upper = true, -2, 2
				if driven {
					j.MotorForce = 1e-6
				}
				s.joint(j)
				if driven && kind == rigid.BallJoint {
					wheel := s.ball(s.position(bob))
					j := s.JointAt(rigid.HingeJoint, bob, wheel, s.position(bob), geom.V(0, 0, 1))
					j.MotorForce = 1e-6
					s.joint(j)
				}
				angle := func() float64 {
					p := s.position(bob)
					return math.Atan2(float64(p.X), float64(3-p.Y))
				}
				least, asleep := 0.0, false
				for range 600 {
					s.Step()
					least, asleep = min(least, angle()), asleep || s.Awake() == 0
				}
				// In a swing of 0.5 rad the force is 0.88 to 1.24 times the weight.
				r := float64(friction) * 0.4
				require.LessOrEqual(t, -least, theta-2*0.88*r+1e-3, "%v %g %t", kind, friction, driven)
				require.GreaterOrEqual(t, -least, (theta-2*1.24*r)*0.98, "%v %g %t", kind, friction, driven)
				require.Equal(t, friction > 0, asleep)
				if asleep {
					require.LessOrEqual(t, math.Abs(math.Sin(angle())), r+0.002, "and the 2 mm in which it may sleep")
				}
			}
		}
	}
}

// A ball that leans on its cone swings along it, with friction to rest.
func TestConeFriction(t *testing.T) {
	for _, friction := range []float32{0, 0.2} {
		s := newScene(t)
		s.Settings.LimitFriction = friction
		// The cone's axis is level, and the head lies on its lower edge, 0.4 rad off the lowest
		// place.
		const cone, side = 0.6, 0.4
		at := geom.V(float32(math.Cos(cone)), float32(-math.Sin(cone)*math.Cos(side)), float32(math.Sin(cone)*math.Sin(side))).Mul(0.3)
		head := s.ball(at.Add(geom.V(0, 2, 0)))
		j := s.JointAt(rigid.BallJoint, 0, head, geom.V(0, 2, 0), geom.V(1, 0, 0))
		j.FrameB = rigid.JointFrame(at.Neg(), at.Mul(1/at.Len()))
		j.Cone = cone
		id := s.joint(j)
		asleep := false
		for range 900 {
			s.Step()
			require.Less(t, s.state(id).Swing, float32(cone+0.02))
			asleep = asleep || s.Awake() == 0
		}
		require.Equal(t, friction > 0, asleep)
	}
}

// What friction holds does not creep: of a double pendulum whose weight has less torque at each
// joint than friction there, neither ball moves by 0.1 mm in 10 s. Light balls at long levers are
// solved at once, others in an octet.
func TestFrictionHolds(t *testing.T) {
	for _, kind := range []rigid.JointKind{rigid.BallJoint, rigid.HingeJoint} {
		for _, radius := range []float32{0.1, 0.4} {
			s := newScene(t)
			s.Settings.SleepSpeed, s.Settings.LimitFriction = 0, 0.5
			// At the upper joint the lever of the weight is 1.5·sin(angle), that of friction 0.2.
			const angle = 0.1
			along := geom.V(float32(math.Sin(angle)), float32(-math.Cos(angle)), 0)
			above, at := rigid.BodyID(0), geom.V(0, 3, 0)
			var balls []rigid.BodyID
			for range 2 {
				below := s.add(rigid.Body{Mass: rigid.Mass{Mass: 1}}, geom.Sphere{Radius: radius}, geom.Transform{Position: at.Add(along)})
				j := s.JointAt(kind, above, below, at, geom.V(0, 0, 1))
				j.Limited, j.Lower, j.Upper = true, -2, 2
				s.joint(j)
				balls = append(balls, below)
				above, at = below, at.Add(along)
			}
			s.steps(120)
			was := [2]geom.Vec3{s.position(balls[0]), s.position(balls[1])}
			s.steps(600)
			for k, ball := range balls {
				require.Less(t, s.position(ball).Sub(was[k]).Len(), float32(1e-4), "%v, ball %d of radius %g", kind, k, radius)
			}
		}
	}
}
