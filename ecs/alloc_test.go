//go:build !race

package physecs

// Tests that calls do not allocate. They do not run under the race detector, with which a sync.Pool
// drops items at random.

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

func TestQueriesAllocateNothing(t *testing.T) {
	g := newGame()
	e := g.row(20)
	g.Add(e[0], g.ghost)
	space := Sync(g.World)
	full := Filter{
		With: ecs.All(g.transform), Without: ecs.All(g.ghost), Exclude: e[:2],
		Predicate: func(f ecs.Entity) bool { return f != e[3] }, HitPredicate: func(h Hit) bool { return h.Entity != e[4] },
	}
	hits, found := make([]Hit, 0, 100), make([]ecs.Entity, 0, 100)
	shapeHits, manifolds := make([]ShapeHit, 0, 100), make([]ShapeManifold, 0, 100)
	near, blocked, crossings := make([]Nearest, 0, 100), make([]bool, 0, 100), make([]Crossing, 0, 100)
	frustum := frustumOf(slanted)
	for who, q := range map[string]struct {
		Querier
		f Filter
	}{"Space": {space, full}, "plain": {space, Filter{}}, "Snapshot": {space.Snapshot(), Filter{Exclude: e[:2]}}} {
		for name, query := range map[string]func(){
			"CastRay":            func() { q.CastRay(forward, q.f) },
			"CastRayAny":         func() { q.CastRayAny(forward, q.f) },
			"CastRayAll":         func() { hits = q.CastRayAll(hits[:0], forward, q.f) },
			"Crossings":          func() { crossings = q.Crossings(crossings[:0], forward, q.f) },
			"CastRays":           func() { hits = q.CastRays(hits[:0], probes, q.f) },
			"CastRaysAny":        func() { blocked = q.CastRaysAny(blocked[:0], probes, q.f) },
			"CastShape":          func() { q.CastShape(falling, q.f) },
			"CastShapeAny":       func() { q.CastShapeAny(falling, q.f) },
			"CastShapeAll":       func() { shapeHits = q.CastShapeAll(shapeHits[:0], falling, q.f) },
			"CastShapes":         func() { shapeHits = q.CastShapes(shapeHits[:0], falls, q.f) },
			"CastShapesAny":      func() { blocked = q.CastShapesAny(blocked[:0], falls, q.f) },
			"OverlapAABB":        func() { found = q.OverlapAABB(found[:0], geom.AABBAround(geom.Vec3{}, geom.V(1, 1, 99)), q.f) },
			"OverlapBox":         func() { found = q.OverlapBox(found[:0], geom.Box{HalfExtents: geom.V(1, 1, 99)}, q.f) },
			"OverlapSphere":      func() { found = q.OverlapSphere(found[:0], geom.Sphere{Radius: 99}, q.f) },
			"OverlapPoint":       func() { found = q.OverlapPoint(found[:0], geom.V(0, 0, -50), q.f) },
			"OverlapShape":       func() { found = q.OverlapShape(found[:0], rod, q.f) },
			"OverlapFrustum":     func() { found = q.OverlapFrustum(found[:0], &frustum, q.f) },
			"ContainedInFrustum": func() { found = q.ContainedInFrustum(found[:0], &frustum, q.f) },
			"OverlapsFrustum":    func() { q.OverlapsFrustum(e[1], &frustum) },
			"Nearest":            func() { q.Nearest(geom.Vec3{}, 99, q.f) },
			"NearestK":           func() { near = q.NearestK(near[:0], geom.Vec3{}, 5, 99, q.f) },
			"NearestToShape":     func() { q.NearestToShape(rod, 99, q.f) },
			"CollideShape":       func() { manifolds = q.CollideShape(manifolds[:0], rod, 0, q.f) },
			"Bounds":             func() { q.Bounds(e[1]) },
		} {
			t.Run(who+"/"+name, func(t *testing.T) { assertNoAllocs(t, query) })
		}
	}
	snapshot := space.Snapshot()
	t.Run("Hits", func(t *testing.T) { // not through the interface, where it cannot be inlined
		assertNoAllocs(t, func() {
			n := 0
			for range space.Hits(forward, full) {
				n++
			}
			for range snapshot.Hits(forward, Filter{Exclude: e[:2]}) {
				n++
			}
			if n != 16+18 {
				panic(n)
			}
		})
	})
	assert.NotEmpty(t, near)
	assert.NotEmpty(t, shapeHits)
	assert.NotEmpty(t, manifolds)
	assert.NotEmpty(t, blocked)
	assert.NotEmpty(t, hits)
	assert.NotEmpty(t, found)
}

