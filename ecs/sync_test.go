package physecs

import (
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

// Each case starts from a synced row of five spheres along −Z, changes the world, and syncs again.
func TestSync(t *testing.T) {
	nan := float32(math.NaN())
	for _, tt := range []struct {
		name string
		do   func(g *game, e []ecs.Entity)
		want Stats
		hit  int // which of the five the forward ray hits then; −1: another entity; −2: none
	}{
		{"nothing", func(*game, []ecs.Entity) {}, Stats{Colliders: 5}, 0},
		{"entity added", func(g *game, _ []ecs.Entity) {
			g.add(geom.At(0, 0, -5), Sphere(1))
		}, Stats{Colliders: 6, Added: 1}, -1},
		{"entity added without a Collider", func(g *game, _ []ecs.Entity) {
			g.NewEntity(g.transform)
		}, Stats{Colliders: 5}, 0},
		{"entity moved", func(g *game, e []ecs.Entity) {
			g.transforms.Get(e[0]).Position.X = 9
		}, Stats{Colliders: 5, Moved: 1}, 1},
		{"entity turned and scaled", func(g *game, e []ecs.Entity) {
			g.transforms.Get(e[4]).Rotation = geom.QuatAxisAngle(geom.V(0, 1, 0), 1)
			g.transforms.Get(e[4]).Scale = geom.V(100, 1, 49)
		}, Stats{Colliders: 5, Moved: 1}, 4},
		{"all moved", func(g *game, e []ecs.Entity) {
			for _, e := range e {
				g.transforms.Get(e).Position.Y++
			}
		}, Stats{Colliders: 5, Moved: 5}, 0},
		// The last takes its place in Arche.
		{"first entity removed", func(g *game, e []ecs.Entity) {
			g.RemoveEntity(e[0])
		}, Stats{Colliders: 4, Removed: 1}, 1},
		{"last entity removed", func(g *game, e []ecs.Entity) {
			g.RemoveEntity(e[4])
		}, Stats{Colliders: 4, Removed: 1}, 0},
		{"ID recycled in the same place", func(g *game, e []ecs.Entity) {
			g.RemoveEntity(e[0])
			again := g.add(geom.At(0, 0, -3), Box(geom.V(1, 1, 1)))
			if again.ID() != e[0].ID() || again == e[0] {
				panic("the ID was not recycled")
			}
		}, Stats{Colliders: 5, Added: 1, Removed: 1}, -1},
		{"all IDs recycled, in another order", func(g *game, e []ecs.Entity) {
			for _, e := range e {
				g.RemoveEntity(e)
			}
			g.row(5)
		}, Stats{Colliders: 5, Added: 5, Removed: 5}, -1},
		{"ID recycled by an entity without a Collider", func(g *game, e []ecs.Entity) {
			g.RemoveEntity(e[0])
			g.NewEntity(g.team)
		}, Stats{Colliders: 4, Removed: 1}, 1},
		{"Collider removed", func(g *game, e []ecs.Entity) {
			g.Remove(e[0], g.collider)
		}, Stats{Colliders: 4, Removed: 1}, 1},
		{"Transform removed", func(g *game, e []ecs.Entity) {
			g.Remove(e[0], g.transform)
		}, Stats{Colliders: 4, Removed: 1}, 1},
		{"Collider removed and added with another shape", func(g *game, e []ecs.Entity) {
			g.Remove(e[0], g.collider)
			g.Add(e[0], g.collider)
			*g.colliders.Get(e[0]) = Box(geom.V(2, 2, 2))
		}, Stats{Colliders: 5, Changed: 1}, 0},
		{"another component added", func(g *game, e []ecs.Entity) { // moves to another table
			g.Add(e[1], g.team)
		}, Stats{Colliders: 5}, 0},
		{"Static added", func(g *game, e []ecs.Entity) {
			g.Add(e[1], g.static)
		}, Stats{Colliders: 5, Changed: 1}, 0},
		{"components exchanged", func(g *game, e []ecs.Entity) {
			g.Exchange(e[0], []ecs.ID{g.team}, []ecs.ID{g.collider})
		}, Stats{Colliders: 4, Removed: 1}, 1},
		{"shape changed", func(g *game, e []ecs.Entity) {
			*g.colliders.Get(e[2]) = AABB(geom.V(1, 1, 25))
		}, Stats{Colliders: 5, Changed: 1}, 2},
		{"size changed", func(g *game, e []ecs.Entity) {
			g.colliders.Get(e[1]).Radius = 19
		}, Stats{Colliders: 5, Changed: 1}, 1},
		{"made a sensor", func(g *game, e []ecs.Entity) {
			g.colliders.Get(e[0]).Sensor = true
		}, Stats{Colliders: 5, Changed: 1}, 1},
		{"layer, mask and user changed", func(g *game, e []ecs.Entity) {
			g.colliders.Get(e[0]).Layer = 2
			g.colliders.Get(e[1]).Mask = 4
			g.colliders.Get(e[2]).User = 7
		}, Stats{Colliders: 5, Changed: 3}, 0},
		{"position NaN", func(g *game, e []ecs.Entity) {
			g.transforms.Get(e[0]).Position.Y = nan
		}, Stats{Colliders: 5, Moved: 1, Nowhere: 1}, 1},
		{"position NaN and back", func(g *game, e []ecs.Entity) {
			g.transforms.Get(e[0]).Position.Y = nan
			Sync(g.World)
			g.transforms.Get(e[0]).Position.Y = 0.5
		}, Stats{Colliders: 5, Moved: 1}, 0},
		{"scale NaN, one after the other", func(g *game, e []ecs.Entity) {
			g.transforms.Get(e[0]).Scale = geom.V(1, nan, 1)
			Sync(g.World)
			g.transforms.Get(e[1]).Scale = geom.V(1, 1, nan)
		}, Stats{Colliders: 5, Moved: 1, Nowhere: 2}, 2},
		{"far away in single precision's sense", func(g *game, e []ecs.Entity) {
			g.transforms.Get(e[0]).Position.X = 3.4e38
			g.colliders.Get(e[0]).Radius = 3e38
			Sync(g.World)
			g.transforms.Get(e[1]).Scale = geom.V(3e38, 3e38, 3e38)
			g.transforms.Get(e[1]).Position.X = 2e38
		}, Stats{Colliders: 5, Moved: 1, Nowhere: 2}, 2},
		{"too large only when scaled", func(g *game, e []ecs.Entity) {
			g.colliders.Get(e[0]).Radius = 3e38
			g.colliders.Get(e[1]).Radius = 2
			Sync(g.World)
			g.transforms.Get(e[0]).Scale = geom.V(2, 2, 2)
			g.transforms.Get(e[1]).Scale = geom.V(3e38, 3e38, 3e38)
		}, Stats{Colliders: 5, Moved: 2, Nowhere: 2}, 2},
		{"radius NaN, infinite, negative", func(g *game, e []ecs.Entity) {
			g.colliders.Get(e[0]).Radius = nan
			g.colliders.Get(e[1]).Radius = float32(math.Inf(1))
			g.colliders.Get(e[2]).Radius = -1
		}, Stats{Colliders: 5, Changed: 3, Nowhere: 3}, 3},
		{"shape taken away", func(g *game, e []ecs.Entity) {
			*g.colliders.Get(e[0]) = Collider{}
		}, Stats{Colliders: 5, Changed: 1, Nowhere: 1}, 1},
		{"unknown mesh, compound and hull", func(g *game, e []ecs.Entity) {
			*g.colliders.Get(e[0]) = Mesh(1)
			*g.colliders.Get(e[1]) = Compound(1)
			*g.colliders.Get(e[2]) = Hull(1)
		}, Stats{Colliders: 5, Changed: 3, Nowhere: 3}, 3},
		{"nowhere, then removed", func(g *game, e []ecs.Entity) {
			*g.colliders.Get(e[0]) = Mesh(1)
			g.transforms.Get(e[1]).Scale.X = nan
			Sync(g.World)
			g.RemoveEntity(e[0])
			g.RemoveEntity(e[1])
		}, Stats{Colliders: 3, Removed: 2}, 2},
		{"batch removal of entities", func(g *game, e []ecs.Entity) {
			g.Add(e[0], g.team)
			g.Add(e[3], g.team)
			Sync(g.World)
			g.Batch().RemoveEntities(ecs.All(g.team))
		}, Stats{Colliders: 3, Removed: 2}, 1},
		{"batch removal of components", func(g *game, e []ecs.Entity) {
			g.Batch().Remove(ecs.All(g.collider), g.collider)
		}, Stats{Removed: 5}, -2},
		{"batch exchange", func(g *game, e []ecs.Entity) {
			g.Batch().Exchange(ecs.All(g.collider), []ecs.ID{g.ghost, g.static}, nil)
		}, Stats{Colliders: 5, Changed: 5}, 0},
		{"batch creation", func(g *game, e []ecs.Entity) {
			g.addBatch(3, func(_ ecs.Entity, t *Transform, c *Collider) { *t, *c = geom.At(0, 0, -5), Sphere(1) })
		}, Stats{Colliders: 8, Added: 3}, -1},
		{"world reset", func(g *game, e []ecs.Entity) { // takes the Space with it
			g.Reset()
		}, Stats{}, -2},
		{"world reset and filled again", func(g *game, e []ecs.Entity) {
			g.Reset()
			g.add(geom.At(0, 0, -7), Sphere(1))
			g.add(geom.At(0, 0, -8), Sphere(3)) // the IDs and generations that e[0] and e[1] had
		}, Stats{Colliders: 2, Added: 2}, 1},
		{"world reset, Space kept", func(g *game, e []ecs.Entity) {
			space, meshes := ecs.GetResource[Space](g.World), ecs.GetResource[Meshes](g.World)
			g.Reset()
			ecs.AddResource(g.World, space)
			ecs.AddResource(g.World, meshes)
			g.add(geom.At(0, 0, -7), Sphere(1))
			g.add(geom.At(0, 0, -20), Sphere(1)) // as e[1] was
		}, Stats{Colliders: 2, Moved: 1, Removed: 3}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newGame()
			e := g.row(5)
			assert.Equal(t, Stats{Colliders: 5, Added: 5}, g.sync())
			require.Equal(t, e[0], g.hit(t))
			tt.do(g, e)
			assert.Equal(t, tt.want, g.sync())
			g.check(t)
			switch hit := g.hit(t); tt.hit {
			case -1:
				assert.NotContains(t, e, hit)
				assert.False(t, hit.IsZero())
			case -2:
				assert.True(t, hit.IsZero())
			default:
				assert.Equal(t, e[tt.hit], hit)
			}
			want := Stats{Colliders: tt.want.Colliders, Nowhere: tt.want.Nowhere}
			assert.Equal(t, want, g.sync(), "a second sync finds nothing to do")
			g.check(t)
		})
	}
}

