package physecs

import (
	"math"
	"runtime"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// walkedWorld is a world in which characters walk.
type walkedWorld struct {
	*game
	walkers generic.Map4[Transform, Collider, Mover, MoverState]
	movers  generic.Map[Mover]
	states  generic.Map[MoverState]
	system  MoverSystem
}

func newWalkedWorld() *walkedWorld {
	g := newGame()
	y := &walkedWorld{
		game:    g,
		walkers: generic.NewMap4[Transform, Collider, Mover, MoverState](g.World),
		movers:  generic.NewMap[Mover](g.World),
		states:  generic.NewMap[MoverState](g.World),
	}
	y.system.Initialize(g.World)
	floor := y.add(geom.At(0, -1, 0), AABB(geom.V(50, 1, 50)))
	y.Add(floor, y.static)
	return y
}

// walker adds a capsule whose lowest point is the entity's origin.
func (y *walkedWorld) walker(x, z float32, m Mover) ecs.Entity {
	c := Capsule(0.6, 0.3)
	c.Center.Y = 0.9
	t := geom.At(x, 0.02, z)
	return y.walkers.NewWith(&t, &c, &m, &MoverState{})
}

func (y *walkedWorld) run(ticks int) {
	for range ticks {
		Sync(y.World)
		y.system.Update(y.World)
	}
}

func (y *walkedWorld) hits() []MoverHit { return ecs.GetResource[MoverHits](y.World).List }

func TestMoverSystem(t *testing.T) {
	y := newWalkedWorld()
	wall := y.add(geom.At(5, 2, 0), Box(geom.V(0.5, 2, 5)))
	y.colliders.Get(wall).User = 9
	e := y.walker(0, 0, Mover{Velocity: geom.V(3, 0, 1)})
	y.run(60)
	assert.InDelta(t, 3, y.transforms.Get(e).Position.X, 0.1)
	assert.InDelta(t, 1, y.transforms.Get(e).Position.Z, 0.1)
	assert.InDelta(t, 0.02, y.transforms.Get(e).Position.Y, 1e-3)
	st := y.states.Get(e)
	assert.Equal(t, physics.OnGround, st.Ground)
	assert.InDelta(t, 1, st.GroundNormal.Y, 1e-6)
	assert.False(t, st.GroundEntity.IsZero())
	assert.Empty(t, y.hits())
	y.run(60)
	assert.InDelta(t, 4.5-0.32, y.transforms.Get(e).Position.X, 2e-3)
	require.Len(t, y.hits(), 1)
	h := y.hits()[0]
	assert.Equal(t, e, h.Mover)
	assert.Equal(t, wall, h.Entity)
	assert.Equal(t, uint64(9), h.User)
	assert.Equal(t, 1, ecs.GetResource[MoverHits](y.World).Movers)

	y.walker(30, 0, Mover{StepHeight: float32(math.NaN())})
	y.run(1)
	assert.Equal(t, 1, ecs.GetResource[MoverHits](y.World).Movers, "what cannot be moved does not count")

	// An entity in the way is passed once it is dead, though the space still has its collider.
	Sync(y.World)
	y.RemoveEntity(wall)
	y.system.Update(y.World)
	assert.Empty(t, y.hits())
	y.run(30)
	assert.Greater(t, y.transforms.Get(e).Position.X, float32(5))
}

func TestMoverSystemJumpsFallsAndFlies(t *testing.T) {
	y := newWalkedWorld()
	e := y.walker(0, 0, Mover{Jump: 5})
	flier := y.walker(5, 0, Mover{Velocity: geom.V(0, 2, -1), Flies: true})
	steers := y.walker(-5, 0, Mover{Jump: 5, AirControl: 10, Velocity: geom.V(2, 0, 0)})
	top := float32(0)
	for range 90 {
		y.run(1)
		top = max(top, y.transforms.Get(e).Position.Y)
	}
	assert.InDelta(t, 0.02+25/(2*9.81), top, 0.06)
	assert.Zero(t, y.movers.Get(e).Jump)
	assert.Equal(t, physics.OnGround, y.states.Get(e).Ground)
	assert.InDelta(t, 0, y.transforms.Get(flier).Position.Distance(geom.V(5, 3.02, -1.5)), 0.05)
	assert.InDelta(t, -2.1, y.transforms.Get(steers).Position.X, 0.15)

	y.system.Gravity = geom.V(0, -1, 0)
	y.system.DT = 0.1
	y.transforms.Get(e).Position.Y = 3
	y.run(1) // leaves the ground
	y.run(2)
	assert.InDelta(t, -0.2, y.states.Get(e).Velocity.Y, 1e-5)
}

func TestMoverSystemRidesPlatforms(t *testing.T) {
	y := newWalkedWorld()
	platform := y.add(geom.At(0, 1, 0), Box(geom.V(3, 0.5, 3)))
	e := y.walker(0, 1, Mover{})
	y.transforms.Get(e).Position.Y = 1.52
	y.run(2)
	require.Equal(t, platform, y.states.Get(e).GroundEntity)
	for i := range 60 {
		*y.transforms.Get(platform) = geom.Transform{
			Position: geom.V(float32(i)*0.03, 1+float32(i)*0.01, 0), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), float64(i)*0.01),
		}
		y.run(1)
	}
	at := y.transforms.Get(platform)
	assert.InDelta(t, 0, at.Point(geom.V(0, 0.52, 1)).Distance(y.transforms.Get(e).Position), 1e-3)
	v := y.states.Get(e).GroundVelocity
	assert.InDelta(t, 0.6, v.Y, 1e-3)

	// A new origin moves both, and the ground carries no mover by it.
	before := y.transforms.Get(e).Position
	Rebase(y.World, geom.DVec3{X: 1000, Y: 20})
	y.run(1)
	assert.InDelta(t, 0, before.Sub(geom.V(1000, 20, 0)).Distance(y.transforms.Get(e).Position), 1e-3)
	y.run(10)
	assert.Equal(t, platform, y.states.Get(e).GroundEntity)
	assert.InDelta(t, 0, before.Sub(geom.V(1000, 20, 0)).Distance(y.transforms.Get(e).Position), 1e-3)
}

