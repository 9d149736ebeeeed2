package physecs

import (
	"maps"
	"math"
	"runtime"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// casterGame is a game with casters.
type casterGame struct {
	*game
	system CasterSystem
	rays   generic.Map[RayCaster]
	shapes generic.Map[ShapeCaster]
	ray    ecs.ID
	shape  ecs.ID
}

func newCasterGame() *casterGame {
	p := &casterGame{game: newGame()}
	p.bindCasters()
	return p
}

func (p *casterGame) bindCasters() {
	p.rays, p.shapes = generic.NewMap[RayCaster](p.World), generic.NewMap[ShapeCaster](p.World)
	p.ray, p.shape = ecs.ComponentID[RayCaster](p.World), ecs.ComponentID[ShapeCaster](p.World)
	p.system.Initialize(p.World)
}

// probe adds an entity that casts a ray and has no collider.
func (p *casterGame) probe(at Transform, c RayCaster) ecs.Entity {
	return p.onRay(p.bare(at), c)
}

// bare adds an entity that has a Transform and nothing else.
func (p *casterGame) bare(at Transform) ecs.Entity {
	e := p.NewEntity(p.transform)
	*p.transforms.Get(e) = at
	return e
}

func (p *casterGame) onRay(e ecs.Entity, c RayCaster) ecs.Entity     { return give(p.World, e, c) }
func (p *casterGame) onShape(e ecs.Entity, c ShapeCaster) ecs.Entity { return give(p.World, e, c) }

func (p *casterGame) tick() *CasterHits {
	Sync(p.World)
	p.system.Update(p.World)
	return ecs.GetResource[CasterHits](p.World)
}

// ahead is the local ray forward.
var ahead = RayCaster{Ray: forward}

func TestRayCaster(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	// Local −Z is world −X.
	turned := Transform{Position: geom.V(0, 0, -25), Rotation: quarter(0, 1, 0)}
	for _, tt := range []struct {
		name string
		at   Transform
		edit func(p *casterGame, e []ecs.Entity, c *RayCaster)
		want []int   // of a row of 4 spheres along −Z
		t    float32 // of the first hit
	}{
		{"zero", Transform{}, func(p *casterGame, e []ecs.Entity, c *RayCaster) { *c = RayCaster{} }, nil, 0},
		{"closest", Transform{}, nil, []int{0}, 9},
		{"moved", geom.At(0, 0, -25), nil, []int{2}, 4},
		{"turned away", turned, nil, nil, 0},
		{"turned, follows the position", turned, func(p *casterGame, e []ecs.Entity, c *RayCaster) { c.Follow = FollowPosition }, []int{2}, 4},
		{"turned, follows nothing", turned, func(p *casterGame, e []ecs.Entity, c *RayCaster) { c.Follow = FollowNothing }, []int{0}, 9},
		{"scaled", Transform{Scale: geom.V(1, 1, 3)}, nil, []int{0}, 3},
		{"scaled within reach", Transform{Scale: geom.V(1, 1, 3)}, func(p *casterGame, e []ecs.Entity, c *RayCaster) { c.Ray.MaxT = 3 }, []int{0}, 3},
		{"out of reach", Transform{}, func(p *casterGame, e []ecs.Entity, c *RayCaster) { c.Ray.MaxT = 8.9 }, nil, 0},
		{"from beyond the first", Transform{}, func(p *casterGame, e []ecs.Entity, c *RayCaster) { c.Ray.MinT = 12 }, []int{1}, 19},
		{"all", Transform{}, func(p *casterGame, e []ecs.Entity, c *RayCaster) { c.Mode = CastAll }, []int{0, 1, 2, 3}, 9},
		{"first two", Transform{}, func(p *casterGame, e []ecs.Entity, c *RayCaster) { c.Mode, c.Limit = CastAll, 2 }, []int{0, 1}, 9},
		{"unknown mode, follow and ignore", Transform{}, func(p *casterGame, e []ecs.Entity, c *RayCaster) { c.Mode, c.Follow, c.Ignore = 99, 99, 99 }, []int{0}, 9},
		{"all but one", Transform{}, func(p *casterGame, e []ecs.Entity, c *RayCaster) { c.Mode, c.Except = CastAll, e[1] }, []int{0, 2, 3}, 9},
		{"but the first", Transform{}, func(p *casterGame, e []ecs.Entity, c *RayCaster) { c.Except = e[0] }, []int{1}, 19},
		{"but one that is dead", Transform{}, func(p *casterGame, e []ecs.Entity, c *RayCaster) { c.Except = e[0]; p.RemoveEntity(e[0]) }, []int{1}, 19},
		{"mask", Transform{}, func(p *casterGame, e []ecs.Entity, c *RayCaster) { c.Mask = 4; p.colliders.Get(e[2]).Layer = 4 }, []int{2}, 29},
		{"layer", Transform{}, func(p *casterGame, e []ecs.Entity, c *RayCaster) { c.OwnLayer = 4; p.colliders.Get(e[0]).Mask = 2 }, []int{1}, 19},
		{"a sensor", Transform{}, func(p *casterGame, e []ecs.Entity, c *RayCaster) { p.colliders.Get(e[0]).Sensor = true }, []int{1}, 19},
		{"sensors", Transform{}, func(p *casterGame, e []ecs.Entity, c *RayCaster) {
			c.Sensors = true
			p.colliders.Get(e[0]).Sensor = true
		}, []int{0}, 9},
		{"from inside", geom.At(0, 0, -10), nil, []int{0}, 0},
		{"from inside, exit", geom.At(0, 0, -10), func(p *casterGame, e []ecs.Entity, c *RayCaster) { c.Start = geom.Exit }, []int{0}, 1},
		{"from inside, ignored", geom.At(0, 0, -10), func(p *casterGame, e []ecs.Entity, c *RayCaster) { c.Start = geom.Ignore }, []int{1}, 9},
		{"culled", Transform{}, func(p *casterGame, e []ecs.Entity, c *RayCaster) {
			c.Cull = geom.CullBack
			*p.colliders.Get(e[0]) = Plane(geom.V(0, 0, -1), 0)
		}, []int{1}, 19},
		{"without what the system leaves out", Transform{}, func(p *casterGame, e []ecs.Entity, c *RayCaster) {
			p.system.Filter.Without = ecs.All(p.ghost)
			p.Add(e[0], p.ghost)
		}, []int{1}, 19},
		{"disabled", Transform{}, func(p *casterGame, e []ecs.Entity, c *RayCaster) { c.Disabled = true }, nil, 0},
		{"NaN", Transform{}, func(p *casterGame, e []ecs.Entity, c *RayCaster) { c.Ray.Origin.X = nan }, nil, 0},
		{"NaN Transform", geom.At(nan, 0, 0), nil, nil, 0},
		{"infinite", Transform{}, func(p *casterGame, e []ecs.Entity, c *RayCaster) { c.Ray.Dir.Z = inf }, nil, 0},
		{"overflows when placed", Transform{Scale: geom.V(1, 1, 3e38)}, func(p *casterGame, e []ecs.Entity, c *RayCaster) { c.Ray.Dir.Z = -10 }, nil, 0},
		{"target", Transform{}, func(p *casterGame, e []ecs.Entity, c *RayCaster) {
			c.Target, c.Mask = e[3], 4
			p.colliders.Get(e[3]).Layer = 4
		}, []int{3}, 0.975},
		{"target hidden", Transform{}, func(p *casterGame, e []ecs.Entity, c *RayCaster) { c.Target = e[3] }, []int{0}, 9. / 40},
		{"target without transform", Transform{}, func(p *casterGame, e []ecs.Entity, c *RayCaster) { c.Target = p.NewEntity() }, nil, 0},
	} {
		for _, batch := range []bool{true, false} {
			name := tt.name
			if !batch {
				name += ", with a collider of its own"
			}
			t.Run(name, func(t *testing.T) {
				p := newCasterGame()
				e := p.row(4)
				c := ahead
				if tt.edit != nil {
					tt.edit(p, e, &c)
				}
				probe := p.probe(tt.at, c)
				if !batch {
					p.Add(probe, p.collider)
					*p.colliders.Get(probe) = Sphere(0.1)
				}
				hits := p.tick()
				var got []ecs.Entity
				for h := range hits.RayHits(probe) {
					got = append(got, h.Entity)
				}
				var want []ecs.Entity
				for _, i := range tt.want {
					want = append(want, e[i])
				}
				assert.Equal(t, want, got)
				first, ok := hits.Ray(probe)
				assert.Equal(t, len(tt.want) > 0, ok)
				if ok {
					assert.InDelta(t, tt.t, first.T, 1e-6)
				}
				p.rays.Get(probe).Mode = CastAny
				hits = p.tick()
				if !c.Target.IsZero() && ok && first.Entity == c.Target {
					ok = false
				}
				assert.Equal(t, ok, hits.RayBlocked(probe))
				_, ok = hits.Ray(probe)
				assert.False(t, ok)
			})
		}
	}
}

// Rays with different rules are cast together, each by its own.
func TestCastersOfDifferentLayers(t *testing.T) {
	p := newCasterGame()
	var targets [2]ecs.Entity
	for i := range targets {
		targets[i] = p.add(geom.At(0, 0, float32(-10*(i+1))), Sphere(1))
		c := p.colliders.Get(targets[i])
		c.Layer, c.Mask = 4<<i, 1<<i
	}
	var casters []ecs.Entity
	for i := range 8 {
		c := ahead
		if i < 4 {
			c.Mask = 4 << (i % 2)
		} else {
			c.OwnLayer = 1 << (i % 2)
		}
		casters = append(casters, p.probe(Transform{}, c))
	}
	hits := p.tick()
	for i, e := range casters {
		h, _ := hits.Ray(e)
		assert.Equal(t, targets[i%2], h.Entity, i)
	}
}

func TestCasterSees(t *testing.T) {
	for _, mode := range []CastMode{CastClosest, CastAny, CastAll} {
		p := newCasterGame()
		wall := p.add(geom.At(5, 0, 0), Box(geom.V(0.1, 1, 1)))
		player := p.add(geom.At(10, 0, 0), Capsule(0.5, 0.4))
		bare := p.bare(geom.At(0, 10, 0))
		guard := p.add(Transform{}, Sphere(0.5))
		see := func(target ecs.Entity, point geom.Vec3) bool {
			p.onRay(guard, RayCaster{Target: target, TargetPoint: point, Mode: mode})
			return p.tick().Sees(guard)
		}
		assert.False(t, see(player, geom.Vec3{}), "the wall hides")
		assert.True(t, see(player, geom.V(0, 9, 0)), "over the wall")
		p.transforms.Get(wall).Position.Y = 9
		assert.True(t, see(player, geom.Vec3{}), "whose own collider hides nothing")
		assert.True(t, see(bare, geom.Vec3{}), "without a collider")
		p.transforms.Get(wall).Position = geom.V(0, 5, 0)
		assert.False(t, see(bare, geom.Vec3{}))
		assert.True(t, see(guard, geom.Vec3{}), "at the same place")
		assert.False(t, see(ecs.Entity{}, geom.Vec3{}), "no target")
		assert.False(t, see(bare, geom.V(float32(math.NaN()), 0, 0)))
		assert.False(t, see(p.NewEntity(), geom.Vec3{}), "without a Transform")

		assert.True(t, see(player, geom.Vec3{}))
		p.RemoveEntity(player)
		hits := ecs.GetResource[CasterHits](p.World)
		assert.False(t, hits.Sees(guard), "gone since")
		assert.False(t, see(player, geom.Vec3{}))
		assert.False(t, hits.Sees(wall), "no caster")
	}
}

func TestShapeCaster(t *testing.T) {
	nan := float32(math.NaN())
	motion := geom.V(0, 0, -2)
	small := ShapeCaster{Shape: Sphere(0.5), Motion: motion}
	for _, tt := range []struct {
		name string
		at   Transform
		c    ShapeCaster
		want []int
		t    float32
	}{
		{"sphere", Transform{}, small, []int{0}, 4.25},
		{"all", Transform{}, ShapeCaster{Shape: Sphere(0.5), Motion: motion, Mode: CastAll}, []int{0, 1, 2}, 4.25},
		{"first two", Transform{}, ShapeCaster{Shape: Sphere(0.5), Motion: motion, Mode: CastAll, Limit: 2}, []int{0, 1}, 4.25},
		{"limit of none", Transform{}, ShapeCaster{Shape: Sphere(0.5), Motion: motion, Limit: 7, MaxT: 1, Mode: CastAll}, nil, 0},
		{"AABB", Transform{}, ShapeCaster{Shape: AABB(geom.V(1, 1, 0.5)), Motion: motion}, []int{0}, 4.25},
		{"box, turned", Transform{Rotation: quarter(1, 0, 0)}, ShapeCaster{Shape: Box(geom.V(1, 0.5, 2)), Motion: geom.V(0, -2, 0)}, []int{0}, 4.25},
		{"box, follows the position", Transform{Rotation: quarter(1, 0, 0)}, ShapeCaster{Shape: Box(geom.V(1, 2, 0.5)), Motion: motion, Follow: FollowPosition}, []int{0}, 4.25},
		{"follows nothing", geom.At(50, 0, 0), ShapeCaster{Shape: Sphere(0.5), Motion: motion, Follow: FollowNothing}, []int{0}, 4.25},
		{"capsule", Transform{}, ShapeCaster{Shape: Capsule(2, 0.5), Motion: motion}, []int{0}, 4.25},
		{"scaled", Transform{Scale: geom.V(2, 2, 2)}, small, []int{0}, 2},
		{"off its centre", geom.At(0, 0, 5), ShapeCaster{Shape: Collider{Kind: KindSphere, Radius: 0.5, Center: geom.V(0, 0, -5)}, Motion: motion}, []int{0}, 4.25},
		{"overlaps", geom.At(0, 0, -11), small, []int{0}, 0},
		{"overlap ignored", geom.At(0, 0, -11), ShapeCaster{Shape: Sphere(0.5), Motion: motion, Start: physics.StartIgnore}, []int{1}, 3.75},
		{"still", geom.At(0, 0, -11), ShapeCaster{Shape: Sphere(0.5)}, []int{0}, 0},
		{"MinT", Transform{}, ShapeCaster{Shape: Sphere(0.5), Motion: motion, MinT: 6}, []int{1}, 9.25},
		{"MaxT", Transform{}, ShapeCaster{Shape: Sphere(0.5), Motion: motion, MaxT: 4.2}, nil, 0},
		{"sensor too", Transform{}, ShapeCaster{Shape: Sphere(0.5), Motion: motion, MinT: 17, Sensors: true}, []int{3}, 19.25},
		{"layers of the shape are not read", Transform{}, ShapeCaster{Shape: Collider{Kind: KindSphere, Radius: 0.5, Layer: 8, Mask: 8, Sensor: true, User: 3}, Motion: motion}, []int{0}, 4.25},
		{"mask", Transform{}, ShapeCaster{Shape: Sphere(0.5), Motion: motion, Mask: 8}, nil, 0},
		{"no shape", Transform{}, ShapeCaster{Motion: motion}, nil, 0},
		{"empty shape", Transform{}, ShapeCaster{Shape: Sphere(-1), Motion: motion}, nil, 0},
		{"NaN shape", Transform{}, ShapeCaster{Shape: Sphere(nan), Motion: motion}, nil, 0},
		{"NaN motion", Transform{}, ShapeCaster{Shape: Sphere(1), Motion: geom.V(0, nan, 0)}, nil, 0},
		{"plane", Transform{}, ShapeCaster{Shape: Plane(geom.V(0, 1, 0), 0), Motion: motion}, nil, 0},
		{"mesh", Transform{}, ShapeCaster{Shape: Mesh(1), Motion: motion}, nil, 0},
		{"compound", Transform{}, ShapeCaster{Shape: Compound(1), Motion: motion}, nil, 0},
		{"unknown kind", Transform{}, ShapeCaster{Shape: Collider{Kind: 200}, Motion: motion}, nil, 0},
		{"disabled", Transform{}, ShapeCaster{Shape: Sphere(0.5), Motion: motion, Disabled: true}, nil, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newCasterGame()
			e := p.row(4)
			p.colliders.Get(e[3]).Sensor = true
			meshes := ecs.GetResource[Meshes](p.World)
			meshes.Add(quad(t))
			meshes.AddCompound(physics.NewCompound(physics.Child{Shape: geom.Sphere{Radius: 1}}))
			probe := p.onShape(p.add(tt.at, Sphere(0.1)), tt.c)
			hits := p.tick()
			var got, want []ecs.Entity
			for h := range hits.ShapeHits(probe) {
				got = append(got, h.Entity)
			}
			for _, i := range tt.want {
				want = append(want, e[i])
			}
			assert.Equal(t, want, got)
			first, ok := hits.Shape(probe)
			assert.Equal(t, len(want) > 0, ok)
			if ok {
				assert.InDelta(t, tt.t, first.T, 1e-5)
			}
			p.shapes.Get(probe).Mode = CastAny
			assert.Equal(t, ok, p.tick().ShapeBlocked(probe))
			_, ok = ecs.GetResource[CasterHits](p.World).Shape(probe)
			assert.False(t, ok)
		})
	}
}

