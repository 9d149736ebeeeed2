package physecs

import (
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

func entitiesOf(hits []Hit) []ecs.Entity {
	var all []ecs.Entity
	for _, h := range hits {
		all = append(all, h.Entity)
	}
	return all
}

// Every filter must mean the same to every query.
func TestFilter(t *testing.T) {
	g := newGame()
	e := g.row(5)
	g.Add(e[0], g.team)
	g.Add(e[1], g.team, g.ghost)
	g.Add(e[2], g.ghost)
	g.colliders.Get(e[3]).Sensor = true
	g.colliders.Get(e[3]).Layer = 6
	g.colliders.Get(e[4]).Layer = 4
	g.colliders.Get(e[4]).Mask = 8
	Sync(g.World)
	for _, tt := range []struct {
		name string
		f    Filter
		want []int
	}{
		{"zero", Filter{}, []int{0, 1, 2, 4}},
		{"sensors", Filter{Sensors: true}, []int{0, 1, 2, 3, 4}},
		{"with one", Filter{With: ecs.All(g.team)}, []int{0, 1}},
		{"with both", Filter{With: ecs.All(g.team, g.ghost)}, []int{1}},
		{"with the collider itself", Filter{With: ecs.All(g.collider)}, []int{0, 1, 2, 4}},
		{"without one", Filter{Without: ecs.All(g.team)}, []int{2, 4}},
		{"without either", Filter{Without: ecs.All(g.team, g.ghost)}, []int{4}},
		{"with and without", Filter{With: ecs.All(g.team), Without: ecs.All(g.ghost)}, []int{0}},
		{"with and without the same", Filter{With: ecs.All(g.team), Without: ecs.All(g.team)}, nil},
		{"exclude", Filter{Exclude: []ecs.Entity{e[0], e[2], {}}}, []int{1, 4}},
		{"predicate", Filter{Predicate: func(f ecs.Entity) bool { return f == e[2] }}, []int{2}},
		{"predicate that queries", Filter{Predicate: func(f ecs.Entity) bool {
			hit, _ := CastRay(g.World, forward, Filter{Exclude: []ecs.Entity{e[0]}})
			return f == hit.Entity
		}}, []int{1}},
		{"layers looked at", Filter{Mask: 4}, []int{4}},
		{"layers looked at, with sensors", Filter{Mask: 2, Sensors: true}, []int{3}},
		{"layers of the query", Filter{OwnLayer: 1}, []int{0, 1, 2}},
		{"layers of the query, seen by a mask", Filter{OwnLayer: 8}, []int{0, 1, 2, 4}},
		{"nothing", Filter{Mask: 1 << 31}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var want []ecs.Entity
			for _, i := range tt.want {
				want = append(want, e[i])
			}
			assert.Equal(t, want, entitiesOf(CastRayAll(g.World, nil, forward, tt.f)))
			var iterated []Hit
			for h := range Hits(g.World, forward, tt.f) {
				iterated = append(iterated, h)
			}
			assert.Equal(t, want, entitiesOf(iterated))
			hit, ok := CastRay(g.World, forward, tt.f)
			assert.Equal(t, len(want) > 0, ok)
			assert.Equal(t, len(want) > 0, CastRayAny(g.World, forward, tt.f))
			near, ok := ClosestPoint(g.World, geom.Vec3{}, 100, tt.f)
			assert.Equal(t, len(want) > 0, ok)
			if len(want) > 0 {
				assert.Equal(t, want[0], hit.Entity)
				assert.Equal(t, want[0], near.Entity)
			} else {
				assert.Zero(t, hit)
				assert.Zero(t, near)
			}
			assert.Equal(t, want, OverlapSphere(g.World, nil, geom.Sphere{Radius: 100}, tt.f))
			assert.Equal(t, want, OverlapAABB(g.World, nil, geom.AABBAround(geom.Vec3{}, geom.V(100, 100, 100)), tt.f))
			assert.Equal(t, want, OverlapBox(g.World, nil, geom.Box{HalfExtents: geom.V(100, 100, 100)}, tt.f))
			for i, at := range e {
				inside := OverlapPoint(g.World, nil, geom.V(0, 0, -10*float32(i+1)), tt.f)
				assert.Equal(t, len(inside) > 0, assert.ObjectsAreEqual([]ecs.Entity{at}, inside))
				assert.Equal(t, len(inside) > 0, slices.Contains(tt.want, i))
			}
		})
	}
}

