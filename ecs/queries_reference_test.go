package physecs

import (
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// filters are the filters of the queries in drawScene's world.
func (g *game) filters(some []ecs.Entity) []Filter {
	return []Filter{
		{},
		{Sensors: true},
		{Start: geom.Ignore},
		{With: ecs.All(g.team)},
		{Without: ecs.All(g.team)},
		{Exclude: some},
		{Predicate: func(e ecs.Entity) bool { return e.ID()%2 == 0 }},
		{Without: ecs.All(g.ghost), Exclude: some, Predicate: func(e ecs.Entity) bool { return e.ID()%3 != 0 }},
	}
}

// drawScene returns a synced world with changes since.
func drawScene(t *rapid.T) (*game, []ecs.Entity) {
	g := newGame()
	var live []ecs.Entity
	for range rapid.IntRange(0, 20).Draw(t, "n") {
		e := g.add(drawTransform(t), drawCollider(t))
		if rapid.Bool().Draw(t, "team") {
			g.Add(e, g.team)
		}
		live = append(live, e)
	}
	// A collider of the game, which no query of this package reports.
	Sync(g.World).Physics().Add(physics.Collider{Shape: geom.Sphere{Radius: 30}})
	for i := len(live) - 1; i >= 0; i-- {
		switch rapid.IntRange(0, 9).Draw(t, "since") {
		case 0:
			g.RemoveEntity(live[i])
			live = slices.Delete(live, i, i+1)
		case 1:
			g.Remove(live[i], g.collider)
		case 2:
			g.Remove(live[i], g.transform)
		case 3:
			g.Add(live[i], g.ghost)
		}
	}
	return g, live
}

func drawRay(t *rapid.T) geom.Ray {
	f := rapid.Float32Range(-12, 12)
	return geom.NewRay(geom.V(f.Draw(t, "ox"), f.Draw(t, "oy"), f.Draw(t, "oz")), geom.V(f.Draw(t, "dx"), f.Draw(t, "dy"), f.Draw(t, "dz")))
}

// Every query is that of the physics space with a predicate for all conditions.
func TestQueriesAreThoseOfThePredicate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, live := drawScene(t)
		space := ecs.GetResource[Space](g.World)
		f := rapid.SampledFrom(g.filters(live[:len(live)/3])).Draw(t, "filter")
		full := f.physics(func(id physics.ColliderID) bool {
			e, ok := space.Entity(id)
			if !ok || !g.Alive(e) || !g.Has(e, g.transform) || !g.Has(e, g.collider) {
				return false
			}
			mask := g.Mask(e)
			return mask.Contains(&f.With) && !mask.ContainsAny(&f.Without) && !slices.Contains(f.Exclude, e) &&
				(f.Predicate == nil || f.Predicate(e))
		})
		entity := func(id physics.ColliderID) ecs.Entity {
			e, _ := space.Entity(id)
			return e
		}
		var rays []geom.Ray
		for range rapid.IntRange(0, 5).Draw(t, "rays") {
			rays = append(rays, drawRay(t))
		}
		rays = append(rays, forward, geom.Ray{})

		var wantAll []Hit
		var wantAny []bool
		for _, r := range rays {
			h, ok := space.physics.CastRay(r, full)
			got, gotOK := space.CastRay(r, f)
			require.Equal(t, ok, gotOK)
			want := missed
			if ok {
				want = Hit{h, entity(h.Collider)}
				require.Equal(t, want, got)
			}
			wantAll, wantAny = append(wantAll, want), append(wantAny, ok)
			require.Equal(t, ok, space.CastRayAny(r, f))

			var every, hits []Hit
			for _, h := range space.physics.CastRayAll(nil, r, full) {
				every = append(every, Hit{h, entity(h.Collider)})
			}
			for h := range space.Hits(r, f) {
				hits = append(hits, h)
			}
			require.Equal(t, every, space.CastRayAll(nil, r, f))
			var crossings []Crossing
			for _, c := range space.physics.Crossings(nil, r, full) {
				crossings = append(crossings, Crossing{c, entity(c.Enter.Collider)})
			}
			require.Equal(t, crossings, space.Crossings(nil, r, f))
			require.Equal(t, every, hits)
		}
		require.Equal(t, wantAll, space.CastRays(nil, rays, f))
		require.Equal(t, wantAny, space.CastRaysAny(nil, rays, f))

		p, limit := forward.At(rapid.Float32Range(-12, 12).Draw(t, "p")), rapid.Float32Range(0, 30).Draw(t, "limit")
		var near []Nearest
		k := rapid.IntRange(0, 6).Draw(t, "k")
		for _, n := range space.physics.NearestK(nil, p, k, limit, full) {
			near = append(near, Nearest{n, entity(n.Collider)})
		}
		require.Equal(t, near, space.NearestK(nil, p, k, limit, f))
		n, ok := space.physics.Nearest(p, limit, full)
		got, gotOK := space.Nearest(p, limit, f)
		require.Equal(t, ok, gotOK)
		if ok {
			require.Equal(t, Nearest{n, entity(n.Collider)}, got)
		}

		sorted := func(ids []physics.ColliderID) []ecs.Entity {
			var all []ecs.Entity
			for _, id := range ids {
				all = append(all, entity(id))
			}
			slices.SortFunc(all, compareEntities)
			return all
		}
		ball, box := geom.Sphere{Center: p, Radius: limit}, geom.AABBAround(p, geom.V(limit, 1, 3))
		turned := geom.Box{Center: p, HalfExtents: geom.V(limit, 1, 3), Rotation: quarter(1, 2, 3)}
		require.Equal(t, sorted(space.physics.OverlapSphere(nil, ball, full)), space.OverlapSphere(nil, ball, f))
		require.Equal(t, sorted(space.physics.OverlapAABB(nil, box, full)), space.OverlapAABB(nil, box, f))
		require.Equal(t, sorted(space.physics.OverlapBox(nil, turned, full)), space.OverlapBox(nil, turned, f))
		require.Equal(t, sorted(space.physics.OverlapPoint(nil, p, full)), space.OverlapPoint(nil, p, f))
		shape := physics.Placed{Shape: geom.Capsule{A: geom.V(-1, 0, 0), B: geom.V(1, 1, 0), Radius: 0.5}, Transform: geom.At(p.X, p.Y, p.Z)}
		require.Equal(t, sorted(space.physics.OverlapShape(nil, shape, full)), space.OverlapShape(nil, shape, f))
		frustum := frustumOf(turned)
		require.Equal(t, sorted(space.physics.OverlapFrustum(nil, &frustum, full)), space.OverlapFrustum(nil, &frustum, f))
		require.Equal(t, sorted(space.physics.ContainedInFrustum(nil, &frustum, full)), space.ContainedInFrustum(nil, &frustum, f))
		for _, e := range live {
			id, ok := space.Collider(e)
			require.Equal(t, ok && space.has(e) && space.physics.OverlapsFrustum(id, &frustum), space.OverlapsFrustum(e, &frustum))
		}

		var casts []physics.ShapeCast
		var wantShapes []ShapeHit
		var wantBlocked []bool
		for _, r := range rays {
			c := physics.ShapeCast{Shape: geom.Sphere{Radius: 0.5}, Transform: geom.Transform{Position: r.Origin}, Motion: r.Dir}
			casts = append(casts, c)
			want := ShapeHit{ShapeHit: physics.ShapeHit{T: float32(math.Inf(1)), Child: -1, Triangle: -1}}
			h, ok := space.physics.CastShape(c, full)
			got, gotOK := space.CastShape(c, f)
			require.Equal(t, ok, gotOK)
			if ok {
				want = ShapeHit{h, entity(h.Collider)}
				require.Equal(t, want, got)
			}
			wantShapes, wantBlocked = append(wantShapes, want), append(wantBlocked, ok)
			require.Equal(t, ok, space.CastShapeAny(c, f))
			var all []ShapeHit
			for _, h := range space.physics.CastShapeAll(nil, c, full) {
				all = append(all, ShapeHit{h, entity(h.Collider)})
			}
			require.Equal(t, all, space.CastShapeAll(nil, c, f))
		}
		require.Equal(t, wantShapes, space.CastShapes(nil, casts, f))
		require.Equal(t, wantShapes, space.CastShapesEach(nil, casts, slices.Repeat([]Filter{f}, len(casts))))
		require.Equal(t, wantBlocked, space.CastShapesAny(nil, casts, f))
		toShape, ok := space.physics.NearestToShape(shape, limit, full)
		gotToShape, gotOK := space.NearestToShape(shape, limit, f)
		require.Equal(t, ok, gotOK)
		if ok {
			require.Equal(t, Nearest{toShape, entity(toShape.Collider)}, gotToShape)
		}
		require.Len(t, space.CollideShape(nil, shape, limit, f), len(space.physics.CollideShape(nil, shape, limit, full)))
	})
}