// The entities that a caster passes: a car has a body with two wheels, all with colliders, and
// stands on a lorry.
func TestCasterIgnores(t *testing.T) {
	p := newCasterGame()
	lorry := p.add(geom.At(0, -4, 0), Box(geom.V(1, 0.1, 1)))
	car := p.adopt(p.add(Transform{}, Box(geom.V(1, 0.1, 1))), lorry, LocalTransform(geom.At(0, 2, 0)))
	front := p.adopt(p.add(Transform{}, Sphere(0.1)), car, LocalTransform(geom.At(0, 2, 0)))
	rear := p.adopt(p.add(Transform{}, Sphere(0.1)), car, LocalTransform(geom.At(0, 1, 0)))
	ground := p.add(geom.At(0, -9, 0), Box(geom.V(50, 1, 50)))
	down := RayCaster{Ray: geom.NewRay(geom.Vec3{}, geom.V(0, -1, 0))}
	wide := ShapeCaster{Shape: Sphere(0.05), Motion: geom.V(0, -1, 0)}
	for _, tt := range []struct {
		name   string
		ignore Ignore
		except ecs.Entity
		want   ecs.Entity
	}{
		{"nobody", IgnoreNone, ecs.Entity{}, front},
		{"itself", IgnoreSelf, ecs.Entity{}, rear},
		{"itself and one", IgnoreSelf, rear, car},
		{"parents", IgnoreParents, ecs.Entity{}, rear},
		{"parents and one", IgnoreParents, rear, ground},
		{"family", IgnoreFamily, ecs.Entity{}, ground},
		{"family and one", IgnoreFamily, ground, ecs.Entity{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			down.Ignore, down.Except, wide.Ignore, wide.Except = tt.ignore, tt.except, tt.ignore, tt.except
			p.onRay(front, down)
			p.onShape(front, wide)
			hits := p.tick()
			ray, _ := hits.Ray(front)
			shape, _ := hits.Shape(front)
			assert.Equal(t, tt.want, ray.Entity)
			assert.Equal(t, tt.want, shape.Entity)
			assert.Equal(t, !tt.want.IsZero(), hits.RayBlocked(front))
		})
	}
	t.Run("in a circle", func(t *testing.T) { // Sync places none, but the top ancestor is defined
		p.adopt(lorry, rear, LocalTransform(geom.At(0, -3, 0)))
		down.Ignore, down.Except = IgnoreFamily, ecs.Entity{}
		p.onRay(front, down)
		h, _ := p.tick().Ray(front)
		assert.Equal(t, ground, h.Entity)
		p.rays.Get(front).Ignore = IgnoreParents
		h, _ = p.tick().Ray(front)
		assert.Equal(t, ground, h.Entity, "rear is an ancestor now")
	})
	t.Run("whose parent has died", func(t *testing.T) {
		p.RemoveEntity(car)
		p.rays.Get(front).Ignore = IgnoreFamily
		h, _ := p.tick().Ray(front)
		assert.Equal(t, rear, h.Entity)
	})
}

