package physecs

import (
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/meshio"
	"github.com/hitscan-go/hitscan/physics/rigid"
	"github.com/hitscan-go/hitscan/physics/skin"
)

// stage is a bodyWorld with the figure of the sandbox.
type stage struct {
	*bodyWorld
	figure skin.Skin
	fit    *skin.Ragdoll
}

func newStage(t *testing.T) *stage {
	file, err := os.Open("../examples/sandbox/assets/figure.glb")
	require.NoError(t, err)
	defer file.Close()
	skins, err := meshio.DecodeSkins(file, nil)
	require.NoError(t, err)
	fit, err := skin.Fit(&skins[0], skin.Options{})
	require.NoError(t, err)
	return &stage{newFloorWorld(), skins[0], fit}
}

// bend returns the rest pose at a place with the bones of some names, and what follows them,
// turned.
func (s *stage) bend(at geom.Transform, turns map[string]geom.Quat) skin.Pose {
	p := s.figure.Rest(nil, at)
	for i := range p { // parents come first in the figure
		b := &s.figure.Bones[i]
		if b.Parent >= 0 {
			p[i] = skin.In(p[b.Parent], skin.Within(s.figure.Bones[b.Parent].Rest, b.Rest))
		}
		p[i].Rotation = p[i].Rotation.Mul(turns[b.Name])
	}
	return p
}

// apart returns the greatest distance between bones of two poses, and the greatest angle.
func apart(a, b skin.Pose) (far, angle float64) {
	for i := range a {
		far = max(far, float64(a[i].Position.Distance(b[i].Position)))
		q := a[i].Rotation.Inverse().Mul(b[i].Rotation)
		angle = max(angle, 2*math.Asin(min(float64(geom.V(q.X, q.Y, q.Z).Len()), 1)))
	}
	return far, angle
}

// holds requires that the points of all joints are together within a gap, and within their limits
// and an angle. A limit is a spring: a limb that hits the floor presses it, and pulls at its joint,
// for a step or two.
func (s *stage) holds(t *testing.T, r *Ragdoll, soft, gap float32) {
	for _, e := range r.joints {
		j, ok := s.dynamics().JointState(e)
		require.True(t, ok)
		set := s.joint(e)
		if set.Kind == rigid.MotorJoint { // keeps two parts from colliding
			continue
		}
		require.Less(t, j.Error, gap)
		require.Greater(t, j.Value, set.Lower-soft)
		require.Less(t, j.Value, set.Upper+soft)
		if set.Cone > 0 {
			require.Less(t, j.Swing, set.Cone+soft)
		}
	}
}

// A limp ragdoll falls, its joints hold, no limb sinks into the floor, and it goes to sleep.
func TestRagdollFalls(t *testing.T) {
	testenv.NoRace(t)
	s := newStage(t)
	r := NewRagdoll(s.World, s.fit, s.figure.Rest(nil, geom.Transform{Position: geom.V(0, 2, 0), Rotation: geom.QuatEuler(0.5, 0.6, 0.3)}))
	require.True(t, r.IsLimp())
	s.run(1)
	require.Empty(t, s.reasons())
	mass := float32(0)
	for _, e := range r.Bodies {
		id, _ := s.dynamics().Body(e)
		mass += s.dynamics().Rigid().Mass(id)
	}
	require.InEpsilon(t, 75, mass, 1e-5)
	awake := 0
	for range 15 * 60 {
		s.run(1)
		s.holds(t, r, 0.4, 0.04)
		for i, e := range r.Bodies {
			p, tr := &s.fit.Parts[i], s.transforms.Get(e)
			lowest := tr.Position.Y - p.Radius
			h := [3]float32{p.HalfExtents.X, p.HalfExtents.Y, p.HalfExtents.Z}
			for k, axis := range [...]geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
				lowest -= float32(math.Abs(float64(tr.Rotation.Rotate(axis).Y * h[k])))
			}
			require.Greater(t, lowest, float32(-0.03))
		}
		if awake = s.dynamics().Rigid().Awake(); awake == 0 {
			break
		}
	}
	require.Zero(t, awake, "asleep within 15 s")
	s.holds(t, r, 0.02, 0.002)
	r.Remove(s.World)
	s.run(1)
	require.Zero(t, s.dynamics().Rigid().Len())
	require.Zero(t, s.dynamics().Rigid().NumJoints())
}

// Without gravity nothing moves: no parts push each other, and no joint pulls.
func TestRagdollRests(t *testing.T) {
	s := newStage(t)
	s.system.Settings = rigid.DefaultSettings()
	s.system.Settings.Gravity = geom.Vec3{}
	rest := s.figure.Rest(nil, geom.At(0, 1, 0))
	r := NewRagdoll(s.World, s.fit, rest)
	s.run(60)
	far, angle := apart(rest, r.Pose(nil, s.World))
	assert.Less(t, far, 1e-3)
	assert.Less(t, angle, 1e-2)
}

