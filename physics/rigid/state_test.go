package rigid_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/freelist"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// life is a Dynamics that random calls change between its steps. The calls depend on nothing but
// the numbers.
type life struct {
	*rigid.Dynamics
	t      testing.TB
	n      golden.Numbers
	bodies []rigid.BodyID
	ground []physics.ColliderID
	joints []rigid.JointID
}

func newLife(t testing.TB, seed uint64) *life {
	n := golden.Numbers(seed)
	l := &life{t: t, n: n}
	if seed%3 == 2 { // in the plane
		l.Dynamics = planarPile(t, &l.n, 20)
	} else {
		l.Dynamics = goldenPile(t, &n, 20)
	}
	for id := range l.All() {
		l.bodies = append(l.bodies, id)
	}
	l.Settings.Bounds = geom.AABB{Min: geom.V(-2, -1, -2), Max: geom.V(2, 4, 2)}
	return l
}

func (l *life) body() rigid.BodyID { return l.bodies[l.n.Int(len(l.bodies))] }

// joint returns one of the joints that were added.
func (l *life) joint() rigid.JointID {
	if len(l.joints) == 0 {
		return 0
	}
	return l.joints[l.n.Int(len(l.joints))]
}

// anyJoint returns a joint of any kind between two bodies, or a body and the world.
func (l *life) anyJoint() rigid.Joint {
	a, b := l.body(), l.body()
	if l.n.Int(4) == 0 {
		a = 0
	}
	at, _ := l.Transform(b)
	j := l.JointAt(rigid.JointKind(l.n.Int(7)), a, b, at.Position.Add(l.n.Vec(0.5)), l.n.Vec(1))
	j.Limited, j.Lower, j.Upper = l.n.Int(2) == 0, l.n.Float(0.25)+0.25, l.n.Float(0.25)+0.75
	j.Cone, j.Target, j.Steering = l.n.Float(1)+1, l.n.Float(0.5)+0.5, l.n.Float(1)
	if l.n.Int(3) == 0 {
		j.SpringHertz, j.SpringDamping = 3+l.n.Float(2), 0.5
	}
	if l.n.Int(3) == 0 {
		j.MotorSpeed, j.MotorForce, j.Brake = l.n.Float(3), 200, 20+l.n.Float(20)
	}
	if l.n.Int(4) == 0 {
		j.Hertz, j.Damping = 5, 0.7
	}
	if l.n.Int(4) == 0 {
		j.BreakForce, j.BreakTorque = 2000, 500
	}
	j.MaxForce, j.MaxTorque = 500, 100
	return j
}