// A mover that is disabled while its platform goes on is neither taken there nor thrown afterwards.
func TestDisabledMoverOnAPlatform(t *testing.T) {
	y := newWalkedWorld()
	platform := y.add(geom.At(0, 1, 0), Box(geom.V(8, 0.5, 3)))
	e := y.walker(4, 0, Mover{})
	y.transforms.Get(e).Position.Y = 1.52
	ride := func(ticks int) {
		for range ticks {
			y.transforms.Get(platform).Position.X += 0.02
			y.run(1)
		}
	}
	ride(5)
	y.movers.Get(e).Disabled = true
	before := *y.transforms.Get(e)
	ride(100)
	require.Equal(t, before, *y.transforms.Get(e))
	*y.movers.Get(e) = Mover{Jump: 5}
	ride(1)
	assert.Zero(t, y.states.Get(e).Velocity.X)
	assert.Equal(t, before.Position.X, y.transforms.Get(e).Position.X)
	ride(70)
	x := y.transforms.Get(e).Position.X
	require.Equal(t, platform, y.states.Get(e).GroundEntity)
	ride(10)
	assert.InDelta(t, x+0.2, y.transforms.Get(e).Position.X, 1e-4)
}

func TestMoverSystemMovesWorldPositions(t *testing.T) {
	y := newWalkedWorld()
	e := y.at(y.walker(0, 0, Mover{Velocity: geom.V(3, 0, 0)}), WorldPosition{Y: 0.02})
	y.run(60)
	p := y.positions.Get(e)
	assert.InDelta(t, 3, p.X, 0.1)
	Sync(y.World)
	assert.InDelta(t, 3, y.transforms.Get(e).Position.X, 0.1)
}

