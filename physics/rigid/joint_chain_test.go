package rigid_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// Chains of up to 31 links, each 1 kg and half a metre, with up to 45 kg at the end, hang straight
// with the sum of all weights at their top, and swing down from the horizontal in one piece.
func TestShortChains(t *testing.T) {
	testenv.Long(t)
	const steps = 300
	for _, c := range []struct {
		name   string
		joint  func(j *rigid.Joint)
		kind   rigid.JointKind
		swings float32 // by how much a joint may be apart on the way down; half a link is 0.25
	}{
		{"rope", func(*rigid.Joint) {}, rigid.BallJoint, 0.1},
		{"hinges", func(*rigid.Joint) {}, rigid.HingeJoint, 0.1},
		{"welded", func(*rigid.Joint) {}, rigid.FixedJoint, 0.1},
		{"rope with a motor in it", func(j *rigid.Joint) { j.MotorForce = 1 }, rigid.HingeJoint, 0.1},
		{"cones", func(j *rigid.Joint) { j.Cone = 1 }, rigid.BallJoint, 0.5},
		{"hinges with limits", func(j *rigid.Joint) { j.Limited, j.Lower, j.Upper = true, -1, 1 }, rigid.HingeJoint, 0.1},
	} {
		for _, n := range []int{2, 3, 8, 31} {
			for _, heavy := range []float32{1, 45} {
				for _, swings := range []bool{false, true} {
					t.Run(fmt.Sprint(c.name, n, heavy, swings), func(t *testing.T) {
						s := free(t)
						s.Settings.Gravity = geom.V(0, -9.81, 0)
						dir, q := geom.V(0, -1, 0), geom.QuatIdentity()
						if swings {
							dir, q = geom.V(1, 0, 0), geom.QuatAxisAngle(geom.V(0, 0, 1), math.Pi/2)
						}
						last, joints := rigid.BodyID(0), []rigid.JointID(nil)
						for i := range n {
							mass := rigid.Mass{Mass: 1}
							if i == n-1 {
								mass.Mass = heavy
							}
							id := s.add(rigid.Body{Mass: mass, NoSleep: true}, geom.Capsule{A: geom.V(0, -0.15, 0), B: geom.V(0, 0.15, 0), Radius: 0.08},
								geom.Transform{Position: dir.Mul(0.25 + 0.5*float32(i)), Rotation: q, Scale: geom.V(1, 1, 1)})
							j := s.JointAt(c.kind, last, id, dir.Mul(0.5*float32(i)), geom.V(0, 0, 1))
							c.joint(&j)
							joints, last = append(joints, s.joint(j)), id
						}
						worst := float32(0)
						for range steps {
							s.Step()
							for _, id := range joints {
								worst = max(worst, s.state(id).Error)
							}
						}
						// All moves in one plane.
						if b, _ := s.Body(last); c.kind == rigid.HingeJoint {
							require.Less(t, geom.V(b.AngularVelocity.X, b.AngularVelocity.Y, 0).Len(), float32(0.1))
						}
						if swings {
							require.Less(t, worst, c.swings)
							return
						}
						require.Less(t, worst, float32(0.02))
						weight := float64(n-1+int(heavy)) * 9.81
						require.InEpsilon(t, weight, s.state(joints[0]).Force.Y, 0.02)
					})
				}
			}
		}
	}
}