// Batches of a size for all processors.
func TestCastRaysOfManyRays(t *testing.T) {
	g := newGame()
	e := g.row(50)
	g.Add(e[0], g.ghost)
	space := Sync(g.World)
	g.RemoveEntity(e[1])
	rays := make([]geom.Ray, 3000)
	for i := range rays {
		rays[i] = geom.NewRay(geom.V(float32(i%7)*0.3-0.9, 0, float32(-i%600)), geom.V(0, 0, 1-2*float32(i%2)))
	}
	var asked atomic.Int64
	for _, f := range []Filter{{}, {Without: ecs.All(g.ghost)}, {Predicate: func(e ecs.Entity) bool { asked.Add(1); return e.ID()%5 != 0 }}} {
		hits, blocked := space.CastRays([]Hit{{Hit: physics.Hit{User: 7}}}, rays, f), space.CastRaysAny([]bool{true}, rays, f)
		require.Len(t, hits, len(rays)+1)
		require.Len(t, blocked, len(rays)+1)
		assert.EqualValues(t, 7, hits[0].User, "it appends")
		n := 0
		for i, r := range rays {
			h, ok := space.CastRay(r, f)
			if !ok {
				h = missed
				n++
			}
			require.Equal(t, h, hits[i+1])
			require.Equal(t, ok, blocked[i+1])
		}
		assert.NotZero(t, n)
	}
	assert.NotZero(t, asked.Load())
}

