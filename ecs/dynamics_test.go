package physecs

import (
	"maps"
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

func TestBodyFallsAndSleeps(t *testing.T) {
	p := newFloorWorld()
	crate := p.crate(geom.At(0, 3, 0), Body{})
	p.Add(crate, p.velocity)
	d := p.dynamics()
	hit, slept := 0, 0
	for range 200 {
		p.run(1)
		p.check(t)
		for _, h := range d.Hits {
			hit++
			assert.InDelta(t, math.Sqrt(2*9.81*2.5), h.Speed, 0.2, "from 2.5 m, to a step's gravity of 0.16 m/s")
			assert.InDelta(t, 0, h.Point.Y, 0.2)
		}
		if len(d.Slept) > 0 {
			slept++
			assert.Equal(t, []ecs.Entity{crate}, d.Slept)
		}
	}
	assert.Equal(t, 1, hit)
	assert.Equal(t, 1, slept)
	assert.InDelta(t, 0.5, p.transforms.Get(crate).Position.Y, 0.005)
	assert.False(t, d.IsAwake(crate))
	assert.Zero(t, *p.velocities.Get(crate))
	assert.Equal(t, DynamicsStats{Bodies: 1, Steps: 1, Elapsed: d.Stats().Elapsed}, d.Stats())
}

// Each case changes a world with two crates at rest, one on the other, and one that falls beside
// them.
func TestBodiesChange(t *testing.T) {
	nan := float32(math.NaN())
	for _, tt := range []struct {
		name  string
		do    func(p *bodyWorld, low, high, free ecs.Entity)
		woken bool    // high has been woken
		y     float32 // height of high a second later; 0: not asked for
		fault string  // of low
	}{
		{"nothing", func(*bodyWorld, ecs.Entity, ecs.Entity, ecs.Entity) {}, false, 1.5, ""},
		{"the lower is removed", func(p *bodyWorld, low, _, _ ecs.Entity) { p.RemoveEntity(low) }, true, 0.5, ""},
		{"the lower loses its Collider", func(p *bodyWorld, low, _, _ ecs.Entity) { p.Remove(low, p.collider) }, true, 0.5, "Collider"},
		{"the lower loses its Transform", func(p *bodyWorld, low, _, _ ecs.Entity) { p.Remove(low, p.transform) }, true, 0.5, ""},
		{"the lower loses its Body", func(p *bodyWorld, low, _, _ ecs.Entity) { p.Remove(low, p.body) }, true, 1.5, ""},
		{"the lower is moved aside", func(p *bodyWorld, low, _, _ ecs.Entity) { p.transforms.Get(low).Position.X = 3 }, true, 0.5, ""},
		{"the lower is moved aside by SetTransform", func(p *bodyWorld, low, _, _ ecs.Entity) {
			SetTransform(p.World, low, geom.At(3, 0.5, 0))
		}, true, 0.5, ""},
		{"the floor is removed", func(p *bodyWorld, _, _, _ ecs.Entity) {
			p.RemoveEntity(p.floor)
		}, true, -3.57, ""},
		{"the lower becomes a sensor", func(p *bodyWorld, low, _, _ ecs.Entity) { p.colliders.Get(low).Sensor = true }, true, 0.5, "Mass"},
		{"the lower becomes larger", func(p *bodyWorld, low, _, _ ecs.Entity) { p.colliders.Get(low).HalfExtents.X = 1 }, true, 1.5, ""},
		{"the lower becomes higher by scale", func(p *bodyWorld, low, high, _ ecs.Entity) {
			*p.transforms.Get(low) = Transform{Position: geom.V(0, 1, 0), Scale: geom.V(1, 2, 1)}
			p.transforms.Get(high).Position.Y = 2.5
		}, true, 2.5, ""},
		{"the lower becomes heavier", func(p *bodyWorld, low, _, _ ecs.Entity) { p.bodies.Get(low).Density = 5000 }, true, 1.5, ""},
		{"the lower becomes kinematic", func(p *bodyWorld, low, _, _ ecs.Entity) {
			p.bodies.Get(low).Kind = rigid.Kinematic
		}, true, 1.5, ""},
		{"the upper floats", func(p *bodyWorld, _, high, _ ecs.Entity) {
			p.bodies.Get(high).Weightless = true
			p.Add(high, p.velocity)
			p.velocities.Get(high).Linear.Y = 1
		}, true, 2.5, ""},
		{"the lower is NaN", func(p *bodyWorld, low, _, _ ecs.Entity) { p.transforms.Get(low).Position.X = nan }, true, 0.5, "nowhere"},
		{"the lower is NaN for a tick", func(p *bodyWorld, low, _, _ ecs.Entity) {
			p.transforms.Get(low).Position.X = nan
			p.run(1)
			*p.transforms.Get(low) = geom.At(3, 0.5, 0)
		}, true, 0.5, ""},
		{"a number of the lower is NaN", func(p *bodyWorld, low, _, _ ecs.Entity) { p.bodies.Get(low).Density = nan }, true, 1.5, "Density"},
		{"a number of the lower is NaN for a tick", func(p *bodyWorld, low, _, _ ecs.Entity) {
			p.bodies.Get(low).Density = nan
			p.run(1)
			p.bodies.Get(low).Density = 0
		}, true, 1.5, ""},
		{"the lower becomes a plane", func(p *bodyWorld, low, _, _ ecs.Entity) {
			*p.colliders.Get(low) = Plane(geom.V(0, 1, 0), 0)
		}, true, 1, "plane"},
		{"the lower becomes an unknown mesh", func(p *bodyWorld, low, _, _ ecs.Entity) {
			*p.colliders.Get(low) = Mesh(9)
		}, true, 0.5, "nowhere"},
		{"the lower follows the other", func(p *bodyWorld, low, _, free ecs.Entity) {
			p.adopt(low, free, LocalTransform(geom.At(20, 0, 0)))
		}, true, 0.5, "follows a Parent"},
		{"the free one is pushed", func(p *bodyWorld, _, _, free ecs.Entity) {
			p.dynamics().ApplyImpulse(free, geom.V(100, 0, 0))
		}, false, 1.5, ""},
		{"the upper is pushed", func(p *bodyWorld, _, high, _ ecs.Entity) {
			p.dynamics().ApplyImpulse(high, geom.V(0, 1, 0))
		}, true, 1.5, ""},
		{"another component", func(p *bodyWorld, low, _, _ ecs.Entity) { p.Add(low, p.team) }, false, 1.5, ""},
		{"another origin", func(p *bodyWorld, _, _, _ ecs.Entity) { Rebase(p.World, geom.DVec3{X: 16, Z: -4}) }, false, 1.5, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newFloorWorld()
			low, high, free := p.crate(geom.At(0, 0.5, 0), Body{}), p.crate(geom.At(0, 1.5, 0), Body{}), p.crate(geom.At(5, 900, 0), Body{})
			p.run(60)
			require.False(t, p.dynamics().IsAwake(high))
			p.check(t)
			tt.do(p, low, high, free)
			p.run(1)
			p.check(t)
			assert.Equal(t, tt.woken, p.dynamics().IsAwake(high))
			if fault := p.faults()[low]; tt.fault == "" {
				assert.NoError(t, fault)
			} else {
				assert.ErrorContains(t, fault, tt.fault)
			}
			p.run(60)
			p.check(t)
			assert.InDelta(t, tt.y, p.transforms.Get(high).Position.Y, 0.1)
		})
	}
}