func TestWorldRays(t *testing.T) {
	p := newCasterGame()
	p.row(2)
	hit := p.probe(geom.At(0, 0, 5), RayCaster{Ray: forward})
	miss := p.probe(Transform{Position: geom.V(1, 2, 3), Scale: geom.V(1, 1, 2)}, RayCaster{Ray: geom.NewRay(geom.V(0, 9, 0), geom.V(0, 0, 1))})
	p.probe(Transform{}, RayCaster{Ray: forward, Disabled: true})
	target := p.probe(Transform{}, RayCaster{Ray: geom.Ray{Origin: geom.V(0, 1, 0)}, Target: miss, TargetPoint: geom.V(0, 0, 1), Mode: CastAny})
	hits := p.tick()
	want := map[ecs.Entity]geom.Ray{
		hit:    geom.NewRay(geom.V(0, 0, 5), geom.V(0, 0, -1)),
		miss:   geom.NewRay(geom.V(1, 11, 3), geom.V(0, 0, 2)),
		target: geom.Segment(geom.V(0, 1, 0), geom.V(1, 2, 5)),
	}
	assert.Equal(t, want, maps.Collect(hits.WorldRays()))
	for range hits.WorldRays() {
		break // stop early
	}
	p.RemoveEntity(hit)
	delete(want, hit)
	assert.Equal(t, want, maps.Collect(hits.WorldRays()))
	p.Remove(miss, p.ray)
	delete(want, miss)
	assert.Equal(t, want, maps.Collect(hits.WorldRays()))
}

