package rigid_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// A body of other colliders keeps its ID, velocity and joints, and has the mass of its shapes; what
// it no longer has is ground.
func TestReshape(t *testing.T) {
	s := newScene(t)
	s.Settings.Gravity = geom.Vec3{}
	add := func(half float32, at geom.Vec3) physics.ColliderID {
		return s.Space().Add(physics.Collider{Shape: box(half), Transform: geom.Transform{Position: at}})
	}
	a, b, c := add(0.5, geom.V(0, 5, 0)), add(0.5, geom.V(1, 5, 0)), add(0.25, geom.V(0, 6, 0))
	id, err := s.Add(rigid.Body{Velocity: geom.V(0, 0, 1)}, a, b)
	require.NoError(t, err)
	joint := s.joint(s.JointAt(rigid.BallJoint, 0, id, geom.V(1, 5, 0), geom.V(0, 0, 1)))
	require.NoError(t, s.Reshape(id, c, b))
	require.Equal(t, []physics.ColliderID{c, b}, s.Colliders(id))
	require.Zero(t, s.BodyOf(a))
	require.Equal(t, id, s.BodyOf(c))
	v, _, _ := s.Velocity(id)
	require.Equal(t, geom.V(0, 0, 1), v)
	_, mass, _ := s.AtPoint(id, geom.V(1000./1125, 5+125./1125, 0), geom.V(0, 0, 1))
	require.InDelta(t, 1125, mass, 1e-2, "at the centre of mass")
	require.True(t, s.RemoveJoint(joint))

	// The joint was where it had been: a body at rest stays where it is.
	require.True(t, s.SetVelocity(id, geom.Vec3{}, geom.Vec3{}))
	s.joint(s.JointAt(rigid.BallJoint, 0, id, geom.V(1, 5, 0), geom.V(0, 0, 1)))
	s.Space().SetTransform(a, geom.At(3, 5, 0))
	require.NoError(t, s.Reshape(id, b, a))
	was := s.position(id)
	s.steps(30)
	require.InDelta(t, 0, s.position(id).Sub(was).Len(), 1e-5)

	other := s.add(rigid.Body{}, box(0.5), geom.At(9, 5, 0))
	for want, ids := range map[string][]physics.ColliderID{
		"no collider": {}, "is part of " + other.String(): {b, s.Colliders(other)[0]}, "is given twice": {b, b},
		"not in the space": {12345},
	} {
		require.ErrorContains(t, s.Reshape(id, ids...), want)
		require.Equal(t, []physics.ColliderID{b, a}, s.Colliders(id))
	}
	require.ErrorContains(t, s.Reshape(99, b), "there is no")
}

// What is left of a body that turns goes on as its points moved: a dumbbell that loses a ball, by
// Reshape or since the ball leaves the space, flies off along the way of the other.
func TestPointsOfAReshapedBodyKeepTheirVelocity(t *testing.T) {
	for _, lose := range []func(s *scene, id rigid.BodyID, kept, lost physics.ColliderID){
		func(s *scene, id rigid.BodyID, kept, _ physics.ColliderID) { require.NoError(t, s.Reshape(id, kept)) },
		func(s *scene, _ rigid.BodyID, _, lost physics.ColliderID) { s.Space().Remove(lost) },
	} {
		s := newScene(t)
		s.Settings.Gravity = geom.Vec3{}
		ball := geom.Sphere{Radius: 0.5}
		lost := s.Space().Add(physics.Collider{Shape: ball, Transform: geom.At(1, 5, 0)})
		kept := s.Space().Add(physics.Collider{Shape: ball, Transform: geom.At(-1, 5, 0)})
		id, err := s.Add(rigid.Body{Velocity: geom.V(0, 0, 3), AngularVelocity: geom.V(0, 0, 2)}, lost, kept)
		require.NoError(t, err)
		lose(s, id, kept, lost)
		s.Step()
		v, w, _ := s.Velocity(id)
		// (0, 0, 3) and the spin times the arm of −1 m, which turns by 1/30 rad in the step.
		require.InDelta(t, 0, v.Sub(geom.V(0, -2, 3)).Len(), 0.07)
		require.Equal(t, geom.V(0, 0, 2), w)
	}
}

