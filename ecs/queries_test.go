package physecs

import (
	"math"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

func entitiesOf(hits []Hit) []ecs.Entity {
	var all []ecs.Entity
	for _, h := range hits {
		all = append(all, h.Entity)
	}
	return all
}

// queryCall runs a query of a Querier with fixed arguments, and returns its whole answer.
type queryCall struct {
	name string
	run  func(q Querier, f Filter) any
}

// queryCalls has every method of Querier that takes a Filter.
var queryCalls = []queryCall{
	{"CastRay", func(q Querier, f Filter) any {
		return each(probes, func(r geom.Ray) any { h, ok := q.CastRay(r, f); return []any{h, ok} })
	}},
	{"CastRayAny", func(q Querier, f Filter) any {
		return each(probes, func(r geom.Ray) any { return q.CastRayAny(r, f) })
	}},
	{"CastRayAll", func(q Querier, f Filter) any {
		return each(probes, func(r geom.Ray) any { return q.CastRayAll(nil, r, f) })
	}},
	{"Crossings", func(q Querier, f Filter) any {
		return each(probes, func(r geom.Ray) any { return q.Crossings(nil, r, f) })
	}},
	{"Hits", func(q Querier, f Filter) any {
		return each(probes, func(r geom.Ray) any { return slices.Collect(q.Hits(r, f)) })
	}},
	{"CastRays", func(q Querier, f Filter) any { return q.CastRays(nil, probes, f) }},
	{"CastRaysAny", func(q Querier, f Filter) any { return q.CastRaysAny(nil, probes, f) }},
	{"CastShape", func(q Querier, f Filter) any {
		return each(falls, func(c physics.ShapeCast) any { h, ok := q.CastShape(c, f); return []any{h, ok} })
	}},
	{"CastShapeAny", func(q Querier, f Filter) any {
		return each(falls, func(c physics.ShapeCast) any { return q.CastShapeAny(c, f) })
	}},
	{"CastShapeAll", func(q Querier, f Filter) any {
		return each(falls, func(c physics.ShapeCast) any { return q.CastShapeAll(nil, c, f) })
	}},
	{"CastShapes", func(q Querier, f Filter) any { return q.CastShapes(nil, falls, f) }},
	{"CastShapesEach", func(q Querier, f Filter) any {
		return q.CastShapesEach(nil, falls, slices.Repeat([]Filter{f}, len(falls)))
	}},
	{"CastSwing", func(q Querier, f Filter) any {
		h, _ := q.CastSwing(physics.Swing{Shape: falls[0].Shape, Transform: falls[0].Transform, Pivot: falls[0].Transform.Position,
			Turn: geom.V(0, 1, 0), Motion: falls[0].Motion}, f)
		return h
	}},
	{"CastShapesAny", func(q Querier, f Filter) any { return q.CastShapesAny(nil, falls, f) }},
	{"OverlapAABB", func(q Querier, f Filter) any {
		return q.OverlapAABB(nil, geom.AABBAround(geom.V(0, 0, -30), geom.V(3, 3, 12)), f)
	}},
	{"OverlapBox", func(q Querier, f Filter) any { return q.OverlapBox(nil, slanted, f) }},
	{"OverlapSphere", func(q Querier, f Filter) any {
		return q.OverlapSphere(nil, geom.Sphere{Center: geom.V(0, 1, -20), Radius: 9.5}, f)
	}},
	{"OverlapPoint", func(q Querier, f Filter) any { return q.OverlapPoint(nil, geom.V(0, 0.5, -10), f) }},
	{"OverlapShape", func(q Querier, f Filter) any { return q.OverlapShape(nil, rod, f) }},
	{"OverlapFrustum", func(q Querier, f Filter) any {
		frustum := frustumOf(slanted)
		return q.OverlapFrustum(nil, &frustum, f)
	}},
	{"ContainedInFrustum", func(q Querier, f Filter) any {
		frustum := frustumOf(slanted)
		return q.ContainedInFrustum(nil, &frustum, f)
	}},
	{"Nearest", func(q Querier, f Filter) any { n, ok := q.Nearest(geom.V(0, 0.5, -10), 50, f); return []any{n, ok} }},
	{"NearestK", func(q Querier, f Filter) any { return q.NearestK(nil, geom.V(0, 0.5, -10), 4, 50, f) }},
	{"NearestToShape", func(q Querier, f Filter) any { n, ok := q.NearestToShape(rod, 50, f); return []any{n, ok} }},
	{"CollideShape", func(q Querier, f Filter) any { return q.CollideShape(nil, rod, 0.1, f) }},
	{"Explain", func(q Querier, f Filter) any { return each(probes, func(r geom.Ray) any { return q.Explain(r, f) }) }},
}

// The arguments of queryCalls. They meet some of the entities of game.row.
var (
	falls   = []physics.ShapeCast{falling, {Shape: geom.Sphere{Radius: 2}, Transform: geom.At(1, 0, -15), Motion: geom.V(0, 0, 1)}, {Shape: geom.Sphere{Radius: -1}}}
	slanted = geom.Box{Center: geom.V(0, 0, -30), HalfExtents: geom.V(12, 3, 3), Rotation: quarter(0, 1, 0)}
)

// frustumOf returns the frustum of a box's six faces.
func frustumOf(b geom.Box) (f geom.Frustum) {
	center, h := b.Center.Wide(), b.HalfExtents.Wide()
	for i, axis := range []geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
		n := b.Rotation.Rotate(axis).Wide()
		reach := n.Dot(center)
		extent := [...]float64{h.X, h.Y, h.Z}[i]
		f[2*i] = geom.HalfSpace{Normal: n, D: reach - extent}
		f[2*i+1] = geom.HalfSpace{Normal: n.Neg(), D: -reach - extent}
	}
	return f
}

