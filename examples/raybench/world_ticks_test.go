package main

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/examples/raybench/internal/worldfile"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// touching counts the pairs of bodies whose bounds touch, by asking all of them.
func touching(bodies []worldfile.Body) int {
	n := 0
	for i, a := range bodies {
		for _, b := range bodies[:i] {
			if geom.AABBAround(a.Center, a.HalfExtents).OverlapsAABB(geom.AABBAround(b.Center, b.HalfExtents)) {
				n++
			}
		}
	}
	return n
}

// filled returns a world of bodies in a space.
func filled(bodies []worldfile.Body) *world {
	w := &world{bodies: bodies, ids: make([]physics.ColliderID, len(bodies)), threads: 1, walls: geom.EmptyAABB()}
	for _, b := range bodies {
		w.walls = w.walls.Extend(b.Center)
	}
	w.fill()
	return w
}

// Between the walls, bodies go on as fast as they were, stay, and meet as many others.
func TestWalls(t *testing.T) {
	bodies, _ := makeWorld(200)
	w := filled(append([]worldfile.Body(nil), bodies...))
	w.shut = true
	room := w.walls.Grow(0.11) // of a step
	turned := 0
	for range 1000 {
		w.move()
		for i, b := range w.bodies {
			require.True(t, room.Contains(b.Center), "%v", b)
			require.InDelta(t, bodies[i].Velocity.LenSq(), b.Velocity.LenSq(), 1e-9)
		}
	}
	for i, b := range w.bodies {
		if b.Velocity != bodies[i].Velocity {
			turned++
		}
	}
	assert.Greater(t, turned, 100)
	w.apply()
	require.Equal(t, touching(w.bodies), len(w.space.Pairs(nil)))
	require.NoError(t, w.space.Validate())

	// Without them they leave, and come back through walls that are put up later.
	open := filled(append([]worldfile.Body(nil), bodies...))
	for range 500 {
		open.move()
	}
	outside := func() (n int) {
		for _, b := range open.bodies {
			if !room.Contains(b.Center) {
				n++
			}
		}
		return n
	}
	assert.Greater(t, outside(), 50)
	open.shut = true
	for range 2000 {
		open.move()
	}
	assert.Less(t, outside(), 50)
}

// A space that has lost colliders is noticed by the comparison with one that has not.
func TestWorldNotices(t *testing.T) {
	for name, c := range map[string]struct {
		measure func(w *world, rays []geom.Ray) error
		says    string
	}{
		"sync": {func(w *world, rays []geom.Ray) error { return w.measureSync(io.Discard, rays) }, "synced"},
		"life": {func(w *world, rays []geom.Ray) error {
			return w.measureLife(io.Discard, rays, options{ticks: 3, runs: 1})
		}, "after 3 ticks"},
	} {
		t.Run(name, func(t *testing.T) {
			bodies, rays := makeWorld(200)
			w := filled(bodies)
			rays = rays[:asked]
			require.NoError(t, c.measure(w, rays))
			for _, id := range w.ids[:50] {
				w.space.Remove(id)
			}
			require.ErrorContains(t, c.measure(w, rays), c.says)
		})
	}
}
