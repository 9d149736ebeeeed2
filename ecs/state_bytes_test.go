package physecs

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// mixedWorld is a changedWorld with movers, projectiles, joints, a mesh and a compound.
type mixedWorld struct {
	*changedWorld
	movers      MoverSystem
	projectiles ProjectileSystem
	walkers     generic.Map4[Transform, Collider, Mover, MoverState]
	balls       generic.Map2[Transform, Projectile]
	links       generic.Map1[Joint]
	steps       generic.Map[Mover]
	moving      []ecs.Entity // walkers, then balls
}

// newMixedWorld returns a world with the systems and shapes, and entities unless it is bare.
func newMixedWorld(seed uint64, bare bool) *mixedWorld {
	x := &mixedWorld{}
	if bare {
		x.changedWorld = &changedWorld{bodyWorld: newBodyWorld()}
		x.system = changedWorldSystem(seed)
	} else {
		x.changedWorld = newChangedWorld(seed)
	}
	w := x.World
	x.movers.Initialize(w)
	x.projectiles.Initialize(w)
	x.walkers, x.balls = generic.NewMap4[Transform, Collider, Mover, MoverState](w), generic.NewMap2[Transform, Projectile](w)
	x.links, x.steps = generic.NewMap1[Joint](w), generic.NewMap[Mover](w)
	vertices, indices := mesh.Plane(20, 20, 4, 4)
	m, err := mesh.New(vertices, indices)
	if err != nil {
		panic(err)
	}
	meshes := resourceOf[Meshes](w)
	hill := meshes.Add(m)
	dumbbell := meshes.AddCompound(physics.NewCompound(
		physics.Child{Shape: geom.Sphere{Radius: 0.3}}, physics.Child{Shape: geom.Sphere{Radius: 0.3}, Transform: geom.At(1, 0, 0)}))
	if bare {
		return x
	}
	x.Add(x.add(geom.Transform{Position: geom.V(6, 0.5, 0), Rotation: geom.QuatAxisAngle(geom.V(0, 0, 1), 0.2)}, Mesh(hill)), x.static)
	for i := range 3 {
		t := geom.At(-4, 4+float32(i), 0)
		x.all = append(x.all, x.crates.NewWith(&t, new(Compound(dumbbell)), &Body{Density: 300}))
	}
	for i := range 4 {
		c := Capsule(0.6, 0.3)
		t := geom.At(5-float32(i), 2, 3)
		x.moving = append(x.moving, x.walkers.NewWith(&t, &c, &Mover{AirControl: 4, Every: uint8(i)}, &MoverState{}))
	}
	for i := range 2 {
		t := geom.At(float32(i), 3, -5)
		x.moving = append(x.moving, x.balls.NewWith(&t, &Projectile{
			Velocity: geom.V(0, 2, 5), Acceleration: DefaultGravity, Radius: 0.1, Restitution: 0.7, Bounces: -1, Mass: 20,
		}))
	}
	x.links.NewWith(&Joint{A: x.all[0], B: x.all[3], Joint: rigid.Joint{Kind: rigid.BallJoint}})
	return x
}

func (x *mixedWorld) tick() uint64 {
	h := golden.New()
	if x.n.Int(12) == 0 { // IDs are used again
		k := x.n.Int(len(x.all))
		x.RemoveEntity(x.all[k])
		x.all = slices.Delete(x.all, k, k+1)
	}
	if x.n.Int(10) == 0 {
		x.steps.Get(x.moving[x.n.Int(4)]).Velocity = x.n.Vec(3)
	}
	x.changedWorld.tick(h)
	x.movers.Update(x.World)
	x.projectiles.Update(x.World)
	for _, e := range x.moving {
		h.Vec(x.transforms.Get(e).Position)
	}
	for _, hit := range ecs.GetResource[MoverHits](x.World).List {
		h.Vec(hit.Point)
	}
	return h.Sum()
}