func each[T any](all []T, f func(T) any) (answers []any) {
	for _, x := range all {
		answers = append(answers, f(x))
	}
	return answers
}

// answers returns the answers of a Querier to all of queryCalls, and about each of some entities.
func answers(q Querier, f Filter, entities []ecs.Entity) map[string]any {
	a := map[string]any{"Origin": q.Origin()}
	for _, c := range queryCalls {
		a[c.name] = c.run(q, f)
	}
	frustum := frustumOf(slanted)
	a["entities"] = each(entities, func(e ecs.Entity) any {
		id, ok := q.Collider(e)
		of, found := q.Entity(id)
		bounds, somewhere := q.Bounds(e)
		return []any{id, ok, of, found, bounds, somewhere, q.OverlapsFrustum(e, &frustum)}
	})
	return a
}

func TestQueryCallsAreComplete(t *testing.T) {
	querier, filter := reflect.TypeFor[Querier](), reflect.TypeFor[Filter]()
	for i := range querier.NumMethod() {
		m := querier.Method(i)
		if n := m.Type.NumIn(); n > 0 && m.Type.In(n-1) == filter {
			assert.True(t, slices.ContainsFunc(queryCalls, func(c queryCall) bool { return c.name == m.Name }), m.Name)
		}
	}
}

// Space and Snapshot give the same answers.
func TestSpaceAndSnapshotAgree(t *testing.T) {
	g := newGame()
	e := append(g.row(6), g.add(geom.At(0, 0.5, -28), Box(geom.V(1, 2, 3))), g.add(geom.At(0, 0, 0), Plane(geom.V(0, 1, 0), -1)), g.add(geom.At(0, 0, 0), Sphere(-1)), ecs.Entity{})
	g.colliders.Get(e[0]).User = 42
	g.colliders.Get(e[3]).Sensor = true
	space := Sync(g.World)
	snapshot := space.Snapshot()
	defer snapshot.Release()
	for _, f := range []Filter{
		{}, {Sensors: true}, {Exclude: e[:2]}, {Mask: 4}, {OwnLayer: 2}, {Start: geom.Ignore}, {Cull: geom.CullBack},
		{Predicate: func(x ecs.Entity) bool { return x != e[1] }},
	} {
		want, got := answers(space, f, e), answers(snapshot, f, e)
		for name := range want {
			assert.Equal(t, want[name], got[name], "%s, %+v", name, f)
		}
	}
}

