package physecs

import (
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

// answers is what a world or a snapshot says to some questions.
type answers struct {
	Hits, All, Iterated, Batch []Hit
	OK, Any                    []bool
	Overlaps                   [4][]ecs.Entity
	Near                       []Nearest
	Nearest                    Nearest
	Origin                     geom.DVec3
}

var (
	askedBox   = geom.AABBAround(geom.V(0, 0, -30), geom.V(3, 3, 12))
	askedBall  = geom.Sphere{Center: geom.V(0, 1, -20), Radius: 9.5}
	askedPoint = geom.V(0, 0.5, -10)
	turnedBox  = geom.Box{Center: geom.V(0, 0, -30), HalfExtents: geom.V(12, 3, 3), Rotation: quarter(0, 1, 0)}
)

func (g *game) answers(f Filter) answers {
	a := answers{Origin: Origin(g.World)}
	for _, r := range probes {
		h, ok := CastRay(g.World, r, f)
		a.Hits, a.OK = append(a.Hits, h), append(a.OK, ok)
		a.All = CastRayAll(g.World, a.All, r, f)
		a.Iterated = slices.AppendSeq(a.Iterated, Hits(g.World, r, f))
		a.Any = append(a.Any, CastRayAny(g.World, r, f))
	}
	a.Batch, a.Any = CastRays(g.World, nil, probes, f), CastRaysAny(g.World, a.Any, probes, f)
	a.Overlaps = [4][]ecs.Entity{
		OverlapAABB(g.World, nil, askedBox, f), OverlapBox(g.World, nil, turnedBox, f),
		OverlapSphere(g.World, nil, askedBall, f), OverlapPoint(g.World, nil, askedPoint, f),
	}
	a.Near = ClosestPoints(g.World, nil, askedPoint, 4, 50, f)
	a.Nearest, _ = ClosestPoint(g.World, askedPoint, 50, f)
	return a
}

func (s *Snapshot) answers(f Filter) answers {
	a := answers{Origin: s.Origin()}
	for _, r := range probes {
		h, ok := s.CastRay(r, f)
		a.Hits, a.OK = append(a.Hits, h), append(a.OK, ok)
		a.All = s.CastRayAll(a.All, r, f)
		a.Iterated = slices.AppendSeq(a.Iterated, s.Hits(r, f))
		a.Any = append(a.Any, s.CastRayAny(r, f))
	}
	a.Batch, a.Any = s.CastRays(nil, probes, f), s.CastRaysAny(a.Any, probes, f)
	a.Overlaps = [4][]ecs.Entity{
		s.OverlapAABB(nil, askedBox, f), s.OverlapBox(nil, turnedBox, f),
		s.OverlapSphere(nil, askedBall, f), s.OverlapPoint(nil, askedPoint, f),
	}
	a.Near = s.ClosestPoints(nil, askedPoint, 4, 50, f)
	a.Nearest, _ = s.ClosestPoint(askedPoint, 50, f)
	return a
}

func TestSnapshotStaysAsItWas(t *testing.T) {
	for name, do := range map[string]func(g *game, e []ecs.Entity){
		"nothing":      func(*game, []ecs.Entity) {},
		"moved":        func(g *game, e []ecs.Entity) { g.transforms.Get(e[0]).Position.X = 50 },
		"removed":      func(g *game, e []ecs.Entity) { g.RemoveEntity(e[0]) },
		"all removed":  func(g *game, e []ecs.Entity) { g.Batch().RemoveEntities(ecs.All(g.collider)) },
		"recycled":     func(g *game, e []ecs.Entity) { g.RemoveEntity(e[0]); g.add(geom.At(0, 0, -4), Sphere(1)) },
		"added":        func(g *game, e []ecs.Entity) { g.row(100) },
		"user changed": func(g *game, e []ecs.Entity) { g.colliders.Get(e[0]).User = 8 },
		"reset":        func(g *game, e []ecs.Entity) { g.Reset(); g.row(2) },
		"rebased":      func(g *game, e []ecs.Entity) { Rebase(g.World, geom.DVec3{X: 100}) },
		"reshaped":     func(g *game, e []ecs.Entity) { *g.colliders.Get(e[1]) = Box(geom.V(9, 9, 9)) },
	} {
		t.Run(name, func(t *testing.T) {
			g := newGame()
			e := g.row(6)
			g.colliders.Get(e[0]).User = 42
			g.colliders.Get(e[3]).Sensor = true
			space := Sync(g.World)
			space.Physics().Add(physics.Collider{Shape: geom.Sphere{Radius: 7}}) // of the game's own
			filters := []Filter{
				{}, {Sensors: true}, {Exclude: e[:2]}, {Mask: 4}, {Start: geom.Ignore},
				{Predicate: func(x ecs.Entity) bool { return x != e[1] }},
			}
			var want []answers
			for _, f := range filters {
				want = append(want, g.answers(f))
			}
			snapshot := space.Snapshot()
			check := func() {
				t.Helper()
				for i, f := range filters {
					assert.Equal(t, want[i], snapshot.answers(f))
				}
			}
			check()
			do(g, e)
			check()
			Sync(g.World)
			check()
			snapshot.Release()
		})
	}
}

func TestSnapshotOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGame()
		var live []ecs.Entity
		type taken struct {
			*Snapshot
			answers
		}
		var snapshots []taken
		for range rapid.IntRange(1, 8).Draw(t, "ticks") {
			for range rapid.IntRange(0, 4).Draw(t, "added") {
				live = append(live, g.add(drawTransform(t), drawCollider(t)))
			}
			for i := len(live) - 1; i >= 0; i-- {
				switch rapid.IntRange(0, 5).Draw(t, "fate") {
				case 0:
					g.RemoveEntity(live[i])
					live = slices.Delete(live, i, i+1)
				case 1:
					*g.transforms.Get(live[i]) = drawTransform(t)
				case 2:
					*g.colliders.Get(live[i]) = drawCollider(t)
				}
			}
			space := Sync(g.World)
			if rapid.Bool().Draw(t, "snapshot") {
				snapshots = append(snapshots, taken{space.Snapshot(), g.answers(Filter{Sensors: true})})
			}
			for i := len(snapshots) - 1; i >= 0; i-- {
				require.Equal(t, snapshots[i].answers, snapshots[i].Snapshot.answers(Filter{Sensors: true}))
				if rapid.Bool().Draw(t, "release") {
					snapshots[i].Release()
					snapshots = slices.Delete(snapshots, i, i+1)
				}
			}
		}
	})
}

