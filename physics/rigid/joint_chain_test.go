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

// Chains of balls with limits, which are solved a little softly, swing down from the horizontal and
// never have more energy than at the start. With two thirds of lightSoftness those with a heavy
// end do.
func TestSwingingChainsGainNoEnergy(t *testing.T) {
	testenv.NoRace(t)
	for _, n := range []int{2, 4, 8, 14} {
		for _, heavy := range []float32{1, 20} {
			t.Run(fmt.Sprint(n, heavy), func(t *testing.T) {
				s := free(t)
				s.Settings.Gravity, s.Settings.LimitFriction = geom.V(0, -9.81, 0), 0.02
				var ids []rigid.BodyID
				var masses []float32
				above := rigid.BodyID(0)
				for i := range n {
					m := float32(2)
					if i == n-1 {
						m *= heavy
					}
					x := float32(0.3 * float32(i))
					id := s.add(rigid.Body{Mass: rigid.Mass{Mass: m}, NoSleep: true},
						geom.Capsule{A: geom.V(-0.1, 0, 0), B: geom.V(0.1, 0, 0), Radius: 0.06}, geom.At(x+0.15, 0, 0))
					j := s.JointAt(rigid.BallJoint, above, id, geom.V(x, 0, 0), geom.V(1, 0, 0))
					j.Limited, j.Lower, j.Upper, j.Cone = true, -0.5, 0.5, 3
					s.joint(j)
					ids, masses, above = append(ids, id), append(masses, m), id
				}
				for range 1200 {
					s.Step()
					energy, whole := float32(0), float32(0) // without that of rotation
					for i, id := range ids {
						m := masses[i]
						v, _, _ := s.Velocity(id)
						at, _ := s.Transform(id)
						energy, whole = energy+m*(v.LenSq()/2+9.81*at.Position.Y), whole+m
					}
					require.Less(t, energy/(9.81*whole), float32(0.002))
				}
			})
		}
	}
}