// childOf adds an entity that follows another.
func (p *bodyWorld) childOf(parent ecs.Entity, local LocalTransform, c Collider) ecs.Entity {
	return p.adopt(p.add(Transform{}, c), parent, local)
}

// A dumbbell of two balls on a rod, each at the end of a chain of parents, falls and lies on the
// floor.
func TestBodyOfChildren(t *testing.T) {
	for _, bare := range []bool{false, true} {
		p := newFloorWorld()
		top := p.crates.NewWith(new(geom.At(0, 2, 0)), new(Capsule(1, 0.1)), &Body{})
		if bare {
			p.Remove(top, p.collider)
		}
		arm := p.adopt(p.NewEntity(p.transform), top, LocalTransform(geom.At(0, 0.5, 0)))
		left := p.childOf(arm, LocalTransform(geom.At(0, 0.5, 0)), Sphere(0.3))
		right := p.childOf(top, LocalTransform{Position: geom.V(0, -1, 0), Scale: geom.V(2, 2, 2)}, Sphere(0.15))
		p.Add(top, p.velocity)
		p.velocities.Get(top).Angular.Z = 1
		p.run(1)
		p.check(t)
		d := p.dynamics()
		id, ok := d.Body(left)
		require.True(t, ok)
		assert.Equal(t, id, d.Rigid().BodyOf(p.colliderOf(right)))
		p.run(600)
		p.check(t)
		assert.False(t, d.IsAwake(top))
		for _, e := range []ecs.Entity{left, right} {
			assert.InDelta(t, 0.3, p.transforms.Get(e).Position.Y, 0.005)
		}
		apart := p.transforms.Get(left).Position.Sub(p.transforms.Get(right).Position)
		assert.InDelta(t, 2, apart.Len(), 1e-5)

		// Without the right ball the rod tips over the left one to the floor: its end has a radius
		// of 0.1 m, or the point that is left none.
		p.RemoveEntity(right)
		p.run(1)
		now, _ := d.Body(left)
		assert.Equal(t, id, now, "it is the same body")
		p.run(239)
		p.check(t)
		if !bare {
			end := p.transforms.Get(top)
			assert.InDelta(t, 0.1, end.Position.Sub(end.Rotation.Rotate(geom.V(0, 1, 0))).Y, 0.01)
		}

		// A ball is taken from the body and is ground at once; given back, it is part of it.
		p.parents.Get(arm).Entity = ecs.Entity{}
		p.run(1)
		p.check(t)
		_, ok = d.Body(left)
		assert.False(t, ok)
		assert.Equal(t, !bare, p.faults()[top] == nil)
		p.parents.Get(arm).Entity = top
		p.run(1)
		p.check(t)
		_, ok = d.Body(left)
		assert.True(t, ok)
	}
}