// Every filter means the same to every query.
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
			hit, _ := g.space().CastRay(forward, Filter{Exclude: []ecs.Entity{e[0]}})
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
			assert.Equal(t, want, entitiesOf(g.space().CastRayAll(nil, forward, tt.f)))
			var iterated []Hit
			for h := range g.space().Hits(forward, tt.f) {
				iterated = append(iterated, h)
			}
			assert.Equal(t, want, entitiesOf(iterated))
			hit, ok := g.space().CastRay(forward, tt.f)
			assert.Equal(t, len(want) > 0, ok)
			assert.Equal(t, len(want) > 0, g.space().CastRayAny(forward, tt.f))
			near, ok := g.space().Nearest(geom.Vec3{}, 100, tt.f)
			assert.Equal(t, len(want) > 0, ok)
			if len(want) > 0 {
				assert.Equal(t, want[0], hit.Entity)
				assert.Equal(t, want[0], near.Entity)
			} else {
				assert.Zero(t, hit)
				assert.Zero(t, near)
			}
			assert.Equal(t, want, g.space().OverlapSphere(nil, geom.Sphere{Radius: 100}, tt.f))
			assert.Equal(t, want, g.space().OverlapAABB(nil, geom.AABBAround(geom.Vec3{}, geom.V(100, 100, 100)), tt.f))
			assert.Equal(t, want, g.space().OverlapBox(nil, geom.Box{HalfExtents: geom.V(100, 100, 100)}, tt.f))
			for i, at := range e {
				inside := g.space().OverlapPoint(nil, geom.V(0, 0, -10*float32(i+1)), tt.f)
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
			hit, _ := g.space().CastRay(forward, tt.f)
			assert.Equal(t, tt.want, hit.Entity)
			assert.InDelta(t, tt.at, hit.T, 1e-6)
		})
	}
}

func TestHitHasEverything(t *testing.T) {
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

	hits := g.space().CastRayAll(nil, forward, Filter{})
	require.Len(t, hits, 2)
	id, _ := g.space().Collider(first)
	assert.Equal(t, Hit{Entity: first, Hit: physics.Hit{
		Hit:      geom.Hit{T: 3.5, Point: geom.V(0, 0, -3.5), Normal: geom.V(0, 0, 1), Triangle: -1},
		Collider: id, Child: 1, User: math.MaxUint64,
	}}, hits[0])
	assert.Equal(t, second, hits[1].Entity)
	assert.EqualValues(t, 42, hits[1].User)
	assert.EqualValues(t, -1, hits[1].Child)
	assert.EqualValues(t, 9, hits[1].T)
	want := quad(t).Triangle(int(hits[1].Triangle))
	bary := want.A.Mul(1 - hits[1].U - hits[1].V).Add(want.B.Mul(hits[1].U)).Add(want.C.Mul(hits[1].V))
	assert.InDelta(t, 0, bary.Distance(geom.V(-0.25, -0.2, 0)), 1e-6, "barycentrics are those of the point in the mesh")

	near, ok := g.space().Nearest(geom.V(0, 3, 0), 100, Filter{Exclude: []ecs.Entity{first}})
	require.True(t, ok)
	assert.Equal(t, second, near.Entity)
	assert.EqualValues(t, 42, near.User)
	assert.GreaterOrEqual(t, near.TriangleA, int32(0))
	assert.InDelta(t, near.Distance, near.PointA.Distance(geom.V(0, 3, 0)), 1e-6)
	_, ok = g.space().Nearest(geom.V(0, 300, 0), 10, Filter{})
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
		_, ok := g.space().CastRay(r, Filter{})
		assert.False(t, ok, "%v", r)
		assert.False(t, g.space().CastRayAny(r, Filter{}), "%v", r)
		assert.Empty(t, g.space().CastRayAll(nil, r, Filter{}), "%v", r)
	}
	assert.Empty(t, g.space().OverlapSphere(nil, geom.Sphere{Radius: nan}, Filter{}))
	assert.Empty(t, g.space().OverlapPoint(nil, geom.V(nan, 0, 0), Filter{}))
}