// Readers beside a writer that moves, kills, adds and syncs. The race detector has the last word.
func TestSnapshotBesideAWriter(t *testing.T) {
	type task struct {
		snapshot *Snapshot
		want     answers
		readers  *sync.WaitGroup
	}
	g := newGame()
	e := g.row(40)
	tasks := make(chan task)
	var pool sync.WaitGroup
	for range 4 {
		pool.Go(func() {
			for task := range tasks {
				for range 3 {
					if got := task.snapshot.answers(Filter{Sensors: true}); !assert.ObjectsAreEqual(task.want, got) {
						t.Errorf("%v, not %v", got, task.want)
					}
				}
				task.readers.Done()
			}
		})
	}
	var open []task
	for tick := range 60 {
		for i, e := range e {
			if g.Alive(e) {
				g.transforms.Get(e).Position.X = float32((tick+i)%5) * 0.3
			}
		}
		if i := tick % len(e); g.Alive(e[i]) {
			g.RemoveEntity(e[i])
			e[i] = g.add(geom.At(0, float32(tick%3), float32(-10*i)), Sphere(1))
		}
		if tick%20 == 10 {
			Rebase(g.World, geom.DVec3{Z: float64(tick % 3)})
		}
		space := Sync(g.World)
		s := task{space.Snapshot(), g.answers(Filter{Sensors: true}), new(sync.WaitGroup)}
		for range 2 {
			s.readers.Add(1)
			tasks <- s
		}
		if open = append(open, s); len(open) > 3 { // the oldest is read out by now, or soon
			open[0].readers.Wait()
			open[0].snapshot.Release()
			open = open[1:]
		}
	}
	close(tasks)
	pool.Wait()
}

func TestSnapshotCannotAskTheWorld(t *testing.T) {
	g := newGame()
	g.row(1)
	s := Sync(g.World).Snapshot()
	for _, f := range []Filter{{With: ecs.All(g.team)}, {Without: ecs.All(g.team)}} {
		for name, query := range map[string]func(){
			"CastRay":       func() { s.CastRay(forward, f) },
			"CastRayAny":    func() { s.CastRayAny(forward, f) },
			"CastRayAll":    func() { s.CastRayAll(nil, forward, f) },
			"CastRays":      func() { s.CastRays(nil, nil, f) },
			"CastRaysAny":   func() { s.CastRaysAny(nil, nil, f) },
			"Hits":          func() { s.Hits(forward, f)(func(Hit) bool { return true }) },
			"CastShape":     func() { s.CastShape(falling, f) },
			"CastShapeAny":  func() { s.CastShapeAny(falling, f) },
			"CastShapeAll":  func() { s.CastShapeAll(nil, falling, f) },
			"OverlapAABB":   func() { s.OverlapAABB(nil, geom.AABB{}, f) },
			"OverlapBox":    func() { s.OverlapBox(nil, geom.Box{}, f) },
			"OverlapSphere": func() { s.OverlapSphere(nil, geom.Sphere{}, f) },
			"OverlapPoint":  func() { s.OverlapPoint(nil, geom.Vec3{}, f) },
			"ClosestPoint":  func() { s.ClosestPoint(geom.Vec3{}, 1, f) },
			"ClosestPoints": func() { s.ClosestPoints(nil, geom.Vec3{}, 1, 1, f) },
		} {
			assert.PanicsWithValue(t, "physecs: Snapshot."+name+": With and Without ask the world, which a snapshot cannot", query)
		}
	}
	assert.Equal(t, 1, s.Physics().Len())
}
