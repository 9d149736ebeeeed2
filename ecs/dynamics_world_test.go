package physecs

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
	"github.com/hitscan-go/hitscan/picking"
)

// fillWithBodies adds crates, balls and jointed shapes of children that fall onto each other. The
// components of each entity are added in an order of its own, and other entities stand between.
func fillWithBodies(p *bodyWorld, order *rand.Rand, others bool) []ecs.Entity {
	var all []ecs.Entity
	n := golden.Numbers(1)
	for i := range 60 {
		var e ecs.Entity
		if others && order.IntN(2) == 0 {
			p.NewEntity(p.team)
			p.add(geom.At(1000+float32(i)*10, 0, 0), Sphere(1))
		}
		e = p.NewEntity()
		ids := []ecs.ID{p.transform, p.collider, p.body, p.velocity, p.material}
		if i%3 == 0 {
			ids = ids[:3]
		}
		if i%10 == 9 {
			ids = append(ids, p.parent, p.local)
		}
		order.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		if others && order.IntN(3) == 0 {
			ids = append(ids, p.team)
		}
		for _, id := range ids {
			p.Add(e, id)
		}
		*p.transforms.Get(e) = Transform{Position: n.Vec(1.5).Add(geom.V(0, 2+float32(i)/2, 0)), Rotation: n.Quat()}
		switch i % 4 {
		case 0:
			*p.colliders.Get(e) = Sphere(0.4)
		default:
			*p.colliders.Get(e) = Box(geom.V(0.3, 0.4, 0.5))
		}
		if i%3 != 0 {
			p.velocities.Get(e).Angular = n.Vec(3)
			*p.materials.Get(e) = rigid.DefaultMaterial()
			p.materials.Get(e).Restitution = 0.4
		}
		if i%10 == 9 { // a part of the body before
			p.Remove(e, p.body)
			p.parents.Get(e).Entity = all[i-1]
			*p.locals.Get(e) = LocalTransform(geom.At(0.6, 0, 0))
		}
		all = append(all, e)
	}
	return all
}

// Neither the order in which components are added, nor other entities, change a bit.
func TestBodiesHaveTheSameBitsInAnyArchetypes(t *testing.T) {
	testenv.NoRace(t)
	hash := func(seed uint64, others bool) uint64 {
		p := newFloorWorld()
		p.add(geom.At(2.5, 1, 0), Box(geom.V(0.2, 3, 5)))
		all := fillWithBodies(p, rand.New(rand.NewPCG(seed, 1)), others)
		h := golden.New()
		n := golden.Numbers(seed)
		if others {
			n = 77
		}
		for tick := range 600 {
			if tick == 200 { // some change while the others rest
				for _, i := range []int{40, 3, 17} {
					p.dynamics().ApplyImpulse(all[i], geom.V(0, 800, 0))
				}
				p.RemoveEntity(all[5])
				p.RemoveEntity(all[2])
			}
			if tick == 260 { // two come, in any order
				order := []int{0, 1}
				if n.Int(2) == 0 {
					order = []int{1, 0}
				}
				e := [2]ecs.Entity{p.NewEntity(p.transform), p.NewEntity(p.transform)}
				for _, i := range order {
					p.transforms.Get(e[i]).Position = geom.V(float32(i)/2, 8, 0)
					p.Add(e[i], p.collider, p.body)
					*p.colliders.Get(e[i]) = Sphere(0.5)
				}
			}
			p.run(1)
			for i, e := range all {
				if i == 5 || i == 2 {
					continue
				}
				at := p.transforms.Get(e)
				h.Vec(at.Position)
				h.Float(at.Rotation.W)
			}
			h.Uint(uint64(len(p.dynamics().Began)<<16 | len(p.dynamics().Hits)))
		}
		p.check(t)
		require.NotZero(t, p.dynamics().Rigid().Len())
		return h.Sum()
	}
	want := hash(1, false)
	for seed := range uint64(3) {
		assert.Equal(t, want, hash(seed+2, false), "components in another order")
	}
	assert.Equal(t, want, hash(9, true), "with other entities")
}

