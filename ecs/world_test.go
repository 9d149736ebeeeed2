package physecs

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/ecs/event"
	"github.com/mlange-42/arche/listener"
	"github.com/stretchr/testify/assert"
)

// This file is to the tests what world.go is to the package.

// addBatch adds n entities with a Transform and a Collider at once.
func (g *game) addBatch(n int, set func(e ecs.Entity, t *Transform, c *Collider)) {
	query := g.things.NewBatchQ(n)
	for query.Next() {
		t, c := query.Get()
		set(query.Entity(), t, c)
	}
}

// The game keeps its listener; Sync needs none.
func TestSyncLeavesTheListenerAlone(t *testing.T) {
	g := newGame()
	heard := 0
	l := listener.NewCallback(func(*ecs.World, ecs.EntityEvent) { heard++ }, event.Entities)
	g.SetListener(&l)
	e := g.row(2)
	Sync(g.World)
	g.RemoveEntity(e[0])
	Sync(g.World)
	assert.Equal(t, 3, heard)
	g.check(t)
}
