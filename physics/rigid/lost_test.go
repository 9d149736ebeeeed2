package rigid_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// A body whose numbers leave the range is nowhere, and is named; its neighbours go on.
func TestLost(t *testing.T) {
	s := newScene(t)
	s.Settings.MaxSpeed = math.MaxFloat32
	lost := s.add(rigid.Body{Weightless: true, Velocity: geom.V(0, 3e38, 0)}, box(0.5), geom.At(0, 3, 0))
	near := s.add(rigid.Body{}, box(0.5), geom.At(0, 1.9, 0))
	s.steps(200)
	require.False(t, s.IsAwake(lost))
	require.True(t, s.Space().IsNowhere(s.Colliders(lost)[0]))
	require.InDelta(t, 0.5, s.position(near).Y, 0.01)
	e, _ := s.Explain(lost)
	require.Contains(t, e.String(), "is nowhere")
	require.NotContains(t, e.String(), "it sleeps")
	// It can be brought back.
	require.True(t, s.SetTransform(lost, geom.At(0, 5, 0)))
	require.True(t, s.SetVelocity(lost, geom.Vec3{}, geom.Vec3{}))
	s.Step()
	require.InDelta(t, 5, s.position(lost).Y, 1e-6)
	require.False(t, s.Space().IsNowhere(s.Colliders(lost)[0]))
}

// A body is reported in the step that takes its centre out of the bounds, each time, and goes on.
func TestOutside(t *testing.T) {
	const speed, height, floor = 3, 20, -5
	s := free(t)
	s.Settings.Bounds = geom.AABB{Min: geom.V(-100, floor, -100), Max: geom.V(10.01, 100, 100)}
	flies := s.ball(geom.V(0, 0, 0))
	falls := s.add(rigid.Body{}, box(0.5), geom.At(0, height, 50))
	driven := s.add(rigid.Body{Kind: rigid.Kinematic}, box(0.5), geom.At(0, 0, 20))
	beyond := s.add(rigid.Body{Velocity: geom.V(speed, 0, 0)}, box(0.5), geom.At(200, 0, 0))
	rests := s.add(rigid.Body{}, box(0.5), geom.At(0, 0, -20))
	s.SetVelocity(flies, geom.V(speed, 0, 0), geom.Vec3{})
	var left map[rigid.BodyID][]int
	run := func(steps int) {
		left = map[rigid.BodyID][]int{}
		for step := 1; step <= steps; step++ {
			s.ApplyForce(falls, geom.V(0, -9.81*s.Mass(falls), 0))
			if step == 7 {
				s.MoveTo(driven, geom.At(0, 0, 101))
			}
			s.Step()
			for _, id := range s.Outside {
				left[id] = append(left[id], step)
			}
		}
	}
	run(300)
	// 10.01 m at 3 m/s, and 25 m by gravity.
	steps := func(seconds float64) []int { return []int{int(math.Ceil(60 * seconds))} }
	require.Equal(t, map[rigid.BodyID][]int{
		flies: steps(10.01 / speed), falls: steps(math.Sqrt(2 * (height - floor) / 9.81)), driven: {7},
	}, left)
	require.Greater(t, s.position(flies).X, float32(14), "it goes on")

	// It comes back and leaves again. What the game moves or draws the line at has not left.
	s.SetVelocity(flies, geom.V(-speed, 0, 0), geom.Vec3{})
	run(200)
	require.Empty(t, left)
	s.SetVelocity(flies, geom.V(speed, 0, 0), geom.Vec3{})
	x := float64(s.position(flies).X)
	s.SetTransform(rests, geom.At(0, 300, 0))
	run(200)
	require.Equal(t, map[rigid.BodyID][]int{flies: steps((10.01 - x) / speed)}, left)
	s.SetTransform(rests, geom.At(0, 0, 0))
	s.Settings.Bounds = geom.AABB{Min: geom.V(1, 1, 1), Max: geom.V(2, 2, 2)}
	run(2)
	require.Empty(t, left)
	require.Greater(t, s.position(beyond).X, float32(200))
}

