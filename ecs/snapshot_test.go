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
			space.Physics().Add(physics.Collider{Shape: geom.Sphere{Radius: 7}}) // the game's own
			filters := []Filter{
				{}, {Sensors: true}, {Exclude: e[:2]}, {Mask: 4}, {Start: geom.Ignore},
				{Predicate: func(x ecs.Entity) bool { return x != e[1] }},
			}
			var want []map[string]any
			for _, f := range filters {
				want = append(want, answers(space, f, e))
			}
			snapshot := space.Snapshot()
			check := func() {
				t.Helper()
				for i, f := range filters {
					assert.Equal(t, want[i], answers(snapshot, f, e))
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
			live    []ecs.Entity
			answers map[string]any
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
				snapshots = append(snapshots, taken{space.Snapshot(), slices.Clone(live), answers(space, Filter{Sensors: true}, live)})
			}
			for i := len(snapshots) - 1; i >= 0; i-- {
				require.Equal(t, snapshots[i].answers, answers(snapshots[i], Filter{Sensors: true}, snapshots[i].live))
				if rapid.Bool().Draw(t, "release") {
					snapshots[i].Release()
					snapshots = slices.Delete(snapshots, i, i+1)
				}
			}
		}
	})
}

// Goroutines read snapshots while another one moves, removes, adds and syncs, for the race
// detector.
func TestSnapshotBesideAWriter(t *testing.T) {
	type task struct {
		snapshot *Snapshot
		want     map[string]any
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
					if got := answers(task.snapshot, Filter{Sensors: true}, nil); !assert.ObjectsAreEqual(task.want, got) {
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
		s := task{space.Snapshot(), answers(space, Filter{Sensors: true}, nil), new(sync.WaitGroup)}
		for range 2 {
			s.readers.Add(1)
			tasks <- s
		}
		if open = append(open, s); len(open) > 3 { // its readers have finished, or soon have
			open[0].readers.Wait()
			open[0].snapshot.Release()
			open = open[1:]
		}
	}
	close(tasks)
	pool.Wait()
}

func TestSnapshotDoesNotReadTheWorld(t *testing.T) {
	g := newGame()
	g.row(1)
	s := Sync(g.World).Snapshot()
	for _, f := range []Filter{{With: ecs.All(g.team)}, {Without: ecs.All(g.team)}} {
		for _, q := range []Querier{s, NewSpace()} {
			for _, c := range queryCalls {
				assert.PanicsWithValue(t, "physecs: "+c.name+": With and Without need the world, which a Snapshot, or a Space before its first Sync, has not",
					func() { c.run(q, f) })
			}
		}
	}
	assert.Equal(t, 1, s.Physics().Len())
}