func TestMoversAndMovers(t *testing.T) {
	y := newWalkedWorld()
	a := y.walker(-2, 0, Mover{Velocity: geom.V(3, 0, 0)})
	b := y.walker(2, 0, Mover{Velocity: geom.V(-3, 0, 0)})
	y.run(60)
	assert.Greater(t, y.transforms.Get(a).Position.X, float32(0.9), "through each other")
	assert.Empty(t, y.hits())
	*y.movers.Get(a) = Mover{Velocity: geom.V(-3, 0, 0), MeetsMovers: true}
	*y.movers.Get(b) = Mover{}
	y.run(120)
	assert.InDelta(t, y.transforms.Get(b).Position.X+0.62, y.transforms.Get(a).Position.X, 2e-3)
	require.Len(t, y.hits(), 1)
	assert.Equal(t, b, y.hits()[0].Entity)
}

// Movers that meet each other and begin in one place, or one a little above the other, come apart,
// and go no further.
func TestMoversInOnePlace(t *testing.T) {
	for _, above := range []float32{0, 0.02, 0.1} {
		y := newWalkedWorld()
		var all []ecs.Entity
		for i := range 5 {
			all = append(all, y.walker(0, 0, Mover{MeetsMovers: true}))
			y.transforms.Get(all[i]).Position.Y += float32(i) * above
		}
		y.run(60)
		for i, e := range all {
			at := y.transforms.Get(e).Position
			assert.Less(t, at.Len(), float32(4), "%g m above", above)
			for _, o := range all[:i] {
				assert.Greater(t, at.Distance(y.transforms.Get(o).Position), float32(0.6), "%g m above", above)
			}
		}
		before := *y.transforms.Get(all[0])
		y.run(30)
		assert.Equal(t, before, *y.transforms.Get(all[0]))
	}
}

// Entities that cannot be movers stay, and nothing panics. Descendants of a mover do not push it,
// at any depth, and other movers meet them as they meet the mover.
func TestMoversAndWhatTheyCarry(t *testing.T) {
	y := newWalkedWorld()
	a := y.walker(-2, 0, Mover{Velocity: geom.V(3, 0, 0)})
	alone := y.walker(-2, 5, Mover{Velocity: geom.V(3, 0, 0)})
	hat := y.adopt(y.add(Transform{}, Box(geom.V(0.2, 0.3, 0.2))), a, LocalTransform(geom.At(0, 1.8, 0)))
	y.adopt(y.add(Transform{}, Sphere(0.5)), hat, LocalTransform(geom.At(0.3, 0, 0)))
	b := y.walker(2, 0, Mover{})
	y.run(60)
	at := y.transforms.Get(a).Position
	assert.Equal(t, y.transforms.Get(alone).Position, at.Add(geom.V(0, 0, 5)))
	assert.Equal(t, physics.OnGround, y.states.Get(a).Ground)
	assert.Zero(t, y.states.Get(a).Depth)
	assert.Empty(t, y.hits())
	// The ball on the hat overhangs b now, and stands in its way.
	y.movers.Get(a).Velocity = geom.Vec3{}
	*y.movers.Get(b) = Mover{Velocity: geom.V(-3, 0, 0), MeetsMovers: true}
	y.run(60)
	require.NotEmpty(t, y.hits())
	for _, h := range y.hits() {
		assert.Equal(t, b, h.Mover)
	}
}

func TestMoverSystemLeavesAlone(t *testing.T) {
	y := newWalkedWorld()
	nan := float32(math.NaN())
	e := []ecs.Entity{
		y.walker(0, 0, Mover{Velocity: geom.V(nan, 0, 0)}),
		y.walker(nan, 0, Mover{Velocity: geom.V(1, 0, 0)}),
		y.walker(0, 0, Mover{Velocity: geom.V(1, 0, 0)}),
		y.walker(0, 0, Mover{Velocity: geom.V(1, 0, 0), Offset: nan}),
	}
	*y.colliders.Get(e[2]) = Plane(geom.V(0, 1, 0), 0)
	y.run(5)
	for i, e := range e {
		if i != 1 {
			assert.Equal(t, geom.V(0, 0.02, 0), y.transforms.Get(e).Position)
		}
	}
	late := y.walker(0, 0, Mover{Velocity: geom.V(1, 0, 0)})
	y.system.Update(y.World)
	assert.Equal(t, geom.V(0, 0.02, 0), y.transforms.Get(late).Position, "no Sync since it came")
}

