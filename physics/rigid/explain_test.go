package rigid_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

func TestExplain(t *testing.T) {
	s := newScene(t)
	low := s.add(rigid.Body{}, box(0.5), geom.At(0, 0.5, 0))
	high := s.add(rigid.Body{NoSleep: true}, box(0.5), geom.At(0, 1.5, 0))
	s.steps(120)
	e, ok := s.Explain(low)
	require.True(t, ok)
	require.True(t, e.Awake)
	require.Len(t, e.Reasons, 1, e)
	require.Contains(t, e.Reasons[0], high.String()+" of its island has NoSleep set")
	// What pushes it and its weight are in balance.
	require.Len(t, e.Pushes, 2)
	sum := e.Weight
	for _, p := range e.Pushes {
		sum = sum.Add(p.Normal.Mul(p.Force)).Add(p.Friction)
	}
	require.InDelta(t, 9810, e.Weight.Len(), 0.01)
	require.Less(t, sum.Len(), float32(1))
	require.Contains(t, e.String(), "pushes with 1.962e+04 N")

	b, _ := s.Body(high)
	b.NoSleep = false
	require.NoError(t, s.Set(high, b))
	s.steps(60)
	e, _ = s.Explain(low)
	require.Contains(t, e.String(), "is asleep")
	s.SetVelocity(low, geom.V(1, 0, 0), geom.Vec3{})
	e, _ = s.Explain(low)
	require.Contains(t, e.Reasons[0], "it moves at up to 1 m/s")
	_, ok = s.Explain(0)
	require.False(t, ok)

	s.joint(s.JointAt(rigid.BallJoint, low, high, geom.V(0, 1, 0), geom.V(0, 1, 0)))
	s.Step()
	e, _ = s.Explain(high)
	require.True(t, e.Pushes[0].Joined)
	require.Contains(t, e.String(), "with which a joint connects it")
}

func TestExplainPair(t *testing.T) {
	s := newScene(t)
	space := s.Space()
	add := func(c physics.Collider) physics.ColliderID { return space.Add(c) }
	near, far := geom.At(0, 0.5, 0), geom.At(0, 9, 0)
	mover := add(physics.Collider{Shape: box(0.5), Transform: near})
	_, err := s.Add(rigid.Body{}, mover)
	require.NoError(t, err)
	nan := geom.At(float32(math.NaN()), 0, 0)
	removed := add(physics.Collider{Shape: box(1)})
	space.Remove(removed)
	oneWay := add(physics.Collider{Shape: box(0.5), Transform: geom.At(0, 1.2, 0), Static: true})
	require.NoError(t, s.SetMaterial(oneWay, rigid.Material{OneWay: geom.V(0, 1, 0)}))
	two, three := add(physics.Collider{Shape: box(1), Transform: far}), add(physics.Collider{Shape: box(1), Transform: far})
	_, err = s.Add(rigid.Body{}, two, three)
	require.NoError(t, err)
	cases := []struct {
		a, b physics.ColliderID
		want string
	}{
		{mover, s.ground, "they touch, and the solver keeps them apart"},
		{s.ground, mover, "they touch, and the solver keeps them apart"},
		{mover, mover, "the same collider"},
		{mover, removed, "is not in the space"},
		{mover, oneWay, "passes through"},
		{two, three, "both are parts of body"},
		{oneWay, s.ground, "neither is part of a dynamic body"},
		{mover, two, "more than 0.02 m apart"},
		{mover, add(physics.Collider{Shape: box(1), Transform: nan}), "is nowhere"},
		{mover, add(physics.Collider{Shape: box(1), Transform: far, Sensor: true}), "is a sensor"},
		{mover, add(physics.Collider{Shape: box(1), Transform: far, Mask: 2}), "has none of the layers"},
		{mover, add(physics.Collider{Shape: box(1), Transform: far, Layer: 2, Mask: 2}), "has none of the layers"},
	}
	s.Step()
	for _, c := range cases {
		require.Contains(t, s.ExplainPair(c.a, c.b), c.want)
	}
	later := add(physics.Collider{Shape: box(0.5), Transform: near})
	require.Contains(t, s.ExplainPair(mover, later), "they touch only since the last step")
	s.Adjust = func(a *rigid.Adjustment) { a.Off = true }
	require.Contains(t, s.ExplainPair(mover, s.ground), "unless Adjust switches that off")
	still := s.add(rigid.Body{Kind: rigid.Kinematic}, box(0.5), geom.At(0, 20, 0))
	s.Step()
	e, _ := s.Explain(still)
	require.Contains(t, e.String(), "its island has been slow for 0.02 s of 0.5")
}