// Bad input is refused with an error or false, and changes nothing.
func TestBadInput(t *testing.T) {
	s := newScene(t)
	space := s.Space()
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	c := space.Add(physics.Collider{Shape: box(1)})
	bad := geom.V(0, nan, 0)
	for want, b := range map[string]rigid.Body{
		"Velocity is":       {Velocity: bad},
		"AngularVelocity":   {AngularVelocity: geom.V(inf, 0, 0)},
		"Density is -1":     {Density: -1},
		"LinearDamping is":  {LinearDamping: -1},
		"AngularDamping is": {AngularDamping: inf},
		"MaxSpeed is":       {MaxSpeed: nan},
		"Kind is 7":         {Kind: 7},
		"Mass is -1 kg":     {Mass: rigid.Mass{Mass: -1}},
		"Mass is {Mass:1 ":  {Mass: rigid.Mass{Mass: 1, Center: geom.V(float32(math.NaN()), 0, 0)}},
	} {
		_, err := s.Add(b, c)
		require.ErrorContains(t, err, "rigid: Dynamics.Add: "+want)
	}
	_, err := s.Add(rigid.Body{})
	require.ErrorContains(t, err, "no collider")
	_, err = s.Add(rigid.Body{}, 12345)
	require.ErrorContains(t, err, "is not in the space")
	_, err = s.Add(rigid.Body{}, c, c)
	require.ErrorContains(t, err, "given twice")
	_, err = s.Add(rigid.Body{}, space.Add(physics.Collider{Shape: geom.YPlane(0)}))
	require.ErrorContains(t, err, "plane")
	_, err = s.Add(rigid.Body{}, space.Add(physics.Collider{Shape: box(1), Transform: geom.At(nan, 0, 0)}))
	require.ErrorContains(t, err, "is nowhere")
	require.Equal(t, 0, s.Len())
	require.Zero(t, s.BodyOf(c))
	id, err := s.Add(rigid.Body{}, c)
	require.NoError(t, err)
	_, err = s.Add(rigid.Body{}, c)
	require.ErrorContains(t, err, "is part of "+id.String())
	require.ErrorContains(t, s.Set(id, rigid.Body{Density: nan}), "rigid: Dynamics.Set: "+id.String()+": Density is NaN")
	require.ErrorContains(t, s.Set(99, rigid.Body{}), "there is no")
	for _, ok := range []bool{
		s.ApplyForce(id, bad), s.ApplyForceAt(id, geom.V(1, 0, 0), bad), s.ApplyTorque(id, bad), s.ApplyImpulse(id, bad),
		s.ApplyImpulseAt(id, bad, geom.Vec3{}), s.ApplyAngularImpulse(id, bad), s.ApplyRadialImpulse(bad, 1, 1, 0),
		s.ApplyRadialImpulse(geom.Vec3{}, -1, 1, 0), s.ApplyRadialImpulse(geom.Vec3{}, 1, 1, -1),
		s.SetVelocity(id, bad, geom.Vec3{}), s.SetTransform(id, geom.At(0, inf, 0)), s.MoveTo(id, geom.At(0, 0, 0)),
		s.ApplyImpulse(0, geom.V(1, 0, 0)), s.ApplyForce(99, geom.V(1, 0, 0)), s.SetTransform(99, geom.At(0, 0, 0)), s.Remove(99), s.Wake(99),
	} {
		require.False(t, ok)
	}
	require.Panics(t, func() { rigid.New(nil) })
	s.Settings.Substeps = 0
	require.PanicsWithValue(t, "rigid: Dynamics.Step: Settings.Step is 0.016666668 and Settings.Substeps 0: both must be positive, as in DefaultSettings", s.Step)
}

// A panic in the game's function leaves a Dynamics that says so.
func TestPanicInAdjust(t *testing.T) {
	s := newScene(t)
	s.add(rigid.Body{}, box(0.5), geom.At(0, 0.5, 0))
	s.Step()
	s.Adjust = func(*rigid.Adjustment) { panic("mine") }
	require.PanicsWithValue(t, "mine", s.Step)
	require.PanicsWithValue(t, "rigid: Dynamics.Step: an earlier step panicked and left the bodies half-stepped", s.Step)
}