func (p *bodyWorld) colliderOf(e ecs.Entity) physics.ColliderID {
	id, _ := p.space().Collider(e)
	return id
}

// The places of parts in a body are those of LocalTransform, to the bit, wherever the body is.
func TestPartsAreExactFarAway(t *testing.T) {
	fall := func(x float32) []Transform {
		p := newBodyWorld()
		p.system.Settings = rigid.DefaultSettings()
		p.system.Settings.Gravity = geom.V(0, -10, 0)
		var all []Transform
		top := p.crate(geom.At(x, 0, 0), Body{})
		p.Add(top, p.velocity)
		p.velocities.Get(top).Angular = geom.V(0.3, 2, 0.1)
		p.childOf(top, LocalTransform(geom.At(0.7, 0.1, 0.3)), Sphere(0.31))
		for range 60 {
			p.run(1)
			at, _ := p.dynamics().Transform(top)
			all = append(all, Transform{Rotation: at.Rotation})
		}
		return all
	}
	assert.Equal(t, fall(0), fall(12345.67), "rotations")
}

func TestKinematicBodies(t *testing.T) {
	p := newFloorWorld()
	// A lift, a driven lift, one that follows a parent, and a crate on each.
	lift, driven := p.crate(geom.At(0, 0.5, 0), Body{Kind: rigid.Kinematic}), p.crate(geom.At(5, 0.5, 0), Body{Kind: rigid.Kinematic, Driven: true})
	mast := p.NewEntity(p.transform)
	child := p.adopt(p.crate(Transform{}, Body{Kind: rigid.Kinematic, Driven: true}), mast, LocalTransform(geom.At(10, 0.5, 0)))
	p.Add(lift, p.velocity)
	p.velocities.Get(lift).Linear.Y = 1
	var crates []ecs.Entity
	for x := range 3 {
		crates = append(crates, p.crate(geom.At(5*float32(x), 1.5, 0), Body{}))
	}
	for range 60 {
		p.transforms.Get(driven).Position.Y += 1.0 / 60
		p.transforms.Get(mast).Position.Y += 1.0 / 60
		p.run(1)
		p.check(t)
		for _, e := range crates {
			v, _, _ := p.dynamics().Rigid().Velocity(must(p.dynamics().Body(e)))
			assert.Less(t, v.Y, float32(1.5), "carried, not thrown")
		}
	}
	for i, e := range []ecs.Entity{lift, driven, child} {
		assert.InDelta(t, 1.5, p.transforms.Get(e).Position.Y, 1e-4)
		assert.InDelta(t, 2.5, p.transforms.Get(crates[i]).Position.Y, 0.02)
	}
	// MoveTo moves within one step, and stops.
	require.True(t, p.dynamics().MoveTo(lift, geom.At(0, 1.6, 0)))
	require.False(t, p.dynamics().MoveTo(crates[0], geom.At(0, 1.6, 0)), "not kinematic")
	p.run(1)
	assert.Equal(t, geom.V(0, 1.6, 0), p.transforms.Get(lift).Position)
	assert.Zero(t, *p.velocities.Get(lift))
	// What is driven stays where its Transform is.
	require.False(t, p.dynamics().MoveTo(driven, geom.At(3, 9, 0)))
	require.False(t, p.dynamics().SetVelocity(driven, geom.V(1, 0, 0), geom.Vec3{}))
	p.run(5)
	p.check(t)
	at, _ := p.dynamics().Transform(driven)
	assert.Equal(t, p.transforms.Get(driven).Position, at.Position)
}