func TestSyncAllocatesNothing(t *testing.T) {
	g := newGame()
	for i := range 1000 {
		e := g.add(geom.At(float32(i%10)*3, float32(i/10%10)*3, float32(i/100)*-3), Sphere(1))
		switch i % 100 {
		case 1:
			g.transforms.Get(e).Position.X = float32(math.NaN())
		case 2:
			*g.colliders.Get(e) = Mesh(5)
		case 3:
			g.colliders.Get(e).Radius = float32(math.NaN())
		}
	}
	Sync(g.World)
	t.Run("idle", func(t *testing.T) { assertNoAllocs(t, func() { Sync(g.World) }) })
	t.Run("all moved", func(t *testing.T) {
		filter := ecs.All(g.transform)
		assertNoAllocs(t, func() {
			query := g.Query(&filter)
			for query.Next() {
				(*Transform)(query.Get(g.transform)).Position.Y += 0.5
			}
			if moved := Sync(g.World).Stats().Moved; moved < 990 {
				panic("not moved")
			}
		})
	})
}

func TestSyncOfFamiliesAllocatesNothing(t *testing.T) {
	g := newGame()
	root := g.at(g.row(1)[0], WorldPosition{})
	parent := root
	for i, e := range g.row(100) {
		g.adopt(e, parent, LocalTransform(geom.At(1, 0, 0)))
		if i%10 == 0 {
			parent = e
		}
	}
	Sync(g.World)
	t.Run("idle", func(t *testing.T) { assertNoAllocs(t, func() { Sync(g.World) }) })
	t.Run("moved", func(t *testing.T) {
		assertNoAllocs(t, func() {
			g.positions.Get(root).X++
			if Sync(g.World).Stats().Moved != 101 {
				panic("not moved")
			}
		})
	})
	t.Run("with another parent", func(t *testing.T) {
		assertNoAllocs(t, func() {
			g.parents.Get(parent).Entity = root
			Sync(g.World)
			g.parents.Get(parent).Entity = ecs.Entity{}
			Sync(g.World)
		})
	})
	t.Run("rebased", func(t *testing.T) {
		assertNoAllocs(t, func() {
			Rebase(g.World, g.space().Origin().Add(geom.DVec3{X: 1}))
			Sync(g.World)
		})
	})
}

func TestPairSystemAllocatesNothing(t *testing.T) {
	g := newGame()
	e := g.row(50)
	for i, e := range e {
		g.transforms.Get(e).Position.Z *= 0.15
		g.transforms.Get(e).Position.X = float32(i % 2)
	}
	var s PairSystem
	s.Initialize(g.World)
	n := 0
	assertNoAllocs(t, func() {
		g.transforms.Get(e[10]).Position.X = float32(n % 3)
		n++
		Sync(g.World)
		s.Update(g.World)
	})
	assert.NotEmpty(t, ecs.GetResource[Pairs](g.World).All)
}

func TestMoverSystemAllocatesNothing(t *testing.T) {
	y := crowded(200)
	y.run(400)
	assertNoAllocs(t, func() { y.run(1) })
	assert.NotEmpty(t, y.hits())
}

func TestUpdateAllocatesNothing(t *testing.T) {
	g := newTable().click(1)
	cx, cy := g.pointer.X, g.pointer.Y
	frame := 0
	assertNoAllocs(t, func() { // hovers, leaves, presses and clicks in turn
		frame++
		g.pointer.Input = picking.Input{X: cx, Y: cy - float64(frame/8%2*30), Inside: true}
		if frame%4 > 1 {
			g.pointer.Down = picking.ButtonSet(picking.Left)
		}
		g.Update(g.World)
	})
}