// A world that is brought to another process in bytes goes on there with the same bits, and has the
// same bytes then: in a world without entities, and in one that has had an earlier state.
func TestWorldsInBytes(t *testing.T) {
	const ticks, ahead = 150, 30
	type counts struct{ Points, Lost int }
	for seed := range uint64(testenv.Count(t, "HITSCAN_LIVES", testenv.Fewer(2, 1))) {
		x, choices := newMixedWorld(seed, false), golden.Numbers(seed+500)
		scores := generic.NewMap1[counts](x.World)
		scores.NewWith(&counts{3, int(seed)})
		var late *mixedWorld
		left, arrivals := 0, 0
		for tick := range ticks + ahead {
			want := x.tick()
			if left > 0 {
				left--
				require.Equal(t, want, late.tick(), "seed %d, tick %d, %d after the arrival", seed, tick, ahead-left)
				if left == 0 {
					require.True(t, bytes.Equal(x.dynamics().AppendState(x.World, nil), late.dynamics().AppendState(late.World, nil)))
				}
				continue
			}
			if tick >= ticks || choices.Int(4) > 0 {
				continue
			}
			arrivals++
			b := x.dynamics().AppendState(x.World, nil)
			late = newMixedWorld(seed, true)
			require.NoError(t, late.dynamics().LoadState(late.World, b))
			if choices.Int(2) == 0 { // again, into what has gone on
				late.run(3)
				require.NoError(t, late.dynamics().LoadState(late.World, b))
			}
			require.NoError(t, LoadComponents[counts](late.World, AppendComponents[counts](x.World, nil)))
			late.n, late.all, late.moving, late.floor = x.n, slices.Clone(x.all), x.moving, x.floor
			late.movers.Tick = x.movers.Tick
			require.True(t, bytes.Equal(b, late.dynamics().AppendState(late.World, nil)), "seed %d, tick %d", seed, tick)
			require.NoError(t, late.dynamics().Rigid().Space().Validate())
			require.True(t, bytes.Equal(AppendComponents[counts](x.World, nil), AppendComponents[counts](late.World, nil)))
			left = ahead
		}
		require.Greater(t, arrivals, 2)
	}
}

// Equal worlds have equal bytes whatever the order of their archetypes, also between a Sync and the
// update that acts on what it found.
func TestBytesOfAnyArchetypes(t *testing.T) {
	p := newBodyWorld()
	a := p.NewEntity(p.transform, p.collider, p.body, p.material)
	b := p.NewEntity(p.transform, p.collider, p.body, p.velocity)
	for i, e := range []ecs.Entity{a, b} {
		*p.transforms.Get(e), *p.colliders.Get(e) = geom.At(float32(3*i), 5, 0), Sphere(1)
	}
	p.run(1)
	o := newBodyWorld()
	require.NoError(t, o.dynamics().LoadState(o.World, p.dynamics().AppendState(p.World, nil)))
	for _, w := range []*bodyWorld{p, o} {
		for _, e := range []ecs.Entity{a, b} {
			w.transforms.Get(e).Scale = geom.V(2, 2, 2)
		}
		Sync(w.World)
	}
	require.Equal(t, p.dynamics().AppendState(p.World, nil), o.dynamics().AppendState(o.World, nil))
}

// Where a position was given before a world was moved to another origin is forgotten by a world
// that loads a state in which the same position was given later.
func TestLoadedPositionsAreWhereTheyWereGiven(t *testing.T) {
	far, given := geom.DVec3{X: 1e7}, geom.V(0.3, 0, 0)
	rounded := geom.V(float32(float64(given.X)-far.X), 0, 0)
	late := newBodyWorld()
	e := late.add(geom.At(given.X, given.Y, given.Z), Sphere(1))
	late.dynamics()
	Sync(late.World)
	Rebase(late.World, far)
	require.Equal(t, rounded, late.transforms.Get(e).Position)
	x := newBodyWorld()
	x.dynamics()
	Rebase(x.World, far)
	require.Equal(t, e, x.add(geom.Transform{Position: rounded}, Sphere(1)))
	Sync(x.World)
	require.NoError(t, late.dynamics().LoadState(late.World, x.dynamics().AppendState(x.World, nil)))
	Rebase(x.World, geom.DVec3{})
	Rebase(late.World, geom.DVec3{})
	require.Equal(t, x.transforms.Get(e), late.transforms.Get(e))
	require.Zero(t, late.transforms.Get(e).Position)
}