func TestBodiesSurviveTheWorld(t *testing.T) {
	p := newFloorWorld()
	e := p.crate(geom.At(0, 3, 0), Body{})
	p.run(30)

	// Another world with the same system has its own bodies.
	q := newFloorWorld()
	f := q.crate(geom.At(0, 3, 0), Body{})
	for range 30 {
		p.system.Update(q.World)
	}
	assert.Equal(t, *p.transforms.Get(e), *q.transforms.Get(f))
	p.check(t)
	q.check(t)

	// In a locked world.
	query := p.Query(ecs.All(p.transform))
	p.run(1)
	query.Close()
	p.check(t)

	// A recycled ID is another body.
	p.RemoveEntity(e)
	again := p.crate(geom.At(0, 9, 0), Body{})
	require.Equal(t, e.ID(), again.ID())
	p.run(1)
	p.check(t)
	v, _, _ := p.dynamics().Rigid().Velocity(must(p.dynamics().Body(again)))
	assert.InDelta(t, -9.81/60, v.Y, 1e-6)
	_, ok := p.dynamics().Body(e)
	assert.False(t, ok)

	// After Reset all begins again.
	p.Reset()
	p.system.Initialize(p.World)
	p.add(geom.At(0, -1, 0), Box(geom.V(50, 1, 50)))
	e = p.crate(geom.At(0, 3, 0), Body{})
	p.run(31)
	q.run(1)
	assert.Equal(t, *q.transforms.Get(f), *p.transforms.Get(e))
	p.check(t)

	// A loaded world goes on with the velocities that it was saved with.
	p.Add(e, p.velocity)
	p.run(1)
	dump := p.DumpEntities()
	r := newBodyWorld()
	r.LoadEntities(&dump)
	at, c, b, vel := *p.transforms.Get(e), *p.colliders.Get(e), *p.bodies.Get(e), *p.velocities.Get(e)
	r.Add(e, r.transform, r.collider, r.body, r.velocity)
	*r.transforms.Get(e), *r.colliders.Get(e), *r.bodies.Get(e), *r.velocities.Get(e) = at, c, b, vel
	p.dynamics().Wake(e)
	p.run(1)
	r.run(1)
	r.check(t)
	assert.Equal(t, p.velocities.Get(e).Linear.Y, r.velocities.Get(e).Linear.Y, "in the air")
}

func TestBodiesInLargeWorlds(t *testing.T) {
	// A tower falls 100 km away as it does at home, to the bit.
	tower := func(origin geom.DVec3, positions bool) []Transform {
		p := newBodyWorld()
		Rebase(p.World, origin)
		floor := p.add(geom.At(0, -1, 0), Box(geom.V(50, 1, 50)))
		var all []ecs.Entity
		for i := range 5 {
			all = append(all, p.crate(geom.At(float32(i)*0.2, 0.7+1.2*float32(i), 0), Body{}))
		}
		if positions {
			for _, e := range append([]ecs.Entity{floor}, all...) {
				p.at(e, WorldPosition(origin.Add(p.transforms.Get(e).Position.Wide())))
			}
		}
		var now []Transform
		for range 200 {
			p.run(1)
			p.check(t)
		}
		for _, e := range all {
			now = append(now, *p.transforms.Get(e))
		}
		return now
	}
	home := tower(geom.DVec3{}, false)
	assert.Equal(t, home, tower(geom.DVec3{X: 1e5, Y: -300, Z: 77}, false))
	for i, at := range tower(geom.DVec3{X: 1e5, Y: -300, Z: 77}, true) {
		// A WorldPosition of 1e5 m rounds to 2⁻³⁷ m.
		assert.InDelta(t, 0, at.Position.Sub(home[i].Position).Len(), 0x1p-36)
		assert.Equal(t, home[i].Rotation, at.Rotation)
	}

	// A rebase moves and wakes nothing, and a teleport at the same time is one.
	p := newFloorWorld()
	low, high := p.crate(geom.At(0, 0.5, 0), Body{}), p.crate(geom.At(0, 1.5, 0), Body{})
	ball := p.childOf(high, LocalTransform(geom.At(0, 1, 0)), Sphere(0.5))
	flying := p.crate(geom.At(9, 500, 0), Body{})
	p.at(high, WorldPosition{0, 1.5, 0})
	p.system.DT, p.system.Interpolate = 1.0/90, true
	p.run(120)
	for i := range 20 {
		v, _, _ := p.dynamics().Rigid().Velocity(must(p.dynamics().Body(flying)))
		before, _ := p.dynamics().Transform(flying)
		origin := p.space().Origin()
		Rebase(p.World, geom.DVec3{X: float64(i) * 1000.5, Z: 3})
		Sync(p.World)
		after, _ := p.dynamics().Transform(flying)
		shift := origin.Sub(p.space().Origin())
		require.InDelta(t, 0, after.Position.Wide().Sub(shift).Sub(before.Position.Wide()).Len(), 2e-3, "an ulp at 20 km")
		w, _, _ := p.dynamics().Rigid().Velocity(must(p.dynamics().Body(flying)))
		require.Equal(t, v, w)
		p.run(1)
		for _, e := range []ecs.Entity{low, high} {
			require.False(t, p.dynamics().IsAwake(e))
		}
		require.Empty(t, p.dynamics().Woken)
	}
	Rebase(p.World, geom.DVec3{})
	p.run(1)
	assert.InDelta(t, 0, p.transforms.Get(high).Position.Sub(geom.V(0, 1.5, 0)).Len(), 0.01)
	assert.InDelta(t, 0, p.transforms.Get(ball).Position.Sub(geom.V(0, 2.5, 0)).Len(), 0.01)
	p.transforms.Get(low).Position.X += 1000
	Rebase(p.World, geom.DVec3{X: 1000}) // it has the coordinates that it had
	p.run(90)
	assert.InDelta(t, 0.5-1, p.positions.Get(high).Y-1, 0.02, "nothing is under it")
}