// With parents, handlers, touches, PickThrough, a second view, a margin and drags.
func TestPointersAllocateNothing(t *testing.T) {
	g := newTable()
	for i := range g.e[1:] {
		g.Add(g.e[i+1], g.parent)
		g.parents.Get(g.e[i+1]).Entity = g.e[i]
		g.take(g.e[i+1], Pickable{Mode: PickMode(i)})
	}
	g.Raycast.Margin = 8
	g.Raycast.Backends = []Backend{&ViewBackend{View: *g.view, Order: -1, Margin: 5}}
	handlers, calls := ecs.GetResource[Handlers](g.World), 0
	count := func(*ecs.World, *Event) { calls++ }
	handlers.On(g.e[0], picking.Move, count)
	handlers.OnComponent(g.collider, picking.Drag, count)
	handlers.OnBackground(picking.Up, count)
	touches := ecs.GetResource[Touches](g.World)
	kinds := map[picking.EventKind]bool{}
	frame := 0
	run := func() {
		frame++
		touches.List = touches.List[:0]
		for id := range picking.PointerID(3) {
			in := picking.Input{X: float64((frame*5 + 50*int(id)) % 200), Y: 50, Inside: true, ScrollY: float64(frame % 2)}
			if frame%20 > 5 {
				in.Down = picking.ButtonSet(picking.Left)
			}
			if id == picking.Mouse {
				g.pointer.Input = in
			} else if frame%40 > 4 {
				touches.List = append(touches.List, Touch{ID: id, Input: in})
			}
		}
		g.Update(g.World)
		for i := range g.events.List {
			if k := g.events.List[i].Kind; !kinds[k] {
				kinds[k] = true
			}
		}
	}
	for range 500 {
		run()
	}
	testenv.AllocatesNothing(t, 500, run)
	assert.Positive(t, calls)
	for _, k := range []picking.EventKind{picking.Leave, picking.Drop, picking.DragLeave, picking.LostCapture, picking.Cancel} {
		assert.True(t, kinds[k], "%v was not tried", k)
	}
}

func assertNoAllocs(t *testing.T, f func()) {
	t.Helper()
	f() // buffers grow to their size
	testenv.AllocatesNothing(t, 50, f, "allocations")
}

func TestContactSystemAllocatesNothing(t *testing.T) {
	g := newGame()
	e := g.row(50)
	for i, e := range e {
		g.transforms.Get(e).Position.Z *= 0.15
		g.transforms.Get(e).Position.X = float32(i % 2)
	}
	s := ContactSystem{Margin: 0.01}
	s.Initialize(g.World)
	n := 0
	round := func() {
		g.transforms.Get(e[10]).Position.X = float32(n % 3)
		n++
		Sync(g.World)
		s.Update(g.World)
	}
	for range 10 {
		round()
	}
	assertNoAllocs(t, round)
	assert.NotEmpty(t, ecs.GetResource[Contacts](g.World).All)
}

func TestCasterSystemAllocatesNothing(t *testing.T) {
	p := newCasterGame()
	e := p.row(50)
	for i := range 300 {
		c := RayCaster{Ray: forward, Mode: CastMode(i % 3), Mask: 1 << (i % 2), Ignore: Ignore(i % 4)}
		if i%2 == 0 {
			c.Except = e[i%50]
		}
		probe := p.onRay(e[i%50], c)
		if i >= 50 {
			probe = p.probe(geom.At(0, 0, float32(-i)), c)
		}
		p.adopt(probe, e[i%50], LocalTransform(geom.At(0, 0, 1)))
		p.onShape(probe, ShapeCaster{Shape: Sphere(0.1), Motion: geom.V(0, 0, -1), Mode: CastMode(i % 3), Ignore: Ignore(i % 4)})
	}
	p.parents.Get(e[0]).Entity = ecs.Entity{}
	hits, n := p.tick(), 0
	assertNoAllocs(t, func() {
		p.transforms.Get(e[10]).Position.X = float32(n % 3)
		p.tick()
		for caster := range hits.Rays() {
			if h, ok := hits.Ray(caster); !ok || !hits.RayBlocked(caster) || h.Entity.IsZero() {
				panic("lost")
			}
			n++
		}
		for range hits.WorldRays() {
			n++
		}
		for caster := range hits.Shapes() {
			if h, ok := hits.Shape(caster); !ok || !hits.ShapeBlocked(caster) || h.Entity.IsZero() {
				panic("lost")
			}
			n++
		}
		for range hits.ShapeHits(e[1]) {
			n++
		}
	})
	assert.NotZero(t, n)
	assert.NotEmpty(t, hits.rays.alone)
	assert.NotEmpty(t, hits.batch)
}

