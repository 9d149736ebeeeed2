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
