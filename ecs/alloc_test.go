//go:build !race

package physecs

// What must not allocate. Not under the race detector, which makes every sync.Pool forget at random.

import (
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

func TestQueriesAllocateNothing(t *testing.T) {
	g := newGame()
	e := g.row(20)
	g.Add(e[0], g.ghost)
	Sync(g.World)
	f := Filter{
		With: ecs.All(g.transform), Without: ecs.All(g.ghost), Exclude: e[:2],
		Predicate: func(f ecs.Entity) bool { return f != e[3] },
	}
	hits, found := make([]Hit, 0, 100), make([]ecs.Entity, 0, 100)
	for name, query := range map[string]func(){
		"CastRay":    func() { CastRay(g.World, forward, f) },
		"CastRayAny": func() { CastRayAny(g.World, forward, f) },
		"CastRayAll": func() { hits = CastRayAll(g.World, hits[:0], forward, f) },
		"Hits": func() {
			n := 0
			for range Hits(g.World, forward, f) {
				n++
			}
			if n != 17 {
				panic(n)
			}
		},
		"OverlapAABB":   func() { found = OverlapAABB(g.World, found[:0], geom.AABBAround(geom.Vec3{}, geom.V(1, 1, 99)), f) },
		"OverlapBox":    func() { found = OverlapBox(g.World, found[:0], geom.Box{HalfExtents: geom.V(1, 1, 99)}, f) },
		"OverlapSphere": func() { found = OverlapSphere(g.World, found[:0], geom.Sphere{Radius: 99}, f) },
		"OverlapPoint":  func() { found = OverlapPoint(g.World, found[:0], geom.V(0, 0, -50), f) },
		"ClosestPoint":  func() { ClosestPoint(g.World, geom.Vec3{}, 99, f) },
	} {
		t.Run(name, func(t *testing.T) { assertNoAllocs(t, query) })
	}
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

func TestUpdateAllocatesNothing(t *testing.T) {
	g := newTable().click(1)
	cx, cy := g.pointer.X, g.pointer.Y
	frame := 0
	assertNoAllocs(t, func() { // hovering, leaving, pressing and clicking in turn
		frame++
		g.pointer.Input = picking.Input{X: cx, Y: cy - float64(frame/8%2*30), Inside: true}
		if frame%4 > 1 {
			g.pointer.Down = picking.ButtonSet(picking.Left)
		}
		g.Update(g.World)
	})
}

func assertNoAllocs(t *testing.T, f func()) {
	t.Helper()
	f() // let buffers grow to their size
	assert.Zero(t, testing.AllocsPerRun(50, f), "allocations")
}