// A Body that changes in a tick keeps what the tick asks for: a force, and where it is to be moved.
func TestBodyChangesKeepTheTick(t *testing.T) {
	p := newBodyWorld()
	ship := p.crate(geom.At(0, 20, 0), Body{Weightless: true, Mass: 1})
	p.run(1)
	for i := range 60 {
		p.bodies.Get(ship).AngularDamping = float32(i % 2)
		require.True(t, p.dynamics().ApplyForce(ship, geom.V(1, 0, 0)))
		p.run(1)
	}
	assert.InDelta(t, 0.5, p.transforms.Get(ship).Position.X, 0.02, "a second at 1 m/s²")

	driven, moved := p.crate(geom.At(0, 20, 9), Body{Kind: rigid.Kinematic, Driven: true}), p.crate(geom.At(0, 20, 18), Body{Kind: rigid.Kinematic})
	p.run(1)
	p.transforms.Get(driven).Position.X = 1
	require.True(t, p.dynamics().MoveTo(moved, geom.At(1, 20, 18)))
	p.bodies.Get(driven).NoSleep, p.bodies.Get(moved).NoSleep = true, true
	p.run(10)
	p.check(t)
	for _, e := range []ecs.Entity{driven, moved} {
		at, _ := p.dynamics().Transform(e)
		assert.Equal(t, float32(1), at.Position.X)
		assert.Equal(t, float32(1), p.transforms.Get(e).Position.X)
	}
}

// What has no outline in the plane is nowhere in a planar space, by name, and all else goes on. It
// is nowhere in a state that is loaded, too.
func TestPlanarSpaceWithSolids(t *testing.T) {
	newFlat := func() *bodyWorld {
		g := newGame()
		ecs.AddResource(g.World, NewPlanarSpace())
		return bodyWorldOf(g)
	}
	p := newFlat()
	p.add(geom.At2D(0, -1, 0), Box(geom.V(50, 1, 0)))
	drum := p.crate(geom.At2D(-3, 2, 0), Body{})
	crate := p.crate(geom.At2D(0, 2, 0), Body{})
	*p.colliders.Get(drum) = Cylinder(1, 1)
	put(p.game, ShapeCaster{Shape: Cylinder(1, 1), Motion: geom.V(0, -1, 0)}, p.transform)
	casters := &CasterSystem{}
	casters.Initialize(p.World)
	for range 120 {
		p.run(1)
		casters.Update(p.World)
	}
	require.Equal(t, map[ecs.Entity]Fault{drum: FaultNotPlanar}, maps.Collect(spaceOf(p.World, "test").Nowhere()))
	require.InDelta(t, 0.5, p.transforms.Get(crate).Position.Y, 0.02)
	var all []string
	for _, problem := range Check(p.World) {
		all = append(all, problem.String())
	}
	require.Equal(t, []string{
		"entity 2: Collider: no query finds it: no shape of a planar space, or not in its plane",
		"entity 2: DynamicsSystem: physecs: its colliders are nowhere: see Space.Nowhere",
		"entity 4: ShapeCaster: it hits nothing: Shape is cylinder, and no shape of a planar space, or not in its plane",
	}, all)

	state := p.dynamics().AppendState(p.World, nil)
	q := newFlat()
	require.NoError(t, q.dynamics().LoadState(q.World, state))
	require.Equal(t, state, q.dynamics().AppendState(q.World, nil))
	require.Equal(t, 1, spaceOf(q.World, "test").Stats().Nowhere)

	*p.colliders.Get(drum) = Sphere(1)
	p.run(120)
	require.Zero(t, spaceOf(p.World, "test").Stats().Nowhere)
	require.InDelta(t, 1, p.transforms.Get(drum).Position.Y, 0.02)
}