// An animation moves the bodies to its poses; released in motion they fly on; and at the end of a
// blend from where they have fallen they are in the animation's pose again.
func TestRagdollAnimates(t *testing.T) {
	testenv.NoRace(t)
	s := newStage(t)
	walk := func(step int) skin.Pose {
		swing := geom.QuatAxisAngle(geom.V(1, 0, 0), 0.5*math.Sin(float64(step)*0.1))
		return s.bend(geom.At(0, 1, 2./60*float32(step)), map[string]geom.Quat{"left_thigh": swing, "right_upperarm": swing})
	}
	r := NewRagdoll(s.World, s.fit, walk(0))
	within := func(want skin.Pose) {
		t.Helper()
		// Positions of a few metres are rounded to 0.24 µm a few times, and rotations to 6e-8.
		far, angle := apart(want, r.Pose(nil, s.World))
		require.Less(t, far, 1e-5)
		require.Less(t, angle, 1e-5)
		for i, e := range r.Bodies { // and the bodies are there, not only the Transforms
			got, _ := s.dynamics().Transform(e)
			require.InDelta(t, 0, got.Position.Distance(s.fit.Frames(nil, want)[i].Position), 1e-5)
		}
	}
	for step := range 60 {
		r.Animate(s.World, walk(step))
		s.run(1)
		within(walk(step))
	}
	r.Release(s.World)
	s.run(1)
	require.Empty(t, s.reasons())
	var momentum, want float32
	before, now := s.fit.Frames(nil, walk(58)), s.fit.Frames(nil, walk(59))
	for i, e := range r.Bodies {
		id, _ := s.dynamics().Body(e)
		v, _, _ := s.dynamics().Rigid().Velocity(id)
		momentum += v.Z * s.fit.Parts[i].Mass
		want += (now[i].Position.Z - before[i].Position.Z) * 60 * s.fit.Parts[i].Mass
	}
	// Joints keep the momentum; positions of 2 m are rounded to 0.24 µm, times 60 Hz and 75 kg.
	require.InDelta(t, want, momentum, 0.01)
	for range 120 {
		s.run(1)
		s.holds(t, r, 0.3, 0.04)
	}
	from := r.Pose(nil, s.World)
	require.Less(t, from[3].Position.Y, float32(1), "it has fallen")
	for step := range 31 {
		r.Animate(s.World, skin.Blend(nil, from, walk(60+step), float32(step)/30))
		s.run(1)
		if step == 0 {
			within(from)
		}
	}
	within(walk(90))
}

// A ragdoll that was animated since, and is brought back to when it lay limp, is not thrown by the
// poses of the time that is gone; one that is brought back to an animation keeps its velocity.
func TestRagdollIsRestored(t *testing.T) {
	s := newStage(t)
	walk := func(step int) skin.Pose { return s.bend(geom.At(0, 1.2, 0.1*float32(step)), nil) }
	r := NewRagdoll(s.World, s.fit, walk(0))
	speed := func() (most float32) {
		for _, e := range r.Bodies {
			id, _ := s.dynamics().Body(e)
			v, _, _ := s.dynamics().Rigid().Velocity(id)
			most = max(most, v.Len())
		}
		return most
	}
	type moment struct {
		state  DynamicsState
		bodies ComponentState[Body]
		joints ComponentState[Joint]
	}
	save := func(m *moment) {
		s.dynamics().Save(s.World, &m.state)
		m.bodies.Save(s.World)
		m.joints.Save(s.World)
	}
	restore := func(m *moment) {
		s.dynamics().Restore(s.World, &m.state)
		m.bodies.Restore(s.World)
		m.joints.Restore(s.World)
	}
	var limp, animated moment
	s.run(2)
	save(&limp)
	for step := range 10 {
		r.Animate(s.World, walk(step))
		s.run(1)
	}
	save(&animated)
	restore(&limp)
	r.Drive(s.World, walk(0), 60, 0)
	s.run(1)
	require.Less(t, speed(), float32(1.5))
	restore(&animated)
	r.Animate(s.World, walk(10))
	s.run(1)
	r.Release(s.World)
	s.run(1)
	require.InDelta(t, 6, speed(), 0.2)
}

// Muscles hold a ragdoll near a pose while it hangs by its pelvis, and without it its limbs hang
// down.
func TestRagdollDrives(t *testing.T) {
	testenv.NoRace(t)
	s := newStage(t)
	up := geom.QuatAxisAngle(geom.V(1, 0, 0), -1)
	p := s.bend(geom.At(0, 3, 0), map[string]geom.Quat{"left_thigh": up, "right_thigh": up})
	r := NewRagdoll(s.World, s.fit, s.figure.Rest(nil, geom.At(0, 3, 0)))
	for range 240 {
		r.Drive(s.World, p, 200, 3000)
		s.run(1)
		s.holds(t, r, 0.4, 0.04)
	}
	require.Empty(t, s.reasons())
	_, angle := apart(p, r.Pose(nil, s.World))
	// The muscles are springs of 20 Hz for each part alone, and what hangs on them turns them.
	require.Less(t, angle, 0.3)
	for range 240 {
		r.Drive(s.World, p, 0, 3000)
		s.run(1)
	}
	_, slack := apart(p, r.Pose(nil, s.World))
	require.Greater(t, slack, 0.8)
}

// A Rebase between two poses changes neither the velocity that they leave nor a dead part's place.
func TestRagdollIsRebased(t *testing.T) {
	s := newStage(t)
	walk := func(step int) skin.Pose { return s.bend(geom.At(0, 1, 2./60*float32(step)), nil) }
	r := NewRagdoll(s.World, s.fit, walk(0))
	for step := range 10 {
		r.Animate(s.World, walk(step))
		s.run(1)
	}
	Rebase(s.World, geom.DVec3{Z: 1024})
	s.RemoveEntity(r.Bodies[3])
	dead := s.fit.Parts[3].Bone
	require.InDelta(t, walk(9)[dead].Position.Z-1024, r.Pose(nil, s.World)[dead].Position.Z, 1e-3)
	p := walk(10)
	for i := range p {
		p[i].Position.Z -= 1024
	}
	r.Animate(s.World, p)
	s.run(1)
	r.Release(s.World)
	s.run(1)
	id, _ := s.dynamics().Body(r.Bodies[0])
	v, _, _ := s.dynamics().Rigid().Velocity(id)
	// Two positions of 1024 m are rounded to 0.06 mm, times 60 Hz.
	require.InDelta(t, 2, v.Z, 0.01)
}