// A collider that the game removes from the space leaves its body, and with the last one the body
// goes.
func TestRemovedColliders(t *testing.T) {
	s := newScene(t)
	a := s.Space().Add(physics.Collider{Shape: box(0.5), Transform: geom.At(0, 3, 0)})
	b := s.Space().Add(physics.Collider{Shape: box(0.5), Transform: geom.At(1, 3, 0)})
	id, err := s.Add(rigid.Body{}, a, b)
	require.NoError(t, err)
	s.Step()
	s.Space().Remove(a)
	s.Step()
	require.Equal(t, []physics.ColliderID{b}, s.Colliders(id))
	require.InDelta(t, 1, s.position(id).X, 1e-6)
	s.steps(60)
	require.InDelta(t, 0.5, s.position(id).Y, 0.01)
	s.Space().Remove(b)
	s.Wake(id)
	s.ApplyImpulse(id, geom.V(1, 0, 0))
	s.Step()
	require.Equal(t, 0, s.Len())
	require.False(t, s.IsAwake(id))
}

// A body that sleeps where no contact ends, as on a joint, wakes when it loses a collider.
func TestSleepingBodiesLoseColliders(t *testing.T) {
	for _, restored := range []string{"", "by Restore", "by LoadState"} {
		s := newScene(t)
		a := s.Space().Add(physics.Collider{Shape: box(0.5), Transform: geom.At(0, 9, 0)})
		b := s.Space().Add(physics.Collider{Shape: box(0.5), Transform: geom.At(0, 8, 0)})
		id, err := s.Add(rigid.Body{}, a, b)
		require.NoError(t, err)
		_, err = s.AddJoint(rigid.Joint{A: id, FrameA: geom.At(0, 1, 0), FrameB: geom.At(0, 10, 0)})
		require.NoError(t, err)
		floating := s.add(rigid.Body{Weightless: true}, box(0.5), geom.At(9, 9, 0))
		s.steps(120)
		require.False(t, s.IsAwake(id))
		s.Space().Remove(b)
		s.Space().Remove(s.Colliders(floating)[0])
		switch restored {
		case "by Restore":
			var state rigid.State
			s.Save(&state)
			s.Step()
			s.Restore(&state)
			require.Equal(t, 2, s.Len())
		case "by LoadState":
			state := s.AppendState(nil)
			s.Step()
			require.NoError(t, s.LoadState(state))
			require.Equal(t, 2, s.Len())
		}
		s.Step()
		require.Equal(t, []rigid.BodyID{id}, s.Woken[:1], restored)
		require.True(t, s.IsAwake(id))
		require.InDelta(t, rigid.DefaultDensity, s.Mass(id), 1e-3)
		require.Equal(t, 1, s.Len())
		s.Step()
		require.InDelta(t, 9, s.position(id).Y, 1e-3)
	}
}

// Set of a body of which colliders were removed is that of the body that the next step would leave.
func TestSetAfterRemovedColliders(t *testing.T) {
	for _, kind := range []rigid.Kind{rigid.Dynamic, rigid.Kinematic} {
		s := newScene(t)
		a := s.Space().Add(physics.Collider{Shape: box(0.5), Transform: geom.At(0, 3, 0)})
		b := s.Space().Add(physics.Collider{Shape: box(0.5), Transform: geom.At(1, 3, 0)})
		id, err := s.Add(rigid.Body{Kind: kind}, a, b)
		require.NoError(t, err)
		s.Space().Remove(a)
		require.NoError(t, s.Set(id, rigid.Body{Kind: kind, User: 5}))
		require.Equal(t, []physics.ColliderID{b}, s.Colliders(id))
		s.Step()
		require.Equal(t, float32(1), s.position(id).X)
		s.Space().Remove(b)
		require.ErrorContains(t, s.Set(id, rigid.Body{Kind: kind}), "have left the space")
		s.Step()
		require.Equal(t, 0, s.Len())
	}
}