func TestSyncFollowsMeshes(t *testing.T) {
	g := newGame()
	e := g.add(geom.At(0, 0, -5), Mesh(3))
	f := g.add(geom.At(0, 0, -8), Compound(4))
	ball := g.add(geom.At(0, 0, -30), Sphere(1))
	space := Sync(g.World)
	meshes := ecs.GetResource[Meshes](g.World)
	step := func(want Stats, hit ecs.Entity) {
		t.Helper()
		require.Same(t, space, Sync(g.World))
		assert.Equal(t, want, did(space))
		assert.Equal(t, hit, g.hit(t))
		g.check(t)
	}
	step(Stats{Colliders: 3, Nowhere: 2}, ball)
	meshes.Set(3, quad(t))
	step(Stats{Colliders: 3, Nowhere: 1, Changed: 2}, e)
	meshes.SetCompound(4, physics.NewCompound(physics.Child{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(0, 0, 6)}))
	step(Stats{Colliders: 3, Changed: 2}, f)
	assert.True(t, meshes.RemoveCompound(4))
	step(Stats{Colliders: 3, Nowhere: 1, Changed: 2}, e)
	meshes.Set(3, tetrahedron(t))
	g.transforms.Get(e).Position = geom.V(-0.2, -0.2, -5)
	step(Stats{Colliders: 3, Nowhere: 1, Changed: 2}, e)
	assert.True(t, meshes.Remove(3))
	step(Stats{Colliders: 3, Nowhere: 2, Changed: 2}, ball)

	t.Run("another Meshes", func(t *testing.T) {
		id := ecs.ResourceID[Meshes](g.World)
		g.Resources().Remove(id)
		other := &Meshes{}
		other.Set(3, quad(t))
		other.version = meshes.version // a coincidence
		g.Resources().Add(id, other)
		step(Stats{Colliders: 3, Nowhere: 1, Changed: 2}, e)
	})
}