func TestFilterInsideAndCull(t *testing.T) {
	g := newGame()
	ball := g.add(geom.At(0, 0, 0), Sphere(1))
	Sync(g.World)
	meshes := ecs.GetResource[Meshes](g.World)
	wall := g.add(Transform{Position: geom.V(0, 0, -5), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), math.Pi)}, Mesh(meshes.Add(quad(t))))
	Sync(g.World)
	for _, tt := range []struct {
		name string
		f    Filter
		want ecs.Entity
		at   float32
	}{
		{"solid", Filter{}, ball, 0},
		{"exit", Filter{Start: geom.Exit}, ball, 1},
		{"ignore", Filter{Start: geom.Ignore}, wall, 5},
		{"cull fronts", Filter{Start: geom.Ignore, Cull: geom.CullFront}, wall, 5},
		{"cull backs", Filter{Start: geom.Ignore, Cull: geom.CullBack}, ecs.Entity{}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			hit, _ := CastRay(g.World, forward, tt.f)
			assert.Equal(t, tt.want, hit.Entity)
			assert.InDelta(t, tt.at, hit.T, 1e-6)
		})
	}
}

func TestHitTellsEverything(t *testing.T) {
	g := newGame()
	Sync(g.World)
	meshes := ecs.GetResource[Meshes](g.World)
	pair := Compound(meshes.AddCompound(physics.NewCompound(
		physics.Child{Shape: geom.Sphere{Radius: 0.5}, Transform: geom.At(0, 3, 0)},
		physics.Child{Shape: geom.Sphere{Radius: 0.5}, Transform: geom.At(0, 0, -3)},
	)))
	pair.User = math.MaxUint64
	first := g.add(geom.At(0, 0, -1), pair)
	wall := Mesh(meshes.Add(quad(t)))
	wall.User = 42
	second := g.add(Transform{Position: geom.V(0.5, 0.2, -9), Scale: geom.V(2, 1, 1)}, wall)
	Sync(g.World)

	hits := CastRayAll(g.World, nil, forward, Filter{})
	require.Len(t, hits, 2)
	assert.Equal(t, Hit{
		Hit:    geom.Hit{T: 3.5, Point: geom.V(0, 0, -3.5), Normal: geom.V(0, 0, 1), Triangle: -1},
		Entity: first, Child: 1, User: math.MaxUint64,
	}, hits[0])
	assert.Equal(t, second, hits[1].Entity)
	assert.EqualValues(t, 42, hits[1].User)
	assert.EqualValues(t, -1, hits[1].Child)
	assert.EqualValues(t, 9, hits[1].T)
	want := quad(t).Triangle(int(hits[1].Triangle))
	bary := want.A.Mul(1 - hits[1].U - hits[1].V).Add(want.B.Mul(hits[1].U)).Add(want.C.Mul(hits[1].V))
	assert.InDelta(t, 0, bary.Distance(geom.V(-0.25, -0.2, 0)), 1e-6, "barycentrics are those of the point in the mesh")

	near, ok := ClosestPoint(g.World, geom.V(0, 3, 0), 100, Filter{Exclude: []ecs.Entity{first}})
	require.True(t, ok)
	assert.Equal(t, second, near.Entity)
	assert.EqualValues(t, 42, near.User)
	assert.GreaterOrEqual(t, near.Triangle, int32(0))
	assert.InDelta(t, near.Distance, near.Point.Distance(geom.V(0, 3, 0)), 1e-6)
	_, ok = ClosestPoint(g.World, geom.V(0, 300, 0), 10, Filter{})
	assert.False(t, ok)
}