func TestSeparateSystemAllocatesNothing(t *testing.T) {
	g := newMovableGame()
	var all []ecs.Entity
	for i := range 50 {
		all = append(all, g.ball(float32(i)))
	}
	round := func() { // together again each time, to be pushed apart
		for i, e := range all {
			g.transforms.Get(e).Position.X = float32(i)
		}
		g.step()
	}
	for range 3 {
		round()
	}
	assertNoAllocs(t, round)
	assert.Less(t, g.x(all[0]), float32(0))
}

// Choosers allocate nothing.
func TestChooseAllocatesNothing(t *testing.T) {
	g := newTankGame()
	g.On(g.e[0], picking.Click, func(_ *ecs.World, e *Event) { e.Stop() })
	g.take(g.ground, Pickable{Mode: PickCover})
	frames := func() {
		g.click(0)
		g.clickNothing()
	}
	frames()
	testenv.AllocatesNothing(t, 20, frames)
}

func TestSelectInAllocatesNothing(t *testing.T) {
	f := newField()
	var r picking.Region
	var list []ecs.Entity
	testenv.AllocatesNothing(t, 20, func() {
		r.SetLasso(*f.view, []picking.Point{{X: 5, Y: 5}, {X: 90, Y: 10}, {X: 50, Y: 80}, {X: 10, Y: 70}})
		list = SelectIn(f.World, list[:0], &r, SelectOptions{Visible: true, Contained: true})
		list = SelectIn(f.World, list[:0], &r, SelectOptions{Visible: true})
	})
	assert.NotEmpty(t, list)
}

func TestProjectileSystemAllocatesNothing(t *testing.T) {
	r := newShootingRange()
	excluded := r.add(geom.At(2, 2, 2), Sphere(1))
	r.add(geom.At(0, -20, 0), Plane(geom.V(0, 1, 0), 0))
	for i := range 200 {
		c := Sphere(1)
		c.Sensor = i%4 == 0
		r.add(geom.At(float32(i%10*3), float32(i/10%5*3), float32(i/50*3)), c)
	}
	r.system.Filter = Filter{Sensors: true, Exclude: []ecs.Entity{excluded}}
	r.volley(500, geom.AABB{Max: geom.V(30, 15, 12)})
	most := 0
	for range 200 { // until the buffers have the size for all hits
		most = max(most, len(r.tick()))
	}
	assert.Positive(t, most)
	assertNoAllocs(t, func() { r.tick() })
}

// An update allocates nothing once grown, with bodies asleep, awake, of children, and with
// materials.
func TestDynamicsSystemAllocatesNothing(t *testing.T) {
	p := newFloorWorld()
	all := fillWithBodies(p, rand.New(rand.NewPCG(1, 1)), true)
	p.run(300)
	testenv.AllocatesNothing(t, 20, func() { p.run(1) }, "at rest")
	p.system.DT, p.system.Interpolate = 1.0/100, true
	awake := func() {
		for _, e := range all {
			p.dynamics().ApplyImpulse(e, geom.V(0, 200, 0))
		}
		p.run(4)
	}
	for range 20 {
		awake()
	}
	testenv.AllocatesNothing(t, 20, awake, "awake")
}