// Damaged bytes are refused, and the world is as before; so is a world that has other entities.
func TestDamagedWorlds(t *testing.T) {
	x := newMixedWorld(1, false)
	for range 40 {
		x.tick()
	}
	b := x.dynamics().AppendState(x.World, nil)
	late := newMixedWorld(1, true)
	n := golden.Numbers(3)
	for range 60 {
		d := slices.Clone(b)
		d[n.Int(len(d))] ^= 1 << n.Int(8)
		require.ErrorContains(t, late.dynamics().LoadState(late.World, d), "physecs: Dynamics.LoadState")
		require.Error(t, late.dynamics().LoadState(late.World, b[:n.Int(len(b))]))
	}
	assert.Empty(t, late.DumpEntities().Alive)
	other := newMixedWorld(1, false)
	other.run(1)
	before := other.dynamics().AppendState(other.World, nil)
	require.ErrorContains(t, other.dynamics().LoadState(other.World, b), "other entities")
	bare := newBodyWorld()
	require.ErrorContains(t, bare.dynamics().LoadState(bare.World, b), "has an unknown mesh here: Meshes must hold the meshes, compounds and hulls of the state, under the same IDs")
	meshes := ecs.GetResource[Meshes](bare.World)
	hill, err := mesh.New(mesh.Plane(1, 1, 1, 1))
	require.NoError(t, err)
	meshes.Add(hill)
	meshes.AddCompound(physics.NewCompound(physics.Child{Shape: geom.Sphere{Radius: 1}}))
	require.ErrorContains(t, bare.dynamics().LoadState(bare.World, b), "Meshes holds other meshes, compounds or hulls than the state has under the same IDs")
	assert.Empty(t, bare.DumpEntities().Alive)
	require.True(t, bytes.Equal(before, other.dynamics().AppendState(other.World, nil)))
	require.Error(t, LoadComponents[Team](late.World, AppendComponents[Collider](x.World, nil)), "of another type")
	require.ErrorContains(t, LoadComponents[Collider](late.World, AppendComponents[Collider](x.World, nil)), "not alive")
	require.Panics(t, func() { new(Dynamics).AppendState(x.World, nil) })
	require.ErrorContains(t, late.dynamics().LoadState(late.World, append(b, b...)), fmt.Sprintf("it has %d bytes, and %d by its header", 2*len(b), len(b)))
}

// The Dynamics of one world does not write another, and nothing is read into a locked world.
func TestStatesOfWrongWorlds(t *testing.T) {
	x, other := newMixedWorld(1, false), newMixedWorld(1, false)
	x.run(1)
	other.run(1)
	d := x.dynamics()
	var s DynamicsState
	d.Save(x.World, &s)
	b, teams := d.AppendState(x.World, nil), AppendComponents[Team](x.World, nil)
	before := other.dynamics().AppendState(other.World, nil)
	for method, call := range map[string]func(){
		"Save": func() { d.Save(other.World, new(DynamicsState)) }, "Restore": func() { d.Restore(other.World, &s) },
		"AppendState": func() { d.AppendState(other.World, nil) }, "LoadState": func() { _ = d.LoadState(other.World, b) },
	} {
		require.PanicsWithValue(t, "physecs: Dynamics."+method+": it belongs to another world, or to this one before its Reset", call)
	}
	require.Equal(t, before, other.dynamics().AppendState(other.World, nil))

	query := queryOf(x.World)
	for function, call := range map[string]func(){
		"Dynamics.LoadState": func() { _ = d.LoadState(x.World, b) },
		"LoadComponents":     func() { _ = LoadComponents[Team](x.World, teams) },
		"Scene.Read":         func() { _, _ = new(Scene).Read(x.World, strings.NewReader("")) },
	} {
		require.PanicsWithValue(t, "physecs: "+function+": the world is locked", call)
	}
	query.Close()
	require.NoError(t, d.LoadState(x.World, b))
}

// FuzzWorldBytes loads bytes whose checksum is right, whatever they say.
func FuzzWorldBytes(f *testing.F) {
	x := newMixedWorld(1, false)
	for range 30 {
		x.tick()
	}
	b := x.dynamics().AppendState(x.World, nil)
	for i := range 24 {
		f.Add(uint32(i*len(b)/24), uint8(1<<(i%8)))
	}
	f.Fuzz(func(t *testing.T, at uint32, flip uint8) {
		d := slices.Clone(b)
		d[int(at)%len(d)] ^= flip
		late := newMixedWorld(1, true)
		if err := late.dynamics().LoadState(late.World, resealed(d)); err != nil {
			require.Empty(t, late.DumpEntities().Alive)
			return
		}
		late.run(2)
	})
}

// resealed gives bytes that were changed the checksums of undamaged ones: those of the world, the
// bodies in them, and the space in those.
func resealed(b []byte) []byte {
	const header = 20 // format, length, checksum
	if n := int(binary.LittleEndian.Uint32(b[header:])); n > 2*header && n <= len(b)-header-4 {
		resealed(b[header+4:][:n])
	}
	binary.LittleEndian.PutUint32(b[header-4:], crc32.Checksum(b[header:], crc32.MakeTable(crc32.Castagnoli)))
	return b
}