// A kinematic body turns about the centre that it is given.
func TestKinematicCenter(t *testing.T) {
	s := newScene(t)
	door := s.add(rigid.Body{Kind: rigid.Kinematic, AngularVelocity: geom.V(0, 1, 0), Mass: rigid.Mass{Center: geom.V(-1, 0, 0)}},
		geom.Box{HalfExtents: geom.V(1, 1, 0.1)}, geom.At(3, 5, 0))
	for i := range 60 {
		s.Step()
		angle := float64(i+1) / 60
		require.InDelta(t, 2+math.Cos(angle), s.position(door).X, 1e-4)
		require.InDelta(t, -math.Sin(angle), s.position(door).Z, 1e-4)
	}
}

// A centre of mass that is given without moments is that of the body, as of a car with a keel.
func TestCenterWithoutInertia(t *testing.T) {
	keel := geom.V(0, -0.4, 0)
	for want, m := range map[float32]rigid.Mass{5: {Mass: 5, Center: keel}, 1000: {Center: keel}} {
		s := newScene(t)
		id := s.add(rigid.Body{Weightless: true, Mass: m}, box(0.5), geom.At(0, 5, 0))
		require.InDelta(t, want, s.Mass(id), 1e-3)
		s.ApplyImpulseAt(id, geom.V(want, 0, 0), geom.V(0, 5, 0).Add(keel))
		v, w, _ := s.Velocity(id)
		require.InDelta(t, 1, v.X, 1e-5)
		require.InDelta(t, 0, w.Len(), 1e-5)
		s.ApplyImpulseAt(id, geom.V(want, 0, 0), geom.V(0, 5, 0))
		_, w, _ = s.Velocity(id)
		require.InDelta(t, -0.4*6, w.Z, 1e-4, "the moment is that of the box about its own centre: m/6")
	}
}

// What touches a collider that gets another material wakes up: on ice, a box slides off a slope.
func TestSetMaterialWakes(t *testing.T) {
	s := newScene(t)
	slope := geom.Transform{Rotation: geom.QuatAxisAngle(geom.V(0, 0, 1), 0.2), Position: geom.V(0, 3, 0)}
	ramp := s.Space().Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(4, 0.1, 4)}, Transform: slope, Static: true})
	at := slope
	at.Position = at.Position.Add(at.Rotation.Rotate(geom.V(0, 0.6, 0)))
	id := s.add(rigid.Body{}, box(0.5), at)
	far := s.add(rigid.Body{}, box(0.5), geom.At(20, 0.5, 0))
	s.steps(90)
	require.Zero(t, s.Awake())
	require.NoError(t, s.SetMaterial(ramp, rigid.Material{CombineFriction: rigid.Minimum}))
	require.True(t, s.IsAwake(id))
	require.False(t, s.IsAwake(far))
	was := s.position(id)
	s.steps(60)
	// The speed after a second on a slope without friction is g·sin(0.2), the way half of that.
	require.InDelta(t, 9.81*0.19867/2, s.position(id).Sub(was).Len(), 0.02)
}