func TestStepsAndInterpolation(t *testing.T) {
	// Free fall, with the velocities and heights of whole steps.
	p, ref := newBodyWorld(), newBodyWorld()
	e, r := p.crate(geom.At(0, 0, 0), Body{}), ref.crate(geom.At(0, 0, 0), Body{})
	heights := []float32{0}
	for range 200 {
		ref.run(1)
		heights = append(heights, ref.transforms.Get(r).Position.Y)
	}
	p.system.DT, p.system.Interpolate = 1.0/144, true
	steps := 0
	for frame := 1; frame <= 288; frame++ {
		p.run(1)
		steps += p.dynamics().Stats().Steps
		at, _ := p.dynamics().Transform(e)
		require.Equal(t, heights[steps], at.Position.Y, "the bodies are at whole steps")
		c, _ := p.space().physics.Collider(p.colliderOf(e))
		require.Equal(t, at.Position, c.Transform.Position, "and so are the colliders")
		if past := float64(frame)/144*60 - float64(steps); steps > 0 {
			want := float64(heights[steps-1]) + past*float64(heights[steps]-heights[steps-1])
			require.InDelta(t, want, p.transforms.Get(e).Position.Y, 2e-5, "two steps' ulps of 20 m, and the rounding of DT")
		}
	}
	assert.InDelta(t, 120, steps, 1)

	// A teleport while it is between steps is a teleport, and is not interpolated.
	p.transforms.Get(e).Position = geom.V(50, 0, 0)
	for range 10 {
		p.run(1)
		assert.Equal(t, float32(50), p.transforms.Get(e).Position.X)
	}

	p.system = DynamicsSystem{DT: 10}
	p.run(1)
	assert.Equal(t, DefaultMaxSteps, p.dynamics().Stats().Steps)
	p.system.DT = 1.0 / 60
	p.run(1)
	assert.LessOrEqual(t, p.dynamics().Stats().Steps, 2, "the time beyond MaxSteps is dropped")
	p.system.MaxSteps, p.system.DT = 7, 10
	p.run(1)
	assert.Equal(t, 7, p.dynamics().Stats().Steps)
	p.system = DynamicsSystem{Settings: rigid.DefaultSettings()}
	p.system.Settings.Gravity = geom.V(0, 0, 1)
	v := *p.transforms.Get(e)
	p.run(60)
	assert.Greater(t, p.transforms.Get(e).Position.Z, v.Position.Z)
}