func TestNoCasterHitIsStale(t *testing.T) {
	p := newCasterGame()
	e := p.row(3)
	probe := p.probe(Transform{}, RayCaster{Ray: forward, Mode: CastAll})
	p.onShape(probe, ShapeCaster{Shape: Sphere(0.5), Motion: geom.V(0, 0, -1)})
	hits := p.tick()
	listed := func() (n int) {
		for caster := range hits.Rays() {
			assert.Equal(t, probe, caster)
			n++
		}
		for caster := range hits.Shapes() {
			assert.Equal(t, probe, caster)
			n++
		}
		return n
	}
	require.Equal(t, 4, listed())
	for range hits.Rays() {
		break // stop early
	}
	for range hits.Shapes() {
		break
	}

	p.RemoveEntity(e[0])
	require.Equal(t, 2, listed())
	h, ok := hits.Ray(probe)
	assert.True(t, ok)
	assert.Equal(t, e[1], h.Entity)
	_, ok = hits.Shape(probe)
	assert.False(t, ok)
	recycled := p.add(geom.At(0, 0, -10), Sphere(1))
	require.Equal(t, e[0].ID(), recycled.ID())
	require.Equal(t, 2, listed())
	p.Remove(e[1], p.collider)
	require.Equal(t, 1, listed())

	p.Remove(probe, p.ray)
	_, ok = hits.Ray(probe)
	assert.False(t, ok)
	assert.False(t, hits.RayBlocked(probe))
	assert.True(t, hits.ShapeBlocked(probe))
	assert.Zero(t, listed())
	hits = p.tick()
	assert.Equal(t, 1, listed())
	p.RemoveEntity(probe)
	assert.Zero(t, listed())
	assert.False(t, hits.ShapeBlocked(probe))
	again := p.probe(Transform{}, ahead)
	require.Equal(t, probe.ID(), again.ID())
	_, ok = hits.Ray(again)
	assert.False(t, ok, "not cast yet")
	p.tick()
	h, _ = hits.Ray(again)
	assert.Equal(t, recycled, h.Entity)
	_, ok = hits.Ray(probe)
	assert.False(t, ok)

	t.Run("reset", func(t *testing.T) {
		was := hits
		p.Reset()
		assert.False(t, was.RayBlocked(again))
		first := p.row(1)[0]
		var probes []ecs.Entity
		for range 8 { // some have the entity that the caster had
			probes = append(probes, p.probe(Transform{}, ahead))
		}
		for _, e := range probes {
			assert.False(t, was.RayBlocked(e))
		}
		hits = p.tick()
		require.NotSame(t, was, hits)
		assert.Len(t, hits.RaysChanged, 8)
		for _, e := range probes {
			assert.False(t, was.RayBlocked(e))
			h, _ := hits.Ray(e)
			assert.Equal(t, first, h.Entity)
		}
	})
	p.system.Finalize(p.World)
}