// tick changes something, makes a step and adds the state to a hash.
func (l *life) tick(h *golden.Hash) {
	space := l.Space()
	for range l.n.Int(3) {
		switch l.n.Int(20) {
		case 0, 1:
			shape := []physics.Shape{box(0.2), geom.Sphere{Radius: 0.2}, geom.Capsule{A: geom.V(0, -0.1, 0), B: geom.V(0, 0.1, 0), Radius: 0.15}}[l.n.Int(3)]
			c := space.Add(physics.Collider{Shape: shape, Transform: geom.Transform{Position: l.n.Vec(2).Add(geom.V(0, 4, 0)), Rotation: l.n.Quat()}})
			parts := []physics.ColliderID{c}
			if l.n.Int(3) == 0 {
				parts = append(parts, space.Add(physics.Collider{Shape: box(0.1), Transform: geom.Transform{Position: l.n.Vec(2).Add(geom.V(0, 4, 0))}}))
			}
			id, err := l.Add(rigid.Body{Velocity: l.n.Vec(4), Bullet: l.n.Int(4) == 0}, parts...)
			require.NoError(l.t, err)
			l.bodies = append(l.bodies, id)
		case 2:
			l.Remove(l.body())
		case 3:
			if ids := l.Colliders(l.body()); len(ids) > 0 {
				space.Remove(ids[l.n.Int(len(ids))])
			}
		case 4:
			l.SetTransform(l.body(), geom.Transform{Position: l.n.Vec(2).Add(geom.V(0, 3, 0)), Rotation: l.n.Quat()})
		case 5:
			l.SetVelocity(l.body(), l.n.Vec(6), l.n.Vec(6))
		case 6:
			l.ApplyImpulseAt(l.body(), l.n.Vec(50), l.n.Vec(2))
		case 7:
			id := l.body()
			removed := func(c physics.ColliderID) bool { return space.IsNowhere(c) }
			if b, ok := l.Body(id); ok && !slices.ContainsFunc(l.Colliders(id), removed) {
				b.GravityScale, b.Kind = l.n.Float(1), rigid.Kind(l.n.Int(8)/7)
				require.NoError(l.t, l.Set(id, b))
			}
		case 8:
			l.ground = append(l.ground, space.Add(physics.Collider{Shape: box(0.5), Transform: geom.Transform{Position: l.n.Vec(3)}, Static: l.n.Int(2) == 0}))
		case 9:
			if len(l.ground) > 0 {
				space.SetTransform(l.ground[l.n.Int(len(l.ground))], geom.Transform{Position: l.n.Vec(3)})
			}
		case 10:
			if len(l.ground) > 0 {
				space.Remove(l.ground[l.n.Int(len(l.ground))])
			}
		case 11:
			if ids := l.Colliders(l.body()); len(ids) > 0 {
				// It fails if the collider was removed.
				l.SetMaterial(ids[0], rigid.Material{Friction: 0.5 + l.n.Float(0.5), SurfaceVelocity: l.n.Vec(1)})
			}
		case 12:
			l.ApplyRadialImpulse(l.n.Vec(2), 3, 20, 1)
		case 14:
			l.RemoveJoint(l.joint())
		case 15, 16:
			// It fails if a body was removed or both are the same.
			if id, err := l.AddJoint(l.anyJoint()); err == nil {
				l.joints = append(l.joints, id)
			}
		case 17:
			id := l.joint()
			if j, ok := l.Joint(id); ok {
				j.MotorSpeed, j.Disabled, j.Collide = l.n.Float(3), l.n.Int(4) == 0, l.n.Int(4) == 0
				require.NoError(l.t, l.SetJoint(id, j))
			}
		case 18:
			// It fails if a collider is part of another body, or was removed.
			id := l.body()
			ids := l.Colliders(id)
			if len(ids) > 1 && l.n.Int(2) == 0 {
				ids = ids[1:]
			} else {
				ids = append(ids, space.Add(physics.Collider{Shape: box(0.15), Transform: geom.Transform{Position: l.n.Vec(2).Add(geom.V(0, 4, 0))}}))
			}
			_ = l.Reshape(id, ids...)
		case 19:
			id := l.body()
			if ids := l.Colliders(id); len(ids) > 0 {
				if c, ok := space.Collider(ids[0]); ok {
					c.Layer = physics.Layers(1 << l.n.Int(2))
					space.Set(ids[0], c)
				}
			}
			l.Wake(id)
		case 13:
			if l.n.Int(10) == 0 {
				space.Rebase(space.Origin().Add(l.n.Vec(2).Wide()))
			}
		}
	}
	l.Step()
	require.NoError(l.t, l.Validate())
	addState(h, l.Dynamics)
	for id := range l.Joints() {
		state, _ := l.JointState(id)
		h.Vec(state.Force)
		h.Vec(state.Torque)
	}
	for _, b := range l.Broken {
		h.Uint(uint64(b.ID))
	}
	for _, ids := range [][]rigid.BodyID{l.Slept, l.Woken, l.Outside, l.Lost} {
		for _, id := range ids {
			h.Uint(uint64(id))
		}
	}
	h.Uint(uint64(len(l.Began()))<<32 | uint64(len(l.Ended())))
}