// Entities that leave the bounds are named in the update that takes them out, whichever of its
// steps does, and the game removes them. 25 m of free fall take 2.26 s, and 30 m 2.47 s.
func TestEntitiesLeaveTheBounds(t *testing.T) {
	p := newFloorWorld()
	p.system.Settings = rigid.DefaultSettings()
	p.system.Settings.Bounds = geom.AABB{Min: geom.V(-1e3, 75, -1e3), Max: geom.V(1e3, 1e3, 1e3)}
	p.system.DT = 0.05 // three steps
	all := []ecs.Entity{p.crate(geom.At(0, 100, 0), Body{}), p.crate(geom.At(9, 105, 0), Body{}), p.crate(geom.At(0, 100, 9), Body{})}
	var left [][]ecs.Entity
	for range 60 {
		p.run(1)
		left = append(left, append([]ecs.Entity(nil), p.dynamics().Outside...))
		for _, e := range p.dynamics().Outside {
			p.World.RemoveEntity(e)
		}
	}
	want := make([][]ecs.Entity, 60)
	want[45], want[49] = []ecs.Entity{all[0], all[2]}, []ecs.Entity{all[1]}
	assert.Equal(t, want, left)
	p.check(t)
}

func TestLostBodiesComeBack(t *testing.T) {
	p := newFloorWorld()
	e, other := p.crate(geom.At(0, 5, 0), Body{}), p.crate(geom.At(3, 5, 0), Body{})
	p.system.Settings = rigid.DefaultSettings()
	p.system.Settings.MaxSpeed = 3e38
	p.Add(e, p.velocity)
	p.run(1)
	before := *p.transforms.Get(e)
	p.velocities.Get(e).Linear.Y = 3e38
	p.run(5)
	d := p.dynamics()
	if len(d.Lost) == 0 {
		p.transforms.Get(e).Position.Y = 3e38
		p.velocities.Get(e).Linear.Y = 3e38
		for range 200 {
			if p.run(1); len(d.Lost) > 0 {
				break
			}
		}
	}
	require.Equal(t, []ecs.Entity{e}, d.Lost)
	assert.ErrorIs(t, p.faults()[e], errLost)
	assert.Equal(t, 1, p.space().Stats().Nowhere)
	assert.True(t, p.transforms.Get(e).IsFinite(), "the last Transform stays")
	part := p.add(geom.At(9, 9, 9), Box(geom.V(0.5, 0.5, 0.5)))
	p.adopt(part, e, LocalTransform(geom.At(0, 1, 0))) // a part from when the body is back
	p.run(2)
	assert.ErrorIs(t, p.faults()[e], errLost)
	*p.transforms.Get(e), *p.velocities.Get(e) = before, Velocity{}
	p.run(1)
	p.check(t)
	assert.Empty(t, p.faults())
	assert.Zero(t, p.space().Stats().Nowhere)
	p.run(100)
	assert.InDelta(t, 0.5, p.transforms.Get(e).Position.Y, 0.01)
	assert.InDelta(t, 0.5, p.transforms.Get(other).Position.Y, 0.01, "the neighbour went on")
}

func TestMaterials(t *testing.T) {
	p := newFloorWorld()
	slow, fast := p.crate(geom.At(0, 0.5, 0), Body{}), p.crate(geom.At(0, 0.5, 5), Body{})
	for _, e := range []ecs.Entity{slow, fast} {
		p.Add(e, p.velocity, p.material)
		p.velocities.Get(e).Linear.X = 5
		*p.materials.Get(e) = rigid.DefaultMaterial()
	}
	p.materials.Get(fast).Friction = 0
	p.run(60)
	p.check(t)
	assert.Less(t, p.transforms.Get(slow).Position.X, float32(2.5), "v²/2μg is 2.1 m")
	assert.InDelta(t, 5, p.transforms.Get(fast).Position.X, 0.01)
	// Without the component a collider has the default again.
	p.Remove(fast, p.material)
	p.run(60)
	assert.InDelta(t, 5+25/(2*0.6*9.81), p.transforms.Get(fast).Position.X, 0.2)
	p.materials.Get(slow).Friction = float32(math.NaN())
	p.run(1)
	assert.ErrorContains(t, p.faults()[slow], "Material")
	p.materials.Get(slow).Friction = 1
	p.run(1)
	assert.Empty(t, p.faults())
}

