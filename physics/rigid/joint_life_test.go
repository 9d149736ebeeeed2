package rigid_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

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
