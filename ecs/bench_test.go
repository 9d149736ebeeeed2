package physecs

import (
	"testing"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// crowd returns a synced game with n spheres of radius 1 on a grid, 4 metres apart, in the half
// space −Z.
func crowd(n int) *game {
	g := newGame()
	side := 1
	for side*side*side < n {
		side++
	}
	for i := range n {
		x, y, z := i%side, i/side%side, i/side/side
		g.add(geom.At(float32(4*x-2*side), float32(4*y-2*side), float32(-4*z-10)), Sphere(1))
	}
	Sync(g.World)
	return g
}

func perEntity(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/entity")
}

// measure is the benchmark of a call for n entities.
func measure(b *testing.B, name string, n int, call func()) {
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			call()
		}
		perEntity(b, n)
	})
}

func BenchmarkSync(b *testing.B) {
	const n = 100_000
	g := crowd(n)
	filter := ecs.All(g.transform)
	move := func(every int, d float32) {
		query := g.Query(&filter)
		for i := 0; query.Next(); i++ {
			if i%every == 0 {
				(*Transform)(query.Get(g.transform)).Position.X += d
			}
		}
	}
	measure(b, "idle", n, func() { Sync(g.World) })
	for name, every := range map[string]int{"moved 1 of 100": 100, "all moved": 1} {
		d := float32(0.05)
		measure(b, name, n, func() {
			move(every, d)
			d = -d
			Sync(g.World)
		})
	}
	meshes := &Meshes{}
	measure(b, "brute force: a new Space", n, func() { NewSpace().sync(g.World, meshes) })
}

// Cost of a sync without the physics space: no entity has a shape.
func BenchmarkSyncAlone(b *testing.B) {
	const n = 100_000
	g := crowd(n)
	filter := ecs.All(g.transform)
	query := g.Query(&filter)
	for query.Next() {
		*(*Collider)(query.Get(g.collider)) = Mesh(1)
	}
	Sync(g.World)
	measure(b, "idle", n, func() { Sync(g.World) })
	b.Run("all moved", func(b *testing.B) {
		d := float32(0.05)
		for b.Loop() {
			b.StopTimer()
			query := g.Query(&filter)
			for query.Next() {
				(*Transform)(query.Get(g.transform)).Position.X += d
			}
			d = -d
			b.StartTimer()
			Sync(g.World)
		}
		perEntity(b, n)
	})
}

// Every entity has a collider of its own, which a sync must read in full.
func BenchmarkSyncDistinct(b *testing.B) {
	const n = 100_000
	g := crowd(n)
	filter := ecs.All(g.transform)
	query := g.Query(&filter)
	for i := 0; query.Next(); i++ {
		(*Collider)(query.Get(g.collider)).User = uint64(i)
	}
	Sync(g.World)
	measure(b, "idle", n, func() { Sync(g.World) })
}

// 100,000 entities that follow 1,000 parents, without colliders.
func BenchmarkSyncFamilies(b *testing.B) {
	const n = 100_000
	g := newGame()
	var roots []ecs.Entity
	for i := range 1000 {
		roots = append(roots, g.NewEntity(g.transform))
		*g.transforms.Get(roots[i]) = Transform{Position: geom.V(float32(i), 0, 0), Rotation: geom.QuatAxisAngle(geom.V(1, 2, 3), float64(i))}
	}
	for i := range n {
		e := g.NewEntity(g.transform, g.parent, g.local)
		g.adopt(e, roots[i/100], LocalTransform(geom.At(float32(i%10), float32(i/10%10), 1)))
	}
	Sync(g.World)
	measure(b, "idle", n, func() { Sync(g.World) })
	measure(b, "all moved", n, func() {
		for _, r := range roots {
			g.transforms.Get(r).Position.Y += 0.01
		}
		Sync(g.World)
	})
	e, i := g.adopt(g.NewEntity(g.transform), roots[0], LocalTransform{}), 0
	measure(b, "other parents", n, func() {
		i++
		g.parents.Get(e).Entity = roots[i%2]
		Sync(g.World)
	})
}

// 100,000 entities with a WorldPosition.
func BenchmarkSyncPositions(b *testing.B) {
	const n = 100_000
	g := newGame()
	for i := range n {
		g.at(g.NewEntity(g.transform, g.position), WorldPosition{float64(i), 2e5, -1e5})
	}
	Sync(g.World)
	measure(b, "idle", n, func() { Sync(g.World) })
	measure(b, "rebased", n, func() { Rebase(g.World, g.space().Origin().Add(geom.DVec3{X: 1})) })
}