func TestBadRaysMiss(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	g := newGame()
	g.row(3)
	Sync(g.World)
	for _, r := range []geom.Ray{
		{}, {Origin: geom.V(0, 0, -10)}, geom.NewRay(geom.V(nan, 0, 0), geom.V(0, 0, -1)), geom.NewRay(geom.Vec3{}, geom.V(0, nan, -1)),
		geom.NewRay(geom.V(inf, 0, 0), geom.V(0, 0, -1)), geom.NewRay(geom.Vec3{}, geom.V(0, 0, -inf)), {Dir: geom.V(0, 0, -1), MinT: 5, MaxT: 1},
	} {
		_, ok := CastRay(g.World, r, Filter{})
		assert.False(t, ok, "%v", r)
		assert.False(t, CastRayAny(g.World, r, Filter{}), "%v", r)
		assert.Empty(t, CastRayAll(g.World, nil, r, Filter{}), "%v", r)
	}
	assert.Empty(t, OverlapSphere(g.World, nil, geom.Sphere{Radius: nan}, Filter{}))
	assert.Empty(t, OverlapPoint(g.World, nil, geom.V(nan, 0, 0), Filter{}))
}

func TestQueriesWithoutSpacePanic(t *testing.T) {
	w := ecs.NewWorld()
	for name, f := range map[string]func(){
		"CastRay":       func() { CastRay(&w, forward, Filter{}) },
		"CastRayAny":    func() { CastRayAny(&w, forward, Filter{}) },
		"CastRayAll":    func() { CastRayAll(&w, nil, forward, Filter{}) },
		"Hits":          func() { Hits(&w, forward, Filter{})(func(Hit) bool { return true }) },
		"CastShape":     func() { CastShape(&w, falling, Filter{}) },
		"CastShapeAny":  func() { CastShapeAny(&w, falling, Filter{}) },
		"CastShapeAll":  func() { CastShapeAll(&w, nil, falling, Filter{}) },
		"OverlapAABB":   func() { OverlapAABB(&w, nil, geom.AABB{}, Filter{}) },
		"OverlapBox":    func() { OverlapBox(&w, nil, geom.Box{}, Filter{}) },
		"OverlapSphere": func() { OverlapSphere(&w, nil, geom.Sphere{}, Filter{}) },
		"OverlapPoint":  func() { OverlapPoint(&w, nil, geom.Vec3{}, Filter{}) },
		"OverlapShape":  func() { OverlapShape(&w, nil, rod, Filter{}) },
		"CollideShape":  func() { CollideShape(&w, nil, rod, 0, Filter{}) },
		"ClosestShape":  func() { ClosestShape(&w, rod, 1, Filter{}) },
		"ClosestPoint":  func() { ClosestPoint(&w, geom.Vec3{}, 1, Filter{}) },
		"ClosestPoints": func() { ClosestPoints(&w, nil, geom.Vec3{}, 1, 1, Filter{}) },
		"CastRays":      func() { CastRays(&w, nil, nil, Filter{}) },
		"CastRaysAny":   func() { CastRaysAny(&w, nil, nil, Filter{}) },
	} {
		assert.PanicsWithValue(t, "physecs: "+name+": the world has no Space; initialise a system or call Sync first", f)
	}
}

// What appends, appends.
func TestQueriesKeepWhatIsThere(t *testing.T) {
	g := newGame()
	e := g.row(2)
	Sync(g.World)
	hits := CastRayAll(g.World, []Hit{{User: 9}}, forward, Filter{})
	require.Len(t, hits, 3)
	assert.EqualValues(t, 9, hits[0].User)
	all := []ecs.Entity{e[1]}
	all = OverlapPoint(g.World, all, geom.V(0, 0, -10), Filter{})
	all = OverlapSphere(g.World, all, geom.Sphere{Center: geom.V(0, 0, -20), Radius: 1}, Filter{})
	assert.Equal(t, []ecs.Entity{e[1], e[0], e[1]}, all)
}

func TestHitsStopEarly(t *testing.T) {
	g := newGame()
	e := g.row(50)
	Sync(g.World)
	seq := Hits(g.World, forward, Filter{})
	for range 2 { // may be ranged over again
		n := 0
		for hit := range seq {
			assert.Equal(t, e[n], hit.Entity)
			if n++; n == 3 {
				break
			}
		}
		assert.Equal(t, 3, n)
	}
	assert.Panics(t, func() {
		for range seq {
			panic("in the loop")
		}
	})
	assert.Equal(t, e[0], g.hit(t), "a panic in the loop leaves the Space in order")
}