// An entity kept over a World.Reset may have an ID that the world has not given out again.
func TestAliveOfEntitiesToCome(t *testing.T) {
	g := newGame()
	g.RemoveEntity(g.row(1)[0])
	second := g.row(1)[0]
	require.True(t, alive(g.World, second))
	g.Reset()
	first := g.row(1)[0]
	child := g.adopt(g.row(1)[0], second, LocalTransform{})
	assert.False(t, alive(g.World, second))
	g.RemoveEntity(first)
	require.True(t, g.Alive(second), "as in Arche")
	assert.False(t, alive(g.World, second))
	assert.Equal(t, 1, Sync(g.World).Stats().Orphans)
	require.Equal(t, second, g.row(1)[0])
	assert.True(t, alive(g.World, second))
	assert.Zero(t, Sync(g.World).Stats().Orphans)
	assert.True(t, alive(g.World, child))
}

func TestCasterChanges(t *testing.T) {
	p := newCasterGame()
	e := p.row(2)
	a, b := p.probe(Transform{}, ahead), p.probe(geom.At(0, 0, -15), ahead)
	p.onShape(b, ShapeCaster{Shape: Sphere(0.5), Motion: geom.V(0, 0, -1)})
	none := ecs.Entity{}
	step := func(rays, shapes []CasterChange) {
		t.Helper()
		hits := p.tick()
		assert.Equal(t, rays, append([]CasterChange(nil), hits.RaysChanged...))
		assert.Equal(t, shapes, append([]CasterChange(nil), hits.ShapesChanged...))
	}
	step([]CasterChange{{a, none, e[0]}, {b, none, e[1]}}, []CasterChange{{b, none, e[1]}})
	step(nil, nil)
	p.transforms.Get(e[0]).Position.X = 5
	step([]CasterChange{{a, e[0], e[1]}}, nil)
	p.RemoveEntity(e[1])
	step([]CasterChange{{a, e[1], none}, {b, e[1], none}}, []CasterChange{{b, e[1], none}})
	p.transforms.Get(e[0]).Position.X = 0
	step([]CasterChange{{a, none, e[0]}}, nil)
	p.rays.Get(a).Disabled = true
	step([]CasterChange{{a, e[0], none}}, nil)
	p.rays.Get(a).Disabled = false
	step([]CasterChange{{a, none, e[0]}}, nil)
	p.RemoveEntity(a)
	again := p.probe(Transform{}, ahead)
	require.Equal(t, a.ID(), again.ID())
	step([]CasterChange{{a, e[0], none}, {again, none, e[0]}}, nil)
}

