package physecs

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// changedWorld is a world that random calls change between its updates. The calls depend on nothing
// but the numbers.
type changedWorld struct {
	*bodyWorld
	n   golden.Numbers
	all []ecs.Entity
}

func newChangedWorld(seed uint64) *changedWorld {
	s := &changedWorld{bodyWorld: newFloorWorld(), n: golden.Numbers(seed)}
	s.system = changedWorldSystem(seed)
	s.all = fillWithBodies(s.bodyWorld, rand.New(rand.NewPCG(1, 1)), false)
	return s
}

func changedWorldSystem(seed uint64) DynamicsSystem {
	s := DynamicsSystem{Settings: rigid.DefaultSettings(), DT: 1.0 / 40, Interpolate: seed%2 == 1}
	s.Settings.Bounds = geom.AABB{Min: geom.V(-3, 0, -3), Max: geom.V(3, 6, 3)}
	return s
}

func (s *changedWorld) any() ecs.Entity { return s.all[s.n.Int(len(s.all))] }

// change changes something that Restore undoes.
func (s *changedWorld) change() {
	e, d := s.any(), s.dynamics()
	switch s.n.Int(6) {
	case 0:
		s.transforms.Get(e).Position = s.n.Vec(3).Add(geom.V(0, 4, 0))
	case 1:
		if s.Has(e, s.velocity) {
			s.velocities.Get(e).Linear = s.n.Vec(5)
		}
	case 2:
		d.ApplyImpulse(e, s.n.Vec(500))
	case 3:
		s.transforms.Get(s.floor).Position.Y = -1 + s.n.Float(0.01)
	case 4:
		if s.n.Int(8) == 0 {
			Rebase(s.World, d.Rigid().Space().Origin().Add(s.n.Vec(3).Wide()))
		}
	}
}

// tick changes the world, updates it and adds what follows to a hash.
func (s *changedWorld) tick(h *golden.Hash) {
	for range s.n.Int(3) {
		s.change()
	}
	if s.n.Int(20) == 0 {
		s.all = append(s.all, s.crate(geom.At(s.n.Float(1), 6, s.n.Float(1)), Body{}))
	}
	s.run(1)
	d := s.dynamics()
	for _, e := range s.all {
		t := s.transforms.Get(e)
		h.Vec(t.Position)
		h.Float(t.Rotation.X, t.Rotation.W)
		if s.Has(e, s.velocity) {
			h.Vec(s.velocities.Get(e).Linear)
		}
	}
	for _, list := range [][]ecs.Entity{d.Slept, d.Woken, d.Outside} {
		for _, e := range list {
			h.Uint(uint64(slices.Index(s.all, e)))
		}
	}
	for _, list := range [][]Contact{d.Began, d.Ended} {
		for _, c := range list {
			a, b := slices.Index(s.all, c.A), slices.Index(s.all, c.B)
			h.Uint(uint64(min(a, b)+1)<<32 | uint64(max(a, b)+1))
		}
	}
	for i := range d.Hits {
		h.Float(d.Hits[i].Impulse)
	}
}

// A world that is saved, goes astray, is restored and goes on has the same bits at every update as
// one that is not. What has come since is removed by the game.
func TestSaveAndRestoreWorlds(t *testing.T) {
	type saved struct {
		state DynamicsState
		tick  int
		n     golden.Numbers
		all   []ecs.Entity
	}
	const ticks = 150
	for seed := range uint64(testenv.Count(t, "HITSCAN_LIVES", testenv.Fewer(3, 1))) {
		want := make([]uint64, ticks)
		s := newChangedWorld(seed)
		for i := range want {
			h := golden.New()
			s.tick(h)
			want[i] = h.Sum()
		}
		s = newChangedWorld(seed)
		choices := golden.Numbers(seed + 3000)
		states := make([]saved, 3)
		restores := 0
		for tick := 0; tick < ticks; tick++ {
			h := golden.New()
			s.tick(h)
			require.Equal(t, want[tick], h.Sum(), "seed %d, tick %d, after %d restores", seed, tick, restores)
			k := &states[choices.Int(len(states))]
			switch what := choices.Int(8); {
			case what < 3:
				s.dynamics().Save(s.World, &k.state)
				k.tick, k.n, k.all = tick, s.n, slices.Clone(s.all)
			case what == 3 && k.all != nil && restores < 30:
				s.n = choices
				for range choices.Int(10) {
					s.tick(golden.New())
				}
				for _, e := range s.all[len(k.all):] {
					s.RemoveEntity(e)
				}
				s.dynamics().Restore(s.World, &k.state)
				tick, s.n, s.all = k.tick, k.n, slices.Clone(k.all)
				restores++
				for i := range states { // whose entities are dead now
					if states[i].tick > tick {
						states[i].all = nil
					}
				}
			}
		}
		require.Greater(t, restores, 3)
		for i := range states {
			states[i].state.Release()
		}
		s.system.DT = 0 // the Transforms are not interpolated
		s.run(1)
		s.check(t)
	}
}