// What a body is to do in the next step is not forgotten when it is made again before it: forces,
// and where it is to be moved.
func TestSetAndReshapeKeepTheStepsInput(t *testing.T) {
	another := func(s *scene, at geom.Vec3) physics.ColliderID {
		return s.Space().Add(physics.Collider{Shape: box(0.5), Transform: geom.Transform{Position: at}})
	}
	for name, again := range map[string]func(s *scene, id rigid.BodyID, b rigid.Body) error{
		"Set": func(s *scene, id rigid.BodyID, b rigid.Body) error { b.User = 7; return s.Set(id, b) },
		"Reshape": func(s *scene, id rigid.BodyID, _ rigid.Body) error {
			return s.Reshape(id, s.Colliders(id)[0], another(s, geom.V(0, 6, 0)))
		},
		"Reshape to another first": func(s *scene, id rigid.BodyID, _ rigid.Body) error {
			return s.Reshape(id, another(s, geom.V(0, 5, 1)), s.Colliders(id)[0])
		},
	} {
		s := newScene(t)
		id := s.add(rigid.Body{Weightless: true, Mass: rigid.Mass{Mass: 2}}, box(0.5), geom.At(0, 5, 0))
		s.ApplyForce(id, geom.V(120, 0, 0))
		s.ApplyTorque(id, geom.V(0, 1, 0))
		b, _ := s.Body(id)
		require.NoError(t, again(s, id, b), name)
		s.Step()
		v, w, _ := s.Velocity(id)
		require.InDelta(t, 1, v.X, 1e-5, name)
		require.Greater(t, w.Y, float32(0), name)

		lift := s.add(rigid.Body{Kind: rigid.Kinematic}, box(0.5), geom.At(0, 5, 20))
		first := s.Colliders(lift)[0]
		goal := geom.Transform{Position: geom.V(1, 5.5, 20), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), 0.2)}
		require.True(t, s.MoveTo(lift, goal))
		b, _ = s.Body(lift)
		require.NoError(t, again(s, lift, b), name)
		s.steps(5)
		c, _ := s.Space().Collider(first)
		require.InDelta(t, 0, c.Transform.Position.Distance(goal.Position), 1e-5, name)
		require.InDelta(t, 0, c.Transform.Rotation.Rotate(geom.V(1, 0, 0)).Distance(goal.Rotation.Rotate(geom.V(1, 0, 0))), 1e-6, name)

		require.True(t, s.MoveTo(lift, geom.At(2, 5, 20)))
		b, _ = s.Body(lift)
		b.Velocity = geom.V(0, 3, 0)
		require.NoError(t, s.Set(lift, b))
		was := s.position(lift)
		s.steps(60)
		require.InDelta(t, 0, s.position(lift).Distance(was.Add(geom.V(0, 3, 0))), 1e-4, "another velocity replaces the move")
	}
}

// A body that is put somewhere stays there, whatever MoveTo it had before.
func TestSetTransformEndsAMove(t *testing.T) {
	s := newScene(t)
	lift := s.add(rigid.Body{Kind: rigid.Kinematic}, box(0.5), geom.At(0, 5, 0))
	require.True(t, s.MoveTo(lift, geom.At(1, 5, 0)))
	require.True(t, s.SetTransform(lift, geom.At(9, 5, 0)))
	s.steps(3)
	require.Equal(t, geom.V(9, 5, 0), s.position(lift))
	v, _, _ := s.Velocity(lift)
	require.Zero(t, v)
}

// Ground that is moved in the same tick as the origin wakes what sleeps on it, as it does in any
// other; the origin alone wakes nothing.
func TestGroundMovedAtARebase(t *testing.T) {
	for _, far := range []geom.DVec3{{X: 100}, {X: 4000, Z: 3000}} {
		s := newScene(t)
		id := s.add(rigid.Body{}, box(0.5), geom.At(0, 0.5, 0))
		small := s.add(rigid.Body{}, geom.Sphere{Radius: 0.1}, geom.At(3, 0.1, 0))
		s.steps(60)
		require.Zero(t, s.Awake())
		s.Space().Rebase(far)
		s.Step()
		require.Zero(t, s.Awake(), "the origin alone")
		tilt := geom.Transform{Position: geom.V(0, -1, 0).Sub(far.Narrow()), Rotation: geom.QuatAxisAngle(geom.V(0, 0, 1), 0.8)}
		s.Space().SetTransform(s.ground, tilt)
		s.Space().Rebase(geom.DVec3{})
		s.steps(60)
		require.True(t, s.IsAwake(id), "on a slope of 46°")
		require.Less(t, s.position(id).Y, float32(-0.5))
		require.True(t, s.IsAwake(small))
	}
}