// crowded is a yard with pillars and many walkers.
func crowded(n int) *walkedWorld {
	y := newWalkedWorld()
	r := testenv.Rand(3, 4)
	for range 60 {
		p := y.add(geom.At(r.Float32()*40-20, 0.5, r.Float32()*40-20), Box(geom.V(0.5, r.Float32()*2, 0.5)))
		y.Add(p, y.static)
	}
	for range n {
		a := r.Float64() * 2 * math.Pi
		y.walker(r.Float32()*40-20, r.Float32()*40-20, Mover{
			Velocity: geom.V(float32(4*math.Cos(a)), 0, float32(4*math.Sin(a))), MeetsMovers: r.IntN(3) == 0,
		})
	}
	return y
}

func TestMoverSystemDoesNotDependOnProcessors(t *testing.T) {
	type outcome struct {
		places []Transform
		states []MoverState
		hits   []MoverHit
	}
	walk := func(procs int) (o outcome) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		y := crowded(300)
		for range 40 {
			y.run(1)
			o.hits = append(o.hits, y.hits()...)
		}
		filter := ecs.All(y.transform, ecs.ComponentID[MoverState](y.World))
		query := y.Query(&filter)
		for query.Next() {
			o.places = append(o.places, *y.transforms.Get(query.Entity()))
			o.states = append(o.states, *y.states.Get(query.Entity()))
		}
		return o
	}
	one := walk(1)
	require.NotEmpty(t, one.hits)
	for _, procs := range []int{2, 5} {
		assert.Equal(t, one, walk(procs))
	}
}

func TestMoverSystemFilter(t *testing.T) {
	type ghost struct{}
	for _, c := range []struct {
		name   string
		filter func(y *walkedWorld, wall, door ecs.Entity) Filter
		mover  Mover
		at     float32 // stopped by the wall at 1.68, by the door at 3.68, or by neither
	}{
		{"zero", func(*walkedWorld, ecs.Entity, ecs.Entity) Filter { return Filter{} }, Mover{}, 1.68},
		{"without", func(y *walkedWorld, _, _ ecs.Entity) Filter {
			return Filter{Without: ecs.All(ecs.ComponentID[ghost](y.World))}
		}, Mover{}, 3.68},
		{"with", func(y *walkedWorld, _, _ ecs.Entity) Filter { return Filter{With: ecs.All(y.static)} }, Mover{}, 3.68},
		{"exclude", func(_ *walkedWorld, wall, door ecs.Entity) Filter { return Filter{Exclude: []ecs.Entity{wall, door}} }, Mover{}, 6.02},
		{"predicate", func(_ *walkedWorld, wall, _ ecs.Entity) Filter {
			return Filter{Predicate: func(e ecs.Entity) bool { return e != wall }}
		}, Mover{}, 3.68},
		{"mask", func(*walkedWorld, ecs.Entity, ecs.Entity) Filter { return Filter{Mask: 1} }, Mover{}, 3.68},
		{"mask of the mover", func(*walkedWorld, ecs.Entity, ecs.Entity) Filter { return Filter{Mask: 1} }, Mover{Mask: 3}, 1.68},
		{"sensors", func(*walkedWorld, ecs.Entity, ecs.Entity) Filter { return Filter{Sensors: true} }, Mover{}, 1.68},
	} {
		t.Run(c.name, func(t *testing.T) {
			y := newWalkedWorld()
			sensor := Box(geom.V(0.1, 2, 5))
			sensor.Sensor = true
			y.add(geom.At(1, 2, 0), sensor)
			box := Box(geom.V(0.5, 2, 5))
			box.Layer = 2
			wall := y.add(geom.At(2.5, 2, 0), box)
			y.Add(wall, ecs.ComponentID[ghost](y.World))
			box.Layer = 0
			door := y.add(geom.At(4.5, 2, 0), box)
			y.Add(door, y.static)
			c.mover.Velocity = geom.V(3, 0, 0)
			e := y.walker(0, 0, c.mover)
			y.run(2)
			y.system.Filter = c.filter(y, wall, door)
			y.run(119)
			assert.InDelta(t, c.at, y.transforms.Get(e).Position.X, 0.05)
			assert.Equal(t, physics.OnGround, y.states.Get(e).Ground)
		})
	}
}