// The k nearest, by hand.
func TestClosestPoints(t *testing.T) {
	g := newGame()
	e := g.row(10)
	space := Sync(g.World)
	g.RemoveEntity(e[4])
	near := space.NearestK([]Nearest{{Nearest: physics.Nearest{User: 9}}}, geom.V(0, 0, -51), 3, 100, Filter{Exclude: e[5:6]})
	require.Len(t, near, 4)
	assert.EqualValues(t, 9, near[0].User)
	assert.Equal(t, []ecs.Entity{e[3], e[6], e[2]}, []ecs.Entity{near[1].Entity, near[2].Entity, near[3].Entity})
	assert.Equal(t, []float32{10, 18, 20}, []float32{near[1].Distance, near[2].Distance, near[3].Distance})
	assert.Len(t, space.NearestK(nil, geom.V(0, 0, -51), 3, 100, Filter{}), 3, "as many as there are without the dead")
	assert.Len(t, space.NearestK(nil, geom.V(0, 0, -51), 99, 12, Filter{}), 2)
	assert.Empty(t, space.NearestK(nil, geom.Vec3{}, 0, 100, Filter{}))
	assert.Empty(t, space.NearestK(nil, geom.V(float32(math.NaN()), 0, 0), 3, 100, Filter{}))
}
