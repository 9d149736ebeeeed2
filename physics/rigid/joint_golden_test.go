package rigid_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// jointed drops figures of six bodies, which joints of all kinds connect, onto the ground. Some
// figures are connected with the world, and some joints break. Every third has only joints that
// octets take.
func jointed(t *testing.T, figures int) *rigid.Dynamics {
	n := golden.Numbers(15)
	s := newScene(t)
	for i := range figures {
		middle := geom.V(float32(i%8)*3, 2+n.Float(1), float32(i/8)*3)
		var ids []rigid.BodyID
		for k := range 6 {
			shape := []physics.Shape{box(0.2), geom.Sphere{Radius: 0.25}, geom.Capsule{A: geom.V(0, -0.2, 0), B: geom.V(0, 0.2, 0), Radius: 0.1}}[k%3]
			at := geom.Transform{Position: middle.Add(n.Vec(0.8)), Rotation: n.Quat()}
			ids = append(ids, s.add(rigid.Body{Velocity: n.Vec(2)}, shape, at))
		}
		for k := range 6 {
			a, b := rigid.BodyID(0), ids[k]
			if k > 0 {
				a = ids[n.Int(k)]
			} else if n.Int(4) > 0 {
				continue
			}
			at, _ := s.Transform(b)
			kind, light := jointKinds[(i+k)%len(jointKinds)], i%3 == 2
			if light {
				kind = jointKinds[n.Int(3)]
			}
			j := s.JointAt(kind, a, b, at.Position.Add(n.Vec(0.3)), n.Vec(1))
			j.Limited, j.Lower, j.Upper, j.Cone = n.Int(2) == 0, 0.1+n.Float(0.1), 0.5+n.Float(0.2), 0.6+n.Float(0.5)
			j.Target, j.MaxForce, j.MaxTorque, j.Steering = 0.5, 300, 100, n.Float(0.5)
			if n.Int(3) == 0 && !light {
				j.SpringHertz, j.SpringDamping = 3, 0.5
			}
			if n.Int(3) == 0 && !light {
				j.MotorSpeed, j.MotorForce, j.Brake = n.Float(2), 100, 10+n.Float(10)
			}
			if n.Int(6) == 0 {
				j.BreakForce = 1500
			}
			s.joint(j)
		}
	}
	return s.Dynamics
}

func jointedHash(t *testing.T, figures, steps int) *golden.Hash {
	d := jointed(t, figures)
	h := golden.New()
	broken := map[rigid.JointID]rigid.JointState{} // in the step in which they broke
	for range steps {
		d.Step()
		addState(h, d)
		for _, b := range d.Broken {
			broken[b.ID], _ = d.JointState(b.ID)
		}
	}
	for id := range d.Joints() {
		state, _ := d.JointState(id)
		if at, ok := broken[id]; ok {
			state.Force, state.Torque = at.Force, at.Torque
		}
		h.Vec(state.Force)
		h.Vec(state.Torque)
		h.Float(state.Value, state.Swing, state.Error)
	}
	require.NotEmpty(t, broken)
	return h
}

// Joints are the same bits on every architecture.
func TestSameBitsOfJoints(t *testing.T) {
	jointedHash(t, 24, 300).Check(t, "joints", goldenJointsHash)
}

// The number of processors changes no bit of joints.
func TestSameBitsOfJointsOnOneProcessor(t *testing.T) {
	steps := testenv.Fewer(40, 4)
	hash := func(processors int) uint64 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		return jointedHash(t, 200, steps).Sum()
	}
	require.Equal(t, hash(1), hash(8))
}

const goldenJointsHash = 0xf7a443205ef8922a