// Every query works inside a query's loop, where the world is locked.
func TestQueriesInLockedWorld(t *testing.T) {
	g := newGame()
	e := g.row(4)
	Sync(g.World)
	filter := ecs.All(g.collider)
	query := g.Query(&filter)
	n := 0
	for query.Next() {
		me := query.Entity()
		ray := geom.NewRay((*Transform)(query.Get(g.transform)).Position, geom.V(0, 0, -1))
		f := Filter{Exclude: []ecs.Entity{me}}
		hit, ok := CastRay(g.World, ray, f)
		assert.Equal(t, n < 3, ok)
		assert.Equal(t, ok, CastRayAny(g.World, ray, f))
		assert.Len(t, CastRayAll(g.World, nil, ray, f), 3-n)
		for range Hits(g.World, ray, f) {
			break
		}
		if ok {
			assert.Equal(t, e[n+1], hit.Entity)
		}
		assert.Equal(t, []ecs.Entity{me}, OverlapPoint(g.World, nil, ray.Origin, Filter{}))
		assert.Len(t, OverlapSphere(g.World, nil, geom.Sphere{Center: ray.Origin, Radius: 500}, f), 3)
		assert.Len(t, OverlapAABB(g.World, nil, geom.AABBAround(ray.Origin, geom.V(1, 1, 500)), f), 3)
		assert.Len(t, OverlapBox(g.World, nil, geom.Box{Center: ray.Origin, HalfExtents: geom.V(1, 1, 500)}, f), 3)
		near, _ := ClosestPoint(g.World, ray.Origin, 100, f)
		assert.EqualValues(t, 9, near.Distance)
		assert.True(t, g.IsLocked())
		n++
	}
	assert.Equal(t, 4, n)
	assert.False(t, g.IsLocked())
}

func TestQueriesFromManyGoroutines(t *testing.T) {
	g := newGame()
	e := g.row(20)
	Sync(g.World)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			f := Filter{Exclude: e[:i]}
			for range 200 {
				if hit, ok := CastRay(g.World, forward, f); !ok || hit.Entity != e[i] {
					t.Errorf("goroutine %d: %v", i, hit)
					return
				}
				for range Hits(g.World, forward, f) {
					break
				}
				all := CastRayAll(g.World, nil, forward, f)
				some := OverlapSphere(g.World, nil, geom.Sphere{Radius: 1000}, f)
				if len(all) != 20-i || !slices.Equal(entitiesOf(all), some) {
					t.Errorf("goroutine %d: %v, %v", i, all, some)
					return
				}
			}
		})
	}
	wg.Wait()
}

// The brute-force twin: one entity after the other, each in a space of its own.
func TestCastRayFindsTheNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGame()
		Sync(g.World)
		meshes := ecs.GetResource[Meshes](g.World)
		meshes.Set(1, quad(t))
		meshes.SetCompound(1, physics.NewCompound(physics.Child{Shape: geom.Sphere{Radius: 2}, Transform: geom.At(1, 1, 1)}))
		meshes.SetHull(1, wedge(t))
		var live []ecs.Entity
		for range rapid.IntRange(0, 12).Draw(t, "n") {
			live = append(live, g.add(drawTransform(t), drawCollider(t)))
		}
		Sync(g.World)
		f := rapid.Float32Range(-10, 10)
		v := func(name string) geom.Vec3 {
			return geom.V(f.Draw(t, name+".x"), f.Draw(t, name+".y"), f.Draw(t, name+".z"))
		}
		ray := geom.NewRay(v("origin"), v("dir"))
		mode := geom.StartMode(rapid.IntRange(0, 2).Draw(t, "mode"))

		best, at := ecs.Entity{}, float32(math.Inf(1))
		ties := map[ecs.Entity]bool{}
		for _, e := range live {
			tr, c := g.things.Get(e)
			shape, fault := c.shape(meshes)
			if fault != FaultNone {
				continue
			}
			alone := physics.NewSpace()
			alone.Add(physics.Collider{Shape: shape, Transform: *tr, Sensor: c.Sensor})
			hit, ok := alone.CastRay(ray, physics.Filter{Start: mode})
			switch {
			case ok && hit.T < at:
				best, at = e, hit.T
				ties = map[ecs.Entity]bool{e: true}
			case ok && hit.T == at:
				ties[e] = true
			}
		}
		hit, ok := CastRay(g.World, ray, Filter{Start: mode})
		require.Equal(t, !best.IsZero(), ok)
		if ok {
			require.Equal(t, at, hit.T)
			require.True(t, ties[hit.Entity])
		}
	})
}