// In a planar space the Transform of a body has no Z, even if its first collider is a child in
// another layer.
func TestPlanarBodyOfALayer(t *testing.T) {
	w := ecs.NewWorld()
	ecs.AddResource(&w, NewPlanarSpace())
	var s DynamicsSystem
	s.Initialize(&w)
	bare := generic.NewMap2[Transform, Body](&w)
	e := bare.NewWith(new(geom.At2D(0, 5, 0)), &Body{})
	parts := generic.NewMap4[Transform, Collider, Parent, LocalTransform](&w)
	parts.NewWith(new(Transform), new(Box(geom.V(0.5, 0.5, 0.5))), &Parent{e}, new(LocalTransform(geom.At(1, 0, 0.6))))
	for range 30 {
		s.Update(&w)
	}
	at, _ := bare.Get(e)
	require.Less(t, at.Position.Y, float32(4.5))
	require.Zero(t, at.Position.Z)
}

// A driven body is where its Transform is, whatever its Velocity is or was.
func TestDrivenBodiesHaveNoOtherVelocity(t *testing.T) {
	p := newBodyWorld()
	born := p.crate(geom.At(0, 5, 0), Body{Kind: rigid.Kinematic, Driven: true})
	turned := p.crate(geom.At(5, 5, 0), Body{Kind: rigid.Kinematic})
	for _, e := range []ecs.Entity{born, turned} {
		p.Add(e, p.velocity)
		p.velocities.Get(e).Linear.X = 1
	}
	p.run(10)
	p.bodies.Get(turned).Driven = true
	p.run(10)
	p.velocities.Get(born).Linear.X = 2
	p.run(10)
	for _, e := range []ecs.Entity{born, turned} {
		at, _ := p.dynamics().Transform(e)
		assert.Equal(t, p.transforms.Get(e).Position, at.Position)
	}
	assert.Equal(t, geom.V(0, 5, 0), p.transforms.Get(born).Position)
}

// A driven child of a body arrives, one step later, where each step leaves its parent.
func TestDrivenChildOfBody(t *testing.T) {
	p := newBodyWorld()
	parent := p.crate(geom.At(3, 9, 0), Body{})
	child := p.adopt(p.crate(Transform{}, Body{Kind: rigid.Kinematic, Driven: true}), parent, LocalTransform(geom.At(0, 2, 0)))
	p.run(1)
	for range 60 {
		p.check(t)
		left := p.transforms.Get(parent).Position
		p.run(1)
		at, ok := p.dynamics().Transform(child)
		require.True(t, ok)
		require.Equal(t, left.Add(geom.V(0, 2, 0)), at.Position)
		Sync(p.World)
		v, _, _ := p.dynamics().Rigid().Velocity(must(p.dynamics().Body(child)))
		way := p.transforms.Get(parent).Position.Sub(left)
		require.InDelta(t, 0, v.Sub(way.Mul(60)).Len(), 1e-3, "the way of the last step in the next")
	}
}

func must[T any](x T, ok bool) T {
	if !ok {
		panic("not ok")
	}
	return x
}

