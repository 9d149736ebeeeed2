package physecs

import (
	"slices"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/internal/callbacktest"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// packed is a game with 600 spheres about the origin.
func packed() *game {
	g := newGame()
	for i := range 600 {
		g.add(geom.At(float32(i%10-5), float32(i/10%10-5), float32(i/100-3)), Sphere(0.7))
	}
	Sync(g.World)
	return g
}

// TestPanicsOfCallbacks covers every call that takes a function or a Filter.
func TestPanicsOfCallbacks(t *testing.T) {
	g := packed()
	ray := geom.NewRay(geom.V(-40, 0, 0), geom.V(1, 0, 0))
	table := callbacktest.New(g.World, ray, geom.V(0, 0, 0), geom.AABBAround(geom.Vec3{}, geom.V(8, 8, 8)), geom.Sphere{Radius: 12},
		geom.Box{HalfExtents: geom.V(8, 8, 8)}, &geom.Frustum{}, 50, float32(10), physics.Placed{Shape: geom.Sphere{Radius: 12}},
		physics.ShapeCast{Shape: geom.Sphere{Radius: 8}, Transform: geom.At(-40, 0, 0), Motion: geom.V(80, 0, 0)},
		physics.Swing{Shape: geom.Sphere{Radius: 8}, Transform: geom.At(-20, 0, 0), Turn: geom.V(0, 0.5, 0), Motion: geom.V(40, 0, 0)})

	predicate := Filter{Predicate: func(e ecs.Entity) bool { table.Called(); return e.ID()%20 == 19 }}
	space := ecs.GetResource[Space](g.World)
	for name, q := range map[string]*Queries{"Space": &space.Queries, "Snapshot": &space.Snapshot().Queries} {
		assert.GreaterOrEqual(t, table.AddMethods(name, q, predicate), 20)
	}
	table.AddFunc("ExplainPick", ExplainPick, predicate)

	var view ViewSystem
	view.Initialize(g.World)
	v := ecs.GetResource[View](g.World)
	v.Position, v.Projection = geom.V(0, 0, 20), picking.Orthographic(10, 0.1, 100)
	v.Viewport = picking.FullViewport(picking.Size{Width: 40, Height: 40}, picking.Size{Width: 40, Height: 40})
	in := picking.Input{X: 20, Y: 20, Inside: true}
	table.Add("RaycastSystem", func() any {
		s := RaycastSystem{Filter: predicate}
		s.Initialize(g.World)
		ecs.GetResource[Pointer](g.World).Input = in
		s.Update(g.World)
		h := *ecs.GetResource[Hover](g.World)
		h.Elapsed = 0
		return h
	})
	backend := ViewBackend{View: *v, Filter: predicate}
	table.Add("ViewBackend", func() any { return backend.Pick(g.World, in, nil) })
	for name, o := range map[string]SelectOptions{"filter": {Filter: predicate}, "visible": {Filter: predicate, Visible: true}, "blockers": {Blockers: predicate, Visible: true}} {
		table.Add("SelectIn "+name, func() any {
			var r picking.Region
			r.SetRectangle(*v, 5, 5, 35, 35)
			return SelectIn(g.World, nil, &r, o)
		})
	}
	drag := SurfaceDrag{Filter: predicate}
	table.Add("SurfaceDrag.Begin", func() any { return drag.Begin(g.World, ecs.Entity{}, ray) })
	other := packed()
	table.Add("SurfaceDrag.Drag", func() any {
		d := SurfaceDrag{}
		began := d.Begin(other.World, ecs.Entity{}, ray)
		d.Filter = predicate
		move, normal, ok := d.Drag(other.World, ray)
		return []any{began, move, normal, ok}
	})

	for mode, name := range map[CastMode]string{CastClosest: "closest", CastAll: "all", CastAny: "any"} {
		p := &casterGame{game: packed()}
		p.bindCasters()
		p.system.Filter = predicate
		for range 100 {
			p.probe(geom.At(0, 0, 10), RayCaster{Ray: forward, Mode: mode})
			p.onShape(p.bare(geom.At(0, 0, 10)), ShapeCaster{Shape: Sphere(0.2), Motion: geom.V(0, 0, -20), Mode: mode})
		}
		table.Add("CasterSystem "+name, func() any {
			h := p.tick()
			return []any{slices.Clone(h.rays.hits), slices.Clone(h.shapes.hits), slices.Clone(h.rays.results), slices.Clone(h.shapes.results)}
		})
	}
	y := crowded(200)
	y.system.Filter = predicate
	table.Add("MoverSystem", func() any {
		i := 0
		moving := ecs.All(y.transform, ecs.ComponentID[MoverState](y.World))
		query := y.Query(&moving)
		for query.Next() {
			*(*Transform)(query.Get(y.transform)) = geom.At(float32(i%20-10), 0.02, float32(i/20-5))
			*(*MoverState)(query.Get(ecs.ComponentID[MoverState](y.World))) = MoverState{}
			i++
		}
		y.run(1)
		h := ecs.GetResource[MoverHits](y.World)
		return []any{slices.Clone(h.List), h.Movers}
	})
	r := newShootingRange()
	for i := range 40 {
		r.add(geom.At(5+float32(i), 0, 0), Box(geom.V(0.1, 100, 100)))
	}
	var shots []ecs.Entity
	for i := range 300 {
		shots = append(shots, r.fire(geom.V(0, float32(i)*0.1, 0), Projectile{}))
	}
	r.system.Filter = predicate
	table.Add("ProjectileSystem", func() any {
		for i, e := range shots {
			*r.transforms.Get(e), *r.projectiles.Get(e) = geom.At(0, float32(i)*0.1, 0), Projectile{Velocity: geom.V(1200, 0, 0)}
		}
		return slices.Clone(r.tick())
	})

	rebase := RebaseSystem{
		Position: func(*ecs.World) (geom.Vec3, bool) { table.Called(); return geom.V(5000, 0, 0), true },
		Rebased:  func(*ecs.World, geom.DVec3, geom.DVec3) { table.Called() },
	}
	rebased := packed()
	table.Add("RebaseSystem", func() any { rebase.Update(rebased.World); return nil })
	table.Run(t)
}