func TestSyncFollowsHulls(t *testing.T) {
	g := newGame()
	e := g.add(geom.At(0, 0, -5), Hull(3))
	ball := g.add(geom.At(0, 0, -30), Sphere(1))
	space := Sync(g.World)
	meshes := ecs.GetResource[Meshes](g.World)
	step := func(want Stats, hit ecs.Entity, at float32) {
		t.Helper()
		require.Same(t, space, Sync(g.World))
		assert.Equal(t, want, did(space))
		h, ok := g.space().CastRay(forward, Filter{})
		require.True(t, ok)
		assert.Equal(t, hit, h.Entity)
		assert.InDelta(t, at, h.T, 1e-6)
		g.check(t)
	}
	step(Stats{Colliders: 2, Nowhere: 1}, ball, 29)
	for range space.Nowhere() {
		assert.Equal(t, FaultUnknownHull, space.rows[0].fault)
	}
	meshes.SetHull(3, crate(t))
	step(Stats{Colliders: 2, Changed: 1}, e, 4)
	meshes.SetHull(3, wedge(t))
	step(Stats{Colliders: 2, Changed: 1}, e, 4)
	g.colliders.Get(e).Hull = 4
	step(Stats{Colliders: 2, Nowhere: 1, Changed: 1}, ball, 29)
	meshes.SetHull(4, crate(t))
	g.transforms.Get(e).Scale = geom.V(1, 2, 3)
	step(Stats{Colliders: 2, Changed: 1}, e, 2)
	g.transforms.Get(e).Scale = geom.V(1, float32(math.Inf(1)), 3)
	step(Stats{Colliders: 2, Nowhere: 1, Moved: 1}, ball, 29)
	g.transforms.Get(e).Scale = geom.V(1, -1, 1)
	step(Stats{Colliders: 2, Moved: 1}, e, 4)
	assert.True(t, meshes.RemoveHull(4))
	step(Stats{Colliders: 2, Nowhere: 1, Changed: 1}, ball, 29)
	meshes.SetHull(4, &hull.Hull{})
	step(Stats{Colliders: 2, Nowhere: 1, Changed: 1}, ball, 29)
}

