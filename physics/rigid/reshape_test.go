package rigid_test

import (
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