func TestCallsWithoutSpacePanic(t *testing.T) {
	w := ecs.NewWorld()
	for name, f := range map[string]func(){
		"IsPickable":        func() { IsPickable(&w, ecs.Entity{}) },
		"AncestorWith":      func() { AncestorWith(&w, ecs.Entity{}, ecs.ID{}) },
		"ExplainPick":       func() { ExplainPick(&w, forward, Filter{}) },
		"SelectIn":          func() { SelectIn(&w, nil, &picking.Region{}, SelectOptions{}) },
		"SurfaceDrag.Begin": func() { new(SurfaceDrag).Begin(&w, ecs.Entity{}, forward) },
		"SurfaceDrag.Drag":  func() { new(SurfaceDrag).Drag(&w, forward) },
	} {
		assert.PanicsWithValue(t, "physecs: "+name+": the world has no Space; initialise a system or call Sync first", f)
	}
}

// Queries that append keep what is in the slice.
func TestQueriesKeepWhatIsThere(t *testing.T) {
	g := newGame()
	e := g.row(2)
	Sync(g.World)
	hits := g.space().CastRayAll([]Hit{{Hit: physics.Hit{User: 9}}}, forward, Filter{})
	require.Len(t, hits, 3)
	assert.EqualValues(t, 9, hits[0].User)
	all := []ecs.Entity{e[1]}
	all = g.space().OverlapPoint(all, geom.V(0, 0, -10), Filter{})
	all = g.space().OverlapSphere(all, geom.Sphere{Center: geom.V(0, 0, -20), Radius: 1}, Filter{})
	assert.Equal(t, []ecs.Entity{e[1], e[0], e[1]}, all)
}

func TestHitsStopEarly(t *testing.T) {
	g := newGame()
	e := g.row(50)
	Sync(g.World)
	seq := g.space().Hits(forward, Filter{})
	for range 2 { // a sequence may be ranged over again
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
		hit, ok := g.space().CastRay(ray, f)
		assert.Equal(t, n < 3, ok)
		assert.Equal(t, ok, g.space().CastRayAny(ray, f))
		assert.Len(t, g.space().CastRayAll(nil, ray, f), 3-n)
		for range g.space().Hits(ray, f) {
			break
		}
		if ok {
			assert.Equal(t, e[n+1], hit.Entity)
		}
		assert.Equal(t, []ecs.Entity{me}, g.space().OverlapPoint(nil, ray.Origin, Filter{}))
		assert.Len(t, g.space().OverlapSphere(nil, geom.Sphere{Center: ray.Origin, Radius: 500}, f), 3)
		assert.Len(t, g.space().OverlapAABB(nil, geom.AABBAround(ray.Origin, geom.V(1, 1, 500)), f), 3)
		assert.Len(t, g.space().OverlapBox(nil, geom.Box{Center: ray.Origin, HalfExtents: geom.V(1, 1, 500)}, f), 3)
		near, _ := g.space().Nearest(ray.Origin, 100, f)
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
				if hit, ok := g.space().CastRay(forward, f); !ok || hit.Entity != e[i] {
					t.Errorf("goroutine %d: %v", i, hit)
					return
				}
				for range g.space().Hits(forward, f) {
					break
				}
				all := g.space().CastRayAll(nil, forward, f)
				some := g.space().OverlapSphere(nil, geom.Sphere{Radius: 1000}, f)
				if len(all) != 20-i || !slices.Equal(entitiesOf(all), some) {
					t.Errorf("goroutine %d: %v, %v", i, all, some)
					return
				}
			}
		})
	}
	wg.Wait()
}

// The brute-force twin casts at one entity after the other, each in a space of its own.
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
		hit, ok := g.space().CastRay(ray, Filter{Start: mode})
		require.Equal(t, !best.IsZero(), ok)
		if ok {
			require.Equal(t, at, hit.T)
			require.True(t, ties[hit.Entity])
		}
	})
}