// Movers, projectiles and a component of the game's go back too.
func TestSaveAndRestoreWhatMoves(t *testing.T) {
	type score struct{ jumps, hits int }
	y := newWalkedWorld()
	scores := generic.NewMap1[score](y.World)
	dynamics, projectiles := DynamicsSystem{}, ProjectileSystem{}
	dynamics.Initialize(y.World)
	projectiles.Initialize(y.World)
	crates := generic.NewMap3[Transform, Collider, Body](y.World)
	var all []ecs.Entity
	for i := range 5 {
		all = append(all, y.walker(float32(i), 0, Mover{AirControl: 5}))
		at := geom.At(float32(i), 0.5, 2)
		all = append(all, crates.NewWith(&at, new(Box(geom.V(0.4, 0.4, 0.4))), &Body{Density: 100}))
	}
	balls := generic.NewMap2[Transform, Projectile](y.World)
	for i := range 3 {
		at := geom.At(float32(i), 2, -4)
		all = append(all, balls.NewWith(&at, &Projectile{
			Velocity: geom.V(0, 3, 6), Acceleration: geom.V(0, -9.81, 0), Radius: 0.1, Restitution: 0.7, Bounces: -1, Mass: 20, Life: 2,
		}))
	}
	total := scores.NewWith(&score{})
	tick := func(n int) uint64 {
		for i := range 5 {
			m := y.movers.Get(all[2*i])
			m.Velocity = geom.V(float32(i%2)-0.5, 0, 2)
			if n%40 == i { // as long as the key is down once
				m.Jump = 4
				scores.Get(total).jumps++
			}
		}
		dynamics.Update(y.World)
		y.system.Update(y.World)
		projectiles.Update(y.World)
		scores.Get(total).hits += len(ecs.GetResource[ProjectileHits](y.World).List) + len(y.hits())
		h := golden.New()
		for _, e := range all {
			at := y.transforms.Get(e)
			h.Vec(at.Position)
			h.Float(at.Rotation.X, at.Rotation.W)
		}
		h.Uint(uint64(scores.Get(total).jumps<<20 + scores.Get(total).hits))
		return h.Sum()
	}
	const ticks = 160
	d := ecs.GetResource[Dynamics](y.World)
	states, own := make([]DynamicsState, ticks+1), make([]ComponentState[score], ticks+1)
	want := make([]uint64, ticks)
	for n := range ticks {
		if n == 0 {
			dynamics.Update(y.World)
		}
		d.Save(y.World, &states[n])
		own[n].Save(y.World)
		want[n] = tick(n)
	}
	require.Greater(t, scores.Get(total).hits, 20)
	for n := ticks - 3; n > 0; n -= 13 {
		d.Restore(y.World, &states[n])
		own[n].Restore(y.World)
		for k := n; k < min(n+12, ticks); k++ {
			require.Equal(t, want[k], tick(k), "tick %d from %d", k, n)
		}
	}
}

// What differs from the time of a state is a change for the next update.
func TestRestoreOverOtherEntities(t *testing.T) {
	p := newFloorWorld()
	gone, kept := p.crate(geom.At(0, 2, 0), Body{}), p.crate(geom.At(3, 2, 0), Body{})
	p.run(30)
	d := p.dynamics()
	var s DynamicsState
	d.Save(p.World, &s)
	before := *p.transforms.Get(kept)
	p.RemoveEntity(gone)
	added := p.crate(geom.At(-3, 5, 0), Body{})
	p.bodies.Get(kept).GravityScale = -1
	p.run(30)
	d.Restore(p.World, &s)
	assert.Equal(t, before, *p.transforms.Get(kept))
	_, ok := d.Body(added)
	assert.False(t, ok, "until the next update")
	p.run(1)
	p.check(t)
	_, ok = d.Body(gone)
	assert.False(t, ok)
	_, ok = d.Body(added)
	assert.True(t, ok)
	assert.Equal(t, 2, d.Rigid().Len())
	p.run(20)
	assert.Greater(t, p.transforms.Get(kept).Position.Y, before.Position.Y, "the changed Body was applied")

	other := newFloorWorld()
	other.run(1)
	assert.Panics(t, func() { other.dynamics().Restore(other.World, &s) })
	assert.Panics(t, func() { new(Dynamics).Save(p.World, &s) })
	s.Release()
	p.run(1)
	p.check(t)
}

