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

// An arm of two links, with joints that have limits as those of a figure, is held out from a wall
// by soft motors. However it sags, its joints feel the weights, and they and their motors together
// the moments of these.
func TestArmIsHeldBySoftMotors(t *testing.T) {
	const length, mass, g = 0.5, 2, 10
	for _, kind := range []rigid.JointKind{rigid.BallJoint, rigid.HingeJoint} {
		for _, most := range []float32{20, 1000} { // N·m, of which the first motor needs 15
			s := free(t)
			s.Settings.Gravity = geom.V(0, -g, 0)
			var joints, motors [2]rigid.JointID
			var links [2]rigid.BodyID
			before := rigid.BodyID(0)
			for i := range links {
				rod := geom.Capsule{A: geom.V(-0.15, 0, 0), B: geom.V(0.15, 0, 0), Radius: 0.08}
				links[i] = s.add(rigid.Body{Mass: rigid.Mass{Mass: mass}, NoSleep: true}, rod, geom.At(length*(float32(i)+0.5), 0, 0))
				j := s.JointAt(kind, before, links[i], geom.V(length*float32(i), 0, 0), geom.V(0, 0, 1))
				j.Limited, j.Lower, j.Upper = true, -1.5, 1.5
				joints[i] = s.joint(j)
				j.Kind, j.Limited, j.Hertz, j.Damping, j.MaxTorque = rigid.MotorJoint, false, 4, 1, most
				motors[i], before = s.joint(j), links[i]
			}
			const steps, last = 600, 240
			// Means of the last steps, as the arm trembles by millimetres.
			var force, torque, moment [2]float32
			for step := range steps {
				s.Step()
				for i, id := range joints {
					require.Less(t, s.state(id).Error, float32(0.001))
					if step < steps-last {
						continue
					}
					force[i] += s.state(id).Force.Y / last
					torque[i] += (s.state(id).Torque.Z + s.state(motors[i]).Torque.Z) / last
					from, _, _ := s.JointFrames(id)
					for _, link := range links[i:] {
						at, _ := s.Transform(link)
						moment[i] += mass * g * (at.Position.X - from.Position.X) / last
					}
				}
			}
			for i := range joints {
				require.InEpsilon(t, float32(2-i)*mass*g, force[i], 0.01, "%v, %g N·m", kind, most)
				require.InEpsilon(t, moment[i], torque[i], 0.02, "%v, %g N·m", kind, most)
			}
		}
	}
}

// A joint that is a spring shakes nothing, however stiff and damped it is: a box that hangs on
// another one falls down with it, and no faster.
func TestStiffestSpringsOfJoints(t *testing.T) {
	testenv.NoRace(t)
	for _, kind := range []rigid.JointKind{rigid.FixedJoint, rigid.BallJoint, rigid.HingeJoint, rigid.SliderJoint} {
		for _, hertz := range []float32{30, 60, 80, 480, 1e9, math.MaxFloat32} {
			for _, damping := range []float32{0, 1, math.MaxFloat32} {
				s := newScene(t)
				a := s.add(rigid.Body{}, box(0.5), geom.At(2, 20, 0))
				b := s.add(rigid.Body{}, box(0.5), geom.At(4, 20, 0))
				j := s.JointAt(kind, 0, a, geom.V(1, 20, 0), geom.V(0, 0, 1))
				j.Hertz, j.Damping, j.SpringHertz, j.SpringDamping = hertz, damping, hertz, damping
				held, err := s.AddJoint(j)
				require.NoError(t, err)
				hung, err := s.AddJoint(s.JointAt(rigid.BallJoint, a, b, geom.V(3, 20, 0), geom.V(0, 0, 1)))
				require.NoError(t, err)
				for range 90 {
					s.Step()
					name := fmt.Sprintf("%v, %v Hz, damping %v", kind, hertz, damping)
					require.Empty(t, s.Lost, name)
					for _, id := range []rigid.BodyID{a, b} {
						at, _ := s.Transform(id)
						v, _, _ := s.Velocity(id)
						// No faster than what has fallen 3 m more than the middle of both.
						require.Less(t, v.Len(), float32(math.Sqrt(2*9.81*(20-float64(at.Position.Y)+3))), name)
					}
					state, _ := s.JointState(hung)
					require.Less(t, state.Error, float32(0.02), name)
					state, _ = s.JointState(held)
					require.True(t, state.Force.IsFinite(), name)
				}
			}
		}
	}
}

// A motor of any force stops at the limits of its joint, also one in a chain.
func TestStrongMotorsStopAtLimits(t *testing.T) {
	testenv.NoRace(t)
	for _, kind := range []rigid.JointKind{rigid.HingeJoint, rigid.SliderJoint} {
		for _, links := range []int{1, 2} {
			for _, speed := range []float32{1, -10} {
				for _, force := range []float32{1e4, 1e6, math.MaxFloat32} {
					s := free(t)
					var joints []rigid.JointID
					before := rigid.BodyID(0)
					for i := range links {
						y := -float32(i)
						id := s.add(rigid.Body{Mass: rigid.Mass{Mass: 1}}, geom.Box{HalfExtents: geom.V(0.05, 0.5, 0.05)}, geom.At(0, y-0.5, 0))
						j := s.JointAt(kind, before, id, geom.V(0, y, 0), geom.V(0, 0, 1))
						j.Limited, j.Lower, j.Upper, j.MotorSpeed, j.MotorForce = true, -0.5, 0.5, speed, force
						joints, before = append(joints, s.joint(j)), id
					}
					most := float32(0)
					for range 240 {
						s.Step()
						for _, id := range joints {
							most = max(most, s.state(id).Value, -s.state(id).Value)
						}
					}
					require.LessOrEqual(t, most, float32(0.55), "%v, %d links, %g, %g", kind, links, speed, force)
					for _, id := range joints {
						v := s.state(id).Value
						require.InDelta(t, 0.5, max(v, -v), 0.025, "%v, %d links, %g, %g", kind, links, speed, force)
					}
				}
			}
		}
	}
}