func TestMeshes(t *testing.T) {
	m := &Meshes{}
	_, ok := m.Mesh(1)
	assert.False(t, ok)
	assert.False(t, m.Remove(1))
	a, b := tetrahedron(t), quad(t)
	assert.Equal(t, MeshID(1), m.Add(a))
	assert.Equal(t, MeshID(2), m.Add(b))
	m.Set(10, a)
	assert.Equal(t, MeshID(11), m.Add(b))
	assert.True(t, m.Remove(11))
	assert.Equal(t, MeshID(12), m.Add(b), "ids are not given out twice")
	got, ok := m.Mesh(10)
	assert.True(t, ok)
	assert.Same(t, a, got)

	c := physics.NewCompound(physics.Child{Shape: geom.Sphere{Radius: 1}})
	assert.Equal(t, CompoundID(1), m.AddCompound(c))
	back, ok := m.Compound(1)
	assert.True(t, ok)
	assert.Same(t, c, back)
	assert.True(t, m.RemoveCompound(1))
	assert.False(t, m.RemoveCompound(1))

	h := wedge(t)
	assert.Equal(t, HullID(1), m.AddHull(h))
	held, ok := m.Hull(1)
	assert.True(t, ok)
	assert.Same(t, h, held)
	assert.True(t, m.RemoveHull(1))
	assert.False(t, m.RemoveHull(1))
	assert.Equal(t, HullID(2), m.AddHull(h), "ids are not given out twice")
	m.SetHull(math.MaxUint16, h)
	assert.Equal(t, HullID(1), m.AddHull(h), "before they run out")
	assert.Equal(t, HullID(3), m.AddHull(h))
	for id := 4; id < math.MaxUint16; id++ {
		m.SetHull(HullID(id), h)
	}
	assert.PanicsWithValue(t, "physecs: Meshes.AddHull: all IDs have a hull", func() { m.AddHull(h) })
	assert.True(t, m.RemoveHull(40_000))
	assert.Equal(t, HullID(40_000), m.AddHull(h))
	assert.PanicsWithValue(t, "physecs: Meshes.SetHull: nil hull or id 0", func() { m.SetHull(1, nil) })
	assert.PanicsWithValue(t, "physecs: Meshes.SetHull: nil hull or id 0", func() { m.SetHull(0, h) })
	assert.PanicsWithValue(t, "physecs: Meshes.AddHull: nil hull", func() { m.AddHull(nil) })

	assert.PanicsWithValue(t, "physecs: Meshes.Set: nil mesh or id 0", func() { m.Set(1, nil) })
	assert.PanicsWithValue(t, "physecs: Meshes.Set: nil mesh or id 0", func() { m.Set(0, a) })
	assert.PanicsWithValue(t, "physecs: Meshes.Add: nil mesh", func() { m.Add(nil) })
	assert.PanicsWithValue(t, "physecs: Meshes.SetCompound: nil compound or id 0", func() { m.SetCompound(1, nil) })
	assert.PanicsWithValue(t, "physecs: Meshes.AddCompound: nil compound", func() { m.AddCompound(nil) })
}

