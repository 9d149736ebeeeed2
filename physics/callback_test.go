package physics

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/callbacktest"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// TestPanicsOfCallbacks covers every call of physics and mesh that takes a function.
func TestPanicsOfCallbacks(t *testing.T) {
	s := NewSpace()
	var balls []ColliderID
	for i := range 600 {
		balls = append(balls, s.Add(Collider{Shape: geom.Sphere{Radius: 0.7}, Transform: geom.At(float32(i%10-5), float32(i/10%10-5), float32(i/100-3))}))
	}
	for i := range 100 { // for the call that asks sensors alone
		s.Add(Collider{Shape: geom.Sphere{Radius: 0.7}, Sensor: true, Transform: geom.At(float32(i%10-5), float32(i/10-5), 3)})
	}
	s.Add(Collider{Shape: geom.Plane{Normal: geom.V(0, 1, 0)}})
	ray := geom.NewRay(geom.V(-40, 0, 0), geom.V(1, 0, 0))
	table := callbacktest.New(ray, geom.V(0, 0, 0), geom.AABBAround(geom.Vec3{}, geom.V(8, 8, 8)), geom.Sphere{Radius: 12},
		geom.Box{HalfExtents: geom.V(8, 8, 8)}, &geom.Frustum{}, 50, float32(10), Placed{Shape: geom.Sphere{Radius: 12}},
		ShapeCast{Shape: geom.Sphere{Radius: 8}, Transform: geom.At(-40, 0, 0), Motion: geom.V(80, 0, 0)},
		Swing{Shape: geom.Sphere{Radius: 8}, Transform: geom.At(-20, 0, 0), Turn: geom.V(0, 0.5, 0), Motion: geom.V(40, 0, 0)})

	predicate := Filter{Predicate: func(id ColliderID) bool { table.Called(); return id.index()%20 == 19 }}
	assert.GreaterOrEqual(t, table.AddMethods("Space", s, predicate), 20)
	hits := Filter{HitPredicate: func(h Hit) bool { table.Called(); return h.Collider.index()%20 == 19 }}
	table.AddFunc("CastRay, hits", s.CastRay, hits)
	table.AddFunc("CastRays, hits", s.CastRays, hits)
	table.AddFunc("CastRaysAny, hits", s.CastRaysAny, hits)
	table.AddFunc("Hits, hits", s.Hits, hits)
	mover, state, velocity := Mover{Shape: geom.Sphere{Radius: 2}}, MoverState{Transform: geom.At(-8, 4, 0)}, geom.V(30, -5, 0)
	table.Add("Mover.Move", func() any {
		st := state
		return []any{mover.Move(s, &st, velocity, 0.5, predicate, nil), st}
	})
	var cache MoverCache
	table.Add("MoverCache.Move", func() any {
		st := state
		return []any{cache.Move(&mover, s, &st, velocity, 0.5, predicate, nil), st}
	})
	table.Add("Projectile.Move", func() any {
		p := Projectile{Position: geom.V(-40, 0.2, 0.1), Velocity: geom.V(900, 0, 0), Radius: 0.5, Bounces: 9, Restitution: 1}
		return []any{p.Move(nil, s, 0.1, predicate), p}
	})
	separator := Separator{Ignores: func(_, other ColliderID) bool { table.Called(); return other%3 == 0 }}
	table.Add("Separator.Separate", func() any {
		movables := []Movable{}
		for _, id := range balls[:200] {
			movables = append(movables, Movable{Collider: id})
		}
		separator.Separate(s, movables)
		return movables
	})
	table.Add("Explanation.Text", func() any {
		e := s.Explain(ray, Filter{})
		return e.Text(func(i int) string { table.Called(); return fmt.Sprint(i) })
	})

	vertices, indices := mesh.Torus(3, 1, 120, 40)
	for _, q := range []mesh.Quality{mesh.Fast, mesh.Medium, mesh.High} {
		options := mesh.BuildOptions{Quality: q, Threads: 4, Progress: func(float64) { table.Called() }}
		table.Add("mesh.Build "+q.String(), func() any {
			m, err := mesh.Build(context.Background(), vertices, indices, options)
			require.NoError(t, err)
			return m.Bounds()
		})
	}
	torus, err := mesh.New(vertices, indices)
	require.NoError(t, err)
	table.Add("Mesh.VisitAABB", func() any {
		n := 0
		return []any{torus.VisitAABB(torus.Bounds(), func(int) bool { table.Called(); n++; return true }), n}
	})
	for name, calls := range map[string][2]func(){"bound": {table.Called, func() {}}, "visit": {func() {}, table.Called}} {
		table.Add("Mesh.VisitNearest "+name, func() any {
			n := 0
			torus.VisitNearest(0.5, func(geom.AABB) float64 { calls[0](); return 0 }, func(int) float64 { calls[1](); n++; return 0.5 })
			return n
		})
	}
	table.Run(t)
}