func TestContactsOfBodies(t *testing.T) {
	p := newFloorWorld()
	floor := p.floor
	e := p.crate(geom.At(0, 1, 0), Body{})
	zone := p.add(geom.At(0, 0.5, 0), Sphere(0.5))
	p.colliders.Get(zone).Sensor, p.colliders.Get(zone).User = true, 7
	began, ended := map[Pair]bool{}, map[Pair]bool{}
	note := func() {
		for _, c := range p.dynamics().Began {
			began[c.Pair()] = c.Sensor
			if c.Sensor {
				assert.Equal(t, uint64(7), c.UserA+c.UserB)
			}
		}
		for _, c := range p.dynamics().Ended {
			ended[c.Pair()] = c.Sensor
		}
	}
	for range 60 {
		p.run(1)
		note()
	}
	assert.Equal(t, map[Pair]bool{{floor, e}: false, {floor, zone}: true, {e, zone}: true}, began)
	assert.Empty(t, ended)
	p.RemoveEntity(e)
	again := p.crate(geom.At(90, 90, 0), Body{}) // whose collider may have the place of the old one
	require.Equal(t, e.ID(), again.ID())
	p.run(1)
	note()
	assert.Equal(t, map[Pair]bool{{floor, e}: false, {e, zone}: true}, ended, "of the entity that has died")
}

// Picks, casts and snapshots see bodies where the last tick has left them.
func TestQueriesSeeBodies(t *testing.T) {
	p := newFloorWorld()
	e := p.crate(geom.At(0, 3, 0), Body{})
	down := geom.NewRay(geom.V(0, 50, 0), geom.V(0, -1, 0))
	systems := Simulation{Paused: true}
	systems.Initialize(p.World)
	for range 100 {
		p.run(1)
		snapshot := p.space().Snapshot()
		top := p.transforms.Get(e).Position.Y + 0.5
		for _, q := range []Querier{p.space(), snapshot} {
			hit, ok := q.CastRay(down, Filter{})
			require.True(t, ok)
			require.Equal(t, e, hit.Entity)
			require.InDelta(t, top, hit.Point.Y, 0.01, "the crate may be tilted")
		}
		snapshot.Release()
	}
	view, pointer := ecs.GetResource[View](p.World), ecs.GetResource[Pointer](p.World)
	view.LookAt(geom.V(0, 5, 10), geom.V(0, 0, 0), geom.V(0, 1, 0))
	view.Projection = picking.Perspective(1, 0.1, 100)
	window := picking.Size{Width: 800, Height: 600}
	view.Viewport = picking.FullViewport(window, window)
	x, y, _, ok := view.Project(p.transforms.Get(e).Position)
	require.True(t, ok)
	pointer.Input.X, pointer.Input.Y, pointer.Input.Inside = x, y, true
	systems.Update(p.World)
	assert.Equal(t, e, ecs.GetResource[Hover](p.World).Entity)
}

