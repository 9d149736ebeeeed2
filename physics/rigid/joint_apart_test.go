package rigid_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// Two balls that a joint connects at a long arm, metres from where it keeps them, come together.
// They are pulled at no more than 20 m/s and turned at no more than 20 rad/s, and never move faster
// than these at the arm: nothing else gives them energy. They gain none when they are together,
// unless they spin so fast that the chord of a substep is another path than the arc. What spins may
// stay some way apart.
func TestJointFarFromItsPlace(t *testing.T) {
	testenv.Long(t)
	const pull, moment, fast = 20, 0.004, 24 // 0.1 rad in a substep
	n := golden.Numbers(7)
	for _, kind := range []rigid.JointKind{
		rigid.FixedJoint, rigid.BallJoint, rigid.HingeJoint, rigid.SliderJoint, rigid.WheelJoint,
	} {
		for _, arm := range []float32{2, 4, 8} {
			for try := range 10 {
				s := free(t)
				a, b := s.ball(geom.V(-arm, 0, 0)), s.ball(geom.V(arm/8, 0, 0))
				j := s.JointAt(kind, a, b, geom.Vec3{}, n.Vec(1))
				j.Limited, j.Lower, j.Upper = try%2 == 0, -0.3, 0.3
				id := s.joint(j)
				s.SetTransform(b, geom.Transform{Position: n.Vec(3), Rotation: n.Quat()})
				s.SetVelocity(a, n.Vec(5), n.Vec(5))
				together := float32(0)
				for tick := range 600 {
					s.Step()
					energy, spin := float32(0), float32(0)
					for _, body := range []rigid.BodyID{a, b} {
						v, w, _ := s.Velocity(body)
						require.LessOrEqual(t, v.Len(), pull*(1+arm), "%v at %g m", kind, arm)
						energy += (v.LenSq() + moment*w.LenSq()) / 2
						spin = max(spin, w.Len())
					}
					if tick == 300 && spin < fast {
						together = energy
					}
					if together > 0 {
						require.Less(t, energy, 1.01*together, "%v at %g m", kind, arm)
					}
				}
				require.Less(t, s.state(id).Error, float32(0.12), "%v at %g m", kind, arm)
			}
		}
	}
}