// A saved world is loaded: the same entities appear at once, with their components added later.
func TestSyncAfterLoading(t *testing.T) {
	g := newGame()
	e := g.row(4)
	g.RemoveEntity(e[1])
	Sync(g.World)
	dump := g.DumpEntities()

	h := newGame()
	h.LoadEntities(&dump)
	Sync(h.World)
	assert.Zero(t, ecs.GetResource[Space](h.World).Len())
	for i, e := range []ecs.Entity{e[3], e[0], e[2]} { // in another order
		h.things.Assign(e, new(geom.At(0, 0, -float32(10*i+10))), new(Sphere(1)))
	}
	Sync(h.World)
	h.check(t)
	assert.Equal(t, e[3], h.hit(t))
}

// A Space filled from one world, and then used with another.
func TestSyncOfAnotherWorld(t *testing.T) {
	g, h := newGame(), newGame()
	g.row(3)
	space := Sync(g.World)
	h.add(geom.At(0, 0, -4), Sphere(1))
	ecs.AddResource(h.World, space)
	Sync(h.World)
	h.check(t)
	assert.Equal(t, 1, space.Len())
}

func TestSyncInLockedWorld(t *testing.T) {
	g := newGame()
	e := g.row(3)
	(&SyncSystem{}).Initialize(g.World)
	filter := ecs.All(g.transform)
	query := g.Query(&filter)
	for query.Next() { // each sphere steps aside when it is hit
		before := g.hit(t)
		if query.Entity() == e[0] {
			assert.True(t, before.IsZero(), "not synced yet")
		}
		(*Transform)(query.Get(g.transform)).Position.X = 50
		Sync(g.World)
	}
	g.check(t)
	assert.True(t, g.hit(t).IsZero())

	t.Run("after a reset", func(t *testing.T) {
		g.Reset()
		g.row(1)
		query := g.Query(&filter)
		for query.Next() {
			Sync(g.World)
			assert.Equal(t, query.Entity(), g.hit(t))
		}
	})
	t.Run("never initialised", func(t *testing.T) {
		w := ecs.NewWorld()
		w.NewEntity()
		query := queryOf(&w)
		defer query.Close()
		assert.Panics(t, func() { Sync(&w) }, "Arche cannot register components now")
	})
}

// Entities that have gone since the last sync are not reported, though the Space still has their
// colliders.
func TestQueriesNeverReportTheDead(t *testing.T) {
	for name, remove := range map[string]func(g *game, e ecs.Entity){
		"entity":    func(g *game, e ecs.Entity) { g.RemoveEntity(e) },
		"collider":  func(g *game, e ecs.Entity) { g.Remove(e, g.collider) },
		"transform": func(g *game, e ecs.Entity) { g.Remove(e, g.transform) },
		"recycled": func(g *game, e ecs.Entity) {
			g.RemoveEntity(e)
			if h := g.add(geom.At(0, 0, -10), Sphere(1)); h.ID() != e.ID() {
				panic("not recycled")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGame()
			e := g.row(2)
			Sync(g.World)
			remove(g, e[0])
			assert.Equal(t, e[1], g.hit(t))
			assert.Equal(t, []ecs.Entity{e[1]}, g.space().OverlapSphere(nil, geom.Sphere{Radius: 100}, Filter{}))
		})
	}
	t.Run("Space kept over a reset", func(t *testing.T) {
		g := newGame()
		g.row(2)
		space := Sync(g.World)
		g.Reset()
		ecs.AddResource(g.World, space)
		assert.True(t, g.hit(t).IsZero())
	})
}

// A collider that the game adds to the physics space takes the place of one whose entity is nowhere
// now. Queries do not report that entity for it.
func TestCollidersOfTheGameAreNotOurs(t *testing.T) {
	g := newGame()
	e := g.row(2)
	space := Sync(g.World)
	*g.colliders.Get(e[0]) = Mesh(9)
	Sync(g.World)
	id := space.Physics().Add(physics.Collider{Shape: geom.Sphere{Radius: 5}})
	_, ok := space.Entity(id)
	assert.False(t, ok)
	assert.Equal(t, e[1], g.hit(t))
	assert.Equal(t, e[1:], g.space().OverlapSphere(nil, geom.Sphere{Radius: 100}, Filter{}))
	s := space.Snapshot()
	hit, _ := s.CastRay(forward, Filter{})
	assert.Equal(t, e[1], hit.Entity)
}
