package physecs

import (
	"fmt"
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

func (p *bodyWorld) connect(j Joint) ecs.Entity {
	m := generic.NewMap1[Joint](p.World)
	return m.NewWith(&j)
}

func (p *bodyWorld) joint(e ecs.Entity) *Joint {
	return (*Joint)(p.Get(e, ecs.ComponentID[Joint](p.World)))
}

// reasons returns the faults of a world's bodies by entity.
func (p *bodyWorld) reasons() map[ecs.Entity]string {
	all := map[ecs.Entity]string{}
	for e, err := range p.dynamics().Faults() {
		all[e] = err.Error()
	}
	return all
}

// A joint on a third entity holds a body, until the entity dies; a change of the component takes
// effect, and so does a body that is made again.
func TestJointComponent(t *testing.T) {
	p := newFloorWorld()
	a, b := p.crate(geom.At(0, 5, 0), Body{}), p.crate(geom.At(1.2, 5, 0), Body{})
	hook := p.connect(p.dynamics().JointAt(p.World, rigid.BallJoint, ecs.Entity{}, a, geom.V(0, 6, 0), geom.V(0, 1, 0)))
	fixed := p.connect(p.dynamics().JointAt(p.World, rigid.FixedJoint, a, b, geom.V(0.6, 5, 0), geom.V(1, 0, 0)))
	p.run(60)
	require.Empty(t, p.reasons())
	state, ok := p.dynamics().JointState(fixed)
	require.True(t, ok)
	require.Less(t, state.Error, float32(0.01))
	require.InDelta(t, 1.2, p.transforms.Get(a).Position.Distance(p.transforms.Get(b).Position), 0.01)
	require.InDelta(t, 1, p.transforms.Get(a).Position.Distance(geom.V(0, 6, 0)), 0.01)

	// Its crates are made again, as others.
	p.bodies.Get(a).Density = 500
	p.colliders.Get(b).HalfExtents = geom.V(0.4, 0.4, 0.4)
	p.run(30)
	require.InDelta(t, 1.2, p.transforms.Get(a).Position.Distance(p.transforms.Get(b).Position), 0.01)

	p.joint(fixed).Disabled = true
	p.run(120)
	require.InDelta(t, 0.4, p.transforms.Get(b).Position.Y, 0.02, "it lies on the ground")
	require.Greater(t, p.transforms.Get(a).Position.Y, float32(4.9))

	p.RemoveEntity(b)
	p.run(1)
	require.Equal(t, map[ecs.Entity]string{fixed: fmt.Sprintf("physecs: Joint.B: entity %d is dead", b.ID())}, p.reasons())
	_, ok = p.dynamics().Joint(fixed)
	require.False(t, ok)

	query := p.Query(ecs.All(p.transform)) // in a locked world
	p.joint(hook).Hertz = 2
	p.run(1)
	query.Close()
	require.Equal(t, 1, p.dynamics().Rigid().NumJoints())
	p.RemoveEntity(hook)
	p.run(120)
	require.Zero(t, p.dynamics().Rigid().NumJoints())
	require.InDelta(t, 0.5, p.transforms.Get(a).Position.Y, 0.02)

	// An ID that is used again is another entity, whose body no old joint holds.
	again := p.crate(geom.At(9, 5, 0), Body{})
	require.Equal(t, hook.ID(), again.ID())
	p.run(1)
	require.Zero(t, p.dynamics().Rigid().NumJoints())
}

// A joint is made of entities that have a place, and joins bodies: what has none is named, with
// what to write instead.
func TestJointOfWhatHasNoBody(t *testing.T) {
	p := newFloorWorld()
	wall, crate := p.add(geom.At(0, 1, 0), Sphere(1)), p.crate(geom.At(0, 5, 0), Body{})
	e := p.connect(p.dynamics().JointAt(p.World, rigid.HingeJoint, wall, crate, geom.V(0, 6, 0), geom.V(0, 1, 0)))
	p.run(1)
	require.Equal(t, map[ecs.Entity]string{e: fmt.Sprintf("physecs: Joint.A: entity %d has no Body: the world is the zero Entity", wall.ID())}, p.reasons())
	p.joint(e).A = ecs.Entity{}
	p.run(1)
	require.Empty(t, p.reasons())

	bare, dead := p.NewEntity(), p.NewEntity()
	p.RemoveEntity(dead)
	for e, why := range map[ecs.Entity]string{bare: "has no Transform", dead: "is not alive"} {
		require.PanicsWithValue(t, fmt.Sprintf("physecs: Dynamics.JointAt: entity %d %s", e.ID(), why), func() {
			p.dynamics().JointAt(p.World, rigid.BallJoint, crate, e, geom.V(0, 6, 0), geom.V(0, 1, 0))
		})
	}
}

// A component that is no joint is named with the field, and is one as soon as it is mended.
func TestJointFaults(t *testing.T) {
	p := newFloorWorld()
	a := p.crate(geom.At(0, 5, 0), Body{})
	e := p.connect(p.dynamics().JointAt(p.World, rigid.HingeJoint, ecs.Entity{}, a, geom.V(0, 6, 0), geom.V(0, 1, 0)))
	p.joint(e).MotorForce = float32(math.NaN())
	p.run(2)
	require.Equal(t, map[ecs.Entity]string{e: "physecs: rigid: Dynamics.AddJoint: MotorForce is NaN"}, p.reasons())
	p.joint(e).MotorForce = 0
	p.run(1)
	require.Empty(t, p.reasons())
	p.joint(e).A = a
	p.run(1)
	require.Contains(t, p.reasons()[e], "A and B are both")
	p.joint(e).A = p.floor
	p.run(1)
	require.Contains(t, p.reasons()[e], "Joint.A")
	p.joint(e).A = ecs.Entity{}
	p.run(1)
	_, ok := p.dynamics().Joint(e)
	require.True(t, ok)
}

// Joints break with events, and hold again when the component is changed.
func TestJointsOfEntitiesBreak(t *testing.T) {
	p := newFloorWorld()
	a := p.crate(geom.At(0, 5, 0), Body{Mass: 10})
	j := p.dynamics().JointAt(p.World, rigid.BallJoint, ecs.Entity{}, a, geom.V(0, 5, 0), geom.V(0, 1, 0))
	j.BreakForce = 97
	e := p.connect(j)
	var broken []ecs.Entity
	for range 60 {
		p.run(1)
		for _, b := range p.dynamics().Broken {
			broken = append(broken, b.Entity)
			require.Greater(t, b.Force, float32(97))
		}
	}
	require.Equal(t, []ecs.Entity{e}, broken)
	require.Less(t, p.transforms.Get(a).Position.Y, float32(4))
	p.joint(e).BreakForce = 0
	p.run(120)
	require.InDelta(t, 5, p.transforms.Get(a).Position.Y, 0.01)
}

// A broken joint stays broken while its component is as it was, whatever becomes of its bodies.
func TestBrokenJointsStayBroken(t *testing.T) {
	p := newFloorWorld()
	a := p.crate(geom.At(0, 5, 0), Body{Mass: 10})
	children := generic.NewMap4[Transform, Collider, Parent, LocalTransform](p.World)
	hook := children.NewWith(new(Transform), new(Sphere(0.1)), &Parent{Entity: a}, &LocalTransform{Position: geom.V(0, 1, 0)})
	p.run(1)
	j := p.dynamics().JointAt(p.World, rigid.BallJoint, ecs.Entity{}, hook, geom.V(0, 6, 0), geom.V(0, 1, 0))
	j.BreakForce = 50
	e := p.connect(j)
	p.run(60)
	disabled := func() bool { // and it does not break again
		p.run(1)
		id, ok := p.dynamics().Joint(e)
		require.True(t, ok)
		j, _ := p.dynamics().Rigid().Joint(id)
		return j.Disabled && len(p.dynamics().Broken) == 0
	}
	require.True(t, disabled())
	local := generic.NewMap[LocalTransform](p.World)
	local.Get(hook).Position.Y = 1.5
	require.True(t, disabled(), "its part is elsewhere")
	var s DynamicsState
	p.dynamics().Save(p.World, &s)
	bodies := generic.NewMap1[Body](p.World)
	bodies.Remove(a)
	p.run(2)
	bodies.Assign(a, &Body{Mass: 10})
	require.True(t, disabled(), "its body was made again")
	p.dynamics().Restore(p.World, &s)
	local.Get(hook).Position.Y = 2
	require.True(t, disabled(), "a state was restored")
	p.joint(e).BreakForce = 0
	require.False(t, disabled())
}

// A joint of a child of a body holds the body, in the frame of the child.
func TestJointOfAChild(t *testing.T) {
	p := newFloorWorld()
	a := p.crate(geom.Transform{Position: geom.V(0, 5, 0), Rotation: geom.QuatAxisAngle(geom.V(1, 1, 0), 0.4)}, Body{})
	children := generic.NewMap4[Transform, Collider, Parent, LocalTransform](p.World)
	local := LocalTransform{Position: geom.V(0, 1, 0), Rotation: geom.QuatAxisAngle(geom.V(0, 0, 1), 1)}
	child := children.NewWith(new(Transform), new(Box(geom.V(0.2, 0.5, 0.2))), &Parent{Entity: a}, &local)
	p.run(1)
	at := p.transforms.Get(a).Position
	top := p.transforms.Get(child).Position
	e := p.connect(p.dynamics().JointAt(p.World, rigid.FixedJoint, ecs.Entity{}, child, top, geom.V(1, 0, 0)))
	p.run(120)
	require.Empty(t, p.reasons())
	state, ok := p.dynamics().JointState(e)
	require.True(t, ok)
	require.Less(t, state.Error, float32(1e-3))
	// A body under its weight, and the lever of 1 m, sinks by mm on the spring of 60 Hz.
	require.InDelta(t, 0, at.Distance(p.transforms.Get(a).Position), 5e-3)
}

// Where joints hold after a rebase and a restore is where they held before.
func TestJointsRebaseAndRestore(t *testing.T) {
	run := func(through func(p *bodyWorld, e ecs.Entity)) geom.Vec3 {
		p := newFloorWorld()
		a := p.crate(geom.At(0, 5, 0), Body{})
		e := p.connect(p.dynamics().JointAt(p.World, rigid.BallJoint, ecs.Entity{}, a, geom.V(0.7, 6, 0), geom.V(0, 1, 0)))
		p.run(20)
		through(p, e)
		p.run(20)
		return p.transforms.Get(a).Position
	}
	want := run(func(*bodyWorld, ecs.Entity) {})
	got := run(func(p *bodyWorld, e ecs.Entity) {
		var s DynamicsState
		p.dynamics().Save(p.World, &s)
		Rebase(p.World, geom.DVec3{X: 3.3, Y: 0.7, Z: 0.1})
		require.InDelta(t, 5.3, p.joint(e).FrameA.Position.Y, 1e-5)
		p.run(13)
		before, _ := p.dynamics().JointState(e)
		require.Less(t, before.Error, float32(0.01))
		p.dynamics().Restore(p.World, &s)
	})
	assert.Equal(t, want, got)
}

// A joint that cannot move anything is named.
func TestCheckOfAJointWithoutADynamicBody(t *testing.T) {
	p := newFloorWorld()
	a, b := p.crate(geom.At(0, 5, 0), Body{Kind: rigid.Kinematic}), p.crate(geom.At(3, 5, 0), Body{})
	p.run(1)
	hinge := p.connect(p.dynamics().JointAt(p.World, rigid.HingeJoint, a, b, geom.V(1, 5, 0), geom.V(1, 0, 0)))
	p.run(1)
	require.Empty(t, Check(p.World))
	p.bodies.Get(b).Kind = rigid.Kinematic
	p.run(1)
	require.Equal(t, []Problem{{hinge, "Joint", "it moves nothing: neither A nor B is a dynamic Body"}}, Check(p.World))
	p.bodies.Get(b).Driven = true
	p.run(1)
	require.Empty(t, Check(p.World))
}