func TestMoversAndBodies(t *testing.T) {
	walkers := func(p *bodyWorld) (generic.Map4[Transform, Collider, Mover, MoverState], *MoverSystem) {
		s := new(MoverSystem)
		s.Initialize(p.World)
		return generic.NewMap4[Transform, Collider, Mover, MoverState](p.World), s
	}
	push := func(mass, strength float32) (crate, walker float32) {
		p := newFloorWorld()
		maps, movers := walkers(p)
		e := p.crate(geom.At(2, 0.5, 0), Body{Mass: mass})
		capsule := Capsule(0.6, 0.3)
		capsule.Center.Y = 0.9
		w := maps.NewWith(new(geom.At(0, 0.02, 0)), &capsule, &Mover{Velocity: geom.V(2, 0, 0), Strength: strength}, &MoverState{})
		for range 180 {
			p.run(1)
			Sync(p.World)
			movers.Update(p.World)
		}
		p.run(1)
		p.check(t)
		return p.transforms.Get(e).Position.X, p.transforms.Get(w).Position.X
	}
	crate, walker := push(20, 0) // friction takes 118 N
	// It walks at 2 m/s for 3 s. From 1.2 m on it pushes: friction takes 0.1 m/s of the crate in
	// each tick, so at most 0.18 m are lost, and as much until the crate has its speed.
	assert.InDelta(t, 6-0.18, walker, 0.2)
	assert.InDelta(t, walker+0.3+0.5, crate, 0.1, "the crate is before it, after a tick at 2 m/s and an offset")
	crate, walker = push(1000, 0) // friction takes 5,900 N
	assert.InDelta(t, 2, crate, 0.05)
	assert.Less(t, walker, float32(1.3))
	crate, _ = push(20, -1)
	assert.InDelta(t, 2, crate, 0.05, "no strength")

	// A plank of 20 kg that stands out by 1.8 m of its 4 m tips under a mover that stands at its
	// end, and stays without one, or under one that does not press.
	for _, c := range []struct {
		walker bool
		mass   float32
		tips   bool
	}{{false, 0, false}, {true, -1, false}, {true, 0, true}} {
		p := newFloorWorld()
		maps, movers := walkers(p)
		p.crates.NewWith(new(geom.At(-5, 1, 0)), new(Box(geom.V(5, 1, 2))), &Body{Kind: rigid.Kinematic})
		plank := p.crates.NewWith(new(geom.At(-0.2, 2.05, 0)), new(Box(geom.V(2, 0.05, 0.5))), &Body{Mass: 20})
		if c.walker {
			capsule := Capsule(0.6, 0.3)
			capsule.Center.Y = 0.9
			maps.NewWith(new(geom.At(1.5, 2.12, 0)), &capsule, &Mover{Mass: c.mass}, &MoverState{})
		}
		for range 40 {
			p.run(1)
			Sync(p.World)
			movers.Update(p.World)
		}
		up := p.transforms.Get(plank).Rotation.Rotate(geom.V(0, 1, 0))
		if c.tips {
			assert.Less(t, up.Y, float32(0.98))
		} else {
			assert.Greater(t, up.Y, float32(0.9999))
		}
	}

	// A mover is carried by a body, stands on one, and stops one that falls on it.
	p := newFloorWorld()
	maps, movers := walkers(p)
	raft := p.crates.NewWith(new(geom.At(0, 0.1, 0)), new(Box(geom.V(2, 0.1, 2))), &Body{Kind: rigid.Kinematic})
	p.Add(raft, p.velocity)
	p.velocities.Get(raft).Linear = geom.V(1, 0.5, 0)
	capsule := Capsule(0.6, 0.3)
	capsule.Center.Y = 0.9
	w := maps.NewWith(new(geom.At(0, 0.22, 0)), &capsule, &Mover{}, &MoverState{})
	for range 60 {
		p.run(1)
		Sync(p.World)
		movers.Update(p.World)
	}
	assert.InDelta(t, 1, p.transforms.Get(w).Position.X, 0.03, "a tick is 0.017 m")
	assert.InDelta(t, 0.72, p.transforms.Get(w).Position.Y, 0.03)
}

func TestProjectilesAndBodies(t *testing.T) {
	p := newBodyWorld()
	target, light := p.crate(geom.At(0, 0, -5), Body{Weightless: true}), p.crate(geom.At(9, 0, -5), Body{Weightless: true, Mass: 10})
	p.Add(target, p.velocity)
	p.Add(light, p.velocity)
	var shooting ProjectileSystem
	shooting.Initialize(p.World)
	shots := generic.NewMap2[Transform, Projectile](p.World)
	shots.NewWith(new(geom.At(0, 0, 0)), &Projectile{Velocity: geom.V(0, 0, -600), Mass: 0.5, Remove: true})
	shots.NewWith(new(geom.At(9, 0, 0)), &Projectile{Velocity: geom.V(0, 0, -600), Mass: 0})
	for range 2 {
		p.run(1)
		Sync(p.World)
		shooting.Update(p.World)
	}
	p.run(1)
	p.check(t)
	assert.InDelta(t, -0.3, p.velocities.Get(target).Linear.Z, 1e-5, "0.5 kg at 600 m/s stop in 1,000 kg")
	assert.Zero(t, p.velocities.Get(light).Linear)
}

func TestSeparationLeavesBodiesAlone(t *testing.T) {
	p := newBodyWorld()
	body, person := p.crate(geom.At(0, 0, 0), Body{Weightless: true}), p.add(geom.At(0.8, 0, 0), Box(geom.V(0.5, 0.5, 0.5)))
	for _, e := range []ecs.Entity{body, person} {
		p.Add(e, ecs.ComponentID[Movable](p.World))
	}
	var separate SeparateSystem
	separate.Initialize(p.World)
	Sync(p.World)
	separate.Update(p.World)
	assert.Zero(t, p.transforms.Get(body).Position)
	assert.Greater(t, p.transforms.Get(person).Position.X, float32(0.9))
}
