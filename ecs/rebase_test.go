package physecs

import (
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

func TestWorldPosition(t *testing.T) {
	g := newGame()
	e := g.at(g.add(Transform{Position: geom.V(1, 1, 1), Scale: geom.V(2, 2, 2)}, Sphere(1)), WorldPosition{5, 6, 7})
	assert.Equal(t, Stats{Colliders: 1, Added: 1}, g.sync())
	assert.Equal(t, Transform{Position: geom.V(5, 6, 7), Scale: geom.V(2, 2, 2)}, *g.transforms.Get(e))
	g.check(t)
	g.transforms.Get(e).Position = geom.V(0, 0, 0)
	assert.Equal(t, Stats{Colliders: 1}, g.sync(), "what is written to the position is lost")
	g.positions.Get(e).X = 1e300
	assert.Equal(t, Stats{Colliders: 1, Moved: 1, Nowhere: 1}, g.sync())
	g.check(t)
	assert.Equal(t, Stats{Colliders: 1, Nowhere: 1}, g.sync())
	g.positions.Get(e).X = math.NaN()
	assert.Equal(t, Stats{Colliders: 1, Moved: 1, Nowhere: 1}, g.sync())
	assert.Equal(t, Stats{Colliders: 1, Nowhere: 1}, g.sync(), "a NaN is no motion")

	root := g.row(1)[0]
	*g.positions.Get(e) = WorldPosition{}
	g.adopt(e, root, LocalTransform{})
	Sync(g.World)
	assert.Equal(t, geom.V(0, 0, -10), g.transforms.Get(e).Position, "the parent decides")
	g.parents.Get(e).Entity = ecs.Entity{}
	Sync(g.World)
	assert.Equal(t, geom.Vec3{}, g.transforms.Get(e).Position)
}

// Each case starts from a synced world: a sphere with a WorldPosition, one without, a child of
// each, and a plane.
func TestRebase(t *testing.T) {
	for _, tt := range []struct {
		name string
		to   []geom.DVec3
	}{
		{"one metre", []geom.DVec3{{X: 1}}},
		{"a fraction", []geom.DVec3{{X: 0.1, Y: 1e-3, Z: math.Pi}}},
		{"far", []geom.DVec3{{X: 1e5, Y: -2e5, Z: 3e5}}},
		{"far and back", []geom.DVec3{{X: 1e5, Y: -2e5, Z: 3e5}, {}}},
		{"by steps", []geom.DVec3{{X: 1000.3}, {X: 2000.6, Z: 1}, {X: 1e7}, {X: 3000.9}, {X: 0.25}}},
		{"to where it is", []geom.DVec3{{}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			build := func(g *game) []ecs.Entity {
				free := g.add(geom.At(0.1, 0.2, -10), Sphere(1))
				g.transforms.Get(free).Position = geom.V(0.1, 0.2, -10).Wide().Sub(g.space().Origin()).Narrow()
				fixed := g.at(g.add(Transform{Rotation: quarter(1, 2, 3)}, Box(geom.V(1, 2, 1))), WorldPosition{0.1, 0.2, -20})
				a, b := g.add(Transform{}, Sphere(0.5)), g.add(Transform{}, Sphere(0.5))
				g.adopt(a, free, LocalTransform(geom.At(0, 3, 0.1)))
				g.adopt(b, fixed, LocalTransform(geom.At(0.1, 0, 3)))
				bare := g.NewEntity(g.transform)
				*g.transforms.Get(bare) = *g.transforms.Get(free)
				unknown := g.add(*g.transforms.Get(free), Mesh(7))
				floor := g.add(Transform{}, Plane(geom.V(0, 1, 0), -7))
				g.transforms.Get(floor).Position = g.space().Origin().Neg().Narrow()
				return []ecs.Entity{free, fixed, a, b, bare, unknown, floor}
			}
			g := newGame()
			e := build(g)
			Sync(g.World)
			for _, to := range tt.to {
				Rebase(g.World, to)
				assert.Equal(t, to, g.space().Origin())
				assert.Equal(t, to, ecs.GetResource[Space](g.World).Physics().Origin())
				g.checkPlaces(t)
				hit, ok := g.space().CastRay(geom.NewRay(to.Neg().Narrow(), geom.V(0, 0, -1)), Filter{})
				if assert.True(t, ok, "queries see the same before the sync") {
					assert.Equal(t, e[0], hit.Entity)
				}
				stats := g.sync()
				assert.LessOrEqual(t, stats.Moved, 3, "those without a rounding of their own are not moved twice")
				assert.Zero(t, stats.Changed+stats.Added+stats.Removed)
				g.check(t)
				assert.Equal(t, *g.transforms.Get(e[0]), *g.transforms.Get(e[4]), "with a collider or without")
				assert.Equal(t, *g.transforms.Get(e[0]), *g.transforms.Get(e[5]))

				// A world built at that origin is equal to the last bit.
				h := newGame()
				Rebase(h.World, to)
				for i, twin := range build(h) {
					Sync(h.World)
					assert.Equal(t, *g.transforms.Get(e[i]), *h.transforms.Get(twin), "entity %d", i)
				}
				for _, ray := range probes {
					ray.Origin = ray.Origin.Wide().Sub(to).Narrow()
					assert.Equal(t, h.space().CastRayAll(nil, ray, Filter{}), g.space().CastRayAll(nil, ray, Filter{}))
				}
			}
		})
	}
}

func TestRebaseOfWhatMovedSinceTheSync(t *testing.T) {
	g := newGame()
	e := g.row(3)
	Sync(g.World)
	g.transforms.Get(e[0]).Position.X = 50
	g.RemoveEntity(e[1])
	late := g.add(geom.At(0, 0, -5), Sphere(1))
	Rebase(g.World, geom.DVec3{Z: -100})
	assert.Equal(t, geom.V(50, 0, 90), g.transforms.Get(e[0]).Position)
	assert.Equal(t, geom.V(0, 0, 95), g.transforms.Get(late).Position)
	assert.Equal(t, Stats{Colliders: 3, Moved: 1, Removed: 1, Added: 1}, g.sync())
	g.check(t)
	t.Run("moved after a rebase", func(t *testing.T) {
		g.transforms.Get(e[0]).Position = geom.V(1, 2, 3)
		Rebase(g.World, geom.DVec3{X: 1, Z: -100})
		assert.Equal(t, geom.V(0, 2, 3), g.transforms.Get(e[0]).Position)
		Rebase(g.World, geom.DVec3{Z: -100})
		assert.Equal(t, geom.V(1, 2, 3), g.transforms.Get(e[0]).Position)
		Sync(g.World)
		g.check(t)
	})
	t.Run("nowhere and back", func(t *testing.T) {
		Rebase(g.World, geom.DVec3{X: 1e300})
		assert.Equal(t, 3, Sync(g.World).Stats().Nowhere)
		g.check(t)
		Rebase(g.World, geom.DVec3{})
		assert.Equal(t, Stats{Colliders: 3}, g.sync())
		g.check(t)
		assert.Equal(t, late, g.hit(t))
	})
	t.Run("not finite", func(t *testing.T) {
		for _, o := range []geom.DVec3{{X: math.NaN()}, {Y: math.Inf(1)}, {X: math.Inf(1), Z: math.Inf(-1)}} {
			assert.PanicsWithValue(t, "physecs: Rebase: the origin is NaN or infinite", func() { Rebase(g.World, o) })
		}
	})
	t.Run("a world without a Space", func(t *testing.T) {
		w := ecs.NewWorld()
		Rebase(&w, geom.DVec3{X: 3})
		assert.Equal(t, geom.DVec3{X: 3}, ecs.GetResource[Space](&w).Origin())
	})
}

// If nothing rounds differently a sync finds nothing moved.
func TestSyncAfterRebaseFindsNothing(t *testing.T) {
	g := newGame()
	e := g.row(5)
	*g.colliders.Get(e[0]) = Mesh(9)
	g.transforms.Get(e[1]).Position.X = float32(math.NaN())
	g.at(e[2], WorldPosition{X: 3})
	g.adopt(e[3], e[2], LocalTransform(geom.At(1, 2, 3)))
	want := Stats{Colliders: 5, Nowhere: 2, Children: 1}
	Sync(g.World)
	for _, x := range []float64{1, 1000, 0} {
		Rebase(g.World, geom.DVec3{X: x})
		assert.Equal(t, want, g.sync())
		g.check(t)
	}
}

func TestRebaseInLockedWorld(t *testing.T) {
	g := newGame()
	g.row(3)
	Sync(g.World)
	filter := ecs.All(g.transform)
	query := g.Query(&filter)
	for query.Next() {
		Rebase(g.World, g.space().Origin().Add(geom.DVec3{X: 1}))
	}
	Sync(g.World)
	g.check(t)
	assert.Equal(t, geom.DVec3{X: 3}, g.space().Origin())
}

// Rays and the pointer resolve colliders a millimetre apart, 100 km from the fixed zero, and these
// are at the same place after a journey through the whole world.
func TestMillimetresAt100Kilometres(t *testing.T) {
	for _, kind := range []string{"by WorldPosition", "by Transform", "by parent"} {
		t.Run(kind, func(t *testing.T) {
			g := newGame()
			far := geom.DVec3{X: 100_000, Y: 50_000, Z: -100_000}
			Rebase(g.World, far)
			var parent ecs.Entity
			if kind == "by parent" {
				parent = g.at(g.NewEntity(g.transform), WorldPosition(far))
			}
			var e []ecs.Entity
			for i := range 20 {
				x := float64(i) / 1000
				switch ball := g.add(geom.At(float32(x), 0, 0), Sphere(0.0004)); kind {
				case "by WorldPosition":
					e = append(e, g.at(ball, WorldPosition{far.X + x, far.Y, far.Z}))
				case "by parent":
					e = append(e, g.adopt(ball, parent, LocalTransform(geom.At(float32(x), 0, 0))))
				default:
					e = append(e, ball)
				}
			}
			systems := Simulation{Paused: true}
			systems.Initialize(g.World)
			var before []Hit
			look := func() {
				Sync(g.World)
				g.check(t)
				var hits []Hit
				view, pointer, hover := ecs.GetResource[View](g.World), ecs.GetResource[Pointer](g.World), ecs.GetResource[Hover](g.World)
				window := picking.Size{Width: 1000, Height: 600}
				view.Viewport = picking.FullViewport(window, window)
				view.Projection = picking.Perspective(1, 0.001, 10)
				shift := far.Sub(g.space().Origin()).Narrow() // 0 at the far end
				view.LookAt(geom.V(0.01, 0, 0.05).Add(shift), geom.V(0.01, 0, 0).Add(shift), geom.V(0, 1, 0))
				for i := range e {
					at := geom.V(float32(i)/1000, 0, 1).Add(shift)
					hit, ok := g.space().CastRay(geom.NewRay(at, geom.V(0, 0, -1)), Filter{})
					require.True(t, ok, "ray %d", i)
					require.Equal(t, e[i], hit.Entity, "ray %d", i)
					hits = append(hits, hit)
					between := geom.NewRay(at.Add(geom.V(0.0005, 0, 0)), geom.V(0, 0, -1))
					require.False(t, g.space().CastRayAny(between, Filter{}), "between %d and the next", i)
					var ok2 bool
					pointer.X, pointer.Y, _, ok2 = view.Project(g.transforms.Get(e[i]).Position)
					require.True(t, ok2)
					pointer.Inside = true
					systems.Update(g.World)
					require.Equal(t, e[i], hover.Entity, "under the pointer")
				}
				if before == nil {
					before = hits
				}
				require.Equal(t, before, hits)
			}
			look()
			rng := testenv.Rand(1, 2)
			at := func() float64 { return math.Round((rng.Float64() - 0.5) * 2e5) }
			for range 1000 {
				Rebase(g.World, geom.DVec3{X: at(), Y: at(), Z: at()})
				if rng.IntN(10) == 0 {
					Sync(g.World)
				}
			}
			Rebase(g.World, far)
			look()
		})
	}
}

func TestRebaseSystem(t *testing.T) {
	g := newGame()
	s := RebaseSystem{}
	s.Initialize(g.World)
	var from, to []geom.DVec3
	s.Rebased = func(w *ecs.World, a, b geom.DVec3) {
		assert.Equal(t, b, ecs.GetResource[Space](w).Origin())
		from, to = append(from, a), append(to, b)
	}
	step := func(want geom.DVec3) {
		t.Helper()
		s.Update(g.World)
		assert.Equal(t, want, g.space().Origin())
	}
	step(geom.DVec3{}) // no target
	walker := g.row(1)[0]
	s.Target = walker
	step(geom.DVec3{})
	g.transforms.Get(walker).Position = geom.V(1000, -1000, 1000)
	step(geom.DVec3{}) // at the limit
	g.transforms.Get(walker).Position.Y = -1000.4
	step(geom.DVec3{X: 1000, Y: -1000, Z: 1000})
	assert.InDelta(t, -0.4, g.transforms.Get(walker).Position.Y, 1e-4)
	s.Distance = 5
	g.at(walker, WorldPosition{X: 1005})
	step(geom.DVec3{X: 1005}) // 1,000 m away along Y and Z
	g.positions.Get(walker).X = math.NaN()
	step(geom.DVec3{X: 1005})
	g.positions.Get(walker).X = math.Inf(1)
	step(geom.DVec3{X: 1005})
	g.positions.Get(walker).X = 9
	g.World.Remove(walker, g.transform)
	step(geom.DVec3{X: 9})
	g.World.Remove(walker, g.position)
	step(geom.DVec3{X: 9})
	g.RemoveEntity(walker)
	step(geom.DVec3{X: 9})
	camera, ok := geom.V(100, 0, 0), false
	s.Position = func(*ecs.World) (geom.Vec3, bool) { return camera, ok }
	step(geom.DVec3{X: 9})
	ok = true
	step(geom.DVec3{X: 109})
	assert.Equal(t, []geom.DVec3{{}, {X: 1000, Y: -1000, Z: 1000}, {X: 1005}, {X: 9}}, from)
	assert.Equal(t, to[:3], from[1:])
	s.Finalize(g.World)
}

// Colliders of the game in the physics space move too.
func TestRebaseMovesWhatTheGameAdded(t *testing.T) {
	g := newGame()
	space := Sync(g.World)
	id := space.Physics().Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(5, 0, 0)})
	Rebase(g.World, geom.DVec3{X: 5})
	c, _ := space.Physics().Collider(id)
	assert.Equal(t, geom.Vec3{}, c.Transform.Position)
}