func BenchmarkPairSystem(b *testing.B) {
	g := crowd(10_000)
	filter := ecs.All(g.transform)
	query := g.Query(&filter)
	for i := 0; query.Next(); i++ {
		t := (*Transform)(query.Get(g.transform))
		t.Position = t.Position.Mul(0.4 + 0.2*float32(i*7919%100)/100) // overlapping its neighbour
	}
	var s PairSystem
	s.Initialize(g.World)
	space := Sync(g.World).Physics()
	b.Run("system", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.Update(g.World)
		}
		b.ReportMetric(float64(len(ecs.GetResource[Pairs](g.World).All)), "pairs")
	})
	b.Run("space beneath", func(b *testing.B) {
		p := physics.PairTracker{}
		for b.Loop() {
			p.Update(space)
		}
		b.ReportMetric(float64(len(p.All)), "pairs")
	})
}

func BenchmarkSnapshot(b *testing.B) {
	g := crowd(100_000)
	space := Sync(g.World)
	b.ReportAllocs()
	for b.Loop() {
		space.Snapshot().Release()
	}
}

func BenchmarkCastRay(b *testing.B) {
	g := crowd(100_000)
	rays := make([]geom.Ray, 256)
	for i := range rays {
		rays[i] = geom.NewRay(geom.V(0, 0, 5), geom.V(float32(i%16-8)*0.05, float32(i/16-8)*0.05, -1))
	}
	b.Run("tree", func(b *testing.B) {
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			g.space().CastRay(rays[i%len(rays)], Filter{})
			i++
		}
	})
	b.Run("256 at once", func(b *testing.B) {
		b.ReportAllocs()
		hits := make([]Hit, 0, len(rays))
		for b.Loop() {
			hits = g.space().CastRays(hits[:0], rays, Filter{})
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(rays)), "ns/ray")
	})
	b.Run("brute force", func(b *testing.B) {
		filter := ecs.All(g.transform, g.collider)
		i := 0
		for b.Loop() {
			ray := rays[i%len(rays)]
			query := g.Query(&filter)
			for query.Next() {
				s := geom.Sphere{Center: (*Transform)(query.Get(g.transform)).Position, Radius: (*Collider)(query.Get(g.collider)).Radius}
				if hit, ok := s.CastRay(ray, geom.Solid); ok {
					ray.MaxT = hit.T
				}
			}
			i++
		}
	})
}

// Cost of a ray by entity above that in the physics space, by the filter's conditions.
func BenchmarkCastRayFilter(b *testing.B) {
	g := crowd(10_000)
	space := Sync(g.World)
	rays := make([]geom.Ray, 256)
	for i := range rays {
		rays[i] = geom.NewRay(geom.V(0, 0, 5), geom.V(float32(i%16-8)*0.05, float32(i/16-8)*0.05, -1))
	}
	first, _ := g.space().CastRay(rays[0], Filter{})
	b.Run("space beneath", func(b *testing.B) {
		i := 0
		for b.Loop() {
			space.Physics().CastRay(rays[i%len(rays)], physics.Filter{})
			i++
		}
	})
	for _, f := range []struct {
		name string
		Filter
	}{
		{"zero", Filter{}},
		{"with", Filter{With: ecs.All(g.transform)}},
		{"without", Filter{Without: ecs.All(g.ghost)}},
		{"exclude", Filter{Exclude: []ecs.Entity{first.Entity}}},
		{"predicate", Filter{Predicate: func(e ecs.Entity) bool { return e != first.Entity }}},
	} {
		b.Run(f.name, func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				g.space().CastRay(rays[i%len(rays)], f.Filter)
				i++
			}
		})
	}
}

// The pick of a frame: the pointer over a crowd, without the sync.
func BenchmarkPick(b *testing.B) {
	g := crowd(100_000)
	var raycast RaycastSystem
	var pick PickSystem
	raycast.Initialize(g.World)
	pick.Initialize(g.World)
	view, pointer := ecs.GetResource[View](g.World), ecs.GetResource[Pointer](g.World)
	view.Projection = picking.Perspective(1, 0.1, 1000)
	size := picking.Size{Width: 1280, Height: 720}
	view.Viewport = picking.FullViewport(size, size)
	pointer.Inside = true
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		pointer.X, pointer.Y = float64(i*37%1280), float64(i*91%720)
		raycast.Update(g.World)
		pick.Update(g.World)
		i++
	}
}