// A kinematic body that sleeps has an infinite mass after a Restore, though it was dynamic before
// that, and in a world that loads the state.
func TestRestoreOfSleepingKinematicBodies(t *testing.T) {
	s := newScene(t)
	lift := s.add(rigid.Body{Kind: rigid.Kinematic}, geom.Box{HalfExtents: geom.V(1, 0.1, 1)}, geom.At(0, 3, 0))
	s.steps(60)
	require.False(t, s.IsAwake(lift))
	s.add(rigid.Body{NoSleep: true}, box(0.5), geom.At(0.3, 3.7, 0))
	var state rigid.State
	s.Save(&state)
	saved := s.AppendState(nil)
	s.steps(30)
	want := s.AppendState(nil)
	for range 2 {
		s.Restore(&state)
		require.NoError(t, s.Set(lift, rigid.Body{}))
		s.Step()
	}
	s.Restore(&state)
	s.steps(30)
	require.Equal(t, want, s.AppendState(nil))

	require.NoError(t, s.Set(lift, rigid.Body{}))
	s.Step()
	require.NoError(t, s.LoadState(saved))
	s.steps(30)
	require.Equal(t, want, s.AppendState(nil), "from bytes")
}

// A life that is saved, goes astray, is restored and goes on has the same bits at every step as one
// that is not. Free lists drop unused memory at every third step.
func TestSaveAndRestore(t *testing.T) {
	defer func(period int) { freelist.Period = period }(freelist.Period)
	freelist.Period = 3
	type saved struct {
		state  rigid.State
		bytes  []byte
		tick   int
		n      golden.Numbers
		bodies []rigid.BodyID
		ground []physics.ColliderID
		joints []rigid.JointID
	}
	ticks := 250
	for seed := range uint64(testenv.Count(t, "HITSCAN_LIVES", testenv.Fewer(5, 1))) {
		want := make([]uint64, ticks)
		l := newLife(t, seed)
		for i := range want {
			h := golden.New()
			l.tick(h)
			want[i] = h.Sum()
		}
		l = newLife(t, seed)
		choices := golden.Numbers(seed + 1000)
		states := make([]saved, 3)
		saves, restores := 0, 0
		for tick := 0; tick < ticks; tick++ {
			h := golden.New()
			l.tick(h)
			require.Equal(t, want[tick], h.Sum(), "seed %d, tick %d, after %d saves and %d restores", seed, tick, saves, restores)
			s := &states[choices.Int(len(states))]
			switch k := choices.Int(8); {
			case k < 3:
				l.Save(&s.state)
				s.bytes = l.AppendState(s.bytes[:0])
				s.tick, s.n, s.bodies, s.ground, s.joints = tick, l.n, slices.Clone(l.bodies), slices.Clone(l.ground), slices.Clone(l.joints)
				saves++
			case k == 3 && s.bodies != nil && restores < 60:
				l.n = choices
				for range choices.Int(20) {
					l.tick(golden.New())
				}
				l.Restore(&s.state)
				require.True(t, bytes.Equal(s.bytes, l.AppendState(nil)), "seed %d, the state after tick %d", seed, s.tick)
				tick, l.n, l.bodies, l.ground, l.joints = s.tick, s.n, slices.Clone(s.bodies), slices.Clone(s.ground), slices.Clone(s.joints)
				restores++
			}
		}
		require.Greater(t, restores, 5)
	}
}

// A state that is saved between a force, or a MoveTo, and the next step has them.
func TestStatesHaveForcesAndGoals(t *testing.T) {
	s := newScene(t)
	pushed := s.add(rigid.Body{}, box(0.5), geom.At(0, 3, 0))
	moved := s.add(rigid.Body{Kind: rigid.Kinematic}, box(0.5), geom.At(9, 3, 0))
	s.steps(3)
	require.True(t, s.ApplyForceAt(pushed, geom.V(3e4, 0, 0), geom.V(0, 4, 0)))
	require.True(t, s.MoveTo(moved, geom.At(9, 5, 0)))
	var state rigid.State
	s.Save(&state)
	before := s.AppendState(nil)
	s.Step()
	after := s.AppendState(nil)
	at, _ := s.Transform(moved)
	require.Equal(t, geom.V(9, 5, 0), at.Position)
	v, w, _ := s.Velocity(pushed)
	require.Greater(t, v.X, float32(0.1))
	require.Less(t, w.Z, float32(-0.1))
	s.steps(3)
	s.Restore(&state)
	require.Equal(t, before, s.AppendState(nil))
	s.Step()
	require.Equal(t, after, s.AppendState(nil))
	o := newScene(t)
	require.NoError(t, o.LoadState(before))
	o.Step()
	require.Equal(t, after, o.AppendState(nil))
}