// A body whose collider was removed leaves the collider that has its index now to that one's body.
func TestRemovedColliderWithSuccessor(t *testing.T) {
	s := newScene(t)
	space := s.Space()
	old := space.Add(physics.Collider{Shape: box(0.5), Transform: geom.At(0, 3, 0)})
	_, err := s.Add(rigid.Body{}, old)
	require.NoError(t, err)
	s.Step()
	space.Remove(old)
	c := space.Add(physics.Collider{Shape: box(0.5), Transform: geom.At(0, 3, 0)})
	require.Equal(t, old.Index(), c.Index())
	id, err := s.Add(rigid.Body{}, c)
	require.NoError(t, err)
	s.steps(120)
	require.Equal(t, 1, s.Len())
	require.Equal(t, id, s.BodyOf(c))
	require.InDelta(t, 0.5, s.position(id).Y, 0.01)
}

// Mountains and dust come to rest on each other as bodies of a kilogram do.
func TestMassesOfAnySize(t *testing.T) {
	for _, kg := range []float32{1e-18, 1e-9, 1, 1e9, 1e18, 1e24, 1e30} {
		s := newScene(t)
		below := s.add(rigid.Body{Mass: rigid.Mass{Mass: kg}}, box(0.5), geom.At(0, 0.6, 0))
		above := s.add(rigid.Body{Mass: rigid.Mass{Mass: kg}, AngularVelocity: geom.V(1, 2, 0)}, box(0.5), geom.At(0.2, 1.7, 0))
		s.steps(300)
		require.InDelta(t, 0.5, s.position(below).Y, 0.001, "%g kg", kg)
		require.InDelta(t, 1.5, s.position(above).Y, 0.001, "%g kg", kg)
		require.False(t, s.IsAwake(above), "%g kg", kg)
	}
}

// Bodies of 1e-12 to 1e30 kg lie on and bump into each other, and none is lost. What is light lies
// on what is heavy as if that were the ground, and slides and rolls as far as one of a kilogram.
func TestMassesOfAnySizeTouch(t *testing.T) {
	testenv.NoRace(t)
	masses := []float32{1, 1e-12, 1e-4, 1e4, 1e12, 1e19, 1e22, 1e26, 1e30}
	var far [2]geom.Vec3
	for _, below := range masses {
		for _, above := range masses {
			s := newScene(t)
			add := func(kg float32, shape physics.Shape, at, v geom.Vec3) rigid.BodyID {
				id := s.add(rigid.Body{Mass: rigid.Mass{Mass: kg}, Velocity: v}, shape, geom.Transform{Position: at})
				require.NoError(t, s.SetMaterial(s.Colliders(id)[0], rigid.Material{Friction: 0.6, Restitution: 0.2, RollingResistance: 0.05}))
				return id
			}
			add(below, box(0.5), geom.V(0, 0.5, 0), geom.Vec3{})
			upper := add(above, box(0.3), geom.V(0.1, 1.4, 0.05), geom.V(0.3, 0, 0))
			add(above, geom.Sphere{Radius: 0.4}, geom.V(3, 0.4, 0), geom.V(-6, 0, 0.1))
			slides := add(above, box(0.3), geom.V(0, 0.3, 10), geom.V(3, 0, 0))
			rolls := add(above, geom.Sphere{Radius: 0.4}, geom.V(0, 0.4, 20), geom.V(2, 0, 0))
			for range 180 {
				s.Step()
				require.Empty(t, s.Lost, "%g kg under %g kg", below, above)
			}
			if above <= below {
				require.InDelta(t, 1.3, s.position(upper).Y, 0.01, "%g kg under %g kg", below, above)
			}
			for i, id := range [...]rigid.BodyID{slides, rolls} {
				if far[i] == (geom.Vec3{}) {
					far[i] = s.position(id)
				}
				require.InDelta(t, 0, far[i].Distance(s.position(id)), 0.01, "%g kg", above)
			}
		}
	}
}