func TestVelocityAndImpulses(t *testing.T) {
	p := newBodyWorld()
	e := p.crate(geom.At(0, 0, 0), Body{Weightless: true})
	p.Add(e, p.velocity)
	d, v := p.dynamics(), p.velocities.Get(e)
	assert.False(t, d.ApplyImpulse(e, geom.V(1, 0, 0)), "no body before the first update")
	p.run(1)
	for _, push := range []struct {
		name string
		do   func() bool
		want Velocity // of 1,000 kg with the moment of inertia of 1000/6 kg·m²
	}{
		{"Velocity", func() bool { v.Linear.X = 1; return true }, Velocity{Linear: geom.V(1, 0, 0)}},
		{"SetVelocity", func() bool { return d.SetVelocity(e, geom.V(0, 1, 0), geom.V(1, 0, 0)) }, Velocity{geom.V(0, 1, 0), geom.V(1, 0, 0)}},
		{"ApplyImpulse", func() bool { return d.ApplyImpulse(e, geom.V(0, 0, 2000)) }, Velocity{Linear: geom.V(0, 0, 2)}},
		{"ApplyImpulseAt", func() bool {
			at := v
			_ = at
			return d.ApplyImpulseAt(e, geom.V(0, 100, 0), p.transforms.Get(e).Position.Add(geom.V(0.5, 0, 0)))
		},
			Velocity{geom.V(0, 0.1, 0), geom.V(0, 0, 0.3)}},
		{"ApplyAngularImpulse", func() bool { return d.ApplyAngularImpulse(e, geom.V(0, 1000, 0)) }, Velocity{Angular: geom.V(0, 6, 0)}},
		{"ApplyForce", func() bool { return d.ApplyForce(e, geom.V(60000, 0, 0)) }, Velocity{Linear: geom.V(1, 0, 0)}},
		{"ApplyForceAt", func() bool {
			return d.ApplyForceAt(e, geom.V(0, 6000, 0), p.transforms.Get(e).Position.Add(geom.V(0.5, 0, 0)))
		},
			Velocity{geom.V(0, 0.1, 0), geom.V(0, 0, 0.3)}},
		{"ApplyTorque", func() bool { return d.ApplyTorque(e, geom.V(0, 60000, 0)) }, Velocity{Angular: geom.V(0, 6, 0)}},
		{"ApplyRadialImpulse", func() bool {
			return d.ApplyRadialImpulse(p.transforms.Get(e).Position.Sub(geom.V(1, 0, 0)), 2, 2000, 1)
		}, Velocity{Linear: geom.V(1, 0, 0)}},
	} {
		*v, *p.transforms.Get(e) = Velocity{}, Transform{}
		p.run(1)
		require.True(t, push.do(), push.name)
		p.run(1)
		// The velocities are sums of few products, each rounded to 2⁻²⁴ of at most 6.
		const ulps = 32 * 6 * 0x1p-24
		assert.InDelta(t, 0, v.Linear.Sub(push.want.Linear).Len(), ulps, push.name)
		assert.InDelta(t, 0, v.Angular.Sub(push.want.Angular).Len(), ulps, push.name)
	}
	assert.True(t, d.Wake(e))
	nobody := p.add(geom.At(9, 9, 9), Sphere(1))
	p.run(1)
	for _, ok := range []bool{
		d.Wake(nobody), d.IsAwake(nobody), d.ApplyForce(nobody, geom.Vec3{}), d.ApplyTorque(nobody, geom.Vec3{}),
		d.ApplyImpulse(e, geom.V(float32(math.NaN()), 0, 0)), d.MoveTo(nobody, Transform{}), d.SetVelocity(nobody, geom.Vec3{}, geom.Vec3{}),
	} {
		assert.False(t, ok)
	}
	_, ok := d.Transform(nobody)
	assert.False(t, ok)

	v.Linear.Y = float32(math.NaN())
	p.run(1)
	assert.ErrorContains(t, p.faults()[e], "Velocity")
	assert.True(t, v.Linear.IsFinite(), "the body keeps the velocity it had")
	p.run(1)
	assert.Empty(t, p.faults())

	p.RemoveEntity(e)
	_, hasBody := d.Body(e)
	_, hasPlace := d.Transform(e)
	for _, ok := range []bool{
		hasBody, hasPlace, d.Wake(e), d.IsAwake(e), d.ApplyImpulse(e, geom.V(1, 0, 0)), d.ApplyForce(e, geom.V(1, 0, 0)),
		d.SetVelocity(e, geom.V(1, 0, 0), geom.Vec3{}), d.MoveTo(e, Transform{}),
	} {
		assert.False(t, ok, "the entity is dead")
	}
}