// Saved again to the same state, a world at rest costs no allocation, nor does Restore.
func TestSaveWorldAllocatesNothing(t *testing.T) {
	p := newFloorWorld()
	for i := range 20 {
		p.crate(geom.At(float32(i)*2, 0.6, 0), Body{NoSleep: true})
	}
	var s DynamicsState
	p.run(60)
	testenv.AllocatesNothing(t, 20, func() {
		p.dynamics().Save(p.World, &s)
		p.run(1)
		p.dynamics().Restore(p.World, &s)
	})
}

// Between two updates bodies are drawn on their way, and the game's own changes stay.
func TestInterpolateBetweenUpdates(t *testing.T) {
	run := func(interpolate bool) (hash uint64) {
		p := newFloorWorld()
		p.system.Interpolate = interpolate
		falls, thrown := p.crate(geom.At(0, 3, 0), Body{}), p.crate(geom.At(3, 3, 0), Body{})
		child := p.NewEntity(p.transform, p.collider, p.parent, p.local)
		*p.colliders.Get(child) = Sphere(0.2)
		p.parents.Get(child).Entity = falls
		*p.locals.Get(child) = LocalTransform(geom.At(0, 1, 0))
		h := golden.New()
		d := p.dynamics()
		for tick := range 90 {
			before := p.transforms.Get(falls).Position
			p.run(1)
			after := p.transforms.Get(falls).Position
			h.Vec(after, p.transforms.Get(thrown).Position, p.transforms.Get(child).Position)
			if tick == 40 {
				p.transforms.Get(thrown).Position = geom.V(3, 4, 0)
			}
			if !interpolate || tick == 0 {
				continue
			}
			d.Interpolate(p.World, 0.25)
			drawn := p.transforms.Get(falls).Position
			require.Equal(t, Transform{Position: before}.Lerp(Transform{Position: after}, 0.25).Position, drawn)
			require.InDelta(t, 1, p.transforms.Get(child).Position.Sub(drawn).Len(), 1e-5)
			c, _ := d.Rigid().Space().Collider(d.Rigid().Colliders(d.bodies.find(falls).id)[0])
			require.Equal(t, after, c.Transform.Position)
			if tick == 40 {
				require.Equal(t, geom.V(3, 4, 0), p.transforms.Get(thrown).Position)
			}
			d.Interpolate(p.World, 1)
		}
		return h.Sum()
	}
	require.Equal(t, run(false), run(true))
}

// A body that is removed, or is none any more, while it is drawn on its way.
func TestInterpolateWhatIsRemoved(t *testing.T) {
	p := newFloorWorld()
	p.system.Interpolate, p.system.DT = true, 1./60
	gone, bare, kept := p.crate(geom.At(0, 3, 0), Body{}), p.crate(geom.At(3, 3, 0), Body{}), p.crate(geom.At(6, 3, 0), Body{})
	p.run(10)
	p.RemoveEntity(gone)
	p.Remove(bare, p.body)
	at := *p.transforms.Get(bare)
	height := p.transforms.Get(kept).Position.Y
	p.run(2)
	assert.Equal(t, at, *p.transforms.Get(bare))
	assert.Less(t, p.transforms.Get(kept).Position.Y, height)
	assert.Equal(t, 1, p.dynamics().Stats().Bodies)
}

// The state of a world without entities is one, as of the tick before the first player comes.
func TestRestoreOfAnEmptyWorld(t *testing.T) {
	w := ecs.NewWorld()
	var system DynamicsSystem
	system.Initialize(&w)
	d := ecs.GetResource[Dynamics](&w)
	var s DynamicsState
	d.Save(&w, &s)
	crates := generic.NewMap3[Transform, Collider, Body](&w)
	e := crates.NewWith(new(geom.At(0, 5, 0)), new(Sphere(1)), &Body{})
	system.Update(&w)
	require.Equal(t, 1, d.Stats().Bodies)
	d.Restore(&w, &s)
	require.Zero(t, d.Stats().Bodies)
	system.Update(&w)
	require.Equal(t, 1, d.Stats().Bodies, "it is new again")
	_, ok := d.Body(e)
	require.True(t, ok)
	s.Release()
	require.Panics(t, func() { d.Restore(&w, &s) })
}