func TestCasterSystemInLockedWorld(t *testing.T) {
	p := newCasterGame()
	e := p.row(1)
	probe := p.onShape(p.probe(Transform{}, ahead), ShapeCaster{Shape: Sphere(0.5), Motion: geom.V(0, 0, -1)})
	Sync(p.World)
	filter := ecs.All(p.transform)
	query := p.Query(&filter)
	require.True(t, query.Next())
	p.system.Update(p.World)
	query.Close()
	h, _ := ecs.GetResource[CasterHits](p.World).Ray(probe)
	assert.Equal(t, e[0], h.Entity)
}

// The mesh or hull of a shape may be added, removed and replaced; shapes that no caster has are not
// kept.
func TestCasterShapesAreLetGo(t *testing.T) {
	p := newCasterGame()
	p.row(1)
	var probes []ecs.Entity
	for range 4 {
		probes = append(probes, p.onShape(p.probe(Transform{}, ahead), ShapeCaster{Shape: Sphere(0.5), Motion: geom.V(0, 0, -1)}))
	}
	hits := p.tick()
	for i := range 100 {
		p.shapes.Get(probes[i%4]).Shape.Radius = 0.5 + float32(i)/1000
		p.tick()
	}
	assert.LessOrEqual(t, len(hits.cache.entries), 7)
	h, _ := hits.Shape(probes[3])
	assert.InDelta(t, 8.401, h.T, 1e-5)
}

// The same bits on one processor and on many, in chunks, batches and one by one.
func TestManyCasters(t *testing.T) {
	p := newCasterGame()
	e := p.row(50)
	for i := range 2000 {
		at := geom.At(float32(i%9)*0.3-1.2, 0, float32(-i%600))
		c := RayCaster{Ray: geom.NewRay(geom.Vec3{}, geom.V(0, 0, 1-2*float32(i%2))), Mode: CastMode(i % 3), Start: geom.StartMode(i / 3 % 3)}
		if i%5 == 0 {
			c.Except = e[i%50]
		}
		probe := p.probe(at, c)
		if i%7 == 0 {
			p.onShape(probe, ShapeCaster{Shape: Sphere(float32(i%11) / 10), Motion: geom.V(0, 0, -1), Mode: CastMode(i % 3)})
		}
	}
	one := []([]casting){nil, nil}
	for k, n := range []int{1, 4} {
		before := runtime.GOMAXPROCS(n)
		p.tick()
		runtime.GOMAXPROCS(before)
		one[k] = p.check(t)
	}
	require.NotEmpty(t, one[0])
	assert.Equal(t, one[0], one[1])
}
